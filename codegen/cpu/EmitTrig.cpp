//===- EmitTrig.cpp - sin, cos, tan ----------------------------------------===//
//
// x = n pi/2 + r, |r| <= pi/4, in float64. n * (first part of pi/2) - x has few enough bits
// to be exact, however large n is below 2^50, so for float32 two parts reach |x| = 2^40.
// Beyond that, and for float64 beyond 2^30, libm does it.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Formula.h"

using llvm::ArrayRef;
using llvm::Value;

namespace graphmill::cpu {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTwoOverPi = 0.63661977236758134308;
// pi/2 in three parts of 53 bits.
constexpr double kHalfPi1 = 0x1.921fb54442d18p+0, kHalfPi2 = 0x1.1a62633145c07p-54, kHalfPi3 = -0x1.f1976b7ed8fbcp-110;
// 1.5 * 2^52: added to a number it rounds it, and leaves its low bits at the end of the mantissa.
constexpr double kRounder = 0x1.8p52;

// (sin(r) / r - 1) / r^2 and (cos(r) - 1 + r^2/2) / r^4 in r^2
constexpr double kSinForFloat[] = {-1.9514084931475358e-4, 8.3321550523619619e-3, -1.6666654589966422e-1}; // 2^-28.0
constexpr double kCosForFloat[] = {2.4434846051761517e-5, -1.3887337083267127e-3, 4.1666646268681358e-2};  // 2^-33.2
constexpr double kSinDouble[] = {1.5895213730642429e-10, -2.50507316135895e-8,  2.7557313528122258e-6,
                                 -1.9841269829352873e-4, 8.333333333321869e-3, -1.666666666666663e-1}; // 2^-57.9
constexpr double kCosDouble[] = {-1.1358564357220668e-11, 2.0875702981437105e-9,  -2.7557314208073651e-7,
                                 2.4801587289001678e-5,   -1.3888888888873387e-3, 4.1666666666666595e-2}; // 2^-64.1

namespace {
/// r + low is the rest; `quarter` holds n in its low bits.
struct Angle {
  Term r, low, quarter;
};
struct SinCos {
  Term sin, cos;
};
} // namespace

static Angle reduce(Term x, bool precise) {
  Term shifted = fma(x, x.number(kTwoOverPi), kRounder), n = shifted - kRounder;
  Term r = fma(n, -kHalfPi1, x);
  if (!precise) {
    return {fma(n, -kHalfPi2, r), x.number(0), bitsOf(shifted)};
  }
  // The second part is subtracted with its rounding errors kept.
  Term w = n * kHalfPi2, wLow = fma(n, x.number(kHalfPi2), -w);
  Term high = r - w, back = high - r, low = (r - (high - back)) - (w + back);
  low = fma(n, -kHalfPi3, low - wLow);
  return {high, low, bitsOf(shifted)};
}

static SinCos onFirstOctant(const Angle &angle, bool precise) {
  Term r = angle.r, z = r * r;
  if (!precise) {
    Term sin = r * fma(polynomial(z, kSinForFloat), z, 1.0);
    return {sin, fma(z * z, polynomial(z, kCosForFloat), fma(z, r.number(-0.5), 1.0))};
  }
  // sin(r + low) = sin r + low cos r; 1 - z/2 with its rounding error put back.
  Term sin = fma(r * z, polynomial(z, kSinDouble), fma(angle.low, fma(z, r.number(-0.5), 1.0), r * 0.0)) + r;
  Term half = z * 0.5, one = 1.0 - half, lost = (1.0 - one) - half;
  Term cos = one + (lost + fma(z * z, polynomial(z, kCosDouble), -(r * angle.low)));
  return {sin, cos};
}

/// Whether bit `bit` of n + add is set.
static Term hasBit(Term quarter, unsigned bit, int64_t add) {
  LoopBuilder &b = quarter.builder();
  Value *moved = add ? b.CreateAdd(quarter, quarter.integer(add)) : quarter;
  return {b, b.CreateICmpNE(b.CreateAnd(moved, quarter.integer(int64_t(1) << bit)), quarter.integer(0))};
}

/// sin(x + add pi/2)
static Term sinOfQuarters(Term x, int64_t add, llvm::StringRef name) {
  bool precise = x.isDouble();
  Angle angle = reduce(precise ? x : widen(x), precise);
  auto [sin, cos] = onFirstOctant(angle, precise);
  Term result = select(hasBit(angle.quarter, 0, add), cos, sin);
  result = select(hasBit(angle.quarter, 1, add), -result, result);
  if (!precise) {
    result = narrow(result);
  } else if (add == 0) {
    result = select(x == 0.0, x, result); // the sums above lose -0
  }
  Term a = abs(x), far = (a >= (precise ? 0x1p30 : 0x1p40)) & (a < kInfinity);
  return orLibm(far, result, name, {x});
}

Term emitSin(Term x) { return sinOfQuarters(x, 0, "sin"); }
Term emitCos(Term x) { return sinOfQuarters(x, 1, "cos"); }

Term emitTan(Term x) {
  Angle angle = reduce(widen(x), false);
  auto [sin, cos] = onFirstOctant(angle, false);
  Term odd = hasBit(angle.quarter, 0, 0);
  Term result = narrow(select(odd, -cos, sin) / select(odd, sin, cos));
  Term a = abs(x);
  return orLibm((a >= 0x1p40) & (a < kInfinity), result, "tan", {x});
}

} // namespace graphmill::cpu
