#include "aot_autograd/Decompose/Decompositions.h"
#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill {

using aten::rules::expandInts;
using prims::Reducer;

struct Window {
  size_t spatial;
  SmallVector<int64_t> kernel, stride, padding, dilation;

  template <typename Op>
  Window(Op op, ArrayRef<int64_t> dilation)
      : spatial(op.getSpatial()), kernel(expandInts(op.getKernelSize(), spatial)),
        stride(expandInts(op.getStride().empty() ? op.getKernelSize() : op.getStride(), spatial)),
        padding(expandInts(op.getPadding(), spatial)), dilation(expandInts(dilation, spatial)) {}
};

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

/// How many elements the windows along one dim have: those inside the input, or inside
/// the padded input too.
static Value windowSizes(PrimBuilder &b, const Window &w, size_t i, Dim size, Dim count, bool countPadding, Type compute) {
  auto number = [&](int64_t value) { return b.constant(value, b.i64()); };
  Value start = b.sub(b.mul(b.iota(count), number(w.stride[i])), number(w.padding[i]));
  Value end = b.add(start, number(w.kernel[i]));
  end = b.minimum(end, b.size(simplify(size + (countPadding ? w.padding[i] : 0)), b.i64()));
  start = countPadding ? start : b.maximum(start, number(0));
  return b.convert(b.sub(end, start), compute);
}

static Value avgPool(PrimBuilder &b, aten::AvgPoolOp op) {
  Window w(op, {1});
  Type element = resultElement(op), compute = b.opmath(element);
  Dims from = dimsOf(op.getSelf()), to = resultDims(op);
  Value sum = b.reduceWindow(Reducer::Sum, b.convert(op.getSelf(), compute), to, w.kernel, w.stride, w.padding, w.dilation);
  bool isPadded = llvm::any_of(w.padding, [](int64_t p) { return p != 0; });
  bool isFull = !op.getCeilMode() && (!isPadded || op.getCountIncludePad());
  int64_t area = 1;
  for (int64_t k : w.kernel) {
    area *= k;
  }
  if (op.getDivisorOverride() || isFull) {
    double divisor = op.getDivisorOverride() ? static_cast<double>(static_cast<int64_t>(*op.getDivisorOverride())) : double(area);
    return b.convert(b.div(sum, divisor), element);
  }
  // Windows at the borders have fewer elements.
  int64_t first = to.size() - w.spatial;
  Dims plane(ArrayRef(to).drop_front(first));
  Value counts;
  for (size_t i = 0; i < w.spatial; ++i) {
    Value own = windowSizes(b, w, i, from[first + i], to[first + i], op.getCountIncludePad(), compute);
    own = b.broadcastDims(own, plane, {static_cast<int64_t>(i)});
    counts = counts ? b.mul(counts, own) : own;
  }
  return b.convert(b.div(sum, counts), element);
}

//===----------------------------------------------------------------------===//
// Adaptive pooling
//===----------------------------------------------------------------------===//

/// Window o of `to` covers [floor(o from / to), ceil((o + 1) from / to)).
static std::pair<int64_t, int64_t> adaptiveWindow(int64_t o, int64_t from, int64_t to) {
  return {o * from / to, ((o + 1) * from + to - 1) / to};
}

/// Windows that don't tile the input are a product with a matrix of weights.
static Value averageUnevenly(PrimBuilder &b, Value x, int64_t dim, int64_t from, int64_t to) {
  std::vector<float> weights(from * to, 0.0f);
  for (int64_t o = 0; o < to; ++o) {
    auto [begin, end] = adaptiveWindow(o, from, to);
    for (int64_t j = begin; j < end; ++j) {
      weights[j * to + o] = 1.0f / (end - begin);
    }
  }
  Value matrix = b.convert(b.tensor(weights, {from, to}), getElement(x));
  int64_t last = dimsOf(x).size() - 1;
  Value moved = b.swapDims(x, dim, last);
  Dims rows = dimsOf(moved);
  Dim count = product(b.context(), ArrayRef(rows).drop_back());
  Value y = b.matmul(b.reshape(moved, {count, rows.back()}), matrix);
  rows.back() = b.dim(to);
  return b.swapDims(b.reshape(y, rows), dim, last);
}

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
    } else if (from && to) {
      x = averageUnevenly(b, x, i, *from, *to);
    } else {
      op.emitOpError("needs known sizes, dim ") << i << " is " << toString(dimOf(x, i));
      return {};
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

/// [to, longest window]: the elements of each window, the last repeated where it is shorter.
static Value windowElements(PrimBuilder &b, int64_t from, int64_t to, int64_t longest) {
  SmallVector<int64_t> elements;
  for (int64_t o = 0; o < to; ++o) {
    auto [begin, end] = adaptiveWindow(o, from, to);
    for (int64_t j = 0; j < longest; ++j) {
      elements.push_back(std::min(begin + j, end - 1));
    }
  }
  return b.reshape(b.vector(ArrayRef<int64_t>(elements)), {b.dim(to), b.dim(longest)});
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
    std::optional<int64_t> from = getStatic(in[first + i]), to = getStatic(out[first + i]);
    if (!from || !to) {
      op.emitOpError("needs known sizes, input is ") << toString(in);
      return {};
    }
    int64_t longest = 0;
    for (int64_t o = 0; o < *to; ++o) {
      auto [begin, end] = adaptiveWindow(o, *from, *to);
      longest = std::max(longest, end - begin);
    }
    Value elements = windowElements(b, *from, *to, longest);
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
