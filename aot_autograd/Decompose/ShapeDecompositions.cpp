#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

/// Every op that keeps the elements' order: the result's type says all.
template <typename Op> static Value reshape(PrimBuilder &b, Op op) {
  return b.reshape(op.getSelf(), dimsOf(resultTypeOf(op)));
}

static Value permute(PrimBuilder &b, aten::PermuteOp op) {
  SmallVector<int64_t> perm;
  for (int64_t dim : op.getDims()) {
    perm.push_back(fromFront(dim, op.getDims().size()));
  }
  return b.transpose(op.getSelf(), perm);
}

static Value transpose(PrimBuilder &b, aten::TransposeOp op) {
  int64_t rank = dimsOf(op.getSelf()).size();
  if (rank < 2) {
    return op.getSelf();
  }
  return b.swapDims(op.getSelf(), fromFront(op.getDim0(), rank), fromFront(op.getDim1(), rank));
}

static Value expand(PrimBuilder &b, aten::ExpandOp op) {
  return b.broadcast(op.getSelf(), dimsOf(resultTypeOf(op)));
}

static Value to(PrimBuilder &b, aten::ToOp op) {
  return b.convert(op.getSelf(), resultTypeOf(op).getElementType());
}

void addShapeDecompositions(Decompositions &d) {
  d.add<aten::ViewOp, reshape<aten::ViewOp>>();
  d.add<aten::FlattenOp, reshape<aten::FlattenOp>>();
  d.add<aten::UnsqueezeOp, reshape<aten::UnsqueezeOp>>();
  d.add<aten::PermuteOp, permute>();
  d.add<aten::TransposeOp, transpose>();
  d.add<aten::ExpandOp, expand>();
  d.add<aten::ToOp, to>();
}

} // namespace graphmill
