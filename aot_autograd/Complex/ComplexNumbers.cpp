#include "aot_autograd/Complex/ComplexNumbers.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;

Value imaginary(PrimBuilder &b, Complex x) { return x.im ? x.im : b.full(dimsOf(x.re), 0.0, getElement(x.re)); }

Complex add(PrimBuilder &b, Complex x, Complex y) {
  Value re = b.add(x.re, y.re);
  if (x.isReal() && y.isReal()) {
    return {re, {}};
  }
  // The other's parts may have a smaller shape.
  Value im = x.im && y.im ? b.add(x.im, y.im) : b.broadcast(x.im ? x.im : y.im, dimsOf(re));
  return {re, im};
}

Complex subtract(PrimBuilder &b, Complex x, Complex y) {
  return add(b, x, {b.neg(y.re), y.im ? b.neg(y.im) : Value()});
}

Complex multiply(PrimBuilder &b, Complex x, Complex y) {
  if (x.isReal() || y.isReal()) {
    return x.isReal() ? scale(b, y, x.re) : scale(b, x, y.re);
  }
  return {b.sub(b.mul(x.re, y.re), b.mul(x.im, y.im)), b.add(b.mul(x.re, y.im), b.mul(x.im, y.re))};
}

/// By the larger of the divisor's parts first, so that nothing overflows on the way (Smith).
Complex divide(PrimBuilder &b, Complex x, Complex y) {
  if (y.isReal()) {
    return {b.div(x.re, y.re), x.im ? b.div(x.im, y.re) : Value()};
  }
  Value isRe = b.compare(Predicate::Ge, b.unary<prims::AbsOp>(y.re), b.unary<prims::AbsOp>(y.im));
  Value large = b.select(isRe, y.re, y.im), small = b.select(isRe, y.im, y.re);
  Value ratio = b.div(small, large), divisor = b.add(large, b.mul(small, ratio)), im = imaginary(b, x);
  Value re1 = b.add(x.re, b.mul(im, ratio)), im1 = b.sub(im, b.mul(x.re, ratio));
  Value re2 = b.add(b.mul(x.re, ratio), im), im2 = b.sub(b.mul(im, ratio), x.re);
  return {b.div(b.select(isRe, re1, re2), divisor), b.div(b.select(isRe, im1, im2), divisor)};
}

Complex scale(PrimBuilder &b, Complex x, Value factor) { return {b.mul(x.re, factor), x.im ? b.mul(x.im, factor) : Value()}; }

Complex conjugate(PrimBuilder &b, Complex x) { return {x.re, x.im ? b.neg(x.im) : Value()}; }

/// The larger part times the root of 1 + ratio^2: no square overflows.
Value magnitude(PrimBuilder &b, Complex x) {
  Value re = b.unary<prims::AbsOp>(x.re);
  if (x.isReal()) {
    return re;
  }
  Type element = getElement(re);
  Value im = b.unary<prims::AbsOp>(x.im), large = b.maximum(re, im), small = b.minimum(re, im);
  Value ratio = b.div(small, large);
  Value result = b.mul(large, b.unary<prims::SqrtOp>(b.add(b.mul(ratio, ratio), 1.0)));
  // 0 and infinity have no ratio; an infinite part wins against NaN.
  result = b.select(b.compare(Predicate::Eq, large, 0.0), b.constant(0.0, element), result);
  double infinity = std::numeric_limits<double>::infinity();
  Value isInfinite = b.binary<prims::OrOp>(b.compare(Predicate::Eq, re, infinity), b.compare(Predicate::Eq, im, infinity));
  return b.select(isInfinite, b.constant(infinity, element), result);
}

Value angle(PrimBuilder &b, Complex x) {
  if (x.im) {
    return b.binary<prims::Atan2Op>(x.im, x.re);
  }
  Type element = getElement(x.re);
  Value result = b.select(b.compare(Predicate::Lt, x.re, 0.0), b.constant(M_PI, element), b.constant(0.0, element));
  return b.select(b.compare(Predicate::Ne, x.re, x.re), x.re, result);
}

Complex polar(PrimBuilder &b, Value radius, Value angle) {
  return {b.mul(radius, b.unary<prims::CosOp>(angle)), b.mul(radius, b.unary<prims::SinOp>(angle))};
}

Complex exponential(PrimBuilder &b, Complex x) {
  return x.isReal() ? Complex{b.exp(x.re), {}} : polar(b, b.exp(x.re), x.im);
}

Complex logarithm(PrimBuilder &b, Complex x) { return {b.unary<prims::LogOp>(magnitude(b, x)), angle(b, x)}; }

/// The root in the right half plane. t = sqrt((|x| + |re|) / 2) is its larger part, the other
/// follows without cancellation.
Complex squareRoot(PrimBuilder &b, Complex x) {
  Value im = imaginary(b, x);
  Value t = b.unary<prims::SqrtOp>(b.mul(b.add(magnitude(b, {x.re, im}), b.unary<prims::AbsOp>(x.re)), 0.5));
  Value other = b.div(b.unary<prims::AbsOp>(im), b.mul(t, 2.0));
  other = b.select(b.compare(Predicate::Eq, t, 0.0), t, other);
  Value isRight = b.compare(Predicate::Ge, x.re, 0.0);
  return {b.select(isRight, t, other), b.binary<prims::CopysignOp>(b.select(isRight, other, t), im)};
}

Value interleave(PrimBuilder &b, Complex x) {
  int64_t last = dimsOf(x.re).size();
  return b.concatenate({b.unsqueeze(x.re, last), b.unsqueeze(imaginary(b, x), last)}, last);
}

Complex separate(PrimBuilder &b, Value pairs) {
  int64_t last = dimsOf(pairs).size() - 1;
  auto part = [&](int64_t i) { return b.squeeze(b.slice(pairs, last, b.dim(i), b.dim(1)), last); };
  return {part(0), part(1)};
}

} // namespace graphmill
