#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

// Functions that few models use: formulas in float64, not primitive ops.

using prims::Predicate;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 3.14159265358979323846;

template <typename Op, Value (*formula)(PrimBuilder &, Value)> static Value inDouble(PrimBuilder &b, Op op) {
  Value x = b.convert(op.getSelf(), b.builder.getF64Type());
  return b.convert(formula(b, x), resultElement(op));
}

static Value abs(PrimBuilder &b, Value x) { return b.unary<prims::AbsOp>(x); }
static Value log(PrimBuilder &b, Value x) { return b.unary<prims::LogOp>(x); }
static Value number(PrimBuilder &b, double value) { return b.constant(value, b.builder.getF64Type()); }

/// coefficients[0] + x * (coefficients[1] + x * …)
static Value polynomial(PrimBuilder &b, Value x, ArrayRef<double> coefficients) {
  Value sum = number(b, coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back())) {
    sum = b.add(b.mul(sum, x), coefficient);
  }
  return sum;
}

/// x is 0, -1, -2, …
static Value isPole(PrimBuilder &b, Value x) {
  Value isWhole = b.compare(Predicate::Eq, b.unary<prims::FloorOp>(x), x);
  return b.binary<prims::AndOp>(isWhole, b.compare(Predicate::Le, x, 0.0));
}

/// x's distance to the next whole number below, times pi: sin of it has |sin(pi x)|.
static Value piFraction(PrimBuilder &b, Value x) { return b.mul(b.sub(x, b.unary<prims::FloorOp>(x)), kPi); }

/// Lanczos' approximation (g = 7, 9 terms) for z >= 0.5, reflected below.
static Value lgamma(PrimBuilder &b, Value x) {
  static constexpr double kCoefficients[] = {
      0.99999999999980993, 676.5203681218851,     -1259.1392167224028,  771.32342877765313,    -176.61502916214059,
      12.507343278686905,  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7};
  Value isReflected = b.compare(Predicate::Lt, x, 0.5);
  Value z = b.sub(b.select(isReflected, b.sub(1.0, x), x), 1.0);
  Value series = b.full(dimsOf(z), kCoefficients[0], getElement(z));
  for (int i = 1; i < 9; ++i) {
    series = b.add(series, b.div(kCoefficients[i], b.add(z, static_cast<double>(i))));
  }
  Value t = b.add(z, 7.5);
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  Value direct = b.add(b.sub(b.mul(b.add(z, 0.5), log(b, t)), t), b.add(log(b, series), kHalfLogTwoPi));
  Value sine = abs(b, b.unary<prims::SinOp>(piFraction(b, x)));
  Value result = b.select(isReflected, b.sub(log(b, b.div(kPi, sine)), direct), direct);
  Value isInfinite = b.binary<prims::OrOp>(isPole(b, x), b.compare(Predicate::Eq, abs(b, x), kInfinity));
  return b.select(isInfinite, number(b, kInfinity), result);
}

/// Ten steps up by the recurrence, then the asymptotic series.
static Value digamma(PrimBuilder &b, Value x) {
  Value isReflected = b.compare(Predicate::Lt, x, 0.5);
  Value z = b.select(isReflected, b.sub(1.0, x), x);
  Value steps;
  for (int k = 0; k < 10; ++k) {
    Value term = b.div(1.0, b.add(z, static_cast<double>(k)));
    steps = steps ? b.add(steps, term) : term;
  }
  Value y = b.add(z, 10.0), inverse = b.div(1.0, y), square = b.mul(inverse, inverse);
  Value series = b.mul(square, polynomial(b, square, {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760}));
  Value direct = b.sub(b.sub(b.sub(log(b, y), b.mul(inverse, 0.5)), series), steps);
  Value fraction = piFraction(b, x);
  Value cotangent = b.div(b.unary<prims::CosOp>(fraction), b.unary<prims::SinOp>(fraction));
  Value result = b.select(isReflected, b.sub(direct, b.mul(cotangent, kPi)), direct);
  result = b.select(isPole(b, x), number(b, kNan), result);
  Value atZero = b.binary<prims::CopysignOp>(number(b, kInfinity), b.neg(x));
  return b.select(b.compare(Predicate::Eq, x, 0.0), atZero, result);
}

