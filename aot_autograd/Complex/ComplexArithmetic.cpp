#include "aot_autograd/Complex/ComplexSplit.h"
#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;
using Results = ComplexFunctions::Results;

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

template <typename Op, Complex (*function)(PrimBuilder &, Complex, Complex)> static Results sum(ComplexSplit &s, Op op) {
  Type element = resultPart(op);
  Complex x = s.as(op.getSelf(), element), y = s.as(op.getOther(), element);
  if (numberOf(op.getAlpha()) != 1.0) {
    y = scale(s.b, y, s.b.scalar(op.getAlpha(), element));
  }
  return {function(s.b, x, y)};
}

template <typename Op, Complex (*function)(PrimBuilder &, Complex, Complex)> static Results binary(ComplexSplit &s, Op op) {
  Type element = resultPart(op);
  return {function(s.b, s.as(op.getSelf(), element), s.as(op.getOther(), element))};
}

template <typename Op, Complex (*function)(PrimBuilder &, Complex)> static Results unary(ComplexSplit &s, Op op) {
  return {function(s.b, s.as(op.getSelf(), resultPart(op)))};
}

/// Linear in both operands: four products of parts.
static Results bilinear(ComplexSplit &s, Operation *op) {
  if (op->getNumOperands() != 2) {
    op->emitOpError("takes two operands if they are complex numbers");
    return {};
  }
  Complex x = s.of(op->getOperand(0)), y = s.of(op->getOperand(1));
  auto product = [&](Value a, Value b) { return a && b ? s.realTwin(op, {a, b})->getResult(0) : Value(); };
  auto both = [&](Value a, Value b, bool subtracts) {
    return !a || !b ? (a ? a : b) : subtracts ? s.b.sub(a, b) : s.b.add(a, b);
  };
  return {{both(product(x.re, y.re), product(x.im, y.im), true), both(product(x.re, y.im), product(x.im, y.re), false)}};
}

/// conj(self) * other summed: the conjugate moves into the signs.
static Results vdot(ComplexSplit &s, aten::VdotOp op) {
  Type element = resultPart(op);
  Complex z = multiply(s.b, conjugate(s.b, s.as(op.getSelf(), element)), s.as(op.getOther(), element));
  return {{s.b.sum(z.re, {0}), z.im ? s.b.sum(z.im, {0}) : Value()}};
}

static Complex square(PrimBuilder &b, Complex x) { return multiply(b, x, x); }

static Complex reciprocal(PrimBuilder &b, Complex x) { return divide(b, {b.full(dimsOf(x.re), 1.0, getElement(x.re)), {}}, x); }

static Complex inverseRoot(PrimBuilder &b, Complex x) { return reciprocal(b, squareRoot(b, x)); }

/// sin(a + ib) = sin a cosh b + i cos a sinh b, and its kin.
static Complex sine(PrimBuilder &b, Complex x) {
  return {b.mul(b.unary<prims::SinOp>(x.re), b.unary<prims::CoshOp>(x.im)), b.mul(b.unary<prims::CosOp>(x.re), b.unary<prims::SinhOp>(x.im))};
}
static Complex cosine(PrimBuilder &b, Complex x) {
  Value im = b.mul(b.unary<prims::SinOp>(x.re), b.unary<prims::SinhOp>(x.im));
  return {b.mul(b.unary<prims::CosOp>(x.re), b.unary<prims::CoshOp>(x.im)), b.neg(im)};
}
static Complex hyperbolicSine(PrimBuilder &b, Complex x) {
  return {b.mul(b.unary<prims::SinhOp>(x.re), b.unary<prims::CosOp>(x.im)), b.mul(b.unary<prims::CoshOp>(x.re), b.unary<prims::SinOp>(x.im))};
}
static Complex hyperbolicCosine(PrimBuilder &b, Complex x) {
  return {b.mul(b.unary<prims::CoshOp>(x.re), b.unary<prims::CosOp>(x.im)), b.mul(b.unary<prims::SinhOp>(x.re), b.unary<prims::SinOp>(x.im))};
}

