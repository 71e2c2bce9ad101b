#include "tools/Compare.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

namespace graphmill::tools {
namespace {

template <typename T>
Comparison compare(gm_dtype dtype, const std::vector<T> &actual,
                   const std::vector<T> &expected, Tolerance tolerance = {}) {
  auto bytes = [](const std::vector<T> &values) {
    return llvm::ArrayRef(reinterpret_cast<const char *>(values.data()),
                          values.size() * sizeof(T));
  };
  return compareArrays(dtype, bytes(actual), bytes(expected), tolerance);
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Compare, findsTheWorstElement) {
  Comparison result =
      compare<float>(GM_F32, {1, 2.5, 3, 100.001f}, {1, 2, 3, 100});
  EXPECT_EQ(result.numOutside, 1u);
  EXPECT_EQ(result.worstIndex, 1u);
  EXPECT_EQ(result.maxAbsolute, 0.5);
  EXPECT_EQ(result.maxRelative, 0.25);
  EXPECT_EQ(result.maxExpected, 100);
}

TEST(Compare, addsBothTolerances) {
  EXPECT_EQ(compare<double>(GM_F64, {10.14}, {10}, {0.05, 0.01}).numOutside,
            0u);
  EXPECT_EQ(compare<double>(GM_F64, {10.16}, {10}, {0.05, 0.01}).numOutside,
            1u);
}

TEST(Compare, takesNanAndInfinityAsValues) {
  Comparison same = compare<float>(GM_F32, {NAN, kInfinity, -kInfinity},
                                   {NAN, kInfinity, -kInfinity});
  EXPECT_EQ(same.numOutside, 0u);
  EXPECT_EQ(same.maxAbsolute, 0);
  for (float wrong : {1.0f, kInfinity}) {
    EXPECT_EQ(compare<float>(GM_F32, {wrong}, {NAN}).numOutside, 1u);
    EXPECT_EQ(compare<float>(GM_F32, {NAN}, {wrong}).numOutside, 1u);
  }
  EXPECT_EQ(compare<float>(GM_F32, {1e30f}, {kInfinity}).maxAbsolute,
            kInfinity);
  EXPECT_EQ(compare<float>(GM_F32, {kInfinity}, {-kInfinity}).numOutside, 1u);
}

TEST(Compare, wantsIntegersEqual) {
  int64_t large = int64_t(1) << 60;
  Comparison result = compare<int64_t>(GM_I64, {5, large}, {5, large + 1});
  EXPECT_EQ(result.numOutside, 1u);
  EXPECT_EQ(result.worstIndex, 1u);
  EXPECT_EQ(compare<int8_t>(GM_I8, {-3}, {-3}).numOutside, 0u);
  EXPECT_EQ(compare<uint8_t>(GM_BOOL, {1}, {0}).numOutside, 1u);
}

TEST(Compare, readsNarrowFloats) {
  // 1.5 and 1.0 in both formats.
  EXPECT_EQ(compare<uint16_t>(GM_F16, {0x3e00}, {0x3c00}).maxAbsolute, 0.5);
  EXPECT_EQ(compare<uint16_t>(GM_BF16, {0x3fc0}, {0x3f80}).maxAbsolute, 0.5);
}

TEST(Compare, namesElementsByTheirIndices) {
  EXPECT_EQ(formatIndex(17, {2, 3, 4}), "[1, 1, 1]");
  EXPECT_EQ(formatIndex(0, {}), "[]");
}

} // namespace
} // namespace graphmill::tools
