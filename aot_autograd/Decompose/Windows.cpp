#include "aot_autograd/Decompose/Windows.h"

using namespace mlir;

namespace graphmill {

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

Value windowAreas(PrimBuilder &b, const AreaOptions &options, const Window &w, ArrayRef<Dim> from, ArrayRef<Dim> to, Type compute) {
  bool isPadded = llvm::any_of(w.padding, [](int64_t p) { return p != 0; });
  int64_t area = 1;
  for (int64_t k : w.kernel) {
    area *= k;
  }
  if (options.divisorOverride || (!options.ceilMode && (!isPadded || options.countIncludePad))) {
    return b.constant(options.divisorOverride.value_or(area), compute);
  }
  int64_t first = to.size() - w.spatial;
  ArrayRef<Dim> plane = to.drop_front(first);
  Value counts;
  for (size_t i = 0; i < w.spatial; ++i) {
    Value own = windowSizes(b, w, i, from[first + i], to[first + i], options.countIncludePad, compute);
    own = b.broadcastDims(own, plane, {static_cast<int64_t>(i)});
    counts = counts ? b.mul(counts, own) : own;
  }
  return counts;
}

/// Window o of `to` covers [floor(o from / to), ceil((o + 1) from / to)).
static std::pair<int64_t, int64_t> adaptiveWindow(int64_t o, int64_t from, int64_t to) {
  return {o * from / to, ((o + 1) * from + to - 1) / to};
}

/// The same for all windows, where sizes are known at run time only: int64 [to].
static std::pair<Value, Value> adaptiveWindows(PrimBuilder &b, Dim from, Dim to) {
  Value o = b.iota(to), elements = b.size(from, b.i64()), windows = b.size(to, b.i64());
  Value end = b.add(b.mul(b.add(o, b.constant(1, b.i64())), elements), b.sub(windows, b.constant(1, b.i64())));
  return {b.div(b.mul(o, elements), windows), b.div(end, windows)};
}

Value averages(PrimBuilder &b, Dim from, Dim to, Type element) {
  std::optional<int64_t> n = getStatic(from), m = getStatic(to);
  if (!n || !m) {
    auto [begin, end] = adaptiveWindows(b, from, to);
    Value j = b.iotaAlong({from, to}, 0, b.i64());
    Value inside = b.binary<prims::AndOp>(b.compare(prims::Predicate::Ge, j, begin), b.compare(prims::Predicate::Lt, j, end));
    Value weight = b.div(b.constant(1.0, element), b.convert(b.sub(end, begin), element));
    return b.select(inside, weight, b.constant(0.0, element));
  }
  std::vector<double> weights(*n * *m, 0.0);
  for (int64_t o = 0; o < *m; ++o) {
    auto [begin, end] = adaptiveWindow(o, *n, *m);
    for (int64_t j = begin; j < end; ++j) {
      weights[j * *m + o] = 1.0 / (end - begin);
    }
  }
  return b.table(weights, {*n, *m}, element);
}

Value windowElements(PrimBuilder &b, Dim from, int64_t to) {
  std::optional<int64_t> n = getStatic(from);
  if (!n) {
    // A window has at most ceil(from / to) + 1 elements.
    Dim longest = simplify((from + (to - 1)).floorDiv(to) + 1);
    auto [begin, end] = adaptiveWindows(b, from, b.dim(to));
    Value j = b.add(b.unsqueeze(begin, 1), b.iota(longest));
    return b.minimum(j, b.unsqueeze(b.sub(end, b.constant(1, b.i64())), 1));
  }
  int64_t longest = 0;
  for (int64_t o = 0; o < to; ++o) {
    auto [begin, end] = adaptiveWindow(o, *n, to);
    longest = std::max(longest, end - begin);
  }
  SmallVector<int64_t> elements;
  for (int64_t o = 0; o < to; ++o) {
    auto [begin, end] = adaptiveWindow(o, *n, to);
    for (int64_t j = 0; j < longest; ++j) {
      elements.push_back(std::min(begin + j, end - 1));
    }
  }
  return b.reshape(b.vector(ArrayRef<int64_t>(elements)), {b.dim(to), b.dim(longest)});
}

} // namespace graphmill
