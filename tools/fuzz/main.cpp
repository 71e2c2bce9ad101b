//===- main.cpp - Random graphs: the evaluator against compiled code -------===//
#include "fx/Aten/AtenDialect.h"
#include "fx/Eval/Blocks.h"
#include "fx/Eval/Evaluate.h"
#include "inductor/IR/LoopDialect.h"
#include "tools/RunGraph.h"
#include "tools/fuzz/GraphGenerator.h"
#include "mlir/IR/Verifier.h"
#include <CLI/CLI.hpp>
#include <sys/wait.h>
#include <unistd.h>

using namespace graphmill;
using eval::HostTensor;

namespace {

/// What a few roundings may make of values around 1.
double toleranceOf(const HostTensor &tensor) {
  switch (tensor.dtype()) {
  case eval::Dtype::F16: return 2e-2;
  case eval::Dtype::BF16: return 1.5e-1;
  case eval::Dtype::F64: return 1e-9;
  default: return 1e-4;
  }
}

/// Empty if they agree.
std::string difference(const HostTensor &want, const HostTensor &got, bool isExact) {
  if (want.shape != got.shape) {
    return "shapes differ";
  }
  auto load = [](const HostTensor &t) {
    return eval::isReal(t.dtype()) ? eval::loadAll<double>(t) : [&] {
      std::vector<int64_t> whole = eval::loadAll<int64_t>(t);
      return std::vector<double>(whole.begin(), whole.end());
    }();
  };
  std::vector<double> a = load(want), b = load(got);
  bool whole = !eval::isReal(want.dtype());
  double scale = 1;
  for (double v : a) {
    scale = std::isfinite(v) ? std::max(scale, std::abs(v)) : scale;
  }
  for (size_t i = 0; i < a.size(); ++i) {
    bool same = a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]);
    bool close = !isExact && !whole && std::abs(a[i] - b[i]) <= toleranceOf(want) * scale;
    if (!same && !close) {
      return fmt::format("element {} is {:.9g}, expected {:.9g}", i, b[i], a[i]);
    }
  }
  return "";
}

struct Session {
  mlir::MLIRContext context;

  Session() {
    context.loadDialect<fx::FxDialect, aten::AtenDialect, prims::PrimsDialect, loop::LoopDialect>();
    context.disableMultithreading(); // graphs are small, and forks have one thread
  }
  fuzz::GeneratedGraph generate(uint64_t seed, unsigned numOps) {
    return fuzz::GraphGenerator(&context, seed).generate(numOps);
  }
};

/// Every level for this machine, and the widest vectors' rivals if it has those.
std::vector<tools::RunOptions> variants() {
  std::vector<tools::RunOptions> all{{"native", 0}, {"native", 1}, {"native", 2}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    all.push_back({"x86-64-v3", 2});
  }
#endif
  return all;
}

/// Compiles and runs the graph of a seed; what is wrong with it, or nothing.
std::string tryGraph(uint64_t seed, unsigned numOps) {
  Session session;
  fuzz::GeneratedGraph graph = session.generate(seed, numOps);
  if (graph.isExact.empty()) {
    return "";
  }
  if (failed(mlir::verify(*graph.module))) {
    return "the generator made an invalid graph";
  }
  auto want = eval::evaluate(*graph.module->getOps<fx::GraphOp>().begin(), graph.inputs);
  if (!want) {
    return "evaluator: " + llvm::toString(want.takeError());
  }
  for (const tools::RunOptions &how : variants()) {
    auto got = tools::runCompiled(*graph.module, graph.inputs, how);
    std::string variant = fmt::format("{} -O{}", how.target, how.level);
    if (!got) {
      return variant + ": " + llvm::toString(got.takeError());
    }
    for (size_t i = 0; i < want->size(); ++i) {
      std::string message = difference((*want)[i], (*got)[i], graph.isExact[i]);
      if (!message.empty()) {
        return fmt::format("{}: output {}: {}", variant, i, message);
      }
    }
  }
  return "";
}

/// In a process of its own, so that a crash or a hang is one more answer.
std::string tryApart(uint64_t seed, unsigned numOps) {
  // Tiny graphs take milliseconds.
  constexpr unsigned kSeconds = 30;
  int ends[2];
  if (pipe(ends) != 0) {
    return "no pipe";
  }
  pid_t child = fork();
  if (child == 0) {
    alarm(kSeconds);
    std::string message = tryGraph(seed, numOps);
    bool written = write(ends[1], message.data(), message.size()) == static_cast<ssize_t>(message.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string message;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    message.append(buffer, n);
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? fmt::format("killed by signal {}", WTERMSIG(status)) : message;
}

} // namespace

int main(int argc, char **argv) {
  uint64_t first = 0, count = 100;
  unsigned maxOps = 10;
  CLI::App app{"Runs random graphs on the evaluator and compiled, and compares"};
  app.add_option("--first", first, "First seed")->capture_default_str();
  app.add_option("--count", count, "Seeds to try")->capture_default_str();
  app.add_option("--max-ops", maxOps, "Ops a graph has at most")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  unsigned failures = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    unsigned numOps = 1 + seed % maxOps;
    std::string message = tryApart(seed, numOps);
    if (message.empty()) {
      continue;
    }
    ++failures;
    // The shortest beginning that fails.
    for (unsigned fewer = 1; fewer < numOps; ++fewer) {
      std::string shorter = tryApart(seed, fewer);
      if (!shorter.empty()) {
        numOps = fewer;
        message = shorter;
        break;
      }
    }
    Session session;
    llvm::outs() << "seed " << seed << ", " << numOps << " ops: " << message << "\n"
                 << *session.generate(seed, numOps).module << "\n";
    llvm::outs().flush();
  }
  llvm::outs() << count - failures << " of " << count << " graphs agree (seeds " << first << " to " << first + count - 1
               << ")\n";
  return failures ? 1 : 0;
}
