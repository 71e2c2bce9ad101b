#include "gtest/gtest.h"
#include <numeric>

extern "C" {
#include "runtime/src/Strided.h"
}

namespace {

gm_tensor view(void *data, gm_dtype dtype, std::vector<int64_t> &shape,
               std::vector<int64_t> &strides) {
  return {data, dtype, int32_t(shape.size()), shape.data(), strides.data()};
}

TEST(Strided, knowsContiguous) {
  float data[64];
  std::vector<int64_t> shape = {2, 3, 4}, rowMajor = {12, 4, 1},
                       transposed = {1, 2, 6};
  gm_tensor tensor = view(data, GM_F32, shape, rowMajor);
  EXPECT_TRUE(isContiguous(&tensor));
  tensor = view(data, GM_F32, shape, transposed);
  EXPECT_FALSE(isContiguous(&tensor));
  std::vector<int64_t> ones = {1, 3, 1}, anyStride = {77, 1, -5};
  tensor = view(data, GM_F32, ones, anyStride);
  EXPECT_TRUE(isContiguous(&tensor)) << "strides of dims of size 1 don't count";
  std::vector<int64_t> empty = {2, 0, 4};
  tensor = view(data, GM_F32, empty, transposed);
  EXPECT_TRUE(isContiguous(&tensor));
  tensor = {data, GM_F32, 0, nullptr, nullptr};
  EXPECT_TRUE(isContiguous(&tensor));
}

template <typename T> void expectTransposeCopied(gm_dtype dtype) {
  std::vector<T> data(6), copy(6);
  std::iota(data.begin(), data.end(), T(1));
  std::vector<int64_t> shape = {3, 2}, strides = {1, 3};
  gm_tensor tensor = view(data.data(), dtype, shape, strides);
  copyToContiguous(reinterpret_cast<char *>(copy.data()), &tensor);
  EXPECT_EQ(copy, (std::vector<T>{1, 4, 2, 5, 3, 6}));
}

TEST(Strided, copiesElementsOfEachSize) {
  expectTransposeCopied<uint8_t>(GM_U8);
  expectTransposeCopied<int16_t>(GM_I16);
  expectTransposeCopied<float>(GM_F32);
  expectTransposeCopied<int64_t>(GM_I64);
}

TEST(Strided, copiesNegativeAndZeroStrides) {
  std::vector<int32_t> data = {1, 2, 3}, copy(6);
  std::vector<int64_t> shape = {2, 3}, strides = {0, -1};
  gm_tensor tensor = view(&data[2], GM_I32, shape, strides);
  copyToContiguous(reinterpret_cast<char *>(copy.data()), &tensor);
  EXPECT_EQ(copy, (std::vector<int32_t>{3, 2, 1, 3, 2, 1}));
}

} // namespace
