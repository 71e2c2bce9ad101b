//===- EmitPow.cpp - pow and fmod ------------------------------------------===//
#include "codegen/cpu/Formula.h"
#include "llvm/IR/Constants.h"

namespace graphmill::cpu {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLn2 = 0.69314718055994530942;

/// The number that all lanes are, if it is known.
static std::optional<double> knownNumber(Term x) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(static_cast<llvm::Value *>(x));
  if (constant && constant->getType()->isVectorTy()) {
    constant = constant->getSplatValue();
  }
  auto *number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  return number ? std::optional(number->getValueAPF().convertToDouble()) : std::nullopt;
}

/// Exponents that need no logarithm, as eager has them: x^3 is x*x*x.
static std::optional<Term> powOfKnown(Term x, double y) {
  if (y == 0.5) { // sqrt(-0) is -0 and sqrt(-infinity) NaN
    return select(x == -kInfinity, x.number(kInfinity), sqrt(x) + 0.0);
  }
  if (y == 1 || y == 2 || y == 3) {
    return y == 1 ? x : y == 2 ? x * x : x * x * x;
  }
  if (y == -1) {
    return 1.0 / x;
  }
  return std::nullopt;
}

/// exp(y log|x|) in float64, then C's special cases.
Term emitPow(Term x, Term y) {
  if (std::optional<double> known = knownNumber(y)) {
    if (std::optional<Term> result = powOfKnown(x, *known)) {
      return *result;
    }
  }
  Term ax = abs(x), ay = abs(y), log = logForFloat(widen(ax), /*precise=*/true);
  // 1^infinity is 1. Beyond 2^±300 all is infinite or 0.
  Term exponent = select(ax == 1.0, log.number(0), widen(y) * log);
  exponent = atLeast(atMost(exponent, 300 * kLn2), -300 * kLn2);
  Term result = narrow(expForFloat(exponent));

  // From 2^24 on all float32 are even.
  Term isWhole = trunc(y) == y, halved = y * 0.5;
  Term isOdd = isWhole & (ay < 0x1p24) & (trunc(halved) == halved).logicalNot();
  LoopBuilder &b = x.builder();
  Term bits = bitsOf(x), isNegative(b, b.CreateICmpSLT(bits, bits.integer(0)));
  result = select(isNegative & isOdd, -result, result);
  result = select((x < 0.0) & (x > -kInfinity) & isWhole.logicalNot(), x.number(kNan), result);
  result = select(x.isNan() | y.isNan(), x + y, result);
  return select((y == 0.0) | (x == 1.0), x.number(1), result);
}

/// x - trunc(x / y) y in float64. The quotient may be off by one, the rest is then too; with
/// quotients below 2^29 the product is exact.
Term emitFmod(Term x, Term y) {
  Term wx = abs(widen(x)), wy = abs(widen(y)), quotient = wx / wy;
  Term rest = fma(-trunc(quotient), wy, wx);
  rest = select(rest < 0.0, rest + wy, rest);
  rest = select(rest >= wy, rest - wy, rest);
  Term result = copySign(narrow(rest), x);
  result = select((abs(y) == kInfinity) & (abs(x) < kInfinity), x, result);
  // NaN of an infinite x or a zero y comes by itself.
  Term far = (quotient >= 0x1p29) & (quotient < kInfinity);
  return orLibm(far, result, "fmod", {x, y});
}

} // namespace graphmill::cpu
