#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;

SmallVector<Value> promoted(PrimBuilder &b, Operation *op, ValueRange operands, Type element) {
  Dims dims = dimsOf(resultTypeOf(op));
  SmallVector<Value> result;
  for (Value operand : operands) {
    result.push_back(b.broadcast(b.convert(operand, element), dims));
  }
  return result;
}

SmallVector<Value> promoted(PrimBuilder &b, Operation *op) {
  return promoted(b, op, op->getOperands(), resultTypeOf(op).getElementType());
}

template <typename Aten, typename Prim> static Value unary(PrimBuilder &b, Aten op) {
  return b.unary<Prim>(promoted(b, op)[0]);
}
template <typename Aten, typename Prim> static Value binary(PrimBuilder &b, Aten op) {
  SmallVector<Value> x = promoted(b, op);
  return b.binary<Prim>(x[0], x[1]);
}

std::optional<double> numberOf(Attribute scalar) {
  if (auto real = dyn_cast_or_null<FloatAttr>(scalar)) {
    return real.getValueAsDouble();
  }
  auto integer = dyn_cast_or_null<IntegerAttr>(scalar);
  if (!integer) {
    return std::nullopt;
  }
  return integer.getType().isInteger(1) ? double(integer.getValue().getBoolValue()) : double(integer.getInt());
}

/// libm's function; narrow floats compute in float32.
template <typename Aten, typename Prim> static Value function(PrimBuilder &b, Aten op) {
  return formulaOf<Aten, +[](PrimBuilder &b, Value x) { return b.unary<Prim>(x); }>(b, op);
}
template <typename Aten, typename Prim> static Value function2(PrimBuilder &b, Aten op) {
  Type element = resultElement(op);
  SmallVector<Value> x = promoted(b, op, op->getOperands(), b.opmath(element));
  return b.convert(b.binary<Prim>(x[0], x[1]), element);
}
template <typename Aten, Value (*formula)(PrimBuilder &, Value, Value)> static Value formula2(PrimBuilder &b, Aten op) {
  Type element = resultElement(op);
  SmallVector<Value> x = promoted(b, op, op->getOperands(), b.opmath(element));
  return b.convert(formula(b, x[0], x[1]), element);
}

static Value reciprocal(PrimBuilder &b, Value x) { return b.div(1.0, x); }
static Value square(PrimBuilder &b, Value x) { return b.mul(x, x); }
static Value deg2rad(PrimBuilder &b, Value x) { return b.mul(x, 0.017453292519943295); }
static Value rad2deg(PrimBuilder &b, Value x) { return b.mul(x, 57.29577951308232); }
/// -x log(x); log(x) is NaN below 0, and NaN stays.
static Value entropy(PrimBuilder &b, Value x) {
  Value product = b.neg(b.mul(x, b.unary<prims::LogOp>(x)));
  Value atZero = b.select(b.compare(Predicate::Eq, x, 0.0), b.constant(0.0, getElement(x)), product);
  return b.select(b.compare(Predicate::Lt, x, 0.0), b.constant(-std::numeric_limits<double>::infinity(), getElement(x)), atZero);
}
static Value sinc(PrimBuilder &b, Value x) {
  Value scaled = b.mul(x, 3.14159265358979323846);
  Value ratio = b.div(b.unary<prims::SinOp>(scaled), scaled);
  return b.select(b.compare(Predicate::Eq, x, 0.0), b.full(dimsOf(x), 1.0, getElement(x)), ratio);
}
static Value isNan(PrimBuilder &b, Value x) { return b.compare(Predicate::Ne, x, x); }

