// Graphs are shrunk to what a test looks for.
#include "tools/compiler/CompileModule.h"
#include "tools/graphmill/Reducer.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace graphmill::tools {
namespace {

constexpr const char *kGraph = R"(
fx.tensor parameter @v = dense<[[1., 2.], [3., 4.]]> : tensor<2x2xf32>
fx.tensor parameter @w = dense<[[1., 2.], [3., 4.]]> : tensor<2x2xf32>
fx.graph @main(%x: tensor<2x2xf32>, %z: tensor<2x2xf32>) inputs ["x", "cut_1"]
    outputs [#fx.role<mutates_input "x">, #fx.role<result "a">, #fx.role<result "b">] symbols [] {
  %v = fx.get @v : tensor<2x2xf32>
  %w = fx.get @w : tensor<2x2xf32>
  %0 = prims.add %x, %v : tensor<2x2xf32>
  %1 = prims.exp %0 : tensor<2x2xf32>
  %2 = prims.mul %1, %z : tensor<2x2xf32>
  %3 = prims.tanh %2 : tensor<2x2xf32>
  %4 = prims.add %3, %w : tensor<2x2xf32>
  %5 = prims.log %4 : tensor<2x2xf32>
  %6 = prims.neg %0 : tensor<2x2xf32>
  fx.output %0, %5, %6 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}
)";

class ReducerTest : public testing::Test {
protected:
  ReducerTest() { loadDialects(context); }

  /// The reduced graph's text when all these words must be in it.
  std::string reduce(std::vector<std::string> words) {
    auto test = [&](mlir::ModuleOp module) {
      std::string text = print(module);
      return llvm::all_of(words, [&](const std::string &word) { return llvm::StringRef(text).contains(word); });
    };
    Reducer reducer(mlir::parseSourceString<mlir::ModuleOp>(kGraph, &context), test);
    EXPECT_TRUE(test(reducer.result()));
    reducer.run();
    EXPECT_TRUE(test(reducer.result()));
    return print(reducer.result());
  }

  static std::string print(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream);
    return text;
  }

  mlir::MLIRContext context;
};

TEST_F(ReducerTest, OneOpIsLeft) {
  EXPECT_EQ(reduce({"prims.tanh"}),
            "module {\n"
            "  fx.graph @main(%arg0: tensor<2x2xf32>) inputs [\"cut_3\"] outputs [#fx.role<result \"y0\">] symbols [] {\n"
            "    %0 = prims.tanh %arg0 : tensor<2x2xf32>\n"
            "    fx.output %0 : tensor<2x2xf32>\n"
            "  }\n"
            "}\n");
}

TEST_F(ReducerTest, WeightsBecomeSplats) {
  std::string text = reduce({"prims.tanh", "@w"});
  EXPECT_TRUE(llvm::StringRef(text).contains("@w = dense<1.000000e+00>")) << text;
  EXPECT_FALSE(llvm::StringRef(text).contains("@v")) << text;
  EXPECT_FALSE(llvm::StringRef(text).contains("prims.exp")) << text;
  text = reduce({"@w = dense<[["});
  EXPECT_FALSE(llvm::StringRef(text).contains("@v")) << text;
}

TEST_F(ReducerTest, WhatBelongsTogetherStays) {
  std::string text = reduce({"prims.exp", "prims.log", "mutates_input"});
  EXPECT_TRUE(llvm::StringRef(text).contains("prims.exp"));
  EXPECT_FALSE(llvm::StringRef(text).contains("prims.neg")) << text;
  EXPECT_FALSE(llvm::StringRef(text).contains("prims.tanh")) << text;
}

} // namespace
} // namespace graphmill::tools
