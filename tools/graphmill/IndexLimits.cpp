#include "tools/graphmill/IndexLimits.h"
#include "fx/Eval/Evaluate.h"
#include "fx/Prims/PrimsDialect.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace graphmill::tools {

/// The size that an operand of an indexing op is an index into.
static std::optional<Dim> indexedSize(OpOperand &use) {
  auto among = [&](OperandRange indices, Value operand, ArrayRef<int64_t> dims) -> std::optional<Dim> {
    unsigned first = indices.getBeginOperandIndex(), i = use.getOperandNumber() - first;
    return use.getOperandNumber() >= first && i < indices.size() ? std::optional(dimOf(operand, dims[i])) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, std::optional<Dim>>(use.getOwner())
      .Case([&](prims::IndexOp op) { return among(op.getIndices(), op.getOperand(), op.getDims()); })
      .Case([&](prims::IndexPutOp op) { return among(op.getIndices(), op.getOperand(), op.getDims()); })
      .Case<prims::GatherOp, prims::ScatterOp>([&](auto op) {
        return use.get() == op.getIndex() ? std::optional(dimOf(op.getOperand(), op.getDim())) : std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}

SmallVector<int64_t> indexLimits(fx::GraphOp graph, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> limits;
  for (Value argument : graph.getBlock().getArguments()) {
    std::optional<int64_t> limit;
    llvm::SetVector<Value> reached;
    reached.insert(argument);
    for (unsigned i = 0; i < reached.size(); ++i) {
      for (OpOperand &use : reached[i].getUses()) {
        if (std::optional<Dim> dim = indexedSize(use)) {
          std::optional<int64_t> size = eval::evaluateDim(*dim, sizes);
          limit = size ? std::min(limit.value_or(*size), *size) : limit;
          continue;
        }
        for (Value result : use.getOwner()->getResults()) {
          if (isa<IntegerType>(getElement(result)) && !getElement(result).isInteger(1)) {
            reached.insert(result);
          }
        }
      }
    }
    limits.push_back(std::max<int64_t>(limit.value_or(2), 1));
  }
  return limits;
}

} // namespace graphmill::tools
