#include "aot_autograd/Decompose/Windows.h"

using namespace mlir;

namespace graphmill {

using prims::Reducer;

static Value maxPool(PrimBuilder &b, aten::MaxPoolOp op) {
  Window w(op, op.getDilation());
  return b.reduceWindow(Reducer::Max, op.getSelf(), resultDims(op), w.kernel, w.stride, w.padding, w.dilation);
}

static Decompositions::Results maxPoolWithIndices(PrimBuilder &b, aten::MaxPoolWithIndicesOp op) {
  Window w(op, op.getDilation());
  Dims dims = resultDims(op);
  Value indices = prims::ArgReduceWindowOp::create(b.builder, b.loc, getTensorType(dims, b.i64()), Reducer::Max, op.getSelf(),
                                                   w.kernel, w.stride, w.padding, w.dilation);
  return {b.reduceWindow(Reducer::Max, op.getSelf(), dims, w.kernel, w.stride, w.padding, w.dilation), indices};
}

static Value avgPool(PrimBuilder &b, aten::AvgPoolOp op) {
  Window w(op, {1});
  Type element = resultElement(op), compute = b.opmath(element);
  Dims from = dimsOf(op.getSelf()), to = resultDims(op);
  Value sum = b.reduceWindow(Reducer::Sum, b.convert(op.getSelf(), compute), to, w.kernel, w.stride, w.padding, w.dilation);
  return b.convert(b.div(sum, windowAreas(b, op, w, from, to, compute)), element);
}

//===----------------------------------------------------------------------===//
// Adaptive pooling
//===----------------------------------------------------------------------===//

static Value adaptiveAvgPool(PrimBuilder &b, aten::AdaptiveAvgPoolOp op) {
  Type element = resultElement(op), compute = b.opmath(element);
  Value x = b.convert(op.getSelf(), compute);
  Dims out = resultDims(op);
  SmallVector<int64_t> whole, kernel(op.getSpatial(), 1);
  bool tiles = false;
  for (size_t i = out.size() - op.getSpatial(); i < out.size(); ++i) {
    std::optional<int64_t> from = getStatic(dimOf(x, i)), to = getStatic(out[i]);
    if (equal(dimOf(x, i), out[i])) {
      continue;
    }
    if (to == 1) {
      whole.push_back(i);
    } else if (from && to && *from % *to == 0) {
      kernel[i - (out.size() - op.getSpatial())] = *from / *to;
      tiles = true;
    } else {
      x = b.alongDim(x, i, averages(b, dimOf(x, i), out[i], getElement(x)));
    }
  }
  if (tiles) {
    Dims dims = dimsOf(x);
    double area = 1;
    for (auto [i, k] : llvm::enumerate(kernel)) {
      Dim &size = dims[dims.size() - kernel.size() + i];
      size = simplify(size.floorDiv(k));
      area *= k;
    }
    SmallVector<int64_t> none(kernel.size(), 0), ones(kernel.size(), 1);
    x = b.div(b.reduceWindow(Reducer::Sum, x, dims, kernel, kernel, none, ones), area);
  }
  if (!whole.empty()) {
    x = b.mean(x, whole, /*keepdim=*/true);
  }
  return b.convert(x, element);
}

static Decompositions::Results adaptiveMaxPool(PrimBuilder &b, aten::AdaptiveMaxPoolOp op) {
  Value x = op.getSelf();
  Dims in = dimsOf(x), out = resultDims(op);
  int64_t n = op.getSpatial(), first = out.size() - n;
  // Each spatial dim becomes [windows, elements]; where they come from goes along.
  Dims plane(ArrayRef(in).drop_front(first));
  Dim area = product(b.context(), plane);
  Value place = b.reshape(b.iota(area), plane);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, first)), planeOrder;
  for (int64_t i = 0; i < n; ++i) {
    std::optional<int64_t> to = getStatic(out[first + i]);
    if (!to) {
      op.emitOpError("needs known sizes of its result, which is ") << toString(out);
      return {};
    }
    Value elements = windowElements(b, in[first + i], *to);
    x = b.take(x, first + 2 * i, elements);
    place = b.take(place, 2 * i, elements);
    order.push_back(first + 2 * i);
    planeOrder.push_back(2 * i);
  }
  for (int64_t i = 0; i < n; ++i) {
    order.push_back(first + 2 * i + 1);
    planeOrder.push_back(2 * i + 1);
  }
  x = b.transpose(x, order);
  place = b.transpose(place, planeOrder);
  Dims flat = out, flatPlace(ArrayRef(out).drop_front(first));
  flat.push_back(product(b.context(), ArrayRef(dimsOf(x)).drop_front(out.size())));
  flatPlace.push_back(flat.back());
  x = b.reshape(x, flat);
  int64_t last = out.size();
  Value chosen = b.unsqueeze(b.argReduce(Reducer::Max, x, last), last);
  Value places = b.broadcast(b.reshape(place, flatPlace), flat);
  return {b.reduce(Reducer::Max, x, {last}), b.squeeze(b.gather(places, chosen, last), last)};
}

void addPoolDecompositions(Decompositions &d) {
  d.add<aten::MaxPoolOp, maxPool>();
  d.addMany<aten::MaxPoolWithIndicesOp, maxPoolWithIndices>();
  d.add<aten::AvgPoolOp, avgPool>();
  d.add<aten::AdaptiveAvgPoolOp, adaptiveAvgPool>();
  d.addMany<aten::AdaptiveMaxPoolOp, adaptiveMaxPool>();
}

} // namespace graphmill