static Value fmax(PrimBuilder &b, Value x, Value y) {
  return b.select(isNan(b, x), y, b.select(isNan(b, y), x, b.maximum(x, y)));
}
static Value fmin(PrimBuilder &b, Value x, Value y) {
  return b.select(isNan(b, x), y, b.select(isNan(b, y), x, b.minimum(x, y)));
}
/// Scaled, so that squares don't overflow.
static Value hypot(PrimBuilder &b, Value x, Value y) {
  Value a = b.unary<prims::AbsOp>(x), c = b.unary<prims::AbsOp>(y);
  Value large = b.maximum(a, c), small = b.minimum(a, c);
  Value ratio = b.div(small, large);
  Value result = b.mul(large, b.unary<prims::SqrtOp>(b.add(b.mul(ratio, ratio), 1.0)));
  double infinity = std::numeric_limits<double>::infinity();
  Value anyInfinite = b.binary<prims::OrOp>(b.compare(Predicate::Eq, a, infinity), b.compare(Predicate::Eq, c, infinity));
  result = b.select(b.compare(Predicate::Eq, large, 0.0), large, result);
  return b.select(anyInfinite, b.constant(infinity, getElement(x)), result);
}
/// Equal infinities have no difference: they are the result.
template <typename Exp, typename Log> static Value logAddExp(PrimBuilder &b, Value x, Value y) {
  Value difference = b.neg(b.unary<prims::AbsOp>(b.sub(x, y)));
  Value sum = b.add(b.maximum(x, y), b.unary<Log>(b.add(b.unary<Exp>(difference), 1.0)));
  Value infinite = b.compare(Predicate::Eq, b.unary<prims::AbsOp>(x), std::numeric_limits<double>::infinity());
  return b.select(b.binary<prims::AndOp>(infinite, b.compare(Predicate::Eq, x, y)), x, sum);
}
static Value logaddexp(PrimBuilder &b, Value x, Value y) {
  Value difference = b.neg(b.unary<prims::AbsOp>(b.sub(x, y)));
  Value sum = b.add(b.maximum(x, y), b.unary<prims::Log1pOp>(b.exp(difference)));
  Value infinite = b.compare(Predicate::Eq, b.unary<prims::AbsOp>(x), std::numeric_limits<double>::infinity());
  return b.select(b.binary<prims::AndOp>(infinite, b.compare(Predicate::Eq, x, y)), x, sum);
}
static Value xlogy(PrimBuilder &b, Value x, Value y) {
  Value product = b.mul(x, b.unary<prims::LogOp>(y));
  Value zero = b.constant(0.0, getElement(x));
  Value result = b.select(b.compare(Predicate::Eq, x, zero), zero, product);
  return b.select(isNan(b, y), y, result);
}
static Value heaviside(PrimBuilder &b, Value x, Value values) {
  Value positive = b.convert(b.compare(Predicate::Gt, x, b.constant(0, getElement(x))), getElement(x));
  return b.select(b.compare(Predicate::Eq, x, b.constant(0, getElement(x))), values, positive);
}
static Value ldexp(PrimBuilder &b, Value x, Value y) { return b.mul(x, b.unary<prims::Exp2Op>(y)); }

static Value frac(PrimBuilder &b, aten::FracOp op) {
  Value x = op.getSelf();
  return isFloat(getElement(x)) ? b.sub(x, b.unary<prims::TruncOp>(x)) : b.full(dimsOf(x), 0.0, getElement(x));
}

static Value round(PrimBuilder &b, aten::RoundOp op) {
  Value x = op.getSelf();
  Type element = getElement(x);
  int64_t decimals = op.getDecimals();
  if (!isFloat(element)) {
    return x;
  }
  x = b.convert(x, b.opmath(element));
  double scale = std::pow(10.0, std::abs(decimals));
  if (decimals > 0) {
    x = b.div(b.unary<prims::RoundOp>(b.mul(x, scale)), scale);
  } else if (decimals < 0) {
    x = b.mul(b.unary<prims::RoundOp>(b.div(x, scale)), scale);
  } else {
    x = b.unary<prims::RoundOp>(x);
  }
  return b.convert(x, element);
}

static Value nanToNum(PrimBuilder &b, aten::NanToNumOp op) {
  Value x = op.getSelf();
  auto type = dyn_cast<FloatType>(getElement(x));
  if (!type) {
    return x;
  }
  double largest = APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  auto number = [&](std::optional<APFloat> value, double otherwise) {
    return b.constant(value ? value->convertToDouble() : otherwise, type);
  };
  double infinity = std::numeric_limits<double>::infinity();
  Value result = b.select(isNan(b, x), number(op.getNan(), 0.0), x);
  result = b.select(b.compare(Predicate::Eq, x, infinity), number(op.getPosinf(), largest), result);
  return b.select(b.compare(Predicate::Eq, x, -infinity), number(op.getNeginf(), -largest), result);
}