/// z / |z|, and 0 for 0.
static Complex sign(PrimBuilder &b, Complex x) {
  Value size = magnitude(b, x), isZero = b.compare(Predicate::Eq, size, 0.0);
  Complex unit = divide(b, x, {size, {}});
  return {b.select(isZero, size, unit.re), b.select(isZero, size, imaginary(b, unit))};
}

/// Small whole exponents by products, others by exp(n log z).
static Results power(ComplexSplit &s, aten::PowOp op) {
  PrimBuilder &b = s.b;
  Type element = resultPart(op);
  Complex x = s.as(op.getSelf(), element), y = s.as(op.getExponent(), element);
  auto number = op.getExponent().getDefiningOp<fx::NumberOp>();
  std::optional<double> known = number && y.isReal() ? numberOf(number.getValue()) : std::nullopt;
  constexpr double kMaxProducts = 4;
  if (known && std::abs(*known) <= kMaxProducts && *known == std::trunc(*known)) {
    Complex result{b.full(dimsOf(x.re), 1.0, element), b.full(dimsOf(x.re), 0.0, element)};
    for (int i = 0; i < std::abs(*known); ++i) {
      result = i == 0 ? x : multiply(b, result, x);
    }
    return {*known < 0 ? reciprocal(b, result) : result};
  }
  if (known == 0.5) {
    return {squareRoot(b, x)};
  }
  Complex result = exponential(b, multiply(b, y, logarithm(b, x)));
  Value isZero = b.compare(Predicate::Eq, magnitude(b, x), 0.0), zero = b.constant(0.0, element);
  return {{b.select(isZero, zero, result.re), b.select(isZero, zero, imaginary(b, result))}};
}

static Results divideOp(ComplexSplit &s, aten::DivOp op) {
  if (op.getRoundingMode()) {
    op.emitOpError("doesn't round complex numbers");
    return {};
  }
  return binary<aten::DivOp, divide>(s, op);
}

static Results addmm(ComplexSplit &s, aten::AddmmOp op) {
  PrimBuilder &b = s.b;
  Type element = resultPart(op);
  auto product = aten::MatmulOp::create(b.builder, b.loc, op.getResult().getType(), op.getMat1(), op.getMat2());
  Complex sum = scale(b, bilinear(s, product)[0], b.scalar(op.getAlpha(), element));
  product.erase();
  if (numberOf(op.getBeta()) != 0.0) {
    sum = add(b, sum, scale(b, s.as(op.getSelf(), element), b.scalar(op.getBeta(), element)));
  }
  return {sum};
}

//===----------------------------------------------------------------------===//
// Parts and predicates
//===----------------------------------------------------------------------===//

static Results abs(ComplexSplit &s, aten::AbsOp op) { return {{magnitude(s.b, s.of(op.getSelf())), {}}}; }
static Results angleOp(ComplexSplit &s, aten::AngleOp op) { return {{angle(s.b, s.as(op.getSelf(), resultPart(op))), {}}}; }
static Results real(ComplexSplit &s, aten::RealOp op) { return {{s.of(op.getSelf()).re, {}}}; }
static Results imag(ComplexSplit &s, aten::ImagOp op) { return {{imaginary(s.b, s.of(op.getSelf())), {}}}; }
static Results viewAsReal(ComplexSplit &s, aten::ViewAsRealOp op) { return {{interleave(s.b, s.of(op.getSelf())), {}}}; }
static Results viewAsComplex(ComplexSplit &s, aten::ViewAsComplexOp op) { return {separate(s.b, op.getSelf())}; }
static Results conj(ComplexSplit &s, aten::ConjOp op) { return {conjugate(s.b, s.of(op.getSelf()))}; }

static Results adjoint(ComplexSplit &s, aten::AdjointOp op) {
  Complex z = conjugate(s.b, s.of(op.getSelf()));
  int64_t rank = dimsOf(z.re).size();
  auto turned = [&](Value part) { return part ? s.b.swapDims(part, rank - 2, rank - 1) : part; };
  return {{turned(z.re), turned(z.im)}};
}

