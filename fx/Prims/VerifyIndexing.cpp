// Verifiers of ops that work along dims or at indices, and of creation.
#include "fx/Prims/PrimsDialect.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace graphmill;
using namespace graphmill::prims;

static int64_t rank(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

static bool isDim(int64_t dim, Value tensor) { return dim >= 0 && dim < rank(tensor); }

LogicalResult prims::verifyDim(Operation *op) {
  auto dim = op->getAttrOfType<IntegerAttr>("dim");
  if (op->getNumOperands() == 0 || !isDim(dim.getInt(), op->getOperand(0))) { // dim.c1
    return op->emitOpError("works along dim ") << dim.getInt() << ", which its operand doesn't have";
  }
  return success();
}

LogicalResult IotaOp::verify() {
  return rank(getResult()) == 1 ? success() : emitOpError("has a result that isn't 1-d"); // iota.c1
}

LogicalResult ReverseOp::verify() {
  for (int64_t dim : getDims()) {
    if (!isDim(dim, getOperand())) { // reverse.c1
      return emitOpError("turns dim ") << dim << " around, which its operand doesn't have";
    }
  }
  return success();
}

LogicalResult PadOp::verify() {
  int64_t n = rank(getOperand());
  if (static_cast<int64_t>(getLow().getExprs().size()) != n || rank(getResult()) != n || rank(getValue()) != 0) { // pad.c1
    return emitOpError("low and result must have the operand's rank, ") << n << ", and the value none";
  }
  return success();
}

LogicalResult AsStridedOp::verify() {
  if (static_cast<int64_t>(getStrides().getExprs().size()) != rank(getResult())) { // as_strided.c1
    return emitOpError("has ") << getStrides().getExprs().size() << " strides for a result of rank " << rank(getResult());
  }
  return success();
}

template <typename OpTy> static LogicalResult verifyIndices(OpTy op) {
  ArrayRef<int64_t> dims = op.getDims();
  llvm::SmallSet<int64_t, 4> seen;
  bool areDims = llvm::all_of(dims, [&](int64_t dim) { return isDim(dim, op.getOperand()) && seen.insert(dim).second; });
  if (dims.empty() || dims.size() != op.getIndices().size() || !areDims) { // index.c1
    return op.emitOpError("has ") << op.getIndices().size() << " indices, and dims that aren't as many distinct ones of its operand";
  }
  for (Value index : op.getIndices()) {
    if (!isa<IntegerType>(getElement(index)) || rank(index) != rank(op.getIndices().front())) { // index.c2
      return op.emitOpError("has indices that aren't integers of one rank");
    }
  }
  return success();
}

LogicalResult IndexOp::verify() { return verifyIndices(*this); }
LogicalResult IndexPutOp::verify() { return verifyIndices(*this); }

LogicalResult GatherOp::verify() {
  int64_t n = rank(getOperand());
  if (rank(getIndex()) != n || rank(getResult()) != n) { // gather.c1
    return emitOpError("operand, index and result must have one rank");
  }
  return success();
}

LogicalResult ScatterOp::verify() {
  int64_t n = rank(getOperand());
  if (rank(getIndex()) != n || rank(getValues()) != n) { // scatter.c1
    return emitOpError("operand, index and values must have one rank");
  }
  return success();
}
