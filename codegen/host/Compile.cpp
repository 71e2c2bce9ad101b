#include "codegen/host/Compile.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;
namespace graphmill::host {
namespace {

/// Collects errors of the code generator, which would otherwise end the
/// process.
class ErrorCollector : public DiagnosticHandler {
public:
  explicit ErrorCollector(std::string &text) : text(text) {}

  bool handleDiagnostics(const DiagnosticInfo &diagnostic) override {
    if (diagnostic.getSeverity() == DS_Error) {
      raw_string_ostream stream(text);
      DiagnosticPrinterRawOStream printer(stream);
      diagnostic.print(printer);
      stream << '\n';
    }
    return true;
  }

private:
  std::string &text;
};

/// Passes that take a third of LLVM's time here and bring nothing: kernels are emitted with
/// the addresses that their loops want, and processors reorder instructions themselves.
class PassGate : public OptPassGate {
public:
  bool shouldRunPass(StringRef name, StringRef) const override {
    return name != "Loop Strength Reduction" &&
           name != "Post RA top-down list latency scheduler" &&
           name != "PostRA Machine Instruction Scheduler";
  }
  bool isEnabled() const override { return true; }
};

void optimize(Module &module, TargetMachine &machine,
              const CompileOptions &options) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager callGraph;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);

  FunctionPassManager passes;
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  if (options.hoistInvariants) {
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                   /*UseMemorySSA=*/true));
  }
  for (Function &function : module) {
    if (!function.isDeclaration()) {
      passes.run(function, functions);
    }
  }
}

Error generate(Module &module, const TargetSpec &target,
               const CompileOptions &options, raw_pwrite_stream &stream,
               CodeGenFileType type) {
  Expected<std::unique_ptr<TargetMachine>> machine = target.createMachine();
  if (!machine) {
    return machine.takeError();
  }
  module.setTargetTriple(Triple(target.triple));
  module.setDataLayout((*machine)->createDataLayout());
  if (options.verify) {
    std::string problem;
    raw_string_ostream problemStream(problem);
    if (verifyModule(module, &problemStream)) {
      return createStringError("module '" + module.getName() +
                               "' is not valid: " + problem);
    }
  }
  std::string errors;
  LLVMContext &context = module.getContext();
  std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<ErrorCollector>(errors));
  PassGate gate;
  OptPassGate &previousGate = context.getOptPassGate();
  context.setOptPassGate(gate);
  optimize(module, **machine, options);
  legacy::PassManager codegen;
  if ((*machine)->addPassesToEmitFile(codegen, stream, /*DwoOut=*/nullptr,
                                      type)) {
    context.setDiagnosticHandler(std::move(previous));
    context.setOptPassGate(previousGate);
    return createStringError("LLVM can't write code for " + target.describe());
  }
  codegen.run(module);
  context.setDiagnosticHandler(std::move(previous));
  context.setOptPassGate(previousGate);
  if (!errors.empty()) {
    return createStringError("in module '" + module.getName() +
                             "': " + StringRef(errors).rtrim());
  }
  return Error::success();
}

} // namespace

Expected<ObjectFile> compileModule(Module &module, const TargetSpec &target,
                                   const CompileOptions &options) {
  ObjectFile object{module.getName().str(), {}};
  raw_svector_ostream stream(object.bytes);
  if (Error error = generate(module, target, options, stream,
                             CodeGenFileType::ObjectFile)) {
    return std::move(error);
  }
  return std::move(object);
}

Expected<std::string> compileToAssembly(Module &module,
                                        const TargetSpec &target,
                                        const CompileOptions &options) {
  SmallVector<char, 0> text;
  raw_svector_ostream stream(text);
  if (Error error = generate(module, target, options, stream,
                             CodeGenFileType::AssemblyFile)) {
    return std::move(error);
  }
  return std::string(text.begin(), text.end());
}

} // namespace graphmill::host