static Results complexOp(ComplexSplit &s, aten::ComplexOp op) {
  Dims dims = dimsOf(op.getResult());
  return {{s.b.broadcast(op.getReal(), dims), s.b.broadcast(op.getImag(), dims)}};
}

static Results polarOp(ComplexSplit &s, aten::PolarOp op) { return {polar(s.b, op.getAbs(), op.getAngle())}; }

/// Numbers are equal if both parts are.
template <typename Op, Predicate predicate> static Results equality(ComplexSplit &s, Op op) {
  PrimBuilder &b = s.b;
  Type element = aten::rules::partOf(promote(getElement(op.getSelf()), getElement(op.getOther())));
  Complex x = s.as(op.getSelf(), element), y = s.as(op.getOther(), element);
  Value re = b.compare(predicate, x.re, y.re), im = b.compare(predicate, imaginary(b, x), imaginary(b, y));
  return {{predicate == Predicate::Eq ? b.binary<prims::AndOp>(re, im) : b.binary<prims::OrOp>(re, im), {}}};
}

/// True if `Op` is of either part.
template <typename Op> static Results ofEither(ComplexSplit &s, Op op) {
  Complex z = s.of(op.getSelf());
  Value re = s.realTwin(op, z.re)->getResult(0), im = s.realTwin(op, z.im)->getResult(0);
  bool isFinite = std::is_same_v<Op, aten::IsfiniteOp>;
  return {{isFinite ? s.b.binary<prims::AndOp>(re, im) : s.b.binary<prims::OrOp>(re, im), {}}};
}

void addComplexArithmetic(ComplexFunctions &f) {
  using namespace aten;
  f.add<AddOp, sum<AddOp, add>>();
  f.add<SubOp, sum<SubOp, subtract>>();
  f.add<MulOp, binary<MulOp, multiply>>();
  f.add<DivOp, divideOp>();
  f.add<PowOp, power>();
  f.add<SquareOp, unary<SquareOp, square>>();
  f.add<ReciprocalOp, unary<ReciprocalOp, reciprocal>>();
  f.add<SignOp, unary<SignOp, sign>>();
  f.add<ExpOp, unary<ExpOp, exponential>>();
  f.add<LogOp, unary<LogOp, logarithm>>();
  f.add<SqrtOp, unary<SqrtOp, squareRoot>>();
  f.add<RsqrtOp, unary<RsqrtOp, inverseRoot>>();
  f.add<SinOp, unary<SinOp, sine>>();
  f.add<CosOp, unary<CosOp, cosine>>();
  f.add<SinhOp, unary<SinhOp, hyperbolicSine>>();
  f.add<CoshOp, unary<CoshOp, hyperbolicCosine>>();
  f.addAll<bilinear, MatmulOp, OuterOp, InnerOp, TensordotOp, EinsumOp, LinearOp>();
  f.add<AddmmOp, addmm>();
  f.addOwn<VdotOp, vdot>();
  f.add<AbsOp, abs>();
  f.addOwn<AngleOp, angleOp>();
  f.addOwn<RealOp, real>();
  f.addOwn<ImagOp, imag>();
  f.addOwn<ConjOp, conj>();
  f.addOwn<AdjointOp, adjoint>();
  f.addOwn<ComplexOp, complexOp>();
  f.addOwn<PolarOp, polarOp>();
  f.addOwn<ViewAsRealOp, viewAsReal>();
  f.addOwn<ViewAsComplexOp, viewAsComplex>();
  f.add<EqOp, equality<EqOp, Predicate::Eq>>();
  f.add<NeOp, equality<NeOp, Predicate::Ne>>();
  f.add<IsnanOp, ofEither<IsnanOp>>();
  f.add<IsinfOp, ofEither<IsinfOp>>();
  f.add<IsfiniteOp, ofEither<IsfiniteOp>>();
}

} // namespace graphmill
