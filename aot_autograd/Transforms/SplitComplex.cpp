#include "aot_autograd/Complex/ComplexSplit.h"
#include "aot_autograd/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace graphmill {

#define GEN_PASS_DEF_SPLITCOMPLEXPASS
#include "aot_autograd/Transforms/Passes.h.inc"

namespace {
bool isComplex(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<ComplexType>(type.getElementType());
}

struct SplitComplex : impl::SplitComplexPassBase<SplitComplex> {
  LogicalResult initialize(MLIRContext *) override {
    auto all = std::make_shared<ComplexFunctions>();
    addAllComplexFunctions(*all);
    functions = all;
    return success();
  }

  void runOnOperation() override {
    bool allDone = true;
    for (auto graph : getOperation().getOps<fx::GraphOp>()) {
      allDone &= succeeded(split(graph));
    }
    if (!allDone) {
      signalPassFailure();
    }
  }

private:
  LogicalResult split(fx::GraphOp graph) {
    Block &block = graph.getBlock();
    parts.clear();
    OpBuilder builder(graph);
    builder.setInsertionPointToStart(&block);
    for (BlockArgument argument : block.getArguments()) {
      enter(builder, argument);
    }
    SmallVector<Operation *> replaced;
    bool allDone = true;
    for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
      builder.setInsertionPoint(&op);
      bool touches = llvm::any_of(op.getOperands(), isComplex) || llvm::any_of(op.getResults(), isComplex);
      if (isa<prims::ViewAsRealOp>(op)) {
        continue; // made above
      }
      if (isa<fx::GetOp>(op)) {
        builder.setInsertionPointAfter(&op);
        enter(builder, op.getResult(0));
      } else if (auto number = dyn_cast<fx::NumberOp>(op); number && touches) {
        splitNumber(builder, number);
      } else if (const ComplexFunctions::Entry *entry = functions->find(op.getName().getStringRef());
                 entry && (touches || entry->isOwn)) {
        replaced.push_back(&op);
        allDone &= succeeded(splitOp(builder, &op, entry->function));
      } else if (touches) {
        op.emitOpError("isn't supported on complex numbers");
        allDone = false;
      }
      if (!allDone && llvm::any_of(op.getResults(), [&](Value result) { return isComplex(result) && !parts.contains(result); })) {
        return failure(); // what follows has no operands
      }
    }
    if (!allDone) {
      return failure();
    }
    leave(graph);
    for (Operation *op : llvm::reverse(replaced)) {
      op->erase();
    }
    return success();
  }

  /// What comes from the user or the module is the same bytes.
  void enter(OpBuilder &builder, Value value) {
    if (!isComplex(value)) {
      return;
    }
    Dims dims = dimsOf(value);
    dims.push_back(constantDim(builder.getContext(), 2));
    auto type = getTensorType(dims, aten::rules::partOf(getElement(value)));
    PrimBuilder b(builder, value.getLoc());
    parts[value] = separate(b, prims::ViewAsRealOp::create(builder, value.getLoc(), type, value));
  }

  void leave(fx::GraphOp graph) {
    OpBuilder builder(graph.getOutput());
    PrimBuilder b(builder, graph.getOutput().getLoc());
    for (OpOperand &operand : graph.getOutput()->getOpOperands()) {
      if (isComplex(operand.get())) {
        Value pairs = interleave(b, parts.lookup(operand.get()));
        operand.set(prims::ViewAsComplexOp::create(builder, b.loc, operand.get().getType(), pairs));
      }
    }
  }

  void splitNumber(OpBuilder &builder, fx::NumberOp number) {
    auto values = cast<DenseF64ArrayAttr>(number.getValue()).asArrayRef();
    auto type = RankedTensorType::get({}, builder.getF64Type(), fx::NumberAttr::get(builder.getContext()));
    auto part = [&](double value) -> Value {
      return fx::NumberOp::create(builder, number.getLoc(), type, builder.getF64FloatAttr(value));
    };
    parts[number.getResult()] = {part(values[0]), part(values[1])};
  }

  LogicalResult splitOp(OpBuilder &builder, Operation *op, ComplexFunctions::Function function) {
    PrimBuilder b(builder, op->getLoc());
    ComplexSplit s(b, parts);
    ComplexFunctions::Results results = function(s, op);
    if (results.size() != op->getNumResults()) {
      return failure();
    }
    for (auto [split, result] : llvm::zip(results, op->getResults())) {
      auto type = cast<RankedTensorType>(result.getType());
      auto real = withElement(type, aten::rules::partOf(type.getElementType()));
      // Two spellings of one symbolic size: keep the op's.
      auto typed = [&](Value part) -> Value {
        return !part || part.getType() == real ? part : prims::ReshapeOp::create(builder, op->getLoc(), real, part);
      };
      if (isComplex(result)) {
        parts[result] = {typed(split.re), typed(imaginary(b, split))};
      } else {
        result.replaceAllUsesWith(typed(split.re));
      }
    }
    return success();
  }

  std::shared_ptr<const ComplexFunctions> functions;
  ComplexSplit::Parts parts;
};
} // namespace
} // namespace graphmill
