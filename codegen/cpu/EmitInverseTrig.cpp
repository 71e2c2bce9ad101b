//===- EmitInverseTrig.cpp - asin, acos, atan, atan2 -----------------------===//
//
// All are the angle of a point, computed in float64: asin(x) is that of (sqrt(1 - x^2), x).
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Formula.h"

namespace graphmill::cpu {

constexpr double kPi = 3.14159265358979323846;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// (atan(q) / q - 1) / q^2 in q^2, 0 <= q <= 1: 2^-36.7
constexpr double kAtan[] = {4.4919366825428473e-4, -3.3772223050059259e-3, 1.1911000083404726e-2, -2.6745894932926577e-2,
                            4.4366852600231777e-2, -6.068681538338134e-2,  7.5153800098151957e-2, -9.0549536778254534e-2,
                            1.1106369793190849e-1, -1.4285343361643073e-1, 1.9999985334280397e-1, -3.3333333130238907e-1};

Term angleForFloat(Term y, Term x) {
  LoopBuilder &b = x.builder();
  Term ax = abs(x), ay = abs(y), steep = ay > ax;
  Term q = select(steep, ax, ay) / select(steep, ay, ax);
  // 0/0 is 0 here, and infinity/infinity 1.
  q = select(ay == 0.0, q.number(0), select((ax == kInfinity) & (ay == kInfinity), q.number(1), q));
  Term z = q * q, angle = q * fma(polynomial(z, kAtan), z, 1.0);
  angle = select(steep, kPi / 2 - angle, angle);
  Term bits = bitsOf(x), left(b, b.CreateICmpSLT(bits, bits.integer(0))); // -0 too
  angle = copySign(select(left, kPi - angle, angle), y);
  return select(x.isNan() | y.isNan(), x + y, angle);
}

Term emitAtan2(Term y, Term x) { return narrow(angleForFloat(widen(y), widen(x))); }
Term emitAtan(Term x) {
  Term wide = widen(x);
  return narrow(angleForFloat(wide, wide.number(1)));
}

// NaN beyond 1 comes from the root.
static Term cathetus(Term x) { return sqrt((1.0 - x) * (x + 1.0)); }

Term emitAsin(Term x) {
  Term wide = widen(x);
  return narrow(angleForFloat(wide, cathetus(wide)));
}
Term emitAcos(Term x) {
  Term wide = widen(x);
  return narrow(angleForFloat(cathetus(wide), wide));
}

} // namespace graphmill::cpu
