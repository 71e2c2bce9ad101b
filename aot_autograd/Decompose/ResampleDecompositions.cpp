#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;

//===----------------------------------------------------------------------===//
// Upsampling: one spatial dim after the other
//===----------------------------------------------------------------------===//

/// What of one dim a resampling needs.
struct Axis {
  int64_t dim;
  Dim in, out;
  /// The factor given by the user, if any: eager then doesn't divide the sizes.
  std::optional<double> factor;

  /// Input elements a step of the output; nothing if it depends on sizes.
  std::optional<float> step(bool alignCorners) const {
    std::optional<int64_t> n = getStatic(in), m = getStatic(out);
    if (alignCorners) {
      return n && m ? std::optional<float>(*m > 1 ? float(*n - 1) / float(*m - 1) : 0.0f) : std::nullopt;
    }
    if (factor && *factor > 0) {
      return static_cast<float>(1.0 / *factor);
    }
    return n && m ? std::optional<float>(float(*n) / float(*m)) : std::nullopt;
  }
};

template <typename Op> static SmallVector<Axis> axesOf(Op op) {
  SmallVector<Axis> axes;
  Dims in = dimsOf(op.getInput()), out = resultDims(op);
  int64_t n = op.getSpatial();
  std::optional<APFloat> scales[] = {op.getScalesD(), op.getScalesH(), op.getScalesW()};
  for (int64_t i = 0; i < n; ++i) {
    Axis axis{2 + i, in[2 + i], out[2 + i], std::nullopt};
    if (op.getScaleFactors()) {
      axis.factor = (*op.getScaleFactors())[i];
    } else if (scales[3 - n + i]) {
      axis.factor = scales[3 - n + i]->convertToDouble();
    }
    axes.push_back(axis);
  }
  return axes;
}

/// The step as a 0-d float32 value, computed at run time if it must be.
static Value stepValue(PrimBuilder &b, const Axis &axis, bool alignCorners) {
  if (std::optional<float> step = axis.step(alignCorners)) {
    return b.constant(static_cast<double>(*step), b.f32());
  }
  Value n = b.size(axis.in, b.f32()), m = b.size(axis.out, b.f32());
  if (!alignCorners) {
    return b.div(n, m);
  }
  Value step = b.div(b.sub(n, 1.0), b.sub(m, 1.0));
  return b.select(b.compare(Predicate::Gt, m, 1.0), step, b.constant(0.0, b.f32()));
}

/// Repeats each element `times` along a dim: an index map, no index tensor.
static Value repeated(PrimBuilder &b, Value x, int64_t dim, int64_t times) {
  Dims apart = dimsOf(x), wide;
  apart.insert(apart.begin() + dim + 1, b.dim(1));
  wide = apart;
  wide[dim + 1] = b.dim(times);
  Dims result = dimsOf(x);
  result[dim] = simplify(result[dim] * times);
  return b.reshape(b.broadcast(b.reshape(x, apart), wide), result);
}

/// floor((i + offset) * step), at most the last element. In float32, as eager: where that
/// is an exact repetition the caller is told by how many.
static std::optional<int64_t> wholeFactor(const Axis &axis, float offset) {
  std::optional<float> step = axis.step(false);
  std::optional<int64_t> n = getStatic(axis.in), m = getStatic(axis.out);
  if (!n || !m) {
    Dim quotient = simplify(axis.out.floorDiv(axis.in));
    return axis.factor && *axis.factor == std::floor(*axis.factor) && equal(axis.out, axis.in * int64_t(*axis.factor))
               ? std::optional<int64_t>(int64_t(*axis.factor))
               : getStatic(quotient) && equal(axis.out, axis.in * *getStatic(quotient)) ? getStatic(quotient) : std::nullopt;
  }
  if (*n == 0 || *m % *n) {
    return std::nullopt;
  }
  for (int64_t i = 0; i < *m; ++i) {
    if (std::min(static_cast<int64_t>(std::floor((i + offset) * *step)), *n - 1) != i / (*m / *n)) {
      return std::nullopt;
    }
  }
  return *m / *n;
}

