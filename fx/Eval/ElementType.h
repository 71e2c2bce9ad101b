//===- ElementType.h - How elements lie in memory --------------------------===//
#pragma once
#include "mlir/IR/Types.h"
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace graphmill::eval {

/// Dtypes that the evaluator computes with. `Other` can be moved, not computed with.
enum class Dtype : uint8_t {
  Bool, U8, U16, U32, I8, I16, I32, I64, F16, BF16, F32, F64, C64, C128, Other
};
Dtype dtypeOf(mlir::Type element);
/// Bytes of one element; bool takes one. 0 if a tensor can't hold this type.
unsigned byteWidth(mlir::Type element);

/// A float of 16 bits, by its bits: conversions are all that is done with it.
template <unsigned kMantissaBits, int kMinExponent> struct NarrowFloat {
  uint16_t bits;

  static constexpr unsigned kExponentBits = 15 - kMantissaBits;
  static constexpr int kExponentMask = (1 << kExponentBits) - 1;

  explicit operator double() const {
    int exponent = (bits >> kMantissaBits) & kExponentMask;
    int mantissa = bits & ((1 << kMantissaBits) - 1);
    double magnitude;
    if (exponent == kExponentMask) {
      magnitude = mantissa ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    } else if (exponent == 0) {
      magnitude = std::ldexp(mantissa, kMinExponent - static_cast<int>(kMantissaBits));
    } else {
      magnitude = std::ldexp(mantissa + (1 << kMantissaBits), exponent - 1 + kMinExponent - static_cast<int>(kMantissaBits));
    }
    return bits & 0x8000 ? -magnitude : magnitude;
  }
  /// Rounds once, to nearest even.
  static NarrowFloat of(double value) {
    uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    double magnitude = std::abs(value);
    constexpr uint16_t kInfinity = kExponentMask << kMantissaBits;
    if (std::isnan(value)) {
      return {static_cast<uint16_t>(sign | kInfinity | (1 << (kMantissaBits - 1)))};
    }
    if (magnitude >= std::ldexp(1.0, 2 - kMinExponent)) {
      return {static_cast<uint16_t>(sign | kInfinity)};
    }
    // In units of the last place: a carry out of the mantissa steps the exponent, as it should.
    int exponent = magnitude == 0 ? kMinExponent : std::max(std::ilogb(magnitude), kMinExponent);
    auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, static_cast<int>(kMantissaBits) - exponent)));
    uint32_t magnitudeBits = (static_cast<uint32_t>(exponent - kMinExponent) << kMantissaBits) + units;
    return {static_cast<uint16_t>(sign | std::min<uint32_t>(magnitudeBits, kInfinity))};
  }
};
using Half = NarrowFloat<10, -14>;
using BFloat = NarrowFloat<7, -126>;
/// One byte, 0 or 1.
struct Bool {
  uint8_t value;
};

template <typename T> constexpr bool kIsComplex = false;
template <typename T> constexpr bool kIsComplex<std::complex<T>> = true;
template <typename T> constexpr bool kIsNarrow = std::is_same_v<T, Half> || std::is_same_v<T, BFloat>;

/// C's conversions; what C leaves undefined is as on x86: a float that an integer can't hold
/// gives the smallest int64, or int32 for narrower integers, cut to the width.
template <typename To, typename From> To convertElement(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<From, Bool>) {
    return convertElement<To>(static_cast<int64_t>(value.value != 0));
  } else if constexpr (kIsNarrow<From>) {
    return convertElement<To>(static_cast<double>(value));
  } else if constexpr (std::is_same_v<To, Bool>) {
    return {static_cast<uint8_t>(value != From(0))};
  } else if constexpr (kIsComplex<From> && kIsComplex<To>) {
    return To(value);
  } else if constexpr (kIsComplex<From>) {
    return convertElement<To>(value.real());
  } else if constexpr (kIsComplex<To>) {
    return To(static_cast<typename To::value_type>(value));
  } else if constexpr (kIsNarrow<To>) {
    return To::of(static_cast<double>(value));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    using Step = std::conditional_t<sizeof(To) == 8 || std::is_same_v<To, uint32_t>, int64_t, int32_t>;
    double limit = std::ldexp(1.0, sizeof(Step) * 8 - 1), whole = std::trunc(static_cast<double>(value));
    bool fits = whole >= -limit && whole < limit;
    return static_cast<To>(fits ? static_cast<Step>(whole) : std::numeric_limits<Step>::min());
  } else {
    return static_cast<To>(value);
  }
}

/// Calls `f` with a zero of the dtype's C++ type; false if it has none.
template <typename F> bool withStorage(Dtype dtype, F f) {
  switch (dtype) {
  case Dtype::Bool: f(Bool{}); return true;
  case Dtype::U8: f(uint8_t{}); return true;
  case Dtype::U16: f(uint16_t{}); return true;
  case Dtype::U32: f(uint32_t{}); return true;
  case Dtype::I8: f(int8_t{}); return true;
  case Dtype::I16: f(int16_t{}); return true;
  case Dtype::I32: f(int32_t{}); return true;
  case Dtype::I64: f(int64_t{}); return true;
  case Dtype::F16: f(Half{}); return true;
  case Dtype::BF16: f(BFloat{}); return true;
  case Dtype::F32: f(float{}); return true;
  case Dtype::F64: f(double{}); return true;
  case Dtype::C64: f(std::complex<float>{}); return true;
  case Dtype::C128: f(std::complex<double>{}); return true;
  case Dtype::Other: return false;
  }
  return false;
}

inline bool isReal(Dtype dtype) { return dtype >= Dtype::F16 && dtype <= Dtype::F64; }
inline bool isWhole(Dtype dtype) { return dtype <= Dtype::I64; }
inline bool isComplex(Dtype dtype) { return dtype == Dtype::C64 || dtype == Dtype::C128; }

} // namespace graphmill::eval
