#include "codegen/host/Compile.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
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

/// What TargetMachine::addPassesToEmitFile adds, without scheduling once more after register
/// allocation (processors reorder instructions themselves) and without most passes over IR: kernels
/// have no exceptions, no atomics and the addresses that their loops want. That saves an eighth of
/// the time. False if the target can't.
bool addCodegenPasses(TargetMachine &machine, legacy::PassManager &passes,
                      const CompileOptions &options, raw_pwrite_stream &stream,
                      CodeGenFileType type) {
  auto &target = static_cast<CodeGenTargetMachineImpl &>(machine);
  TargetPassConfig *config = target.createPassConfig(passes);
  config->disablePass(&PostRASchedulerID);
  config->disablePass(&PostMachineSchedulerID);
  if (!options.hoistConstants) {
    config->disablePass(&EarlyMachineLICMID);
    config->disablePass(&MachineLICMID);
  }
  config->setDisableVerify(true);
  passes.add(config);
  auto *info = new MachineModuleInfoWrapperPass(&target);
  passes.add(info);
  passes.add(createTargetTransformInfoWrapperPass(target.getTargetIRAnalysis()));
  passes.add(createPreISelIntrinsicLoweringPass());
  for (FunctionPass *pass : {createScalarizeMaskedMemIntrinLegacyPass(), createExpandReductionsPass()}) {
    passes.add(pass);
  }
  config->addCodeGenPrepare();
  config->addISelPrepare();
  if (config->addInstSelector()) {
    return false;
  }
  passes.add(Pass::createPass(&FinalizeISelID));
  config->addMachinePasses();
  config->setInitialized();
  if (target.addAsmPrinter(passes, stream, /*DwoOut=*/nullptr, type,
                           info->getMMI().getContext())) {
    return false;
  }
  passes.add(createFreeMachineFunctionPass());
  return true;
}

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
  // InstCombine takes a tenth of all time here and makes nothing faster.
  passes.addPass(InstSimplifyPass());
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
  optimize(module, **machine, options);
  legacy::PassManager codegen;
  if (!addCodegenPasses(**machine, codegen, options, stream, type)) {
    context.setDiagnosticHandler(std::move(previous));
    return createStringError("LLVM can't write code for " + target.describe());
  }
  codegen.run(module);
  context.setDiagnosticHandler(std::move(previous));
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
