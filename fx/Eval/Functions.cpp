#include "fx/Eval/Functions.h"
#include <cmath>
#include <limits>
#include <numbers>

namespace graphmill::eval {

/// psi(x) = psi(x + 1) - 1/x until x is large enough for the asymptotic series; negative x by
/// reflection. At 0 it is an infinity of the other sign, at negative integers NaN, as in eager.
double digamma(double x) {
  if (x == 0) {
    return std::copysign(std::numeric_limits<double>::infinity(), -x);
  }
  if (x < 0) {
    double whole, fraction = std::modf(x, &whole);
    if (fraction == 0) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    return digamma(1 - x) - std::numbers::pi / std::tan(std::numbers::pi * fraction);
  }
  double result = 0;
  for (; x < 12; x += 1) {
    result -= 1 / x;
  }
  if (std::isinf(x)) {
    return x;
  }
  // Bernoulli numbers B(2k) / 2k, highest first.
  constexpr double kTerms[] = {1.0 / 12, -691.0 / 32760, 1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12};
  double z = 1 / (x * x), series = 0;
  for (double term : kTerms) {
    series = series * z + term;
  }
  return result + std::log(x) - 0.5 / x - series * z;
}

/// Newton's iteration on erf, or on erfc where erf is close to 1, from a rough start.
double erfinv(double x) {
  double magnitude = std::abs(x);
  if (!(magnitude < 1)) {
    return magnitude == 1 ? std::copysign(std::numeric_limits<double>::infinity(), x)
                          : std::numeric_limits<double>::quiet_NaN();
  }
  if (magnitude == 0) {
    return x;
  }
  // Winitzki's approximation, good to 2 digits or more.
  double l = std::log1p(-magnitude * magnitude), a = 2 / (std::numbers::pi * 0.147) + l / 2;
  double y = std::sqrt(std::sqrt(a * a - l / 0.147) - a);
  double slope = 2 * std::numbers::inv_sqrtpi;
  for (int step = 0; step < 4; ++step) {
    double excess = magnitude < 0.5 ? std::erf(y) - magnitude : (1 - magnitude) - std::erfc(y);
    double newton = excess / (slope * std::exp(-y * y));
    y -= newton / (1 + y * newton); // Halley
  }
  return std::copysign(y, x);
}

/// The power series: all terms are positive, nothing cancels.
double besselI0(double x) {
  double q = x * x / 4, term = 1, sum = 1;
  if (std::isnan(x) || std::isinf(x)) {
    return x * x;
  }
  for (double k = 1; term > sum * 0x1p-54 && !std::isinf(sum); k += 1) {
    term *= q / (k * k);
    sum += term;
  }
  return sum;
}

} // namespace graphmill::eval
