#include "codegen/host/FileBytes.h"
#include "tools/StandardOutput.h"
#include "tools/compiler/CompileModule.h"
#include "tools/graphmill/Command.h"
#include "tools/graphmill/InputModule.h"
#include "tools/graphmill/KernelTimes.h"
#include "tools/graphmill/Origins.h"
#include "tools/graphmill/Report.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/format.h>

using namespace llvm;
namespace graphmill::tools {
namespace {

using Clock = std::chrono::steady_clock;

class CompileCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("model", input, "A .pt2 archive, or a graph as MLIR text or bytecode")->required();
    app.add_option("-o,--output", output, "The library; default: the model's name with .so, in the current folder. "
                                           "With --emit: the text; default: standard output");
    app.add_option("--target", target, "native, x86-64-v3, x86-64-v4, aarch64, or an LLVM CPU name")
        ->capture_default_str();
    app.add_option("--threads", threads, "That compile; 0: all cores")->capture_default_str();
    app.add_option("--weights", weightsFile, "Write the weights to this .safetensors file beside the library");
    CLI::Option *stage = app.add_option("--emit", emit, "Stop at a stage and print it; fx and aten are one")
        ->check(CLI::IsMember({"fx", "aten", "prims", "loop", "llvm", "asm"}));
    app.add_option("-O", level, "0: a kernel an op; 1: fused; 2: weights and convolutions in their fastest form, too")
        ->capture_default_str()
        ->check(CLI::Range(0, 2));
    app.add_flag("--exact", exact, "Only sums of the model's own products: no Winograd convolutions");
    app.add_flag("--remarks", remarks, "Say what was fused and what wasn't, and why");
    app.add_option("--report", reportFile, "Write a page (HTML) that shows the kernels, memory and each source line")
        ->excludes(stage);
    app.add_flag("--time-report", timeReport, "Print how long each stage, each pass and the slowest kernels took");
    app.add_flag("-q,--quiet", quiet, "Print errors only");
  }

  Expected<int> run() override;

private:
  void finishStage(StringRef name);
  Error writeStage(StringRef text) const;
  Error checkOutputs() const;
  std::string input, output, target = "native", weightsFile, emit, reportFile;
  unsigned threads = 0, level = 2;
  bool exact = false, remarks = false, timeReport = false, quiet = false;
  Clock::time_point stageStart, start;
};

void CompileCommand::finishStage(StringRef name) {
  Clock::time_point now = Clock::now();
  if (!quiet && emit.empty()) {
    err() << fmt::format("  {:<10}{:7.3f} s\n", name.str(), std::chrono::duration<double>(now - stageStart).count());
  }
  stageStart = now;
}

/// What --emit prints, to standard output or to a file that appears whole or not at all.
Error CompileCommand::writeStage(StringRef text) const {
  if (output.empty()) {
    outs() << text;
    return Error::success();
  }
  Expected<host::PendingFile> file = host::PendingFile::create(output);
  if (!file) {
    return file.takeError();
  }
  if (Error error = host::writeBytes(file->descriptor(), ArrayRef(text.data(), text.size()), output)) {
    return error;
  }
  return file->commit(/*executable=*/false);
}

/// A slip of the command line must not cost the model.
Error CompileCommand::checkOutputs() const {
  SmallString<128> weights(sys::path::parent_path(output));
  sys::path::append(weights, weightsFile);
  for (StringRef path : {StringRef(output), weights.str(), StringRef(reportFile)}) {
    if (sys::fs::equivalent(input, path)) {
      return createStringError("'" + path + "' is the model itself; choose another name for what is written");
    }
  }
  return Error::success();
}

Expected<int> CompileCommand::run() {
  start = stageStart = Clock::now();
  // The process ends when this is done: the system is quicker to free what is in here.
  auto &context = *new mlir::MLIRContext;
  BuryPointer(&context);
  loadDialects(context);
  mlir::DefaultTimingManager timing; // prints when it ends
  timing.setEnabled(timeReport);
  mlir::TimingScope all = timing.getRootScope();
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = readModule(input, context, timing.getRootTimer());
  if (!module) {
    return module.takeError();
  }
  finishStage("import");
  if (emit.empty() && output.empty()) {
    SmallString<128> path(sys::path::filename(input));
    sys::path::replace_extension(path, "so");
    output = path.str().str();
  }
  if (Error error = checkOutputs()) {
    return std::move(error);
  }
  std::string text;
  raw_string_ostream stream(text);
  if (emit == "fx" || emit == "aten") {
    mlir::OpPrintingFlags flags;
    (*module)->print(stream, flags.elideLargeElementsAttrs(16).elideLargeResourceString(64));
    if (Error error = writeStage(text)) {
      return std::move(error);
    }
    return 0;
  }
  if (Error error = emit.empty() ? checkWeights(**module, input) : Error::success()) {
    return std::move(error);
  }
  ModuleOptions options;
  options.name = sys::path::stem(input).str();
  options.target = target;
  options.threads = threads;
  options.stopAfter = emit;
  options.path = output;
  options.weightsFile = weightsFile;
  options.text = &stream;
  options.level = level;
  options.exact = exact;
  std::optional<Report> report;
  if (!reportFile.empty()) {
    report.emplace(**module);
  }
  if (remarks || report) {
    options.onRemark = [&](mlir::Location location, StringRef text) {
      if (remarks) {
        std::string place = placeOf(location);
        err() << place << (place.empty() ? "" : ": ") << text << "\n";
      }
      if (report) {
        report->addRemark(location, text);
      }
    };
  }
  options.timing = timing.getRootTimer();
  options.onStage = [this](StringRef name) { finishStage(name); };
  if (!quiet && emit.empty() && errs().is_displayed()) {
    options.onKernel = [](unsigned done, unsigned total) {
      errs() << fmt::format("  generate   {} of {} kernels\r", done, total);
    };
  }
  Expected<std::optional<ModuleSummary>> done = compileModule(**module, options);
  if (!done) {
    return done.takeError();
  }
  if (Error error = emit.empty() ? Error::success() : writeStage(text)) {
    return std::move(error);
  }
  uint64_t size = 0;
  (void)sys::fs::file_size(output, size);
  if (report) {
    report->finish(**done, options, size);
    if (Error error = report->write(reportFile)) {
      return std::move(error);
    }
  }
  if (const std::optional<ModuleSummary> &summary = *done; summary && !quiet && emit.empty()) {
    err() << fmt::format("{}: {} primitive ops in {} kernels ({} distinct, {} from the cache), {:.2f} MB of weights, "
                          "arena {} bytes, {:.2f} MB in all, {:.3f} s\n",
                          output, summary->primitiveOps, summary->kernels, summary->distinctKernels, summary->cachedKernels,
                          summary->weightBytes / 1e6, summary->arena, size / 1e6,
                          std::chrono::duration<double>(Clock::now() - start).count());
  }
  if (timeReport && *done) {
    printKernelTimes(err(), (*done)->times);
  }
  return 0;
}

} // namespace

std::unique_ptr<Command> makeCompileCommand() { return std::make_unique<CompileCommand>(); }

} // namespace graphmill::tools