template <typename Op> static Value nearest(PrimBuilder &b, Op op) {
  constexpr float offset = std::is_same_v<Op, aten::UpsampleNearestExactOp> ? 0.5f : 0.0f;
  Value x = op.getInput();
  for (const Axis &axis : axesOf(op)) {
    if (equal(axis.in, axis.out) && !axis.factor) {
      continue;
    }
    if (std::optional<int64_t> times = wholeFactor(axis, offset)) {
      x = repeated(b, x, axis.dim, *times);
      continue;
    }
    Value at = b.add(b.convert(b.iota(axis.out), b.f32()), static_cast<double>(offset));
    Value source = b.convert(b.unary<prims::FloorOp>(b.mul(at, stepValue(b, axis, false))), b.i64());
    x = b.take(x, axis.dim, b.minimum(source, b.size(simplify(axis.in - 1), b.i64())));
  }
  return x;
}

/// Where output elements lie in the input, in float32.
static Value sourcePositions(PrimBuilder &b, const Axis &axis, bool alignCorners) {
  Value i = b.convert(b.iota(axis.out), b.f32()), step = stepValue(b, axis, alignCorners);
  return alignCorners ? b.mul(i, step) : b.sub(b.mul(b.add(i, 0.5), step), 0.5);
}

static Value linear(PrimBuilder &b, aten::UpsampleLinearOp op) {
  Type element = resultElement(op);
  Value x = b.convert(op.getInput(), b.opmath(element));
  for (const Axis &axis : axesOf(op)) {
    if (equal(axis.in, axis.out) && !axis.factor) {
      continue;
    }
    Value position = b.maximum(sourcePositions(b, axis, op.getAlignCorners()), 0.0);
    Value last = b.size(simplify(axis.in - 1), b.i64());
    Value low = b.minimum(b.convert(position, b.i64()), last), high = b.minimum(b.add(low, b.constant(1, b.i64())), last);
    Value weight = b.convert(b.minimum(b.sub(position, b.convert(low, b.f32())), 1.0), getElement(x));
    Dims dims = dimsOf(x);
    dims[axis.dim] = axis.out;
    weight = b.broadcastDims(weight, dims, {axis.dim});
    x = b.add(b.mul(b.take(x, axis.dim, low), b.sub(1.0, weight)), b.mul(b.take(x, axis.dim, high), weight));
  }
  return b.convert(x, element);
}

/// Weights of the four neighbours of a point `t` past the second, by Keys' kernel.
static SmallVector<Value> cubicWeights(PrimBuilder &b, Value t) {
  constexpr double a = -0.75;
  auto nearer = [&](Value x) { // |x| <= 1
    return b.add(b.mul(b.mul(b.sub(b.mul(x, a + 2), a + 3), x), x), 1.0);
  };
  auto farther = [&](Value x) { // 1 < |x| < 2
    return b.sub(b.mul(b.add(b.mul(b.sub(b.mul(x, a), 5 * a), x), 8 * a), x), 4 * a);
  };
  Value rest = b.sub(1.0, t);
  return {farther(b.add(t, 1.0)), nearer(t), nearer(rest), farther(b.add(rest, 1.0))};
}

static Value cubic(PrimBuilder &b, aten::UpsampleCubicOp op) {
  Type element = resultElement(op);
  Value x = b.convert(op.getInput(), b.opmath(element));
  for (const Axis &axis : axesOf(op)) {
    Value position = sourcePositions(b, axis, op.getAlignCorners());
    Value floor = b.unary<prims::FloorOp>(position), first = b.convert(floor, b.i64());
    Value last = b.size(simplify(axis.in - 1), b.i64()), zero = b.constant(0, b.i64());
    Dims dims = dimsOf(x);
    dims[axis.dim] = axis.out;
    Value sum;
    for (auto [k, weight] : llvm::enumerate(cubicWeights(b, b.sub(position, floor)))) {
      Value at = b.add(first, b.constant(int64_t(k) - 1, b.i64()));
      Value taken = b.take(x, axis.dim, b.minimum(b.maximum(at, zero), last));
      Value term = b.mul(taken, b.broadcastDims(b.convert(weight, getElement(x)), dims, {axis.dim}));
      sum = sum ? b.add(sum, term) : term;
    }
    x = sum;
  }
  return b.convert(x, element);
}

