// Packed weights are what fx.packing says, in whatever pieces they are made.
#include "codegen/cpu/PackedWeight.h"
#include "inductor/Analysis/Winograd.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace graphmill;
using namespace graphmill::cpu;

namespace {

struct Packing {
  std::vector<int64_t> sizes, strides, columns;
  int64_t step, limit, offset, numValues;
};

/// Element by element, as the attribute's description says it.
std::vector<int32_t> expected(const Packing &p, const std::vector<int32_t> &value) {
  int64_t count = std::accumulate(p.sizes.begin(), p.sizes.end(), int64_t(1), std::multiplies<>());
  std::vector<int32_t> result(count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, source = p.offset, column = 0;
    for (size_t d = p.sizes.size(); d-- > 0; rest /= p.sizes[d]) {
      source += rest % p.sizes[d] * p.strides[d];
      column += rest % p.sizes[d] * p.columns[d];
    }
    result[i] = column < p.limit ? value.at(source + p.step * column) : 0;
  }
  return result;
}

class PackedWeightTest : public testing::TestWithParam<Packing> {};

TEST_P(PackedWeightTest, isWhatTheAttributeSays) {
  const Packing &p = GetParam();
  mlir::MLIRContext context;
  context.loadDialect<fx::FxDialect>();
  mlir::OpBuilder builder(&context);
  std::vector<int32_t> value(p.numValues);
  std::iota(value.begin(), value.end(), 1);
  auto dense = mlir::DenseElementsAttr::get(mlir::RankedTensorType::get({p.numValues}, builder.getI32Type()),
                                            llvm::ArrayRef<int32_t>(value));
  auto packing = fx::PackingAttr::get(&context, p.sizes, p.strides, p.columns, p.step, p.limit, p.offset);
  mlir::OwningOpRef<fx::TensorOp> tensor =
      fx::TensorOp::create(builder, builder.getUnknownLoc(), "w", fx::TensorKind::Parameter, dense, packing);
  host::Weight weight = packedWeight(*tensor, {reinterpret_cast<const char *>(value.data()), value.size() * 4});
  std::vector<int32_t> right = expected(p, value);
  ASSERT_EQ(weight.sizeBytes(), right.size() * 4);
  for (size_t piece : {right.size(), size_t(1), size_t(7), size_t(33), size_t(100)}) {
    std::vector<int32_t> made(right.size(), -1);
    for (size_t at = 0; at < made.size(); at += piece) {
      size_t count = std::min(piece, made.size() - at);
      weight.fill(at * 4, {reinterpret_cast<char *>(made.data() + at), count * 4});
    }
    EXPECT_EQ(made, right) << "in pieces of " << piece;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Packings, PackedWeightTest,
    testing::Values(
        // A row-major matrix [N, K] = [50, 300] in panels of 32 columns of its transpose.
        Packing{{2, 300, 32}, {0, 1, 0}, {32, 0, 1}, 300, 50, 0, 50 * 300},
        // The same of [K, N]: rows stay together.
        Packing{{2, 300, 32}, {0, 50, 0}, {32, 0, 1}, 1, 50, 0, 50 * 300},
        // A convolution's [O, I, 3, 3] = [20, 5, 3, 3] as [O / 16, 3, 3, I, 16].
        Packing{{2, 3, 3, 5, 16}, {0, 3, 1, 9, 0}, {16, 0, 0, 0, 1}, 45, 20, 0, 20 * 45},
        // Four gates of 24 units side by side: [units / 8, 2, depth, 2, 8] of [96, 40].
        Packing{{3, 2, 40, 2, 8}, {320, 1920, 1, 960, 40}, {0, 0, 0, 0, 0}, 0, 1, 0, 96 * 40},
        // One row, from an offset, and a plain vector.
        Packing{{1, 1, 16}, {0, 1, 0}, {16, 0, 1}, 3, 5, 2, 20},
        Packing{{10}, {0}, {1}, 2, 8, 1, 20}));

/// 3x3 taps of 20 x 5 filters for 4 x 4 outputs: the transform by its definition, in panels of 16.
TEST(PackedWeight, transformsTapsForWinograd) {
  constexpr int64_t kOutputs = 20, kInputs = 5, kSize = 6, kArea = 36;
  loop::Winograd winograd(4);
  std::vector<float> value(kOutputs * kInputs * 9);
  for (size_t i = 0; i < value.size(); ++i) {
    value[i] = static_cast<float>(i * 37 % 101) - 50;
  }
  std::vector<float> right(2 * kArea * kInputs * 16, 0);
  for (int64_t o = 0; o < kOutputs; ++o) {
    for (int64_t c = 0; c < kInputs; ++c) {
      for (int64_t place = 0; place < kArea; ++place) {
        double sum = 0;
        for (int64_t tap = 0; tap < 9; ++tap) {
          sum += winograd.weight(place / kSize, tap / 3) * winograd.weight(place % kSize, tap % 3) * value[(o * kInputs + c) * 9 + tap];
        }
        right[((o / 16 * kArea + place) * kInputs + c) * 16 + o % 16] = static_cast<float>(sum);
      }
    }
  }
  mlir::MLIRContext context;
  context.loadDialect<fx::FxDialect>();
  mlir::OpBuilder builder(&context);
  auto type = mlir::RankedTensorType::get({kOutputs, kInputs, 3, 3}, builder.getF32Type());
  auto packing = fx::PackingAttr::get(&context, {2, kSize, kSize, kInputs, 16}, {0, kSize, 1, kArea, 0}, {16, 0, 0, 0, 1},
                                      kInputs * kArea, kOutputs, 0, 4);
  mlir::OwningOpRef<fx::TensorOp> tensor = fx::TensorOp::create(
      builder, builder.getUnknownLoc(), "w", fx::TensorKind::Parameter, mlir::DenseElementsAttr::get(type, llvm::ArrayRef<float>(value)), packing);
  ASSERT_TRUE(mlir::succeeded(mlir::verify(*tensor)));
  host::Weight weight = packedWeight(*tensor, {reinterpret_cast<const char *>(value.data()), value.size() * 4});
  ASSERT_EQ(weight.sizeBytes(), right.size() * 4);
  for (size_t piece : {right.size(), size_t(1000), size_t(777)}) {
    std::vector<float> made(right.size(), -1);
    for (size_t at = 0; at < made.size(); at += piece) {
      size_t count = std::min(piece, made.size() - at);
      weight.fill(at * 4, {reinterpret_cast<char *>(made.data() + at), count * 4});
    }
    for (size_t i = 0; i < right.size(); ++i) {
      ASSERT_NEAR(made[i], right[i], 1e-5) << "element " << i << " in pieces of " << piece;
    }
  }
}

/// The matrices by what they are for: y[i] = sum of d[i + k] * g[k], in one dimension.
TEST(Winograd, makesConvolutions) {
  for (unsigned outputs : {2, 4}) {
    loop::Winograd w(outputs);
    const double d[] = {3, -1, 4, 1, -5, 9}, g[] = {2, -7, 1};
    for (unsigned k = 0; k < outputs; ++k) {
      double y = 0;
      for (unsigned i = 0; i < w.size(); ++i) {
        double in = 0, weight = 0;
        for (unsigned j = 0; j < w.size(); ++j) {
          in += w.input(i, j) * d[j];
        }
        for (unsigned j = 0; j < 3; ++j) {
          weight += w.weight(i, j) * g[j];
        }
        y += w.output(k, i) * in * weight;
      }
      EXPECT_NEAR(y, d[k] * g[0] + d[k + 1] * g[1] + d[k + 2] * g[2], 1e-12) << outputs << " outputs, " << k;
    }
  }
}

} // namespace
