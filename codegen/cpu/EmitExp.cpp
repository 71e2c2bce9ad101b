//===- EmitExp.cpp - exp and what is made of it ----------------------------===//
//
// exp(x) = 2^n exp(r), x = n ln2 + r, |r| <= ln2 / 2. Polynomials are minimax (Remez);
// their relative error is given beside them.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Formula.h"

using llvm::ArrayRef;

namespace graphmill::cpu {

constexpr double kLog2E = 1.44269504088896340736;
// ln2 in two parts: n times the first is exact for |n| < 2^11 (float32) and 2^21 (float64).
constexpr double kLn2HighFloat = 0.693145751953125, kLn2LowFloat = 1.42860682030941723212e-6;
constexpr double kLn2High = 0x1.62e42fefap-1, kLn2Low = 0x1.cf79abc9e3b3ap-40;

// (exp(r) - 1 - r) / r^2
constexpr double kExpFloat[] = {1.3814598380327496e-3, 8.3687168782876547e-3, 4.1668388050029843e-2,
                                1.6666520631728899e-1, 4.9999993447778514e-1}; // 2^-28.3
constexpr double kExpm1Float[] = {1.9914172725616134e-4, 1.3941008274947402e-3, 8.3332730449678835e-3,
                                  4.166635466410456e-2,  1.6666666817098731e-1, 5.0000000464136223e-1}; // 2^-32, of r
constexpr double kExpForFloat[] = {2.4708257670604283e-5, 1.9908952663843934e-4, 1.3889197286875453e-3,
                                   8.3332817871949827e-3, 4.1666664403445041e-2, 1.6666666784513342e-1,
                                   5.000000000427219e-1}; // 2^-39.7
constexpr double kExpDouble[] = {2.5000063312565174e-8,  2.7630248422926092e-7,  2.7557586368155429e-6,
                                 2.4801493098780542e-5,  1.9841269506585393e-4,  1.3888888943630237e-3,
                                 8.3333333334944584e-3,  4.1666666666530158e-2,  1.6666666666666413e-1,
                                 5.0000000000000106e-1}; // 2^-57.9
// (2^r - 1) / r
constexpr double kExp2Float[] = {1.5353340618239534e-4, 1.3398900229595375e-3, 9.6184376081525003e-3,
                                 5.5503324095086678e-2, 2.40226479102667e-1,   6.9314720288103516e-1}; // 2^-28.9
// (tanh(x) / x - 1) / x^2 in x^2, |x| < 0.55
constexpr double kTanhFloat[] = {-6.2824731508055806e-3, 2.107775829517345e-2, -5.3853857948248724e-2,
                                 1.3332601686077266e-1, -3.3333318045732959e-1}; // 2^-29.9
constexpr double kTanhDouble[] = {-1.9521031193613491e-5, 8.3360076459801964e-5,  -2.3341273476590601e-4,
                                  5.8845705219101216e-4,  -1.4555459850442847e-3, 3.5920925327335479e-3,
                                  -8.8632326528136546e-3, 2.1869488389105396e-2,  -5.3968253963878719e-2,
                                  1.3333333333326833e-1,  -3.33333333333333e-1}; // 2^-60.7

namespace {
/// x = n ln2 + r.
struct Reduced {
  Term n, r;
};
} // namespace

static Reduced reduce(Term x) {
  Term n = roundEven(x * kLog2E);
  Term r = fma(n, x.isDouble() ? -kLn2High : -kLn2HighFloat, x);
  return {n, fma(n, x.isDouble() ? -kLn2Low : -kLn2LowFloat, r)};
}

/// exp(r) = 1 + r + r^2 q(r)
static Term expOfRest(Term r, ArrayRef<double> q) { return fma(r * r, polynomial(r, q), r) + 1.0; }

static ArrayRef<double> expCoefficients(Term x) {
  return x.isDouble() ? ArrayRef<double>(kExpDouble) : ArrayRef<double>(kExpFloat);
}

Term expInRange(Term x) {
  auto [n, r] = reduce(x);
  return expOfRest(r, expCoefficients(x)) * powerOfTwo(toInteger(n), x);
}

Term expForFloat(Term x) {
  auto [n, r] = reduce(x);
  return expOfRest(r, kExpForFloat) * powerOfTwo(toInteger(n), x);
}

Term emitExp(Term x) {
  // Beyond these the result is infinite or 0; clamping keeps n in range. NaN goes through.
  Term clamped = x.isDouble() ? atLeast(atMost(x, 710), -746) : atLeast(atMost(x, 89), -104);
  auto [n, r] = reduce(clamped);
  return scale(expOfRest(r, expCoefficients(x)), toInteger(n));
}

Term emitExp2(Term x) {
  Term clamped = atLeast(atMost(x, 129), -151), n = roundEven(clamped), r = clamped - n;
  return scale(fma(polynomial(r, kExp2Float), r, 1.0), toInteger(n));
}

/// exp(x) - 1 = 2^n (exp(r) - 1) + (2^n - 1), from halves so that 2^128 is in reach.
Term emitExpm1(Term x) {
  auto [n, r] = reduce(atLeast(atMost(x, 89), -18));
  Term p = fma(r * r, polynomial(r, kExpm1Float), r);
  LoopBuilder &b = x.builder();
  Term whole = toInteger(n), half = powerOfTwo(Term(b, b.CreateSub(whole, whole.integer(1))), x);
  Term result = fma(half, p, half - 0.5) * 2.0;
  // Tiny ones are their own result; halving would lose bits of denormals, and -0's sign.
  return select(abs(x) < 0x1p-25, x, result);
}

/// In float64 the difference of two exponentials has enough digits down to where sinh(x) is x.
Term emitSinh(Term x) {
  Term wide = atLeast(atMost(widen(x), 200), -200), e = expForFloat(wide);
  return select(abs(x) < 0x1p-12, x, narrow((e - 1.0 / e) * 0.5));
}

Term emitCosh(Term x) {
  Term e = expForFloat(atMost(abs(widen(x)), 200));
  return narrow((e + 1.0 / e) * 0.5);
}

/// Odd polynomial near 0, else 1 - 2 / (exp(2x) + 1).
Term emitTanh(Term x) {
  Term z = x * x;
  ArrayRef<double> q = x.isDouble() ? ArrayRef<double>(kTanhDouble) : ArrayRef<double>(kTanhFloat);
  Term near = fma(z * polynomial(z, q), x, x);
  Term a = atMost(abs(x), x.isDouble() ? 20 : 10);
  Term far = 1.0 - 2.0 / (expInRange(a + a) + 1.0);
  // NaN takes the first, which keeps it.
  return copySign(select(abs(x) > 0.55, far, near), x);
}

} // namespace graphmill::cpu
