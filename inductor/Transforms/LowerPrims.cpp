#include "inductor/Lowering/Lowering.h"
#include "inductor/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace graphmill {

#define GEN_PASS_DEF_LOWERPRIMSPASS
#include "inductor/Transforms/Passes.h.inc"

namespace loop {
Lowering::Results Lowering::lower(Operation *op) {
  for (auto function : {&Lowering::lowerPointwise, &Lowering::lowerShape, &Lowering::lowerReduction,
                        &Lowering::lowerIndexing, &Lowering::lowerRandom, &Lowering::lowerStructured, &Lowering::lowerRecurrent}) {
    Results results = (this->*function)(op);
    if (!results.empty()) {
      return results;
    }
  }
  return {};
}
} // namespace loop

namespace {
/// Kernels compute with integers and these floats; others are converted when constants are folded, or not at all.
bool canCompute(Operation *op) {
  auto isKnown = [](Type type) {
    Type element = cast<RankedTensorType>(type).getElementType();
    return isa<IntegerType, Float16Type, BFloat16Type, Float32Type, Float64Type>(element);
  };
  return llvm::all_of(op->getOperandTypes(), isKnown) && llvm::all_of(op->getResultTypes(), isKnown);
}

struct LowerPrims : impl::LowerPrimsPassBase<LowerPrims> {
  void runOnOperation() override {
    bool allDone = true;
    for (auto graph : getOperation().getOps<fx::GraphOp>()) {
      OpBuilder builder(graph);
      loop::Lowering lowering(builder, graph.getSymbols().size());
      for (Operation &op : llvm::make_early_inc_range(graph.getBlock())) {
        if (op.getName().getDialectNamespace() == "aten") {
          op.emitOpError("must be decomposed before it is lowered to loops");
          allDone = false;
        }
        // Complex numbers at the borders are other names for the same memory.
        if (!isa_and_nonnull<prims::PrimsDialect>(op.getDialect()) || isa<prims::ViewAsRealOp, prims::ViewAsComplexOp>(op)) {
          continue;
        }
        builder.setInsertionPoint(&op);
        loop::Lowering::Results results = canCompute(&op) ? lowering.lower(&op) : loop::Lowering::Results();
        if (results.empty()) {
          op.emitOpError("has no lowering to loops for ")
              << (op.getNumOperands() ? op.getOperand(0).getType() : op.getResult(0).getType());
          allDone = false;
          continue;
        }
        op.replaceAllUsesWith(results);
        op.erase();
      }
    }
    if (!allDone) {
      signalPassFailure();
    }
  }
};
} // namespace
} // namespace graphmill