/// The power series up to 20 (46 terms: the first that doesn't count), the asymptotic one
/// from there.
static Value i0(PrimBuilder &b, Value x) {
  Value y = abs(b, x), small = b.minimum(y, 20.0), quarter = b.mul(b.mul(small, small), 0.25);
  Value series = number(b, 1.0);
  for (int k = 46; k > 0; --k) {
    series = b.add(b.mul(b.mul(series, quarter), 1.0 / (double(k) * k)), 1.0);
  }
  Value large = b.maximum(y, 20.0), inverse = b.div(1.0, b.mul(large, 8.0));
  SmallVector<double> coefficients{1.0};
  for (int k = 1; k <= 12; ++k) {
    coefficients.push_back(coefficients.back() * (2 * k - 1) * (2 * k - 1) / k);
  }
  Value root = b.unary<prims::SqrtOp>(b.mul(large, 2 * kPi));
  Value asymptotic = b.mul(b.div(b.exp(large), root), polynomial(b, inverse, coefficients));
  return b.select(b.compare(Predicate::Gt, y, 20.0), asymptotic, series);
}

/// Winitzki's formula, made exact by Newton's steps.
static Value erfinv(PrimBuilder &b, Value x) {
  constexpr double a = 0.147;
  Value half = b.mul(log(b, b.mul(b.sub(1.0, x), b.add(x, 1.0))), 0.5), t = b.add(half, 2 / (kPi * a));
  Value inner = b.sub(b.unary<prims::SqrtOp>(b.sub(b.mul(t, t), b.mul(half, 2 / a))), t);
  Value y = b.binary<prims::CopysignOp>(b.unary<prims::SqrtOp>(b.maximum(inner, 0.0)), x);
  for (int step = 0; step < 3; ++step) {
    Value slope = b.mul(b.exp(b.neg(b.mul(y, y))), 1.12837916709551257390); // 2 / sqrt(pi)
    y = b.sub(y, b.div(b.sub(b.unary<prims::ErfOp>(y), x), slope));
  }
  Value isEnd = b.compare(Predicate::Eq, abs(b, x), 1.0);
  y = b.select(isEnd, b.binary<prims::CopysignOp>(number(b, kInfinity), x), y);
  return b.select(b.compare(Predicate::Le, abs(b, x), 1.0), y, number(b, kNan));
}

/// The neighbouring bit pattern: away from zero is one more, towards it one less.
static Value nextafter(PrimBuilder &b, aten::NextafterOp op) {
  Type element = resultElement(op);
  SmallVector<Value> operands = promoted(b, op);
  Value x = operands[0], y = operands[1], zero = b.constant(0.0, element);
  auto bits = withElement(resultTypeOf(op), b.builder.getIntegerType(element.getIntOrFloatBitWidth()));
  Value pattern = prims::BitcastOp::create(b.builder, b.loc, bits, x);
  Value isUp = b.compare(Predicate::Gt, y, x), isPositive = b.compare(Predicate::Gt, x, zero);
  Value isAway = b.logicalNot(b.binary<prims::XorOp>(isUp, isPositive));
  Value one = b.constant(1, bits.getElementType());
  Value moved = b.select(isAway, b.add(pattern, one), b.sub(pattern, one));
  Value result = prims::BitcastOp::create(b.builder, b.loc, resultTypeOf(op), moved);
  Value smallest = prims::BitcastOp::create(b.builder, b.loc, resultTypeOf(op), b.broadcast(one, dimsOf(x)));
  result = b.select(b.compare(Predicate::Eq, x, zero), b.binary<prims::CopysignOp>(smallest, y), result);
  result = b.select(b.compare(Predicate::Eq, x, y), y, result);
  // Of NaN, NaN.
  Value sum = b.add(x, y);
  return b.select(b.compare(Predicate::Ne, sum, sum), b.select(b.compare(Predicate::Ne, x, x), x, b.select(b.compare(Predicate::Ne, y, y), y, result)), result);
}

void addSpecialDecompositions(Decompositions &d) {
  d.add<aten::LgammaOp, inDouble<aten::LgammaOp, lgamma>>();
  d.add<aten::DigammaOp, inDouble<aten::DigammaOp, digamma>>();
  d.add<aten::I0Op, inDouble<aten::I0Op, i0>>();
  d.add<aten::ErfinvOp, inDouble<aten::ErfinvOp, erfinv>>();
  d.add<aten::NextafterOp, nextafter>();
}

} // namespace graphmill
