#include "fx/Prims/PrimsDialect.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace graphmill;
using namespace graphmill::prims;

#define GET_OP_CLASSES
#include "fx/Prims/PrimsOps.cpp.inc"

static int64_t rank(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  Dims from = dimsOf(getOperand()), to = dimsOf(getResult());
  ArrayRef<int64_t> map = getDims();
  if (map.size() != from.size()) { // broadcast.c2
    return emitOpError("has ") << map.size() << " dims for an operand of rank " << from.size();
  }
  int64_t last = -1;
  for (auto [i, dim] : llvm::enumerate(map)) {
    if (dim <= last || dim >= static_cast<int64_t>(to.size())) { // broadcast.c2
      return emitOpError("dims must increase and be below ") << to.size();
    }
    last = dim;
    if (getStatic(from[i]) != 1 && !equal(from[i], to[dim])) { // broadcast.c1
      return emitOpError("operand's dim ") << i << " is " << toString(from[i])
                                           << ", result's dim " << dim << " is "
                                           << toString(to[dim]);
    }
  }
  return success();
}

LogicalResult ReshapeOp::verify() {
  Dim from = product(getContext(), dimsOf(getOperand()));
  Dim to = product(getContext(), dimsOf(getResult()));
  // Semi-affine products may be equal without our seeing it: refuse only what is surely wrong.
  if (getStatic(from) && getStatic(to) && from != to) { // reshape.c1
    return emitOpError("has ") << toString(from) << " elements and a result of " << toString(to);
  }
  return success();
}

LogicalResult TransposeOp::verify() {
  Dims from = dimsOf(getOperand()), to = dimsOf(getResult());
  ArrayRef<int64_t> perm = getPerm();
  if (perm.size() != from.size() || to.size() != from.size() || !isPermutationVector(perm)) { // transpose.c1
    return emitOpError("perm is not a permutation of ") << from.size() << " dims";
  }
  for (auto [i, p] : llvm::enumerate(perm)) {
    if (!equal(to[i], from[p])) { // transpose.c2
      return emitOpError("result's dim ") << i << " is " << toString(to[i]) << ", expected "
                                          << toString(from[p]);
    }
  }
  return success();
}

LogicalResult SliceOp::verify() {
  int64_t n = rank(getOperand());
  if (rank(getResult()) != n || static_cast<int64_t>(getStarts().getExprs().size()) != n ||
      static_cast<int64_t>(getSteps().size()) != n) { // slice.c1
    return emitOpError("starts, steps and result must have the operand's rank, ") << n;
  }
  for (int64_t step : getSteps()) {
    if (step < 1) { // slice.c2
      return emitOpError("steps must be positive");
    }
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  int64_t last = -1;
  for (int64_t dim : getDims()) { // reduce.c1
    if (dim <= last || dim >= rank(getOperand())) {
      return emitOpError("dims must increase and be below ") << rank(getOperand());
    }
    last = dim;
  }
  if (rank(getResult()) != rank(getOperand()) - static_cast<int64_t>(getDims().size())) { // reduce.c2
    return emitOpError("result must have rank ")
           << rank(getOperand()) - static_cast<int64_t>(getDims().size());
  }
  return success();
}

LogicalResult MatmulOp::verify() {
  Dims a = dimsOf(getLhs()), b = dimsOf(getRhs());
  if (a.size() < 2 || (a.size() != b.size() && b.size() != 2)) { // matmul.c1
    return emitOpError("lhs has rank ") << a.size() << ", rhs has " << b.size()
                                        << "; expected equal ranks of at least 2, or rhs of rank 2";
  }
  for (size_t i = 0; b.size() > 2 && i + 2 < a.size(); ++i) {
    if (!equal(a[i], b[i])) { // matmul.c1
      return emitOpError("batch dim ") << i << " is " << toString(a[i]) << " and "
                                       << toString(b[i]);
    }
  }
  if (!equal(a.back(), b[b.size() - 2])) { // matmul.c2
    return emitOpError("inner sizes are ") << toString(a.back()) << " and "
                                           << toString(b[b.size() - 2]);
  }
  return success();
}
