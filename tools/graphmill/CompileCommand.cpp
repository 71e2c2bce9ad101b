#include "aot_autograd/Transforms/Passes.h"
#include "aot_autograd/Transforms/Pipelines.h"
#include "codegen/cpu/CompileGraph.h"
#include "fx/Aten/AtenDialect.h"
#include "fx/Prims/PrimsDialect.h"
#include "inductor/IR/LoopDialect.h"
#include "inductor/Transforms/Pipelines.h"
#include "tools/graphmill/Command.h"
#include "tools/graphmill/InputModule.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/format.h>
#include <thread>

using namespace llvm;
namespace graphmill::tools {
namespace {

using Clock = std::chrono::steady_clock;

class CompileCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("model", input, "A .pt2 archive, or a graph as MLIR text or bytecode")->required();
    app.add_option("-o,--output", output, "The library; default: the model's name with .so");
    app.add_option("--target", target, "native, x86-64-v3, x86-64-v4, aarch64, or an LLVM CPU name")
        ->capture_default_str();
    app.add_option("--threads", threads, "That compile; 0: all cores")->capture_default_str();
    app.add_option("--weights", weightsFile, "Write the weights to this .safetensors file beside the library");
    app.add_option("--emit", emit, "Stop at a stage and print it")
        ->check(CLI::IsMember({"fx", "aten", "prims", "loop", "llvm", "asm"}));
    app.add_flag("--remarks", remarks, "Say what was fused and what wasn't, and why");
    app.add_flag("-q,--quiet", quiet, "Print errors only");
  }

  Expected<int> run() override;

private:
  void finishStage(StringRef name);
  Error runPasses(mlir::ModuleOp module, function_ref<void(mlir::OpPassManager &)> build);
  void print(mlir::ModuleOp module);

  std::string input, output, target = "native", weightsFile, emit;
  unsigned threads = 0;
  bool remarks = false, quiet = false;
  Clock::time_point stageStart, start;
};

void CompileCommand::finishStage(StringRef name) {
  Clock::time_point now = Clock::now();
  if (!quiet && emit.empty()) {
    errs() << fmt::format("  {:<10}{:7.3f} s\n", name.str(), std::chrono::duration<double>(now - stageStart).count());
  }
  stageStart = now;
}

Error CompileCommand::runPasses(mlir::ModuleOp module, function_ref<void(mlir::OpPassManager &)> build) {
  mlir::PassManager passes(module.getContext());
  passes.enableVerifier(false);
  build(passes);
  DiagnosticCollector errors(module.getContext(), remarks ? &errs() : nullptr);
  if (failed(passes.run(module))) {
    return errors.toError(input);
  }
  return Error::success();
}

void CompileCommand::print(mlir::ModuleOp module) {
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
  module.print(outs(), flags);
}

Expected<int> CompileCommand::run() {
  start = stageStart = Clock::now();
  unsigned workers = threads ? threads : std::max(1u, std::thread::hardware_concurrency());
  Expected<host::TargetSpec> spec = host::TargetSpec::parse(target);
  if (!spec) {
    return spec.takeError();
  }
  Expected<cpu::CpuTarget> cpu = cpu::CpuTarget::of(*spec);
  if (!cpu) {
    return cpu.takeError();
  }
  mlir::DialectRegistry registry;
  registry.insert<fx::FxDialect, aten::AtenDialect, prims::PrimsDialect, loop::LoopDialect>();
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = readModule(input, context);
  if (!module) {
    return module.takeError();
  }
  finishStage("import");
  if (emit == "fx" || emit == "aten") {
    print(**module);
    return 0;
  }
  if (Error error = runPasses(**module, [](mlir::OpPassManager &passes) { buildAotPipeline(passes); })) {
    return error;
  }
  finishStage("decompose");
  if (emit == "prims") {
    print(**module);
    return 0;
  }
  InductorOptions inductor;
  inductor.panel = 2 * cpu->lanes();
  if (Error error = runPasses(**module, [&](mlir::OpPassManager &passes) { buildInductorPipeline(passes, inductor); })) {
    return error;
  }
  finishStage("schedule");
  if (emit == "loop") {
    print(**module);
    return 0;
  }
  cpu::CompileGraphOptions options;
  options.target = *spec;
  options.threads = workers;
  options.text = &outs();
  options.stage = emit == "llvm" ? cpu::EmitStage::Llvm : emit == "asm" ? cpu::EmitStage::Asm : cpu::EmitStage::Library;
  options.library.weightsFile = weightsFile;
  if (output.empty()) {
    SmallString<128> path(sys::path::filename(input));
    sys::path::replace_extension(path, "so");
    output = path.str().str();
  }
  options.library.path = output;
  Expected<cpu::CompileSummary> summary = cpu::compileGraph(**module, sys::path::stem(input), options);
  if (!summary) {
    return summary.takeError();
  }
  finishStage("generate");
  if (!quiet && emit.empty()) {
    uint64_t size = 0;
    (void)sys::fs::file_size(output, size);
    errs() << fmt::format("{}: {} kernels ({} distinct, {} from the cache), {:.2f} MB of weights, arena {} bytes, "
                          "{:.2f} MB in all, {:.3f} s\n",
                          output, summary->kernels, summary->distinctKernels, summary->cachedKernels,
                          summary->weightBytes / 1e6, summary->arena, size / 1e6,
                          std::chrono::duration<double>(Clock::now() - start).count());
  }
  return 0;
}

} // namespace

std::unique_ptr<Command> makeCompileCommand() { return std::make_unique<CompileCommand>(); }

} // namespace graphmill::tools