static Value logit(PrimBuilder &b, aten::LogitOp op) {
  Type element = resultElement(op);
  Value x = b.convert(op.getSelf(), b.opmath(element));
  if (op.getEps()) {
    double eps = op.getEps()->convertToDouble();
    x = b.minimum(b.maximum(x, eps), 1.0 - eps);
  }
  return b.convert(b.unary<prims::LogOp>(b.div(x, b.sub(1.0, x))), element);
}

/// self + sign * alpha * other
template <typename Aten, typename Prim> static Value addLike(PrimBuilder &b, Aten op) {
  Type element = resultTypeOf(op).getElementType();
  Type compute = b.opmath(element);
  SmallVector<Value> x = promoted(b, op, op->getOperands(), element);
  auto one = dyn_cast<IntegerAttr>(op.getAlpha());
  if (one && one.getInt() == 1) {
    return b.binary<Prim>(x[0], x[1]);
  }
  Value scaled = b.mul(b.convert(x[1], compute), b.scalar(op.getAlpha(), compute));
  return b.convert(b.binary<Prim>(b.convert(x[0], compute), scaled), element);
}

/// A number or 0-d factor isn't rounded to a narrow float first: half * 70000 is no infinity.
static Value mul(PrimBuilder &b, aten::MulOp op) {
  Type element = resultElement(op), compute = b.opmath(element);
  bool anyScalar = llvm::any_of(op->getOperands(), [](Value x) { return dimsOf(x).empty(); });
  SmallVector<Value> x = promoted(b, op, op->getOperands(), anyScalar ? compute : element);
  return b.convert(b.mul(x[0], x[1]), element);
}

/// Integer or float division rounded towards minus infinity.
static Value floorDivide(PrimBuilder &b, Value x, Value y) {
  Type element = getElement(x);
  Value remainder = b.binary<prims::FmodOp>(x, y);
  Value zero = b.constant(0, element);
  Value inexact = b.compare(Predicate::Ne, remainder, zero);
  Value signsDiffer = b.binary<prims::XorOp>(b.compare(Predicate::Lt, remainder, zero),
                                            b.compare(Predicate::Lt, y, zero));
  Value adjust = b.binary<prims::AndOp>(inexact, signsDiffer);
  if (!isFloat(element)) {
    return b.sub(b.div(x, y), b.convert(adjust, element));
  }
  // Eager: (x - fmod) / y is exact up to rounding; round it, and give x / y's sign to zero.
  Value quotient = b.div(b.sub(x, remainder), y);
  quotient = b.select(adjust, b.sub(quotient, 1.0), quotient);
  Value floor = b.unary<prims::FloorOp>(quotient);
  floor = b.select(b.compare(Predicate::Gt, b.sub(quotient, floor), 0.5), b.add(floor, 1.0), floor);
  Value ratio = b.div(x, y);
  Value signedZero = b.binary<prims::CopysignOp>(b.constant(0.0, element), ratio);
  Value result = b.select(b.compare(Predicate::Ne, quotient, zero), floor, signedZero);
  return b.select(b.compare(Predicate::Eq, y, zero), ratio, result);
}

static Value div(PrimBuilder &b, aten::DivOp op) {
  Type element = resultTypeOf(op).getElementType(), compute = b.opmath(element);
  SmallVector<Value> x = promoted(b, op, op->getOperands(), compute);
  Value result;
  if (!op.getRoundingMode()) {
    result = b.div(x[0], x[1]);
  } else if (*op.getRoundingMode() == "floor") {
    result = floorDivide(b, x[0], x[1]);
  } else {
    result = b.div(x[0], x[1]);
    result = isFloat(compute) ? b.unary<prims::TruncOp>(result) : result;
  }
  return b.convert(result, element);
}

