//===- EmitErf.cpp - erf and erfc ------------------------------------------===//
#include "codegen/cpu/Formula.h"

namespace graphmill::cpu {

// erf(x) / x - 1 in x^2, x < 0.9: 2^-26.3. The 1 is added exactly.
constexpr double kErfNear[] = {-6.1112943443976439e-4, 5.0162288383689031e-3,  -2.6781957237736867e-2,
                               1.1282229970626235e-1,  -3.7612532445997947e-1, 1.283791553192529e-1};
// log(erfc(x)), 0.9 < x < 3.95: 2^-33.8 of erf
constexpr double kLogErfc[] = {-2.0698729483722116e-5, 4.2990482474849136e-4,  -4.1491122342072509e-3,
                               2.5062013711489689e-2,  -1.0819196442417138e-1, -6.3342633416139467e-1,
                               -1.1294759789767726,    1.6666038279979073e-4};
// erfc(x) exp(x^2) / t in t = 1 / (1 + x/2), 0 <= x <= 10.1: 2^-31.7
constexpr double kErfc[] = {-2.9110485617007472e-2, 2.1924974587215772e-1, -7.0279659827911316e-1, 1.2134359172390833,
                            -1.1637169426720398,    5.9973634467730418e-1, -2.6931619993380197e-1, 1.5757571097216901e-1,
                            1.6232103409116028e-1,  2.4855113300512774e-1, 2.8197164922344429e-1,  2.8209869171363283e-1};

/// Odd polynomial near 0, else 1 - exp(p(x)): one exponential, no division.
Term emitErf(Term x) {
  Term z = x * x, near = fma(polynomial(z, kErfNear), x, x);
  Term a = atMost(abs(x), 3.95); // 1 from there on
  Term far = copySign(1.0 - expInRange(polynomial(a, kLogErfc)), x);
  return select(abs(x) > 0.9, far, near);
}

/// In float64: a relative error of 2^-24 down to 1e-45 asks for x^2 to 2^-31.
Term emitErfc(Term x) {
  Term wide = widen(x), a = atMost(abs(wide), 10.1), t = 1.0 / fma(a, a.number(0.5), 1.0);
  Term tail = t * polynomial(t, kErfc) * expForFloat(-(a * a));
  return narrow(select(wide < 0.0, 2.0 - tail, tail));
}

} // namespace graphmill::cpu
