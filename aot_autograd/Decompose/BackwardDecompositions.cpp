#include "aot_autograd/Decompose/Decompositions.h"
#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill {

using aten::rules::expandInts;
using prims::Combiner;

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

static Value convolve(PrimBuilder &b, Value x, Value weight, ArrayRef<Dim> result, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                      ArrayRef<int64_t> dilation, bool transposed, int64_t groups) {
  SmallVector<int64_t> none(stride.size(), 0);
  return prims::ConvolutionOp::create(b.builder, b.loc, getTensorType(result, getElement(x)), x, weight, stride, padding, dilation,
                                      transposed, none, groups);
}

/// The gradient of a weight is a convolution too: channels take the batch's place, taps the
/// pixels', strides and dilations trade places.
static Value weightGradient(PrimBuilder &b, Value x, Value grad, Value weight, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                            ArrayRef<int64_t> dilation, int64_t groups) {
  Dims in = dimsOf(x), w = dimsOf(weight);
  // [N, groups * C, D…] to [C, groups * N, D…].
  Dims split{in[0], b.dim(groups), w[1]}, merged{w[1], simplify(in[0] * groups)};
  split.append(in.begin() + 2, in.end());
  merged.append(in.begin() + 2, in.end());
  SmallVector<int64_t> perm{2, 1, 0};
  for (int64_t i = 3; i < static_cast<int64_t>(split.size()); ++i) {
    perm.push_back(i);
  }
  Value channels = b.reshape(b.transpose(b.reshape(x, split), perm), merged);
  Dims result{w[1], w[0]};
  result.append(w.begin() + 2, w.end());
  Value y = convolve(b, channels, b.swapDims(grad, 0, 1), result, dilation, padding, stride, false, groups);
  return b.swapDims(y, 0, 1);
}

static Decompositions::Results convolutionBackward(PrimBuilder &b, aten::ConvolutionBackwardOp op) {
  Value grad = op.getGradOutput(), x = op.getInput(), weight = op.getWeight();
  size_t spatial = dimsOf(weight).size() - 2;
  SmallVector<int64_t> stride = expandInts(op.getStride(), spatial), padding = expandInts(op.getPadding(), spatial),
                       dilation = expandInts(op.getDilation(), spatial), dims = llvm::to_vector(llvm::seq<int64_t>(0, spatial + 2));
  dims.erase(dims.begin() + 1);
  bool transposed = op.getTransposed();
  int64_t groups = op.getGroups();
  // A convolution's gradient is its transpose with the same weight, and the other way round.
  Value gradInput = convolve(b, grad, weight, dimsOf(x), stride, padding, dilation, !transposed, groups);
  Value gradWeight = transposed ? weightGradient(b, grad, x, weight, stride, padding, dilation, groups)
                                : weightGradient(b, x, grad, weight, stride, padding, dilation, groups);
  Value gradBias = b.sum(b.convert(grad, b.opmath(getElement(grad))), dims);
  return {gradInput, gradWeight, b.convert(gradBias, getElement(op.getGradBias()))};
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

/// rstd (g - mean(g) - y mean(g y)), where y is the normalized input and means are over `dims`.
static Value normGradient(PrimBuilder &b, Value g, Value y, Value rstd, ArrayRef<int64_t> dims) {
  Value centered = b.sub(g, b.mean(g, dims, /*keepdim=*/true));
  return b.mul(rstd, b.sub(centered, b.mul(y, b.mean(b.mul(g, y), dims, /*keepdim=*/true))));
}

static Decompositions::Results layerNormBackward(PrimBuilder &b, aten::NativeLayerNormBackwardOp op) {
  Type element = getElement(op.getInput()), compute = b.opmath(element);
  Value grad = b.convert(op.getGradOut(), compute), rstd = b.convert(op.getRstd(), compute);
  Value y = b.mul(b.sub(b.convert(op.getInput(), compute), b.convert(op.getMean(), compute)), rstd);
  Dims all = dimsOf(y);
  int64_t first = all.size() - op.getNormalizedShape().getExprs().size();
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(first, all.size())), rows = llvm::to_vector(llvm::seq<int64_t>(0, first));
  Value g = op.getWeight() ? b.mul(grad, b.broadcastDims(b.convert(op.getWeight(), compute), all, dims)) : grad;
  return {b.convert(normGradient(b, g, y, rstd, dims), element), b.convert(b.sum(b.mul(grad, y), rows), element),
          b.convert(b.sum(grad, rows), element)};
}

static Decompositions::Results groupNormBackward(PrimBuilder &b, aten::NativeGroupNormBackwardOp op) {
  Type element = getElement(op.getInput()), compute = b.opmath(element);
  Dims all = dimsOf(op.getInput()), flat{op.getN().getExpr(), op.getC().getExpr(), op.getHxW().getExpr()};
  int64_t groups = op.getGroup();
  Dims grouped{flat[0], b.dim(groups), simplify(flat[1].floorDiv(groups)), flat[2]}, statistics{flat[0], b.dim(groups), b.dim(1), b.dim(1)};
  Value grad = b.reshape(b.convert(op.getGradOut(), compute), flat), rstd = b.reshape(b.convert(op.getRstd(), compute), statistics);
  Value x = b.reshape(b.convert(op.getInput(), compute), grouped), mean = b.reshape(b.convert(op.getMean(), compute), statistics);
  Value y = b.mul(b.sub(x, mean), rstd);
  Value g = op.getWeight() ? b.mul(grad, b.broadcastDims(b.convert(op.getWeight(), compute), flat, {1})) : grad;
  Value gradInput = b.reshape(normGradient(b, b.reshape(g, grouped), y, rstd, {2, 3}), all);
  return {b.convert(gradInput, element), b.convert(b.sum(b.mul(grad, b.reshape(y, flat)), {0, 2}), element),
          b.convert(b.sum(grad, {0, 2}), element)};
}

//===----------------------------------------------------------------------===//
// Embedding
//===----------------------------------------------------------------------===//

static Value embeddingBackward(PrimBuilder &b, aten::EmbeddingDenseBackwardOp op) {
  Type element = resultElement(op), compute = b.opmath(element);
  Dims result = resultDims(op);
  Dim count = product(b.context(), dimsOf(op.getIndices()));
  Value indices = b.reshape(b.convert(op.getIndices(), b.i64()), {count});
  Value grad = b.reshape(b.convert(op.getGradOutput(), compute), {count, result[1]});
  if (op.getScaleGradByFreq()) {
    Value ones = b.full({count}, 1.0, compute);
    Value counts = b.indexPut(Combiner::Add, b.full({result[0]}, 0.0, compute), ones, indices, {0});
    grad = b.div(grad, b.broadcastDims(b.index(counts, indices, {0}), dimsOf(grad), {0}));
  }
  if (int64_t padding = op.getPaddingIdx(); padding >= 0) {
    Value isKept = b.compare(prims::Predicate::Ne, indices, b.constant(padding, b.i64()));
    grad = b.select(b.broadcastDims(isKept, dimsOf(grad), {0}), grad, b.constant(0.0, compute));
  }
  return b.convert(b.indexPut(Combiner::Add, b.full(result, 0.0, compute), grad, indices, {0}), element);
}

void addBackwardDecompositions(Decompositions &d) {
  d.addMany<aten::ConvolutionBackwardOp, convolutionBackward>();
  d.addMany<aten::NativeLayerNormBackwardOp, layerNormBackward>();
  d.addMany<aten::NativeGroupNormBackwardOp, groupNormBackward>();
  d.add<aten::EmbeddingDenseBackwardOp, embeddingBackward>();
}

} // namespace graphmill
