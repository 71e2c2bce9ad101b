#include "tools/graphmill-opt/VerifyNumerics.h"
#include "aot_autograd/Transforms/Pipelines.h"
#include "fx/Check/Outline.h"
#include "fx/Eval/Evaluate.h"
#include "fx/Prims/PrimsDialect.h"
#include "inductor/IR/LoopDialect.h"
#include "tools/RunGraph.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace graphmill::tools {
namespace {

/// Declared here: the one pass that needs the compiler, and that tools alone may have.
struct VerifyNumerics : PassWrapper<VerifyNumerics, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyNumerics)

  VerifyNumerics() = default;
  VerifyNumerics(const VerifyNumerics &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "verify-numerics"; }
  StringRef getDescription() const override { return "Run each check.test and compare its answers"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<prims::PrimsDialect, loop::LoopDialect>();
  }

  void runOnOperation() override {
    if (backend != "evaluator" && backend != "cpu") {
      getOperation().emitError("backend must be evaluator or cpu");
      return signalPassFailure();
    }
    for (auto test : getOperation().getOps<check::TestOp>()) {
      if (failed(run(test))) {
        signalPassFailure();
      }
    }
  }

  LogicalResult run(check::TestOp test) {
    llvm::Expected<check::OutlinedTest> outlined = check::outline(test);
    if (!outlined) {
      return test.emitError(llvm::toString(outlined.takeError()));
    }
    llvm::Expected<std::vector<eval::HostTensor>> results =
        backend == "cpu" ? runCompiled(*outlined->module, outlined->inputs, {target}) : evaluate(*outlined);
    if (!results) {
      return test.emitError("'") << test.getSymName() << "': " << llvm::toString(results.takeError());
    }
    bool allClose = true;
    for (auto [check, result] : llvm::zip(outlined->checks, *results)) {
      allClose &= succeeded(compare(check, result));
    }
    return success(allClose);
  }

  llvm::Expected<std::vector<eval::HostTensor>> evaluate(check::OutlinedTest &test) {
    PassManager passes(&getContext());
    buildAotPipeline(passes);
    if (failed(passes.run(*test.module))) {
      return llvm::createStringError("can't be decomposed");
    }
    return eval::evaluate(*test.module->getOps<fx::GraphOp>().begin(), test.inputs);
  }

  Option<std::string> backend{*this, "backend", llvm::cl::desc("evaluator or cpu"), llvm::cl::init("evaluator")};
  Option<std::string> target{*this, "target", llvm::cl::desc("Of the backend cpu: native, x86-64-v3, …"), llvm::cl::init("native")};
};
} // namespace

void registerVerifyNumerics() { PassRegistration<VerifyNumerics>(); }

} // namespace graphmill::tools