static Value remainder(PrimBuilder &b, aten::RemainderOp op) {
  Type element = resultTypeOf(op).getElementType(), compute = b.opmath(element);
  SmallVector<Value> x = promoted(b, op, op->getOperands(), compute);
  Value r = b.binary<prims::FmodOp>(x[0], x[1]);
  Value zero = b.constant(0, compute);
  Value fix = b.binary<prims::AndOp>(
      b.compare(Predicate::Ne, r, zero),
      b.binary<prims::XorOp>(b.compare(Predicate::Lt, r, zero), b.compare(Predicate::Lt, x[1], zero)));
  return b.convert(b.select(fix, b.add(r, x[1]), r), element);
}

Value power(PrimBuilder &b, Value x, double exponent) {
  bool real = isFloat(getElement(x));
  if (exponent == 1.0) {
    return x;
  }
  if (exponent == 2.0) {
    return b.mul(x, x);
  }
  if (exponent == 3.0) {
    return b.mul(b.mul(x, x), x);
  }
  if (exponent == 0.5 && real) {
    return b.unary<prims::SqrtOp>(x);
  }
  if (exponent == -0.5 && real) {
    return b.unary<prims::RsqrtOp>(x);
  }
  if (exponent == -1.0 && real) {
    return b.div(1.0, x);
  }
  if (exponent == -2.0 && real) {
    return b.div(1.0, b.mul(x, x));
  }
  return b.binary<prims::PowOp>(x, exponent);
}

static Value pow(PrimBuilder &b, aten::PowOp op) {
  Type element = resultElement(op), compute = b.opmath(element);
  SmallVector<Value> x = promoted(b, op, op->getOperands(), compute);
  auto number = op.getExponent().getDefiningOp<fx::NumberOp>();
  std::optional<double> exponent = number ? numberOf(number.getValue()) : std::nullopt;
  return b.convert(exponent ? power(b, x[0], *exponent) : b.binary<prims::PowOp>(x[0], x[1]), element);
}

template <typename Aten, Predicate predicate> static Value comparison(PrimBuilder &b, Aten op) {
  SmallVector<Value> x = promoted(b, op, op->getOperands(), resultType(op->getOperands()));
  return b.compare(predicate, x[0], x[1]);
}

/// Compares |x| or x with infinity; integers give `otherwise`.
template <typename Aten, Predicate predicate, bool absolute, int sign, bool otherwise>
static Value againstInfinity(PrimBuilder &b, Aten op) {
  Value x = op.getSelf();
  if (!isFloat(getElement(x))) {
    return b.full(dimsOf(x), otherwise, b.boolean());
  }
  x = absolute ? b.unary<prims::AbsOp>(x) : x;
  return b.compare(predicate, x, sign * std::numeric_limits<double>::infinity());
}
static Value signbit(PrimBuilder &b, aten::SignbitOp op) {
  Value x = op.getSelf();
  Type element = getElement(x);
  if (isFloat(element)) {
    x = b.binary<prims::CopysignOp>(b.constant(1.0, element), x);
  }
  return b.compare(Predicate::Lt, x, b.constant(0, element));
}

template <typename Aten, typename Prim> static Value logical(PrimBuilder &b, Aten op) {
  return b.binary<Prim>(truth(b, op.getSelf()), truth(b, op.getOther()));
}
static Value logicalNot(PrimBuilder &b, aten::LogicalNotOp op) {
  return b.logicalNot(truth(b, op.getSelf()));
}
static Value isnan(PrimBuilder &b, aten::IsnanOp op) {
  return b.compare(Predicate::Ne, op.getSelf(), op.getSelf());
}
static Value where(PrimBuilder &b, aten::WhereOp op) {
  SmallVector<Value> x = promoted(b, op, {op.getSelf(), op.getOther()}, resultTypeOf(op).getElementType());
  return b.select(truth(b, op.getCondition()), x[0], x[1]);
}

static Value maskedFill(PrimBuilder &b, aten::MaskedFillOp op) {
  SmallVector<Value> x = promoted(b, op, {op.getValue(), op.getSelf()}, resultElement(op));
  return b.select(truth(b, op.getMask()), x[0], x[1]);
}

static Value clamp(PrimBuilder &b, aten::ClampOp op) {
  Type element = resultElement(op);
  Value x = promoted(b, op, {op.getSelf()}, element)[0];
  if (op.getMin()) {
    x = b.maximum(x, b.convert(op.getMin(), element));
  }
  return op.getMax() ? b.minimum(x, b.convert(op.getMax(), element)) : x;
}

