// Conversions between float16 or bfloat16 and wider types, under the names that
// LLVM calls where the processor has no instruction for one. Rounding is to
// nearest, ties to even, in one step; a NaN stays a quiet NaN.
#include <stdint.h>

typedef struct Format {
  int exponentBits, mantissaBits;
} Format;

static const Format kHalf = {5, 10}, kBfloat = {8, 7};

static uint64_t roundShift(uint64_t value, int shift) {
  if (shift > 63) {
    return 0;
  }
  uint64_t quotient = value >> shift;
  uint64_t rest = value & (((uint64_t)1 << shift) - 1);
  uint64_t half = (uint64_t)1 << (shift - 1);
  return quotient + (rest > half || (rest == half && (quotient & 1)));
}

static uint16_t narrow(double value, Format format) {
  uint64_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  uint16_t sign = (uint16_t)(bits >> 63 << 15);
  uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
  int exponent = (int)(bits >> 52 & 0x7ff);
  int maxExponent = (1 << format.exponentBits) - 1;
  uint16_t infinity = (uint16_t)(maxExponent << format.mantissaBits);
  if (exponent == 0x7ff) {
    uint16_t quiet = mantissa ? (uint16_t)(1 << (format.mantissaBits - 1)) : 0;
    return sign | infinity | quiet;
  }
  if (exponent == 0) {
    return sign; // far below half of the smallest number of either format
  }
  int target = exponent - 1023 + maxExponent / 2;
  if (target >= maxExponent) {
    return sign | infinity;
  }
  mantissa |= (uint64_t)1 << 52;
  int shift = 52 - format.mantissaBits;
  if (target <= 0) {
    return sign | (uint16_t)roundShift(mantissa, shift + 1 - target);
  }
  // The leading one adds 1 to the exponent; a carry out of the mantissa
  // another, up to infinity.
  uint64_t magnitude = ((uint64_t)(target - 1) << format.mantissaBits) +
                       roundShift(mantissa, shift);
  return sign | (uint16_t)magnitude;
}

#define NARROW(name, from, to, format)                                         \
  to name(from value);                                                         \
  to name(from value) {                                                        \
    uint16_t bits = narrow((double)value, format);                             \
    to result;                                                                 \
    __builtin_memcpy(&result, &bits, sizeof(result));                          \
    return result;                                                             \
  }

NARROW(__truncsfhf2, float, _Float16, kHalf)
NARROW(__truncdfhf2, double, _Float16, kHalf)
NARROW(__truncsfbf2, float, __bf16, kBfloat)
NARROW(__truncdfbf2, double, __bf16, kBfloat)

float __extendhfsf2(_Float16 value);
float __extendhfsf2(_Float16 value) {
  uint16_t half;
  __builtin_memcpy(&half, &value, sizeof(half));
  uint32_t sign = (uint32_t)(half & 0x8000) << 16;
  uint32_t exponent = half >> 10 & 0x1f, mantissa = half & 0x3ff;
  uint32_t bits;
  if (exponent == 0x1f) {
    bits = sign | 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0);
  } else if (exponent) {
    bits = sign | (exponent + 112) << 23 | mantissa << 13;
  } else {
    // 2^-24 times the mantissa, which a float holds exactly.
    float magnitude = (float)mantissa * 0x1p-24f;
    __builtin_memcpy(&bits, &magnitude, sizeof(bits));
    bits |= sign;
  }
  float result;
  __builtin_memcpy(&result, &bits, sizeof(result));
  return result;
}
