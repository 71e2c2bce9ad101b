#include "fx/Eval/Call.h"

using namespace mlir;

namespace graphmill::eval {

namespace {
/// One plane of one channel against one kernel. `small` positions correspond to `large` ones:
/// large = small * stride + tap * dilation - padding. A convolution reads the large side and
/// sums into the small one, a transposed convolution the other way round.
struct Correlation {
  Shape small, large, kernel;
  ArrayRef<int64_t> stride, padding, dilation;
  bool transposed;

  template <typename C> void add(const C *from, const C *weight, C *to) const {
    Shape tap(kernel.size(), 0);
    do {
      addTap(from, *weight++, to, tap);
    } while (advance(tap, kernel));
  }

  template <typename C> void addTap(const C *from, C factor, C *to, ArrayRef<int64_t> tap) const {
    size_t last = small.size() - 1;
    Shape outer(ArrayRef(small).drop_back()), index(last, 0);
    int64_t shift = tap[last] * dilation[last] - padding[last], step = stride[last];
    // Positions j of the last dim with 0 <= j * step + shift < large.
    int64_t begin = shift >= 0 ? 0 : llvm::divideCeilSigned(-shift, step);
    int64_t end = std::min(small[last], llvm::divideCeilSigned(large[last] - shift, step));
    int64_t smallRow = 0;
    do {
      int64_t largeRow = 0;
      bool inside = true;
      for (size_t i = 0; i < last; ++i) {
        int64_t place = index[i] * stride[i] + tap[i] * dilation[i] - padding[i];
        inside &= place >= 0 && place < large[i];
        largeRow = largeRow * large[i] + place;
      }
      if (inside) {
        int64_t s = smallRow * small[last], l = largeRow * large[last] + shift;
        for (int64_t j = begin; j < end; ++j) {
          if (transposed) {
            to[l + j * step] += factor * from[s + j];
          } else {
            to[s + j] += factor * from[l + j * step];
          }
        }
      }
      ++smallRow;
    } while (advance(index, outer));
  }
};
} // namespace

static bool fits(const Call &call, prims::ConvolutionOp op) {
  const Shape &x = call.in[0].shape, &w = call.in[1].shape, &y = call.shapes[0];
  size_t spatial = x.size() - 2;
  int64_t groups = op.getGroups();
  if (x.size() < 3 || w.size() != x.size() || y.size() != x.size() || groups < 1 || op.getStride().size() != spatial ||
      op.getPadding().size() != spatial || op.getDilation().size() != spatial ||
      llvm::any_of(op.getStride(), [](int64_t s) { return s < 1; })) {
    return false;
  }
  bool transposed = op.getTransposed();
  int64_t inputs = transposed ? w[0] : w[1] * groups, outputs = transposed ? w[1] * groups : w[0];
  return x[0] == y[0] && x[1] == inputs && y[1] == outputs && inputs % groups == 0 && outputs % groups == 0;
}

Results evaluateConvolution(const Call &call) {
  auto op = cast<prims::ConvolutionOp>(call.op);
  const HostTensor &x = call.in[0], &w = call.in[1];
  if (!fits(call, op)) {
    return call.error("shapes don't match");
  }
  if (x.element != w.element || x.dtype() == Dtype::Other) {
    return call.dtypeError();
  }
  HostTensor result = call.allocate();
  if (result.size() == 0) {
    return single(result);
  }
  bool transposed = op.getTransposed();
  auto spatialOf = [](ArrayRef<int64_t> shape) { return Shape(shape.drop_front(2)); };
  Correlation correlation{spatialOf(transposed ? x.shape : result.shape), spatialOf(transposed ? result.shape : x.shape),
                          spatialOf(w.shape), op.getStride(), op.getPadding(), op.getDilation(), transposed};
  int64_t xPlane = count(spatialOf(x.shape)), yPlane = count(spatialOf(result.shape)), taps = count(correlation.kernel);
  int64_t groups = op.getGroups(), inputs = x.shape[1] / groups, outputs = result.shape[1] / groups;
  withWide(x.dtype(), [&](auto zero) {
    using C = decltype(zero);
    std::vector<C> from = loadAll<C>(x), weight = loadAll<C>(w), to(result.size(), C(0));
    for (int64_t n = 0; n < x.shape[0] && xPlane > 0 && taps > 0; ++n) {
      for (int64_t g = 0; g < groups; ++g) {
        for (int64_t o = 0; o < outputs; ++o) {
          C *target = to.data() + ((n * groups + g) * outputs + o) * yPlane;
          for (int64_t i = 0; i < inputs; ++i) {
            int64_t kernel = transposed ? (g * inputs + i) * outputs + o : (g * outputs + o) * inputs + i;
            correlation.add(from.data() + ((n * groups + g) * inputs + i) * xPlane, weight.data() + kernel * taps, target);
          }
        }
      }
    }
    storeAll<C>(result, to);
  });
  return single(result);
}

} // namespace graphmill::eval
