// Verifiers of ops with templates, and of windows.
#include "fx/Prims/PrimsDialect.h"

using namespace mlir;
using namespace graphmill;
using namespace graphmill::prims;

static int64_t rank(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

static bool hasRank(Value value, int64_t wanted) { return !value || rank(value) == wanted; }

/// `count` numbers, each at least `least`.
static bool areNumbers(ArrayRef<int64_t> numbers, size_t count, int64_t least) {
  return numbers.size() == count && llvm::all_of(numbers, [&](int64_t number) { return number >= least; });
}

template <typename OpTy> static LogicalResult verifyWindow(OpTy op) {
  size_t n = op.getWindow().size();
  if (static_cast<int64_t>(n) > rank(op.getOperand()) || !areNumbers(op.getWindow(), n, 1) ||
      !areNumbers(op.getStrides(), n, 1) || !areNumbers(op.getDilation(), n, 1) || !areNumbers(op.getPadding(), n, 0)) { // window.c1
    return op.emitOpError("must have as many window sizes, strides, dilations (at least 1) and paddings (at least 0), for dims it has");
  }
  if (rank(op.getResult()) != rank(op.getOperand())) { // window.c2
    return op.emitOpError("operand and result must have one rank");
  }
  return success();
}

LogicalResult ReduceWindowOp::verify() { return verifyWindow(*this); }
LogicalResult ArgReduceWindowOp::verify() { return verifyWindow(*this); }

LogicalResult ConvolutionOp::verify() {
  int64_t n = rank(getInput());
  if (n < 2 || !hasRank(getWeight(), n) || !hasRank(getResult(), n)) { // convolution.c1
    return emitOpError("input, weight and result must have one rank of at least 2");
  }
  size_t spatial = n - 2;
  if (!areNumbers(getStride(), spatial, 1) || !areNumbers(getDilation(), spatial, 1) ||
      getPadding().size() != spatial || !areNumbers(getOutputPadding(), spatial, 0) ||
      static_cast<int64_t>(getGroups()) < 1) { // convolution.c2
    return emitOpError("must have a stride and a dilation (at least 1), a padding and an output padding for each of ")
           << spatial << " spatial dims, and at least one group";
  }
  return success();
}

LogicalResult AttentionOp::verify() {
  for (Value value : {Value(getQuery()), Value(getKey()), Value(getValue()), Value(getResult())}) {
    if (!hasRank(value, 4)) { // attention.c1
      return emitOpError("query, key, value and result must have rank 4");
    }
  }
  if (getMask() && rank(getMask()) > 4) { // attention.c1
    return emitOpError("has a mask of rank ") << rank(getMask()) << ", expected at most 4";
  }
  return success();
}

LogicalResult RecurrentOp::verify() {
  if (!hasRank(getGates(), 3) || !hasRank(getWeight(), 2) || !hasRank(getBias(), 1) || !hasRank(getHidden(), 2) ||
      !hasRank(getCell(), 2) || !hasRank(getOutput(), 3) || !hasRank(getLastHidden(), 2)) { // recurrent.c1
    return emitOpError("gates and output must have rank 3, weight, hidden and cell 2, bias 1");
  }
  bool isLstm = getKind() == Cell::Lstm;
  if (isLstm != bool(getCell()) || isLstm != bool(getLastCell())) { // recurrent.c2
    return emitOpError("has a cell if and only if it is an lstm");
  }
  return success();
}