//===----------------------------------------------------------------------===//
// Grid sampling
//===----------------------------------------------------------------------===//

enum class Padding { Zeros, Border, Reflection };
enum class Interpolation { Bilinear, Nearest, Bicubic };

/// Samples of an input [N, C, H, W] at integer places [N, h, w].
struct Sampler {
  PrimBuilder &b;
  Value input;
  Dims grid;
  Padding padding;
  bool alignCorners;

  Type type() const { return getElement(input); }
  Value last(int dim) const { return b.size(simplify(dimOf(input, dim) - 1), type()); }

  /// [-1, 1] to [0, size - 1], or to the outer edges of the first and last element.
  Value unnormalize(Value x, int dim) const {
    Value n = b.size(dimOf(input, dim), type());
    if (alignCorners) {
      return b.mul(b.div(b.add(x, 1.0), 2.0), b.sub(n, 1.0));
    }
    return b.div(b.sub(b.mul(b.add(x, 1.0), n), 1.0), 2.0);
  }
  Value clip(Value x, int dim) const { return b.minimum(b.maximum(x, 0.0), last(dim)); }
  /// Back and forth between the ends: their centres, or their outer edges.
  Value reflect(Value x, int dim) const {
    double low = alignCorners ? 0.0 : -0.5;
    Value span = alignCorners ? last(dim) : b.size(dimOf(input, dim), type());
    Value distance = b.unary<prims::AbsOp>(b.sub(x, low));
    Value safe = b.maximum(span, std::numeric_limits<float>::min());
    Value extra = b.binary<prims::FmodOp>(distance, safe);
    Value flips = b.unary<prims::FloorOp>(b.div(distance, safe));
    Value isEven = b.compare(Predicate::Eq, b.binary<prims::FmodOp>(flips, 2.0), 0.0);
    Value folded = b.select(isEven, b.add(extra, low), b.add(b.sub(span, extra), low));
    return b.select(b.compare(Predicate::Gt, span, 0.0), folded, b.constant(0.0, type()));
  }
  /// A position moved inside, as `padding` says.
  Value inside(Value x, int dim) const {
    if (padding == Padding::Border) {
      return clip(x, dim);
    }
    return padding == Padding::Reflection ? clip(reflect(x, dim), dim) : x;
  }
  /// Input at whole positions; 0 where they are outside. [N, h, w, C]
  Value at(Value y, Value x) const {
    auto isInside = [&](Value v, int dim) {
      return b.binary<prims::AndOp>(b.compare(Predicate::Ge, v, 0.0), b.compare(Predicate::Le, v, last(dim)));
    };
    Value valid = b.binary<prims::AndOp>(isInside(y, 2), isInside(x, 3));
    Value n = b.iotaAlong(grid, 0, b.i64());
    Value row = b.convert(clip(y, 2), b.i64()), column = b.convert(clip(x, 3), b.i64());
    Value taken = b.index(input, {n, row, column}, {0, 2, 3});
    return b.select(b.broadcastDims(valid, dimsOf(taken), {0, 1, 2}), taken, b.constant(0.0, type()));
  }
  Value weighted(Value samples, Value weight) const { return b.mul(samples, b.broadcastDims(weight, dimsOf(samples), {0, 1, 2})); }
};

