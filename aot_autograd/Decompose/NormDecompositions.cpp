#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

/// The dims a reduction goes over: sorted, from the front; all if none are given.
static SmallVector<int64_t> reducedDims(Value self, std::optional<ArrayRef<int64_t>> dims) {
  int64_t rank = dimsOf(self).size();
  if (!dims || dims->empty()) {
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  }
  SmallVector<int64_t> result;
  for (int64_t dim : *dims) {
    if (rank > 0) {
      result.push_back(fromFront(dim, rank));
    }
  }
  llvm::sort(result);
  return result;
}

static Value sum(PrimBuilder &b, aten::SumOp op) {
  Type element = resultTypeOf(op).getElementType(), compute = b.opmath(element);
  Value x = b.convert(op.getSelf(), compute);
  return b.convert(b.sum(x, reducedDims(op.getSelf(), op.getDim()), op.getKeepdim()), element);
}

static Value mean(PrimBuilder &b, aten::MeanOp op) {
  Type element = resultTypeOf(op).getElementType(), compute = b.opmath(element);
  Value x = b.convert(op.getSelf(), compute);
  return b.convert(b.mean(x, reducedDims(op.getSelf(), op.getDim()), op.getKeepdim()), element);
}

/// x - max, and its exponential's sum along `dim`.
static std::pair<Value, Value> shiftedExponentials(PrimBuilder &b, Value x, int64_t dim) {
  Value shifted = b.sub(x, b.reduce(prims::Reducer::Max, x, {dim}, /*keepdim=*/true));
  return {shifted, b.exp(shifted)};
}

static Value softmax(PrimBuilder &b, aten::SoftmaxOp op) {
  Type element = resultTypeOf(op).getElementType(), compute = b.opmath(element);
  Value x = b.convert(b.convert(op.getSelf(), element), compute);
  int64_t rank = dimsOf(x).size();
  if (rank == 0) {
    return b.constant(1.0, element);
  }
  int64_t dim = fromFront(op.getDim(), rank);
  auto [shifted, exponentials] = shiftedExponentials(b, x, dim);
  return b.convert(b.div(exponentials, b.sum(exponentials, {dim}, true)), element);
}

static Value logSoftmax(PrimBuilder &b, aten::LogSoftmaxOp op) {
  Type element = resultTypeOf(op).getElementType(), compute = b.opmath(element);
  Value x = b.convert(b.convert(op.getSelf(), element), compute);
  int64_t rank = dimsOf(x).size();
  if (rank == 0) {
    return b.constant(0.0, element);
  }
  int64_t dim = fromFront(op.getDim(), rank);
  auto [shifted, exponentials] = shiftedExponentials(b, x, dim);
  Value logSum = b.unary<prims::LogOp>(b.sum(exponentials, {dim}, true));
  return b.convert(b.sub(shifted, logSum), element);
}

static Value layerNorm(PrimBuilder &b, aten::LayerNormOp op) {
  Type element = resultTypeOf(op).getElementType(), compute = b.opmath(element);
  Value x = b.convert(op.getInput(), compute);
  int64_t rank = dimsOf(x).size(), n = op.getNormalizedShape().getExprs().size();
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(rank - n, rank));
  Value centered = b.sub(x, b.mean(x, dims, true));
  Value variance = b.mean(b.mul(centered, centered), dims, true);
  Value rstd = b.unary<prims::RsqrtOp>(b.add(variance, op.getEps().convertToDouble()));
  Value y = b.mul(centered, rstd);
  if (op.getWeight()) {
    y = b.mul(y, b.convert(op.getWeight(), compute));
  }
  if (op.getBias()) {
    y = b.add(y, b.convert(op.getBias(), compute));
  }
  return b.convert(y, element);
}

/// A per-channel vector against [N, C, …].
static Value perChannel(PrimBuilder &b, Value vector, const Dims &dims) {
  return b.broadcastDims(vector, dims, {1});
}

static Value batchNorm(PrimBuilder &b, aten::BatchNormOp op) {
  if (op.getTraining() || !op.getRunningMean()) {
    op.emitOpError("uses batch statistics; export the module in eval mode");
    return {};
  }
  Type element = resultTypeOf(op).getElementType(), compute = b.opmath(element);
  Dims dims = dimsOf(op.getInput());
  Value variance = b.convert(op.getRunningVar(), compute);
  Value scale = b.unary<prims::RsqrtOp>(b.add(variance, op.getEps().convertToDouble()));
  if (op.getWeight()) {
    scale = b.mul(scale, b.convert(op.getWeight(), compute));
  }
  Value shift = b.neg(b.mul(b.convert(op.getRunningMean(), compute), scale));
  if (op.getBias()) {
    shift = b.add(shift, b.convert(op.getBias(), compute));
  }
  Value x = b.convert(op.getInput(), compute);
  Value y = b.add(b.mul(x, perChannel(b, scale, dims)), perChannel(b, shift, dims));
  return b.convert(y, element);
}

void addNormDecompositions(Decompositions &d) {
  d.add<aten::SumOp, sum>();
  d.add<aten::MeanOp, mean>();
  d.add<aten::SoftmaxOp, softmax>();
  d.add<aten::LogSoftmaxOp, logSoftmax>();
  d.add<aten::LayerNormOp, layerNorm>();
  d.add<aten::BatchNormOp, batchNorm>();
}

} // namespace graphmill
