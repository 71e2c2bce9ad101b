#include "aot_autograd/Decompose/Windows.h"

using namespace mlir;

namespace graphmill {

/// Each window's share goes to all its elements: a transposed convolution with ones.
static Value avgPoolBackward(PrimBuilder &b, aten::AvgPoolBackwardOp op) {
  Window w(op, {1});
  Type element = resultElement(op), compute = b.opmath(element);
  Dims from = resultDims(op), to = dimsOf(op.getGradOutput());
  Value share = b.convert(op.getGradOutput(), compute);
  share = b.div(share, windowAreas(b, op, w, from, to, compute));
  int64_t first = to.size() - w.spatial;
  Dim planes = product(b.context(), ArrayRef(to).take_front(first));
  Dims windows{planes, b.dim(1)}, spread = windows, ones(w.spatial + 2, b.dim(1)), low(w.spatial + 2, b.dim(0)), high = low;
  for (size_t i = 0; i < w.spatial; ++i) {
    Dim reach = simplify((to[first + i] - 1) * w.stride[i] + w.kernel[i]);
    windows.push_back(to[first + i]);
    spread.push_back(reach);
    ones[2 + i] = b.dim(w.kernel[i]);
    low[2 + i] = b.dim(-w.padding[i]);
    high[2 + i] = simplify(from[first + i] + w.padding[i] - reach);
  }
  SmallVector<int64_t> none(w.spatial, 0);
  Value y = prims::ConvolutionOp::create(b.builder, b.loc, getTensorType(spread, compute), b.reshape(share, windows),
                                         b.full(ones, 1.0, compute), w.stride, none, w.dilation, /*transposed=*/true, none, 1);
  // Without the padding; what no window covers gets 0.
  return b.convert(b.reshape(b.pad(y, low, high, b.constant(0.0, compute)), from), element);
}

static Value adaptiveAvgPoolBackward(PrimBuilder &b, aten::AdaptiveAvgPoolBackwardOp op) {
  Type element = resultElement(op), compute = b.opmath(element);
  Dims from = resultDims(op);
  Value grad = b.convert(op.getGradOutput(), compute);
  for (size_t i = from.size() - op.getSpatial(); i < from.size(); ++i) {
    Dim to = dimOf(grad, i);
    if (equal(to, from[i])) {
      continue;
    }
    if (getStatic(to) == 1) {
      Dims spread = dimsOf(grad);
      spread[i] = from[i];
      grad = b.broadcast(b.div(grad, b.size(from[i], compute)), spread);
    } else {
      grad = b.alongDim(grad, i, b.swapDims(averages(b, from[i], to, compute), 0, 1));
    }
  }
  return b.convert(grad, element);
}

static Value maxPoolBackward(PrimBuilder &b, aten::MaxPoolWithIndicesBackwardOp op) {
  Dims from = resultDims(op), to = dimsOf(op.getGradOutput());
  int64_t first = from.size() - op.getSpatial();
  auto flat = [&](ArrayRef<Dim> dims) {
    return Dims{product(b.context(), dims.take_front(first)), product(b.context(), dims.drop_front(first))};
  };
  Value zeros = b.full(flat(from), 0.0, resultElement(op));
  Value index = b.reshape(b.convert(op.getIndices(), b.i64()), flat(to)), grad = b.reshape(op.getGradOutput(), flat(to));
  return b.reshape(b.scatter(prims::Combiner::Add, zeros, index, grad, 1), from);
}

void addPoolBackwardDecompositions(Decompositions &d) {
  d.add<aten::AvgPoolBackwardOp, avgPoolBackward>();
  d.add<aten::AdaptiveAvgPoolBackwardOp, adaptiveAvgPoolBackward>();
  d.add<aten::MaxPoolWithIndicesBackwardOp, maxPoolBackward>();
}

} // namespace graphmill
