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

std::pair<int64_t, int64_t> adaptiveWindow(int64_t o, int64_t from, int64_t to) {
  return {o * from / to, ((o + 1) * from + to - 1) / to};
}

Value averages(PrimBuilder &b, int64_t from, int64_t to, Type element) {
  std::vector<double> weights(from * to, 0.0);
  for (int64_t o = 0; o < to; ++o) {
    auto [begin, end] = adaptiveWindow(o, from, to);
    for (int64_t j = begin; j < end; ++j) {
      weights[j * to + o] = 1.0 / (end - begin);
    }
  }
  return b.table(weights, {from, to}, element);
}

} // namespace graphmill
