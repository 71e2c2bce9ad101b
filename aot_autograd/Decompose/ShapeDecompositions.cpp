#include "aot_autograd/Decompose/Decompositions.h"
#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill {

/// Every op that keeps the elements' order: the result's type says all.
template <typename Op> static Value reshape(PrimBuilder &b, Op op) {
  return b.reshape(op.getSelf(), resultDims(op));
}

template <typename Op> static Value to(PrimBuilder &b, Op op) {
  return b.convert(op.getSelf(), resultElement(op));
}

static Value viewDtype(PrimBuilder &b, aten::ViewDtypeOp op) {
  if (getElement(op.getSelf()) == resultElement(op)) {
    return op.getSelf();
  }
  return prims::BitcastOp::create(b.builder, b.loc, op.getType(), op.getSelf());
}

static Value copy(PrimBuilder &b, aten::CopyOp op) {
  return b.broadcast(b.convert(op.getSrc(), resultElement(op)), resultDims(op));
}

//===----------------------------------------------------------------------===//
// Dims in another order
//===----------------------------------------------------------------------===//

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

static Value reverseDims(PrimBuilder &b, aten::TOp op) {
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, dimsOf(op.getSelf()).size()));
  std::reverse(perm.begin(), perm.end());
  return b.transpose(op.getSelf(), perm);
}