static Value gridSampler(PrimBuilder &b, aten::GridSamplerOp op) {
  Type element = resultElement(op), compute = b.opmath(element);
  auto mode = static_cast<Interpolation>(op.getInterpolationMode());
  Dims g(ArrayRef(dimsOf(op.getGrid())).drop_back());
  Sampler s{b, b.convert(op.getInput(), compute), g, static_cast<Padding>(op.getPaddingMode()), op.getAlignCorners()};
  Value grid = b.convert(op.getGrid(), compute);
  Value x = s.unnormalize(b.squeeze(b.slice(grid, 3, b.dim(0), b.dim(1)), 3), 3);
  Value y = s.unnormalize(b.squeeze(b.slice(grid, 3, b.dim(1), b.dim(1)), 3), 2);
  Value sum;
  if (mode == Interpolation::Nearest) {
    sum = s.at(b.unary<prims::RoundOp>(s.inside(y, 2)), b.unary<prims::RoundOp>(s.inside(x, 3)));
  } else if (mode == Interpolation::Bilinear) {
    x = s.inside(x, 3);
    y = s.inside(y, 2);
    Value x0 = b.unary<prims::FloorOp>(x), y0 = b.unary<prims::FloorOp>(y);
    Value x1 = b.add(x0, 1.0), y1 = b.add(y0, 1.0);
    Value right = b.sub(x, x0), left = b.sub(x1, x), below = b.sub(y, y0), above = b.sub(y1, y);
    sum = s.weighted(s.at(y0, x0), b.mul(left, above));
    sum = b.add(sum, s.weighted(s.at(y0, x1), b.mul(right, above)));
    sum = b.add(sum, s.weighted(s.at(y1, x0), b.mul(left, below)));
    sum = b.add(sum, s.weighted(s.at(y1, x1), b.mul(right, below)));
  } else {
    Value x0 = b.unary<prims::FloorOp>(x), y0 = b.unary<prims::FloorOp>(y);
    SmallVector<Value> wx = cubicWeights(b, b.sub(x, x0)), wy = cubicWeights(b, b.sub(y, y0));
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        Value sample = s.at(s.inside(b.add(y0, i - 1.0), 2), s.inside(b.add(x0, j - 1.0), 3));
        Value term = s.weighted(sample, b.mul(wy[i], wx[j]));
        sum = sum ? b.add(sum, term) : term;
      }
    }
  }
  return b.convert(b.moveDim(sum, 3, 1), element);
}

/// Coordinates of a dim in [-1, 1].
static Value baseCoordinates(PrimBuilder &b, Dim size, bool alignCorners, Type type) {
  Value i = b.convert(b.iota(size), type), n = b.size(size, type);
  if (alignCorners) {
    if (getStatic(size) == 1) {
      return b.mul(i, 0.0);
    }
    return b.sub(b.mul(i, b.div(2.0, b.sub(n, 1.0))), 1.0);
  }
  return b.sub(b.div(b.add(b.mul(i, 2.0), 1.0), n), 1.0);
}

static Value affineGrid(PrimBuilder &b, aten::AffineGridOp op) {
  Dims out = resultDims(op), plane(ArrayRef(out).drop_front().drop_back());
  Type element = resultElement(op);
  size_t spatial = plane.size();
  Dims column = plane;
  column.push_back(b.dim(1));
  SmallVector<Value> columns;
  // x (the last dim) first, then y, then z, then 1.
  for (size_t i = 0; i < spatial; ++i) {
    int64_t dim = spatial - 1 - i;
    columns.push_back(b.broadcastDims(baseCoordinates(b, plane[dim], op.getAlignCorners(), element), column, {dim}));
  }
  columns.push_back(b.full(column, 1.0, element));
  Dim points = product(b.context(), plane);
  Value base = b.reshape(b.concatenate(columns, spatial), {points, b.dim(spatial + 1)});
  return b.reshape(b.matmul(base, b.swapDims(op.getTheta(), 1, 2)), out);
}

void addResampleDecompositions(Decompositions &d) {
  d.add<aten::UpsampleNearestOp, nearest<aten::UpsampleNearestOp>>();
  d.add<aten::UpsampleNearestExactOp, nearest<aten::UpsampleNearestExactOp>>();
  d.add<aten::UpsampleLinearOp, linear>();
  d.add<aten::UpsampleCubicOp, cubic>();
  d.add<aten::GridSamplerOp, gridSampler>();
  d.add<aten::AffineGridOp, affineGrid>();
}

} // namespace graphmill
