// Against the known answers that come with Random123, Philox's reference implementation.
#include "fx/Eval/Evaluate.h"
#include "fx/Prims/PrimsDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace graphmill;
using namespace graphmill::eval;

namespace {
struct Random : ::testing::Test {
  Random() : builder(&context) {
    context.loadDialect<prims::PrimsDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
  }

  template <typename T>
  std::vector<T> draw(prims::Distribution distribution, int64_t stream, int64_t n, Type element, std::optional<RandomState> state) {
    auto op = prims::RandomOp::create(builder, builder.getUnknownLoc(), RankedTensorType::get({n}, element), distribution, stream);
    auto results = evaluateOp(op, {}, {}, state);
    if (!results) {
      llvm::consumeError(results.takeError());
      return {};
    }
    llvm::ArrayRef<T> values = (*results)[0].template elements<T>();
    return {values.begin(), values.end()};
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

TEST_F(Random, GivesTheKnownWords) {
  auto bits = draw<int64_t>(prims::Distribution::Bits, 0, 1, builder.getI64Type(), RandomState{});
  ASSERT_EQ(bits.size(), 1u);
  EXPECT_EQ(bits[0], 0x6627e8d5e169c58d);
  auto unit = draw<float>(prims::Distribution::Uniform, 0, 1, builder.getF32Type(), RandomState{});
  EXPECT_EQ(unit[0], 0x6627e8p-24f);
}

TEST_F(Random, DependsOnSeedRunAndStream) {
  auto numbers = [&](RandomState state, int64_t stream) {
    return draw<double>(prims::Distribution::Normal, stream, 4, builder.getF64Type(), state);
  };
  auto first = numbers({5, 0}, 0);
  EXPECT_EQ(first, numbers({5, 0}, 0));
  EXPECT_NE(first, numbers({6, 0}, 0));
  EXPECT_NE(first, numbers({5, 1}, 0));
  EXPECT_NE(first, numbers({5, 0}, 1));
}

TEST_F(Random, HasNoValueWithoutASeed) {
  EXPECT_TRUE(draw<float>(prims::Distribution::Uniform, 0, 1, builder.getF32Type(), std::nullopt).empty());
}
} // namespace
