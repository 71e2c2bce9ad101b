// What runs change: tensors of a context's own, and callers' inputs.
#include "codegen/host/unittests/TinyLibrary.h"
#include "tools/compiler/CompileModule.h"
#include "tools/graphmill/LoadedLibrary.h"
#include "mlir/Parser/Parser.h"

namespace graphmill::tools {
namespace {

// total += x; cache *= 2, both visible; a and b change places.
constexpr const char *kGraph = R"(
fx.tensor buffer @total = dense<0.0> : tensor<3xf32>
fx.tensor buffer @a = dense<1.0> : tensor<3xf32>
fx.tensor buffer @b = dense<2.0> : tensor<3xf32>
fx.graph @main(%x: tensor<3xf32>, %cache: tensor<2x2xf32>) inputs ["x", "cache"]
    outputs [#fx.role<mutates_tensor "total">, #fx.role<mutates_input "cache">, #fx.role<mutates_tensor "a">,
             #fx.role<mutates_tensor "b">, #fx.role<result "y">, #fx.role<result "old">] symbols [] {
  %total = fx.get @total : tensor<3xf32>
  %a = fx.get @a : tensor<3xf32>
  %b = fx.get @b : tensor<3xf32>
  %sum = prims.add %total, %x : tensor<3xf32>
  %twice = prims.add %cache, %cache : tensor<2x2xf32>
  %y = prims.mul %sum, %a : tensor<3xf32>
  fx.output %sum, %twice, %b, %a, %y, %total : tensor<3xf32>, tensor<2x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
)";

class StateTest : public testing::Test {
protected:
  StateTest() {
    mlir::MLIRContext context;
    loadDialects(context);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(kGraph, &context);
    ModuleOptions options;
    options.name = "state";
    options.path = folder.file("state.so");
    auto done = compileModule(*module, options);
    EXPECT_TRUE(bool(done)) << llvm::toString(done.takeError());
    auto loaded = LoadedLibrary::open(options.path);
    EXPECT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
    library.emplace(std::move(*loaded));
  }

  /// y and old, of a run with x = 1.
  std::pair<float, float> run(Context &context, const gm_tensor &cache) {
    float x[3] = {1, 1, 1};
    int64_t shape[] = {3};
    gm_tensor inputs[] = {{x, GM_F32, 1, shape, nullptr}, cache};
    auto outputs = context.run(inputs);
    EXPECT_TRUE(bool(outputs)) << llvm::toString(outputs.takeError());
    EXPECT_EQ(outputs->size(), 2u);
    auto first = [](const gm_tensor &tensor) { return *static_cast<const float *>(tensor.data); };
    return {first((*outputs)[0]), first((*outputs)[1])};
  }

  host::ScratchFolder folder;
  std::optional<LoadedLibrary> library;
};

TEST_F(StateTest, IsKeptFromRunToRunByEachContext) {
  auto one = Context::create(*library, 1), other = Context::create(*library, 1);
  float cache[4] = {};
  int64_t shape[] = {2, 2};
  gm_tensor tensor{cache, GM_F32, 2, shape, nullptr};
  using Pair = std::pair<float, float>;
  EXPECT_EQ(run(*one, tensor), Pair(1, 0)); // total 1, a 1
  EXPECT_EQ(run(*one, tensor), Pair(4, 1)); // total 2, a 2
  EXPECT_EQ(run(*one, tensor), Pair(3, 2)); // total 3, a 1
  EXPECT_EQ(run(*other, tensor), Pair(1, 0));
  EXPECT_EQ(library->api().context_reset(one->get()), GM_OK);
  EXPECT_EQ(run(*one, tensor), Pair(1, 0));
}

TEST_F(StateTest, WritesToTheCallersInput) {
  auto context = Context::create(*library, 1);
  EXPECT_EQ(library->inputs()[0].is_mutated, 0);
  EXPECT_EQ(library->inputs()[1].is_mutated, 1);
  float cache[4] = {1, 2, 3, 4};
  int64_t shape[] = {2, 2}, transposed[] = {1, 2};
  run(*context, {cache, GM_F32, 2, shape, nullptr});
  EXPECT_EQ(std::vector<float>(cache, cache + 4), (std::vector<float>{2, 4, 6, 8}));
  run(*context, {cache, GM_F32, 2, shape, transposed});
  EXPECT_EQ(std::vector<float>(cache, cache + 4), (std::vector<float>{4, 8, 12, 16}));
}

} // namespace
} // namespace graphmill::tools
