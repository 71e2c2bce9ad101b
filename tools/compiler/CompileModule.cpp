#include "tools/compiler/CompileModule.h"
#include "aot_autograd/Transforms/Pipelines.h"
#include "fx/Aten/AtenDialect.h"
#include "fx/Prims/PrimsDialect.h"
#include "inductor/IR/LoopDialect.h"
#include "inductor/Transforms/Pipelines.h"
#include "mlir/IR/Remarks.h"
#include <thread>

using namespace llvm;

namespace graphmill::tools {

/// "model.py:41: " of the innermost user line, else nothing.
static std::string placeOf(mlir::Location location) {
  if (auto file = location->findInstanceOf<mlir::FileLineColLoc>()) {
    return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ": ").str();
  }
  return "";
}

static std::string textOf(mlir::Diagnostic &diagnostic) {
  std::string text = placeOf(diagnostic.getLocation()) + diagnostic.str();
  for (mlir::Diagnostic &note : diagnostic.getNotes()) {
    text += "\n  note: " + placeOf(note.getLocation()) + note.str();
  }
  return text;
}

DiagnosticCollector::DiagnosticCollector(mlir::MLIRContext *context) : context(context) {
  handler = context->getDiagEngine().registerHandler([this](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
      errors.push_back(textOf(diagnostic));
    }
    return mlir::success();
  });
}

DiagnosticCollector::~DiagnosticCollector() { context->getDiagEngine().eraseHandler(handler); }

Error DiagnosticCollector::toError(StringRef file) {
  std::string all = (file + " is refused:").str();
  for (const std::string &error : errors) {
    all += "\n  " + error;
  }
  return createStringError(all);
}

namespace {
class RemarkTeller : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit RemarkTeller(std::function<void(mlir::Location, StringRef)> onRemark) : onRemark(std::move(onRemark)) {}

  void streamOptimizationRemark(const mlir::remark::detail::Remark &remark) override {
    std::string text;
    for (const auto &part : remark.getArgs()) {
      text += part.val;
    }
    onRemark(remark.getLocation(), text);
  }

private:
  std::function<void(mlir::Location, StringRef)> onRemark;
};
} // namespace

static Error tellRemarks(mlir::MLIRContext &context, std::function<void(mlir::Location, StringRef)> onRemark) {
  mlir::remark::RemarkCategories every;
  every.passed = every.missed = ".*";
  if (failed(mlir::remark::enableOptimizationRemarks(context, std::make_unique<RemarkTeller>(std::move(onRemark)),
                                                     std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), every))) {
    return createStringError("remarks can't be collected");
  }
  return Error::success();
}

void loadDialects(mlir::MLIRContext &context) {
  mlir::DialectRegistry registry;
  registry.insert<fx::FxDialect, aten::AtenDialect, prims::PrimsDialect, loop::LoopDialect>();
  // Whole graphs below an error would hide it.
  context.printOpOnDiagnostic(false);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

static Error runPasses(mlir::ModuleOp module, const ModuleOptions &options, StringRef stage,
                       function_ref<void(mlir::OpPassManager &)> build) {
  mlir::PassManager passes(module.getContext());
  // Modules were verified when they were read; our passes' outputs are by the tests.
  passes.enableVerifier(options.verifyPasses);
  build(passes);
  mlir::TimingScope timing(mlir::Timer(options.timing).nest(stage));
  passes.enableTiming(timing);
  DiagnosticCollector errors(module.getContext());
  return failed(passes.run(module)) ? errors.toError(options.name) : Error::success();
}

static void print(mlir::ModuleOp module, raw_ostream &stream) {
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
  module.print(stream, flags);
}

/// Without constants, which become operands or immediate values.
static unsigned countPrimitiveOps(mlir::ModuleOp module) {
  unsigned count = 0;
  module.walk([&](mlir::Operation *op) {
    count += isa<prims::PrimsDialect>(op->getDialect()) && !op->hasTrait<mlir::OpTrait::ConstantLike>();
  });
  return count;
}

Expected<std::optional<ModuleSummary>> compileModule(mlir::ModuleOp module, const ModuleOptions &options) {
  Expected<host::TargetSpec> spec = host::TargetSpec::parse(options.target);
  if (!spec) {
    return spec.takeError();
  }
  Expected<cpu::CpuTarget> cpu = cpu::CpuTarget::of(*spec);
  if (!cpu) {
    return cpu.takeError();
  }
  if (Error error = options.onRemark ? tellRemarks(*module.getContext(), options.onRemark) : Error::success()) {
    return std::move(error);
  }
  if (Error error = runPasses(module, options, "decompose", [](mlir::OpPassManager &passes) { buildAotPipeline(passes); })) {
    return std::move(error);
  }
  options.onStage("decompose");
  unsigned primitiveOps = countPrimitiveOps(module);
  if (options.stopAfter == "prims") {
    print(module, *options.text);
    return std::nullopt;
  }
  InductorOptions inductor;
  inductor.panel = 2 * cpu->lanes();
  inductor.level = options.level;
  inductor.exact = options.exact;
  if (Error error = runPasses(module, options, "schedule", [&](mlir::OpPassManager &passes) { buildInductorPipeline(passes, inductor); })) {
    return std::move(error);
  }
  options.onStage("schedule");
  if (options.stopAfter == "loop") {
    print(module, *options.text);
    return std::nullopt;
  }
  cpu::CompileGraphOptions generate;
  generate.target = *spec;
  generate.threads = options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  generate.text = options.text;
  generate.timing = mlir::Timer(options.timing);
  generate.onKernel = options.onKernel;
  generate.stage = options.stopAfter == "llvm"  ? cpu::EmitStage::Llvm
                   : options.stopAfter == "asm" ? cpu::EmitStage::Asm
                                                : cpu::EmitStage::Library;
  generate.library.path = options.path;
  generate.library.weightsFile = options.weightsFile;
  Expected<cpu::CompileSummary> summary = cpu::compileGraph(module, options.name, generate);
  if (!summary) {
    return summary.takeError();
  }
  options.onStage("generate");
  return ModuleSummary{std::move(*summary), primitiveOps};
}

} // namespace graphmill::tools
