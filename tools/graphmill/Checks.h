//===- Checks.h - What options' values may be ------------------------------===//
#pragma once
#include <CLI/CLI.hpp>
#include <cmath>

namespace graphmill::tools {

/// A number with a size: CLI11's own ranges let NaN pass and print limits of 300 digits.
inline CLI::Validator finite(bool allowsZero, const char *words) {
  return CLI::Validator(
      [=](std::string &text) {
        double value = NAN;
        bool isNumber = CLI::detail::lexical_cast(text, value);
        bool isFine = isNumber && std::isfinite(value) && (allowsZero ? value >= 0 : value > 0);
        return isFine ? std::string() : "'" + text + "' is not " + words;
      },
      "");
}

inline CLI::Validator positive() { return finite(false, "a number above 0"); }
inline CLI::Validator notNegative() { return finite(true, "0 or a number above it"); }

} // namespace graphmill::tools