/// From the nearer end: exact at both.
static Value lerp(PrimBuilder &b, aten::LerpOp op) {
  Type element = resultElement(op);
  SmallVector<Value> x = promoted(b, op, op->getOperands(), b.opmath(element));
  Value difference = b.sub(x[1], x[0]);
  Value fromStart = b.add(x[0], b.mul(x[2], difference));
  Value fromEnd = b.sub(x[1], b.mul(difference, b.sub(1.0, x[2])));
  Value isNear = b.compare(Predicate::Lt, b.unary<prims::AbsOp>(x[2]), 0.5);
  return b.convert(b.select(isNear, fromStart, fromEnd), element);
}

template <typename Aten, typename Prim> static Value addScaled(PrimBuilder &b, Aten op) {
  Type element = resultElement(op), compute = b.opmath(element);
  SmallVector<Value> x = promoted(b, op, op->getOperands(), compute);
  Value scale = b.scalar(op.getValue(), compute);
  Value product = std::is_same_v<Prim, prims::MulOp> ? b.mul(b.mul(x[1], x[2]), scale) : b.mul(b.div(x[1], x[2]), scale);
  return b.convert(b.add(x[0], product), element);
}

static Value isclose(PrimBuilder &b, aten::IscloseOp op) {
  Type common = resultType({op.getSelf(), op.getOther()});
  Type compute = isFloat(common) ? b.opmath(common) : b.f32();
  SmallVector<Value> exact = promoted(b, op, op->getOperands(), common);
  Value close = b.compare(Predicate::Eq, exact[0], exact[1]);
  if (op.getEqualNan() && isFloat(common)) {
    close = b.binary<prims::OrOp>(close, b.binary<prims::AndOp>(isNan(b, exact[0]), isNan(b, exact[1])));
  }
  Value x = b.convert(exact[0], compute), y = b.convert(exact[1], compute);
  Value allowed = b.add(b.unary<prims::AbsOp>(b.mul(y, op.getRtol().convertToDouble())), op.getAtol().convertToDouble());
  Value actual = b.unary<prims::AbsOp>(b.sub(x, y));
  Value finite = b.compare(Predicate::Lt, actual, std::numeric_limits<double>::infinity());
  return b.binary<prims::OrOp>(close, b.binary<prims::AndOp>(finite, b.compare(Predicate::Le, actual, allowed)));
}

void addPointwiseDecompositions(Decompositions &d) {
#define FUNCTION(NAME) d.add<aten::NAME##Op, function<aten::NAME##Op, prims::NAME##Op>>();
  FUNCTION(Exp) FUNCTION(Exp2) FUNCTION(Expm1) FUNCTION(Log) FUNCTION(Log1p) FUNCTION(Log2) FUNCTION(Log10)
  FUNCTION(Sqrt) FUNCTION(Rsqrt) FUNCTION(Sin) FUNCTION(Cos) FUNCTION(Tan) FUNCTION(Asin) FUNCTION(Acos)
  FUNCTION(Atan) FUNCTION(Sinh) FUNCTION(Cosh) FUNCTION(Tanh) FUNCTION(Asinh) FUNCTION(Acosh) FUNCTION(Atanh)
  FUNCTION(Erf) FUNCTION(Erfc)
#undef FUNCTION
#define UNARY(NAME) d.add<aten::NAME##Op, unary<aten::NAME##Op, prims::NAME##Op>>();
  UNARY(Abs) UNARY(Neg) UNARY(Sign)
#undef UNARY
#define ROUNDING(NAME)                                                                          \
  d.add<aten::NAME##Op, +[](PrimBuilder &b, aten::NAME##Op op) -> Value {                       \
    return isFloat(getElement(op.getSelf())) ? b.unary<prims::NAME##Op>(op.getSelf())           \
                                             : Value(op.getSelf());                             \
  }>();
  ROUNDING(Ceil) ROUNDING(Floor) ROUNDING(Trunc)
