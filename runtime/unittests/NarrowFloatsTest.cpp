// The functions have the compiler's own names, so the tests can't call them
// through a header; they compare with float arithmetic that has enough bits.
#include "gtest/gtest.h"
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

extern "C" {
_Float16 __truncsfhf2(float value);
_Float16 __truncdfhf2(double value);
__bf16 __truncsfbf2(float value);
__bf16 __truncdfbf2(double value);
float __extendhfsf2(_Float16 value);
}

namespace {

uint16_t halfBits(double value) {
  return std::bit_cast<uint16_t>(__truncdfhf2(value));
}
uint16_t bfloatBits(float value) {
  return std::bit_cast<uint16_t>(__truncsfbf2(value));
}

TEST(NarrowFloats, widensEveryHalfAndBack) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    _Float16 half = std::bit_cast<_Float16>(uint16_t(bits));
    float wide = __extendhfsf2(half);
    uint32_t exponent = bits >> 10 & 31, mantissa = bits & 1023;
    if (exponent == 31 && mantissa) {
      EXPECT_TRUE(std::isnan(wide));
      EXPECT_EQ(halfBits(wide) & 0x7e00, 0x7e00);
      continue;
    }
    double value = exponent == 31 ? std::numeric_limits<double>::infinity()
                   : exponent ? std::ldexp(1024 + mantissa, int(exponent) - 25)
                              : std::ldexp(mantissa, -24);
    ASSERT_EQ(wide, bits >> 15 ? -value : value) << bits;
    ASSERT_EQ(std::signbit(wide), bits >> 15 != 0) << bits;
    ASSERT_EQ(std::bit_cast<uint16_t>(__truncsfhf2(wide)), bits);
  }
}

TEST(NarrowFloats, roundsHalvesToNearestEven) {
  // Between two neighbours: below, at and above the middle.
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    double low = __extendhfsf2(std::bit_cast<_Float16>(uint16_t(bits)));
    double high = __extendhfsf2(std::bit_cast<_Float16>(uint16_t(bits + 1)));
    double middle = (low + high) / 2, step = (high - low) * 0x1p-30;
    ASSERT_EQ(halfBits(middle - step), bits);
    ASSERT_EQ(halfBits(middle + step), bits + 1);
    ASSERT_EQ(halfBits(middle), bits + (bits & 1));
    ASSERT_EQ(halfBits(-middle), (bits + (bits & 1)) | 0x8000);
  }
  EXPECT_EQ(halfBits(65519.99), 0x7bff);
  EXPECT_EQ(halfBits(65520), 0x7c00);
  EXPECT_EQ(halfBits(1e300), 0x7c00);
  EXPECT_EQ(halfBits(-1e-300), 0x8000);
  EXPECT_EQ(halfBits(std::numeric_limits<double>::denorm_min()), 0);
}

TEST(NarrowFloats, roundsBfloatsToNearestEven) {
  EXPECT_EQ(bfloatBits(1.0f), 0x3f80);
  EXPECT_EQ(bfloatBits(1.00390625f), 0x3f80); // a tie, down to even
  EXPECT_EQ(bfloatBits(1.01171875f), 0x3f82); // a tie, up to even
  EXPECT_EQ(bfloatBits(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(bfloatBits(-0.0f), 0x8000);
  EXPECT_EQ(bfloatBits(NAN) & 0x7fc0, 0x7fc0);
  // A subnormal of bfloat16, which has float's exponents.
  EXPECT_EQ(bfloatBits(std::ldexp(1.0f, -133)), 1);
  EXPECT_EQ(std::bit_cast<uint16_t>(__truncdfbf2(0x1.01p0 + 0x1p-40)), 0x3f81);
}

} // namespace
