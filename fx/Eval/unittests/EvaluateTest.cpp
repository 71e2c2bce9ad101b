// Graphs and ops from text, run on literal inputs, against values worked out by hand.
#include "fx/Eval/Blocks.h"
#include "fx/Eval/Evaluate.h"
#include "fx/Prims/PrimsDialect.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace graphmill;
using namespace graphmill::eval;

namespace {
class Evaluation : public ::testing::Test {
protected:
  Evaluation() { context.loadDialect<fx::FxDialect, prims::PrimsDialect>(); }

  /// `body` ends in fx.output; `signature` are the arguments.
  llvm::Expected<std::vector<HostTensor>> run(const std::string &signature, const std::string &body,
                                              std::vector<HostTensor> inputs, int outputs = 1,
                                              const std::string &symbols = "[]") {
    std::string names, roles;
    for (size_t i = 0; i < inputs.size(); ++i) {
      names += (i ? ", \"" : "\"") + std::string("x") + std::to_string(i) + "\"";
    }
    for (int i = 0; i < outputs; ++i) {
      roles += std::string(i ? ", " : "") + "#fx.role<result \"y" + std::to_string(i) + "\">";
    }
    std::string text = "fx.graph @main(" + signature + ") inputs [" + names + "] outputs [" + roles + "] symbols " +
                       symbols + " {\n" + body + "\n}";
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (!module) {
      return llvm::createStringError("not parsed");
    }
    return evaluate(*module->getOps<fx::GraphOp>().begin(), inputs);
  }

  std::vector<double> values(llvm::Expected<std::vector<HostTensor>> results, size_t i = 0) {
    if (!results) {
      ADD_FAILURE() << llvm::toString(results.takeError());
      return {};
    }
    const HostTensor &tensor = (*results)[i];
    return isReal(tensor.dtype()) ? loadAll<double>(tensor) : toDouble(loadAll<int64_t>(tensor));
  }
  static std::vector<double> toDouble(const std::vector<int64_t> &v) { return {v.begin(), v.end()}; }