#undef ROUNDING
#define FORMULA(NAME, FUNCTION) d.add<aten::NAME##Op, formulaOf<aten::NAME##Op, FUNCTION>>();
  FORMULA(Reciprocal, reciprocal) FORMULA(Square, square) FORMULA(Sinc, sinc) FORMULA(SpecialEntr, entropy)
  FORMULA(Deg2rad, deg2rad) FORMULA(Rad2deg, rad2deg)
#undef FORMULA
#define FORMULA2(NAME, FUNCTION) d.add<aten::NAME##Op, formula2<aten::NAME##Op, FUNCTION>>();
  FORMULA2(Fmax, fmax) FORMULA2(Fmin, fmin) FORMULA2(Hypot, hypot) FORMULA2(Logaddexp, logaddexp)
  FORMULA2(Xlogy, xlogy) FORMULA2(Heaviside, heaviside) FORMULA2(Ldexp, ldexp)
#undef FORMULA2
  d.add<aten::Logaddexp2Op, formula2<aten::Logaddexp2Op, logAddExp<prims::Exp2Op, prims::Log2Op>>>();
#define BINARY(NAME, PRIM) d.add<aten::NAME##Op, binary<aten::NAME##Op, prims::PRIM##Op>>();
  BINARY(Maximum, Maximum) BINARY(Minimum, Minimum) BINARY(BitwiseAnd, And) BINARY(BitwiseOr, Or)
  BINARY(BitwiseXor, Xor) BINARY(LeftShift, Shl) BINARY(RightShift, Shr) BINARY(Copysign, Copysign)
#undef BINARY
#define FUNCTION2(NAME) d.add<aten::NAME##Op, function2<aten::NAME##Op, prims::NAME##Op>>();
  FUNCTION2(Fmod) FUNCTION2(Atan2)
#undef FUNCTION2
#define COMPARISON(NAME) d.add<aten::NAME##Op, comparison<aten::NAME##Op, Predicate::NAME>>();
  COMPARISON(Eq) COMPARISON(Ne) COMPARISON(Lt) COMPARISON(Le) COMPARISON(Gt) COMPARISON(Ge)
#undef COMPARISON
  d.add<aten::BitwiseNotOp, unary<aten::BitwiseNotOp, prims::NotOp>>();
  d.add<aten::LogicalAndOp, logical<aten::LogicalAndOp, prims::AndOp>>();
  d.add<aten::LogicalOrOp, logical<aten::LogicalOrOp, prims::OrOp>>();
  d.add<aten::LogicalXorOp, logical<aten::LogicalXorOp, prims::XorOp>>();
  d.add<aten::LogicalNotOp, logicalNot>();
  d.add<aten::AddOp, addLike<aten::AddOp, prims::AddOp>>();
  d.add<aten::SubOp, addLike<aten::SubOp, prims::SubOp>>();
  d.add<aten::MulOp, mul>();
  d.add<aten::DivOp, div>();
  d.add<aten::RemainderOp, remainder>();
  d.add<aten::PowOp, pow>();
  d.add<aten::FracOp, frac>();
  d.add<aten::RoundOp, round>();
  d.add<aten::NanToNumOp, nanToNum>();
  d.add<aten::LogitOp, logit>();
  d.add<aten::IsnanOp, isnan>();
  d.add<aten::IsinfOp, againstInfinity<aten::IsinfOp, Predicate::Eq, true, 1, false>>();
  d.add<aten::IsfiniteOp, againstInfinity<aten::IsfiniteOp, Predicate::Lt, true, 1, true>>();
  d.add<aten::IsposinfOp, againstInfinity<aten::IsposinfOp, Predicate::Eq, false, 1, false>>();
  d.add<aten::IsneginfOp, againstInfinity<aten::IsneginfOp, Predicate::Eq, false, -1, false>>();
  d.add<aten::SignbitOp, signbit>();
  d.add<aten::WhereOp, where>();
  d.add<aten::MaskedFillOp, maskedFill>();
  d.add<aten::ClampOp, clamp>();
  d.add<aten::LerpOp, lerp>();
  d.add<aten::AddcmulOp, addScaled<aten::AddcmulOp, prims::MulOp>>();
  d.add<aten::AddcdivOp, addScaled<aten::AddcdivOp, prims::DivOp>>();
  d.add<aten::IscloseOp, isclose>();
}

} // namespace graphmill
