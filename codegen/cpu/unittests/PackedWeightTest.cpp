// Packed weights are what fx.packing says, in whatever pieces they are made.
#include "codegen/cpu/PackedWeight.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Builders.h"
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

} // namespace
