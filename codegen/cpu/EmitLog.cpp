//===- EmitLog.cpp - log and what is made of it ----------------------------===//
//
// log(x) = e ln2 + log(m), m in [sqrt(1/2), sqrt(2)).
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Formula.h"

using llvm::ArrayRef;

namespace graphmill::cpu {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLn2 = 0.69314718055994530942;
constexpr double kLn2HighFloat = 0.693145751953125, kLn2LowFloat = 1.42860682030941723212e-6;
constexpr double kLn2High = 0x1.62e42fefap-1, kLn2Low = 0x1.cf79abc9e3b3ap-40;

// (log(1 + f) - f + f^2 / 2) / f^3
constexpr double kLogFloat[] = {6.7466397600457008e-2,  -1.1675651478977518e-1, 1.1888162400213574e-1,
                                -1.2405589005003138e-1, 1.4219552367464463e-1,  -1.6667995847869337e-1,
                                2.0002118656697409e-1,  -2.5000009599521908e-1, 3.3333312604155196e-1}; // 2^-30.3
// (log(1 + f) - 2s) / s^3 in s^2, s = f / (2 + f)
constexpr double kLogForFloat[] = {2.3582293381206748e-1, 2.8537301504732788e-1, 4.0000335293973903e-1,
                                   6.6666665645038469e-1}; // 2^-37.6
constexpr double kLogDouble[] = {1.479610514723775e-1,   1.5314035867396158e-1, 1.8183564865293371e-1,
                                 2.2222198563514945e-1,  2.8571428742474552e-1, 3.9999999999414323e-1,
                                 6.6666666666667345e-1}; // 2^-59.5

namespace {
/// x = m 2^e for normal positive x.
struct Parts {
  Term m, e;
};
} // namespace

static Parts split(Term x) {
  LoopBuilder &b = x.builder();
  bool wide = x.isDouble();
  int64_t mantissa = wide ? 52 : 23, bias = wide ? 1023 : 127;
  int64_t one = bias << mantissa, root = wide ? 0x3FE6A09E667F3BCD : 0x3F3504F3; // sqrt(1/2)
  Term bits = bitsOf(x);
  // Counted from sqrt(1/2), with the bias left in: a logical shift, which all vector units have.
  llvm::Value *steps = b.CreateLShr(b.CreateAdd(bits, bits.integer(one - root)), mantissa);
  Term e(b, b.CreateSub(steps, bits.integer(bias)));
  return {fromBits({b, b.CreateSub(bits, b.CreateShl(e, mantissa))}), toFloat(e, x)};
}

/// `value` where x is positive and finite; else log's special cases.
static Term withSpecialCases(Term x, Term value) {
  Term nan = x.number(std::numeric_limits<double>::quiet_NaN());
  Term special = select(x == kInfinity, x, select(x == 0.0, x.number(-kInfinity), nan));
  return select((x > 0.0) & (x < kInfinity), value, special);
}

Term logForFloat(Term x, bool precise) {
  auto [m, e] = split(x);
  Term f = m - 1.0, s = f / (f + 2.0), z = s * s;
  ArrayRef<double> q = precise ? ArrayRef<double>(kLogDouble) : ArrayRef<double>(kLogForFloat);
  Term log = fma(s * z, polynomial(z, q), s + s);
  return withSpecialCases(x, fma(e, kLn2, log));
}

/// log(1 + f) + e ln2, the small parts first.
static Term logOfParts(Term f, Term e) {
  Term z = f * f, tail = z * f * polynomial(f, kLogFloat);
  tail = fma(e, kLn2LowFloat, tail);
  tail = fma(z, -0.5, tail);
  return fma(e, kLn2HighFloat, f + tail);
}

static Term logDouble(Term x) {
  Term tiny = x < 0x1p-1022;
  auto [m, e] = split(select(tiny, x * 0x1p54, x));
  e = select(tiny, e - 54.0, e);
  // f - (f^2/2 - s (f^2/2 + R)): the rounding errors of the second part are small against f.
  Term f = m - 1.0, s = f / (f + 2.0), z = s * s, half = f * f * 0.5;
  Term rest = z * polynomial(z, kLogDouble);
  Term low = fma(s, half + rest, e * kLn2Low) - half;
  return withSpecialCases(x, fma(e, kLn2High, f + low));
}

Term emitLog(Term x) {
  if (x.isDouble()) {
    return logDouble(x);
  }
  Term tiny = x < 0x1p-126;
  auto [m, e] = split(select(tiny, x * 0x1p25, x));
  return withSpecialCases(x, logOfParts(m - 1.0, select(tiny, e - 25.0, e)));
}

Term emitLog2(Term x) { return narrow(logForFloat(widen(x)) * (1 / kLn2)); }
Term emitLog10(Term x) { return narrow(logForFloat(widen(x)) * 0.43429448190325182765); }

/// log(u) for u = 1 + x, with what rounding u lost put back. If u needs no scaling this is
/// log(1 + x) with x itself.
Term emitLog1p(Term x) {
  Term u = x + 1.0, lost = x - (u - 1.0);
  auto [m, e] = split(u);
  LoopBuilder &b = x.builder();
  Term whole = toInteger(e), unit = powerOfTwo(Term(b, b.CreateSub(whole.integer(0), whole)), x);
  // 2^-127 isn't normal, but nothing is lost where u is that large.
  Term correction = select(u < 0x1p100, lost * unit, x.number(0));
  Term result = withSpecialCases(u, logOfParts((m - 1.0) + correction, e));
  return select(abs(x) < 0x1p-25, x, result);
}

Term emitAsinh(Term x) {
  Term a = abs(widen(x)), result = logForFloat(a + sqrt(fma(a, a, 1.0)));
  return select(abs(x) < 0x1p-12, x, copySign(narrow(result), x));
}

Term emitAcosh(Term x) {
  Term wide = widen(x), result = narrow(logForFloat(wide + sqrt((wide - 1.0) * (wide + 1.0))));
  return select(x < 1.0, x.number(std::numeric_limits<double>::quiet_NaN()), result);
}

Term emitAtanh(Term x) {
  Term wide = widen(x), result = logForFloat((wide + 1.0) / (1.0 - wide)) * 0.5;
  return select(abs(x) < 0x1p-12, x, narrow(result));
}

} // namespace graphmill::cpu