  HostTensor floats(std::vector<int64_t> shape, std::vector<float> v) {
    return HostTensor::of<float>(shape, Float32Type::get(&context), v);
  }
  HostTensor ints(std::vector<int64_t> shape, std::vector<int64_t> v) {
    return HostTensor::of<int64_t>(shape, IntegerType::get(&context, 64), v);
  }
  HostTensor narrow(std::vector<int64_t> shape, std::vector<int8_t> v) {
    return HostTensor::of<int8_t>(shape, IntegerType::get(&context, 8), v);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

using V = std::vector<double>;
const float kNan = std::numeric_limits<float>::quiet_NaN();

TEST_F(Evaluation, TakesSizesFromTheData) {
  const char *body = "fx.bind_size %a symbol = 0 below <9> : tensor<i64>\n"
                     "%y = prims.iota : tensor<?xi64, #fx.dims<[s0]>>\n"
                     "fx.output %y : tensor<?xi64, #fx.dims<[s0]>>";
  const char *symbols = "[#fx.symbol<\"u0\", min = 0, max = 9>]";
  EXPECT_EQ(values(run("%a: tensor<i64>", body, {ints({}, {3})}, 1, symbols)), (std::vector<double>{0, 1, 2}));
  auto tooMany = run("%a: tensor<i64>", body, {ints({}, {10})}, 1, symbols);
  EXPECT_EQ(llvm::toString(tooMany.takeError()), "fx.bind_size: 10 is out of range");
}

TEST_F(Evaluation, BroadcastsAndArithmetic) {
  EXPECT_EQ(values(run("%a: tensor<2x3xf32>, %b: tensor<3xf32>",
                       "%0 = prims.broadcast %b dims = [1] : tensor<3xf32> -> tensor<2x3xf32>\n"
                       "%1 = prims.mul %a, %0 : tensor<2x3xf32>\n fx.output %1 : tensor<2x3xf32>",
                       {floats({2, 3}, {1, 2, 3, 4, 5, 6}), floats({3}, {10, 100, 1000})})),
            (V{10, 200, 3000, 40, 500, 6000}));
}

TEST_F(Evaluation, IntegersWrapAround) {
  EXPECT_EQ(values(run("%a: tensor<4xi8>, %b: tensor<4xi8>", "%1 = prims.add %a, %b : tensor<4xi8>\n fx.output %1 : tensor<4xi8>",
                       {narrow({4}, {127, -128, 100, 1}), narrow({4}, {1, -1, 100, 1})})),
            (V{-128, 127, -56, 2}));
  EXPECT_EQ(values(run("%a: tensor<4xi8>, %b: tensor<4xi8>", "%1 = prims.shl %a, %b : tensor<4xi8>\n fx.output %1 : tensor<4xi8>",
                       {narrow({4}, {1, 1, 3, -1}), narrow({4}, {7, 8, 6, 100})})),
            (V{-128, 0, -64, 0}));
  EXPECT_EQ(values(run("%a: tensor<3xi64>, %b: tensor<3xi64>", "%1 = prims.div %a, %b : tensor<3xi64>\n fx.output %1 : tensor<3xi64>",
                       {ints({3}, {-7, 7, std::numeric_limits<int64_t>::min()}), ints({3}, {2, -2, -1})})),
            (V{-3, -3, -0x1p63}));
}

TEST_F(Evaluation, NarrowFloatsRoundOnceToEven) {
  EXPECT_EQ(Half::of(65519.99).bits, 0x7BFF);
  EXPECT_EQ(Half::of(65520).bits, 0x7C00);
  EXPECT_EQ(Half::of(0x1p-24).bits, 0x0001);
  EXPECT_EQ(Half::of(0x1p-25).bits, 0x0000);      // a tie, to even
  EXPECT_EQ(Half::of(0x1.8p-24).bits, 0x0002);    // a tie, to even
  EXPECT_EQ(Half::of(0x1.ffcp-15).bits, 0x0400);  // carries into the exponent
  EXPECT_EQ(Half::of(-2.5).bits, 0xC100);
  EXPECT_EQ(BFloat::of(1.00390625).bits, 0x3F80); // 1 + 2^-8: a tie
  EXPECT_EQ(BFloat::of(1.01171875).bits, 0x3F82);
  EXPECT_EQ(BFloat::of(3.4e38).bits, 0x7F80);
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    Half half{static_cast<uint16_t>(bits)};
    BFloat brain{static_cast<uint16_t>(bits)};
    double h(half), b(brain);
    EXPECT_TRUE(h != h || Half::of(h).bits == bits);
    EXPECT_TRUE(b != b || BFloat::of(b).bits == bits);
  }
}

TEST_F(Evaluation, ReducesAnyDims) {
  std::vector<float> v(24);
  for (int i = 0; i < 24; ++i) {
    v[i] = i;
  }
  EXPECT_EQ(values(run("%a: tensor<2x3x4xf32>",
                       "%0 = prims.reduce sum %a dims = [0, 2] : tensor<2x3x4xf32> -> tensor<3xf32>\n fx.output %0 : tensor<3xf32>",
                       {floats({2, 3, 4}, v)})),
            (V{60, 92, 124}));
  EXPECT_EQ(values(run("%a: tensor<2x0xf32>",
                       "%0 = prims.reduce max %a dims = [1] : tensor<2x0xf32> -> tensor<2xf32>\n fx.output %0 : tensor<2xf32>",
                       {floats({2, 0}, {})})),
            (V{-INFINITY, -INFINITY}));
  EXPECT_EQ(values(run("%a: tensor<4xf32>", "%0 = prims.arg_reduce max %a dim = 0 : tensor<4xf32> -> tensor<i64>\n fx.output %0 : tensor<i64>",
                       {floats({4}, {1, 3, 3, 2})})),
            (V{1}));
  EXPECT_EQ(values(run("%a: tensor<4xf32>", "%0 = prims.arg_reduce min %a dim = 0 : tensor<4xf32> -> tensor<i64>\n fx.output %0 : tensor<i64>",
                       {floats({4}, {1, kNan, -3, kNan})})),
            (V{1}));
}

TEST_F(Evaluation, WindowsPadWithTheIdentity) {
  std::string op = " %a window = [2] strides = [2] padding = [1] dilation = [1] : tensor<1x4xf32> -> ";
  EXPECT_EQ(values(run("%a: tensor<1x4xf32>", "%0 = prims.reduce_window max" + op + "tensor<1x3xf32>\n fx.output %0 : tensor<1x3xf32>",
                       {floats({1, 4}, {-1, -5, -2, -9})})),
            (V{-1, -2, -9}));
  EXPECT_EQ(values(run("%a: tensor<1x4xf32>", "%0 = prims.arg_reduce_window max" + op + "tensor<1x3xi64>\n fx.output %0 : tensor<1x3xi64>",
                       {floats({1, 4}, {-1, -5, -2, -9})})),
            (V{0, 2, 3}));
}

TEST_F(Evaluation, SortsStablyNanLargest) {
  auto sort = [&](const char *descending, size_t which) {
    return values(run("%a: tensor<5xf32>",
                      std::string("%0, %1 = prims.sort %a dim = 0 descending = ") + descending +
                          " : tensor<5xf32> -> tensor<5xf32>, tensor<5xi64>\n fx.output %0, %1 : tensor<5xf32>, tensor<5xi64>",
                      {floats({5}, {2, kNan, 1, 2, -1})}, 2),
                  which);
  };
  EXPECT_EQ(sort("false", 1), (V{4, 2, 0, 3, 1}));
  EXPECT_EQ(sort("true", 1), (V{1, 0, 3, 2, 4}));
  EXPECT_EQ(sort("true", 0)[1], 2);
}

TEST_F(Evaluation, ScansKeepTheLastOfEquals) {
  EXPECT_EQ(values(run("%a: tensor<2x3xi64>", "%0 = prims.scan sum %a dim = 0 : tensor<2x3xi64>\n fx.output %0 : tensor<2x3xi64>",
                       {ints({2, 3}, {1, 2, 3, 4, 5, 6})})),
            (V{1, 2, 3, 5, 7, 9}));
  EXPECT_EQ(values(run("%a: tensor<5xf32>", "%0 = prims.arg_scan max %a dim = 0 : tensor<5xf32> -> tensor<5xi64>\n fx.output %0 : tensor<5xi64>",
                       {floats({5}, {1, 3, 3, kNan, 7})})),
            (V{0, 1, 2, 3, 3}));
}

TEST_F(Evaluation, IndexesAndPuts) {
  HostTensor table = floats({3, 2}, {0, 1, 10, 11, 20, 21});
  EXPECT_EQ(values(run("%a: tensor<3x2xf32>, %i: tensor<4xi64>",
                       "%0 = prims.index %a[%i] dims = [0] : (tensor<3x2xf32>, tensor<4xi64>) -> tensor<4x2xf32>\n fx.output %0 : tensor<4x2xf32>",
                       {table, ints({4}, {2, 0, 2, 1})})),
            (V{20, 21, 0, 1, 20, 21, 10, 11}));
  EXPECT_EQ(values(run("%a: tensor<3x2xf32>, %v: tensor<2x3xf32>, %i: tensor<2xi64>",
                       "%0 = prims.index_put add %a, %v[%i] dims = [1] : (tensor<3x2xf32>, tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>\n"
                       " fx.output %0 : tensor<3x2xf32>",
                       {table, floats({2, 3}, {1, 2, 3, 4, 5, 6}), ints({2}, {1, 1})})),
            (V{0, 6, 10, 18, 20, 30}));
  EXPECT_EQ(values(run("%a: tensor<3x2xf32>, %i: tensor<1x2xi64>",
                       "%0 = prims.gather %a, %i dim = 0 : (tensor<3x2xf32>, tensor<1x2xi64>) -> tensor<1x2xf32>\n fx.output %0 : tensor<1x2xf32>",
                       {table, ints({1, 2}, {2, 1})})),
            (V{20, 11}));
  auto bad = run("%a: tensor<3x2xf32>, %i: tensor<1xi64>",
                 "%0 = prims.index %a[%i] dims = [0] : (tensor<3x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>\n fx.output %0 : tensor<1x2xf32>",
                 {table, ints({1}, {3})});
  ASSERT_FALSE(bad);
  EXPECT_EQ(llvm::toString(bad.takeError()), "prims.index: index 3 is out of range for size 3");
}

TEST_F(Evaluation, SymbolsComeFromTheInputs) {
  std::string type = "tensor<?xf32, #fx.dims<[s0 * 2]>>";
  EXPECT_EQ(values(run("%a: " + type,
                       "%0 = prims.slice %a starts = #fx.dims<[s0]> steps = [1] : " + type + " -> tensor<?xf32, #fx.dims<[s0]>>\n"
                       " fx.output %0 : tensor<?xf32, #fx.dims<[s0]>>",
                       {floats({6}, {1, 2, 3, 4, 5, 6})}, 1, "[#fx.symbol<\"n\">]")),
            (V{4, 5, 6}));
  auto odd = run("%a: " + type, "fx.output %a : " + type, {floats({5}, {1, 2, 3, 4, 5})}, 1, "[#fx.symbol<\"n\">]");
  ASSERT_FALSE(odd);
  EXPECT_EQ(llvm::toString(odd.takeError()), "no input's size tells symbol s0");
}
} // namespace
