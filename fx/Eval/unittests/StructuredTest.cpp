// Convolution, attention and recurrent cells against formulas written another way.
#include "fx/Eval/Blocks.h"
#include "fx/Eval/Evaluate.h"
#include "fx/Prims/PrimsDialect.h"
#include "mlir/IR/Builders.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace graphmill;
using namespace graphmill::eval;

namespace {
class Structured : public ::testing::Test {
protected:
  Structured() : builder(&context) {
    context.loadDialect<fx::FxDialect, prims::PrimsDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
  }
  RankedTensorType f32(ArrayRef<int64_t> shape) { return RankedTensorType::get(shape, builder.getF32Type()); }
  /// Values that stand for no pattern: small multiples of 1/8.
  HostTensor sample(ArrayRef<int64_t> shape, unsigned seed) {
    HostTensor tensor = HostTensor::allocate(shape, builder.getF32Type());
    for (int64_t i = 0; i < tensor.size(); ++i) {
      seed = seed * 1664525u + 1013904223u;
      tensor.mutableElements<float>()[i] = static_cast<int>(seed >> 27) / 8.0f - 2.0f;
    }
    return tensor;
  }
  /// An op's operands are placeholders: only their types count.
  Value placeholder(ArrayRef<int64_t> shape) {
    auto value = DenseElementsAttr::get(f32(shape), 0.0f);
    return prims::ConstantOp::create(builder, builder.getUnknownLoc(), f32(shape), value);
  }
  std::vector<float> result(llvm::Expected<std::vector<HostTensor>> results, size_t i = 0) {
    if (!results) {
      ADD_FAILURE() << llvm::toString(results.takeError());
      return {};
    }
    return (*results)[i].contiguous().elements<float>().vec();
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

/// Output by output: the sum over what the definition names.
TEST_F(Structured, ConvolutionGroupedDilatedStrided) {
  const int N = 2, C = 4, H = 7, W = 6, O = 6, G = 2, KH = 3, KW = 2, SH = 2, SW = 1, PH = 2, PW = 1, DH = 2, DW = 3;
  const int OH = (H + 2 * PH - DH * (KH - 1) - 1) / SH + 1, OW = (W + 2 * PW - DW * (KW - 1) - 1) / SW + 1;
  HostTensor x = sample({N, C, H, W}, 1), w = sample({O, C / G, KH, KW}, 2);
  auto op = prims::ConvolutionOp::create(builder, builder.getUnknownLoc(), f32({N, O, OH, OW}), placeholder({N, C, H, W}),
                                         placeholder({O, C / G, KH, KW}), ArrayRef<int64_t>{SH, SW}, ArrayRef<int64_t>{PH, PW},
                                         ArrayRef<int64_t>{DH, DW}, false, ArrayRef<int64_t>{0, 0}, G);
  std::vector<float> got = result(evaluateOp(op, {x, w}));
  ASSERT_EQ(got.size(), static_cast<size_t>(N * O * OH * OW));
  size_t at = 0;
  for (int n = 0; n < N; ++n) {
    for (int o = 0; o < O; ++o) {
      for (int i = 0; i < OH; ++i) {
        for (int j = 0; j < OW; ++j) {
          double sum = 0;
          for (int c = 0; c < C / G; ++c) {
            for (int k = 0; k < KH; ++k) {
              for (int l = 0; l < KW; ++l) {
                int y = i * SH - PH + k * DH, z = j * SW - PW + l * DW, channel = o / (O / G) * (C / G) + c;
                if (y >= 0 && y < H && z >= 0 && z < W) {
                  sum += x.elements<float>()[((n * C + channel) * H + y) * W + z] *
                         w.elements<float>()[((o * (C / G) + c) * KH + k) * KW + l];
                }
              }
            }
          }
          EXPECT_FLOAT_EQ(got[at++], sum);
        }
      }
    }
  }
}

/// A transposed convolution is the gradient of a convolution: <conv(a), b> = <a, convT(b)>.
TEST_F(Structured, TransposedConvolutionIsTheAdjoint) {
  for (int64_t groups : {1, 2}) {
    HostTensor a = sample({1, 4, 8, 9}, 3), b = sample({1, 6, 4, 3}, 4), w = sample({6, 4 / groups, 3, 5}, 5);
    SmallVector<int64_t> stride{2, 3}, padding{1, 2}, dilation{1, 1}, none{1, 0};
    auto forward = prims::ConvolutionOp::create(builder, builder.getUnknownLoc(), f32({1, 6, 4, 3}), placeholder(a.shape),
                                                placeholder(w.shape), stride, padding, dilation, false, none, groups);
    auto backward = prims::ConvolutionOp::create(builder, builder.getUnknownLoc(), f32({1, 4, 8, 9}), placeholder(b.shape),
                                                 placeholder(w.shape), stride, padding, dilation, true, none, groups);
    std::vector<float> y = result(evaluateOp(forward, {a, w})), x = result(evaluateOp(backward, {b, w}));
    ASSERT_EQ(y.size(), b.elements<float>().size());
    ASSERT_EQ(x.size(), a.elements<float>().size());
    double left = 0, right = 0;
    for (auto [p, q] : llvm::zip(y, b.elements<float>())) {
      left += p * q;
    }
    for (auto [p, q] : llvm::zip(x, a.elements<float>())) {
      right += p * q;
    }
    EXPECT_NEAR(left, right, 1e-3);
    EXPECT_NE(left, 0);
  }
}

TEST_F(Structured, AttentionWithEqualKeysIsTheMean) {
  // All scores are equal, so row i is the mean of the first i + 1 values.
  HostTensor q = sample({1, 2, 3, 4}, 6), k = HostTensor::of<float>({1, 1, 3, 4}, builder.getF32Type(), std::vector<float>(12, 1.0f));
  HostTensor v = HostTensor::of<float>({1, 1, 3, 2}, builder.getF32Type(), std::vector<float>{1, 2, 3, 6, 8, 1});
  auto op = prims::AttentionOp::create(builder, builder.getUnknownLoc(), f32({1, 2, 3, 2}), placeholder(q.shape), placeholder(k.shape),
                                       placeholder(v.shape), Value(), APFloat(0.5), true);
  EXPECT_EQ(result(evaluateOp(op, {q, k, v})), (std::vector<float>{1, 2, 2, 4, 4, 3, 1, 2, 2, 4, 4, 3}));
}

TEST_F(Structured, AttentionRowWithoutKeysIsZero) {
  HostTensor q = sample({1, 1, 2, 4}, 7), k = sample({1, 1, 2, 4}, 8), v = sample({1, 1, 2, 1}, 9);
  float inf = std::numeric_limits<float>::infinity();
  HostTensor mask = HostTensor::of<float>({2, 2}, builder.getF32Type(), std::vector<float>{-inf, -inf, -inf, 0});
  auto op = prims::AttentionOp::create(builder, builder.getUnknownLoc(), f32({1, 1, 2, 1}), placeholder(q.shape), placeholder(k.shape),
                                       placeholder(v.shape), placeholder({2, 2}), APFloat(1.0), false);
  EXPECT_EQ(result(evaluateOp(op, {q, k, v, mask})), (std::vector<float>{0, v.elements<float>()[1]}));
}

/// Weights of 0 leave the gates as given: states can be worked out by hand.
TEST_F(Structured, RecurrentCells) {
  auto zeros = [&](ArrayRef<int64_t> shape) { return HostTensor::of<float>(shape, builder.getF32Type(), std::vector<float>(count(shape), 0)); };
  auto run = [&](prims::Cell kind, std::vector<float> gates, bool reverse) {
    int64_t n = gates.size() / 2;
    std::vector<HostTensor> in{HostTensor::of<float>({2, 1, n}, builder.getF32Type(), gates), zeros({n, 1}),
                               HostTensor::of<float>({1, 1}, builder.getF32Type(), std::vector<float>{0.5f})};
    bool lstm = kind == prims::Cell::Lstm;
    SmallVector<Type> types{f32({2, 1, 1}), f32({1, 1})};
    if (lstm) {
      in.push_back(HostTensor::of<float>({1, 1}, builder.getF32Type(), std::vector<float>{2.0f}));
      types.push_back(f32({1, 1}));
    }
    auto op = prims::RecurrentOp::create(builder, builder.getUnknownLoc(), types[0], types[1], lstm ? types[2] : Type(), kind,
                                         placeholder({2, 1, n}), placeholder({n, 1}), Value(), placeholder({1, 1}),
                                         lstm ? placeholder({1, 1}) : Value(), reverse);
    return evaluateOp(op, in);
  };
  float t = std::tanh(0.25f);
  EXPECT_EQ(result(run(prims::Cell::Rnn_relu, {3, -1}, false)), (std::vector<float>{3, 0}));
  EXPECT_EQ(result(run(prims::Cell::Rnn_relu, {3, -1}, true), 1), (std::vector<float>{3}));
  EXPECT_EQ(result(run(prims::Cell::Rnn_tanh, {0.25f, 0.25f}, false)), (std::vector<float>{t, t}));
  // Update gate 1/2: halfway from the old state to tanh(new).
  std::vector<float> gru = result(run(prims::Cell::Gru, {0, 0, 0.25f, 0, 0, 0.25f}, false));
  EXPECT_FLOAT_EQ(gru[0], 0.5f * t + 0.25f);
  EXPECT_FLOAT_EQ(gru[1], 0.5f * t + 0.5f * gru[0]);
  // All gates 1/2 but the cell's tanh(0.25).
  std::vector<float> cell = result(run(prims::Cell::Lstm, {0, 0, 0.25f, 0, 0, 0, 0.25f, 0}, false), 2);
  EXPECT_FLOAT_EQ(cell[0], 0.5f * (0.5f * 2 + 0.5f * t) + 0.5f * t);
}
} // namespace