static Value movedim(PrimBuilder &b, aten::MovedimOp op) {
  SmallVector<Type> types;
  aten::rules::Rule rule{b.context(), b.loc, "aten.movedim", types};
  return b.transpose(op.getSelf(), *aten::rules::movedOrder(rule, dimsOf(op.getSelf()).size(), op.getSource(), op.getDestination()));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Where a dim's index counted from the end begins.
static Dim fromStart(Dim index, Dim size) {
  std::optional<int64_t> known = getStatic(index);
  return known && *known < 0 ? simplify(size + *known) : index;
}

static Value select(PrimBuilder &b, aten::SelectOp op) {
  int64_t dim = fromFront(op.getDim(), dimsOf(op.getSelf()).size());
  Dim index = fromStart(op.getIndex().getExpr(), dimOf(op.getSelf(), dim));
  return b.reshape(b.slice(op.getSelf(), dim, index, b.dim(1)), resultDims(op));
}

static Value slice(PrimBuilder &b, aten::SliceOp op) {
  int64_t dim = fromFront(op.getDim(), dimsOf(op.getSelf()).size());
  std::optional<Dim> start;
  if (op.getStart()) {
    start = op.getStart()->getExpr();
  }
  Dim from = aten::rules::sliceBounds(dimOf(op.getSelf(), dim), start, std::nullopt, 1).start;
  return b.slice(op.getSelf(), dim, from, resultDims(op)[dim], op.getStep());
}

static Value narrow(PrimBuilder &b, aten::NarrowOp op) {
  int64_t dim = fromFront(op.getDim(), dimsOf(op.getSelf()).size());
  Dim start = fromStart(op.getStart().getExpr(), dimOf(op.getSelf(), dim));
  return b.slice(op.getSelf(), dim, start, resultDims(op)[dim]);
}

/// Pieces one after the other: the results' types say how large each is.
template <typename Op> static Decompositions::Results pieces(PrimBuilder &b, Op op) {
  int64_t dim = fromFront(op.getDim(), dimsOf(op.getSelf()).size());
  Decompositions::Results results;
  Dim start = b.dim(0);
  for (Value result : op.getOutputs()) {
    Dim size = dimOf(result, dim);
    results.push_back(b.slice(op.getSelf(), dim, start, size));
    start = simplify(start + size);
  }
  return results;
}

static Decompositions::Results unbind(PrimBuilder &b, aten::UnbindOp op) {
  int64_t dim = fromFront(op.getDim(), dimsOf(op.getSelf()).size());
  Decompositions::Results results;
  for (auto [i, result] : llvm::enumerate(op.getOutputs())) {
    results.push_back(b.reshape(b.slice(op.getSelf(), dim, b.dim(i), b.dim(1)), dimsOf(result)));
  }
  return results;
}

static Value diagonal(PrimBuilder &b, Value self, int64_t offset, int64_t dim1, int64_t dim2, Dim length) {
  Value iota = b.iota(length), shifted = b.add(iota, b.constant(std::abs(offset), b.i64()));
  Value rows = offset < 0 ? shifted : iota, columns = offset > 0 ? shifted : iota;
  Value picked = b.index(self, {rows, columns}, {dim1, dim2});
  return b.moveDim(picked, 0, dimsOf(picked).size() - 1);
}

static Value diagonalView(PrimBuilder &b, aten::DiagonalOp op) {
  int64_t rank = dimsOf(op.getSelf()).size();
  return diagonal(b, op.getSelf(), op.getOffset(), fromFront(op.getDim1(), rank), fromFront(op.getDim2(), rank),
                  resultDims(op).back());
}

static Value trace(PrimBuilder &b, aten::TraceOp op) {
  Dims dims = dimsOf(op.getSelf());
  Dim length = getStatic(dims[0]).value_or(INT64_MAX) < getStatic(dims[1]).value_or(INT64_MAX) ? dims[0] : dims[1];
  return b.sum(b.convert(diagonal(b, op.getSelf(), 0, 0, 1, length), resultElement(op)), {0});
}

static Value unfold(PrimBuilder &b, aten::UnfoldOp op) {
  Dims dims = resultDims(op);
  int64_t rank = dims.size() - 1;
  if (rank == 0) {
    return b.reshape(op.getSelf(), dims);
  }
  int64_t dim = fromFront(op.getDimension(), rank);
  Dims grid{dims[dim], dims.back()};
  Value starts = b.mul(b.iotaAlong(grid, 0, b.i64()), b.constant(int64_t(op.getStep()), b.i64()));
  Value taken = b.take(op.getSelf(), dim, b.add(starts, b.iotaAlong(grid, 1, b.i64())));
  return b.moveDim(taken, dim + 1, rank);
}

static Value asStrided(PrimBuilder &b, aten::AsStridedOp op) {
  auto zero = fx::DimAttr::get(b.context(), b.dim(0));
  return prims::AsStridedOp::create(b.builder, b.loc, op.getType(), op.getSelf(), op.getStride(),
                                    op.getStorageOffset().value_or(zero));
}

//===----------------------------------------------------------------------===//
// Repetition
//===----------------------------------------------------------------------===//

static Value expand(PrimBuilder &b, aten::ExpandOp op) {
  return b.broadcast(op.getSelf(), resultDims(op));
}

static Decompositions::Results broadcastTensors(PrimBuilder &b, aten::BroadcastTensorsOp op) {
  Decompositions::Results results;
  for (auto [tensor, result] : llvm::zip(op.getTensors(), op.getOutputs())) {
    results.push_back(b.broadcast(tensor, dimsOf(result)));
  }
  return results;
}

/// [d0, d1] to [1, d0, 1, d1] to [r0, d0, r1, d1] to the result.
static Value repeat(PrimBuilder &b, aten::RepeatOp op) {
  Dims dims = dimsOf(op.getSelf()), apart, repeated;
  Dims repeats(op.getRepeats().getExprs());
  while (repeats.size() < dims.size()) {
    repeats.insert(repeats.begin(), b.dim(1));
  }
  while (dims.size() < repeats.size()) {
    dims.insert(dims.begin(), b.dim(1));
  }
  for (auto [dim, count] : llvm::zip(dims, repeats)) {
    apart.append({b.dim(1), dim});
    repeated.append({count, dim});
  }
  return b.reshape(b.broadcast(b.reshape(op.getSelf(), apart), repeated), resultDims(op));
}

static Value repeatInterleave(PrimBuilder &b, aten::RepeatInterleaveOp op) {
  Value x = op.getSelf();
  if (!op.getDim()) {
    x = b.reshape(x, {product(b.context(), dimsOf(x))});
  }
  Dims apart = dimsOf(x), repeated;
  int64_t dim = op.getDim() ? fromFront(*op.getDim(), apart.size()) : 0;
  repeated = apart;
  apart.insert(apart.begin() + dim + 1, b.dim(1));
  repeated.insert(repeated.begin() + dim + 1, op.getRepeats().getExpr());
  return b.reshape(b.broadcast(b.reshape(x, apart), repeated), resultDims(op));
}

void addShapeDecompositions(Decompositions &d) {
  d.add<aten::ViewOp, reshape<aten::ViewOp>>();
  d.add<aten::FlattenOp, reshape<aten::FlattenOp>>();
  d.add<aten::UnflattenOp, reshape<aten::UnflattenOp>>();
  d.add<aten::UnsqueezeOp, reshape<aten::UnsqueezeOp>>();
  d.add<aten::SqueezeOp, reshape<aten::SqueezeOp>>();
  d.add<aten::AtLeastOp, reshape<aten::AtLeastOp>>();
  d.add<aten::ToOp, to<aten::ToOp>>();
  d.add<aten::CloneOp, to<aten::CloneOp>>();
  d.add<aten::ViewDtypeOp, viewDtype>();
  d.add<aten::CopyOp, copy>();
  d.add<aten::PermuteOp, permute>();
  d.add<aten::TransposeOp, transpose>();
  d.add<aten::TOp, reverseDims>();
  d.add<aten::MovedimOp, movedim>();
  d.add<aten::SelectOp, select>();
  d.add<aten::SliceOp, slice>();
  d.add<aten::NarrowOp, narrow>();
  d.addMany<aten::SplitOp, pieces<aten::SplitOp>>();
  d.addMany<aten::SplitWithSizesOp, pieces<aten::SplitWithSizesOp>>();
  d.addMany<aten::ChunkOp, pieces<aten::ChunkOp>>();
  d.addMany<aten::TensorSplitOp, pieces<aten::TensorSplitOp>>();
  d.addMany<aten::UnbindOp, unbind>();
  d.add<aten::DiagonalOp, diagonalView>();
  d.add<aten::TraceOp, trace>();
  d.add<aten::UnfoldOp, unfold>();
  d.add<aten::AsStridedOp, asStrided>();
  d.add<aten::ExpandOp, expand>();
  d.addMany<aten::BroadcastTensorsOp, broadcastTensors>();
  d.add<aten::RepeatOp, repeat>();
  d.add<aten::RepeatInterleaveOp, repeatInterleave>();
}

} // namespace graphmill
