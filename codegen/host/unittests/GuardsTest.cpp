// What a library says about inputs of the wrong shape. The libraries have no
// steps: shapes are checked before anything runs.
#include "codegen/host/unittests/TinyLibrary.h"

namespace graphmill::host {
namespace {

using mlir::AffineExpr;

class GuardsTest : public testing::Test {
protected:
  GuardsTest() {
    plan.modelName = "guarded";
    plan.symbols = {{"batch", 1, 64}, {"s1", 2, INT64_MAX}};
  }

  AffineExpr constant(int64_t value) {
    return mlir::getAffineConstantExpr(value, &context);
  }

  /// The error for inputs of these shapes; empty if they are accepted.
  std::string check(std::vector<std::vector<int64_t>> shapes) {
    if (!library) {
      std::string path = folder.file("guarded.so");
      expectNoError(buildLibrary(plan, {}, target, {path, ""}));
      library.emplace(path);
    }
    std::vector<gm_tensor> inputs;
    for (size_t i = 0; i < shapes.size(); ++i) {
      inputs.push_back({nullptr, GM_F32, int32_t(shapes[i].size()),
                        shapes[i].data(), nullptr});
    }
    std::vector<gm_tensor> outputs(plan.outputs.size());
    gm_context *owner = nullptr;
    EXPECT_EQ((*library)->context_create(nullptr, &owner), GM_OK);
    gm_status status = (*library)->output_shapes(
        owner, inputs.data(), inputs.size(), outputs.data(), outputs.size());
    outputDims.clear();
    for (const gm_tensor &output : outputs) {
      for (int32_t d = 0; status == GM_OK && d < output.rank; ++d) {
        outputDims.push_back(output.shape[d]);
      }
    }
    (*library)->context_destroy(owner);
    return status == GM_OK ? "" : (*library)->error_text();
  }

  mlir::MLIRContext context;
  AffineExpr batch = mlir::getAffineSymbolExpr(0, &context);
  AffineExpr s1 = mlir::getAffineSymbolExpr(1, &context);
  Plan plan;
  std::vector<int64_t> outputDims;

private:
  ScratchFolder folder;
  TargetSpec target = llvm::cantFail(TargetSpec::parse("native"));
  std::optional<Loaded> library;
};

TEST_F(GuardsTest, namesInputDimValueAndRange) {
  plan.inputs = {{"x", Dtype::F32, {batch, constant(784)}}};
  EXPECT_EQ(check({{64, 784}}), "");
  EXPECT_EQ(check({{65, 784}}), "input 0 'x': dim 0 is 65, allowed are 1 to 64 "
                                "(symbol batch)");
  EXPECT_EQ(check({{0, 784}}), "input 0 'x': dim 0 is 0, allowed are 1 to 64 "
                               "(symbol batch)");
  EXPECT_EQ(check({{64, 783}}), "input 0 'x': dim 1 is 783, must be 784");
  EXPECT_EQ(check({{-1, 784}}), "input 0 'x': dim 0 is -1, which is negative");
  EXPECT_EQ(check({{64}}), "input 0 'x': rank is 1, must be 2");
  EXPECT_EQ(check({}), "0 inputs given, 'guarded' takes 1");
}

TEST_F(GuardsTest, namesTheDimThatGaveASymbol) {
  plan.inputs = {{"ids", Dtype::F32, {batch, s1}},
                 {"mask", Dtype::F32, {batch, s1}}};
  EXPECT_EQ(check({{4, 9}, {4, 9}}), "");
  EXPECT_EQ(
      check({{4, 9}, {4, 7}}),
      "input 1 'mask': dim 1 is 7 but dim 1 of input 0 'ids' gave s1 = 9");
  EXPECT_EQ(check({{4, 1}, {4, 1}}),
            "input 0 'ids': dim 1 is 1, allowed are at least 2 (symbol s1)");
}

TEST_F(GuardsTest, checksDivisors) {
  plan.symbols[0].divisor = 8;
  plan.inputs = {{"x", Dtype::F32, {batch}}};
  EXPECT_EQ(check({{16}}), "");
  EXPECT_EQ(check({{12}}), "input 0 'x': dim 0 is 12, allowed are multiples of "
                           "8 (symbol batch)");
}

TEST_F(GuardsTest, solvesDimsThatAreLinearInOneSymbol) {
  plan.inputs = {{"x", Dtype::F32, {batch * 2 + 1}},
                 {"y", Dtype::F32, {s1 * 3 - batch}}};
  plan.outputs = {{"out", Dtype::F32, {batch + s1}}};
  EXPECT_EQ(check({{11}, {16}}), "");
  EXPECT_EQ(outputDims, (std::vector<int64_t>{5 + 7}));
  EXPECT_EQ(check({{12}, {16}}), "input 0 'x': dim 0 is 12, which is not "
                                 "2*batch + 1 for any whole batch");
  EXPECT_EQ(check({{131}, {16}}),
            "input 0 'x': dim 0 is 131 = 2*batch + 1, which makes batch 65; "
            "allowed are 1 to 64");
}

TEST_F(GuardsTest, checksExpressionsOfKnownSymbols) {
  plan.inputs = {{"cache", Dtype::F32, {s1 + 1, batch * s1}},
                 {"ids", Dtype::F32, {batch, s1}}};
  plan.outputs = {{"out", Dtype::F32, {s1.floorDiv(2), s1.ceilDiv(4), s1 % 3}}};
  EXPECT_EQ(check({{10, 36}, {4, 9}}), "");
  EXPECT_EQ(outputDims, (std::vector<int64_t>{4, 3, 0}));
  EXPECT_EQ(check({{9, 36}, {4, 9}}),
            "input 0 'cache': dim 0 is 9, must be s1 + 1 = 10 (dim 1 of input "
            "1 'ids' gave s1 = 9)");
  EXPECT_EQ(check({{10, 35}, {4, 9}}),
            "input 0 'cache': dim 1 is 35, must be s1*batch = 36 (dim 0 of "
            "input 1 'ids' gave batch = 4, dim 1 of input 1 'ids' gave s1 = "
            "9)");
}

TEST_F(GuardsTest, refusesSizesThatOverflow) {
  plan.inputs = {{"ids", Dtype::F32, {s1, constant(0)}}};
  plan.outputs = {{"out", Dtype::F32, {s1 * s1 * s1}}};
  EXPECT_EQ(check({{1 << 20, 0}}), "");
  EXPECT_EQ(check({{1 << 30, 0}}),
            "these shapes make a size that doesn't fit 64 bits");
}

TEST_F(GuardsTest, refusesAPlanWhoseSymbolNoInputTells) {
  plan.inputs = {{"x", Dtype::F32, {batch.floorDiv(2)}}};
  plan.outputs = {{"y", Dtype::F32, {batch}}};
  TargetSpec target = llvm::cantFail(TargetSpec::parse("native"));
  ScratchFolder folder;
  EXPECT_EQ(textOf(buildLibrary(plan, {}, target, {folder.file("a.so"), ""})),
            "the size 'batch' can't be told from the shapes of the inputs of "
            "'guarded': no dim is it, or linear in it");
  EXPECT_TRUE(folder.list().empty());
}

} // namespace
} // namespace graphmill::host
