#include "fx/Eval/Call.h"

using namespace mlir;

namespace graphmill::eval {

namespace {
/// Positions under windows over the last dims.
struct Window {
  ArrayRef<int64_t> size, strides, padding, dilation;
  Shape bounds; ///< the last dims of the operand

  /// Flat position over the last dims of the window's element; nothing outside.
  std::optional<int64_t> at(ArrayRef<int64_t> output, ArrayRef<int64_t> tap) const {
    int64_t flat = 0;
    for (size_t i = 0; i < size.size(); ++i) {
      int64_t place = output[i] * strides[i] + tap[i] * dilation[i] - padding[i];
      if (place < 0 || place >= bounds[i]) {
        return std::nullopt;
      }
      flat = flat * bounds[i] + place;
    }
    return flat;
  }
};
} // namespace

/// Calls body(result's flat index, position in x or nothing) for all taps of all windows.
static void forEachTap(const Window &window, ArrayRef<int64_t> resultShape, function_ref<void(int64_t, std::optional<int64_t>)> body) {
  size_t spatial = window.size.size();
  Shape outputs(resultShape.take_back(spatial)), output(spatial, 0);
  int64_t planes = count(resultShape.drop_back(spatial)), planeSize = count(window.bounds), flat = 0;
  for (int64_t plane = 0; plane < planes; ++plane) {
    output.assign(spatial, 0);
    do {
      Shape tap(spatial, 0);
      do {
        std::optional<int64_t> place = window.at(output, tap);
        body(flat, place ? std::optional(plane * planeSize + *place) : std::nullopt);
      } while (advance(tap, window.size));
      ++flat;
    } while (advance(output, outputs));
  }
}

template <typename Op> static Results run(const Call &call, Op op) {
  const HostTensor &x = call.in[0];
  size_t spatial = op.getWindow().size(), rank = x.shape.size();
  const Shape &shape = call.shapes[0];
  if (shape.size() != rank || spatial > rank || op.getStrides().size() != spatial ||
      op.getPadding().size() != spatial || op.getDilation().size() != spatial || count(op.getWindow()) <= 0 ||
      !llvm::equal(ArrayRef(shape).drop_back(spatial), ArrayRef(x.shape).drop_back(spatial))) {
    return call.error("window and operand don't match");
  }
  constexpr bool kIsArg = std::is_same_v<Op, prims::ArgReduceWindowOp>;
  if (!canReduce(op.getReducer(), x.dtype()) || (kIsArg && isComplex(x.dtype()))) {
    return call.dtypeError();
  }
  Window window{op.getWindow(), op.getStrides(), op.getPadding(), op.getDilation(),
                Shape(ArrayRef(x.shape).take_back(spatial))};
  HostTensor result = call.allocate();
  int64_t n = result.size();
  if (n == 0) {
    return single(result);
  }
  withWide(x.dtype(), [&](auto zero) {
    using C = decltype(zero);
    std::vector<C> values = loadAll<C>(x);
    if constexpr (kIsArg) {
      if constexpr (!kIsComplex<C>) {
        bool isMax = op.getReducer() == prims::Reducer::Max;
        std::vector<int64_t> found(n, -1);
        forEachTap(window, shape, [&](int64_t to, std::optional<int64_t> from) {
          if (from && (found[to] < 0 || beats(isMax, values[*from], values[found[to]]))) {
            found[to] = *from;
          }
        });
        for (int64_t &place : found) {
          place = std::max<int64_t>(place, 0) % count(window.bounds);
        }
        storeAll<int64_t>(result, found);
      }
    } else {
      std::vector<C> totals(n, identity<C>(op.getReducer(), x.dtype()));
      forEachTap(window, shape, [&](int64_t to, std::optional<int64_t> from) {
        if (from) {
          totals[to] = combine<C>(op.getReducer(), totals[to], values[*from]);
        }
      });
      storeAll<C>(result, totals);
    }
  });
  return single(result);
}

Results evaluateWindow(const Call &call) {
  if (auto op = dyn_cast<prims::ReduceWindowOp>(call.op)) {
    return run(call, op);
  }
  return run(call, cast<prims::ArgReduceWindowOp>(call.op));
}

} // namespace graphmill::eval
