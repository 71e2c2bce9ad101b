// Compiled code beside the evaluator of another graph: as if a kernel were wrong.
#include "fx/Prims/PrimsDialect.h"
#include "tools/compiler/CompileModule.h"
#include "tools/graphmill/IndexLimits.h"
#include "tools/graphmill/RandomInputs.h"
#include "tools/graphmill/Verification.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace graphmill::tools {
namespace {

// Two kernels: products with a function after each.
constexpr const char *kGraph = R"(
fx.tensor parameter @v = dense<0.1> : tensor<24x32xf32>
fx.tensor parameter @w = dense<0.2> : tensor<32x16xf32>
fx.graph @main(%x: tensor<20x24xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %v = fx.get @v : tensor<24x32xf32>
  %w = fx.get @w : tensor<32x16xf32>
  %0 = prims.matmul %x, %v : (tensor<20x24xf32>, tensor<24x32xf32>) -> tensor<20x32xf32> loc("model.py":4:0)
  %1 = prims.tanh %0 : tensor<20x32xf32> loc("model.py":5:0)
  %2 = prims.matmul %1, %w : (tensor<20x32xf32>, tensor<32x16xf32>) -> tensor<20x16xf32> loc("model.py":6:0)
  %3 = prims.exp %2 : tensor<20x16xf32> loc("model.py":7:0)
  fx.output %3 : tensor<20x16xf32>
}
)";

class VerificationTest : public testing::Test {
protected:
  VerificationTest() { loadDialects(context); }

  Verification compile(const char *text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    return llvm::cantFail(Verification::compile(*module, "graph"));
  }

  /// The kernel found when the evaluator computes sin where the code computes what `Op` says.
  template <typename Op> std::optional<FaultyKernel> findWrong(Verification &verification) {
    for (auto op : llvm::make_early_inc_range(verification.reference().getBlock().getOps<Op>())) {
      mlir::OpBuilder builder(op);
      op.getResult().replaceAllUsesWith(prims::SinOp::create(builder, op.getLoc(), op.getType(), op->getOperand(0)));
      op.erase();
    }
    auto inputs = llvm::cantFail(RandomInputs::make(verification.library(), {}, {1}));
    auto outputs = llvm::cantFail(verification.compareOutputs(inputs.tensors(), {}));
    EXPECT_FALSE(outputs[0].agrees) << outputs[0].text;
    return llvm::cantFail(verification.findKernel(inputs.tensors(), {}));
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(VerificationTest, RightCodeAgrees) {
  Verification verification = compile(kGraph);
  auto inputs = llvm::cantFail(RandomInputs::make(verification.library(), {}, {1}));
  auto outputs = llvm::cantFail(verification.compareOutputs(inputs.tensors(), {}));
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].name, "output 0 'y'");
  EXPECT_TRUE(outputs[0].agrees) << outputs[0].text;
  EXPECT_FALSE(llvm::cantFail(verification.findKernel(inputs.tensors(), {})));
}

TEST_F(VerificationTest, NamesTheFirstKernelThatDiffers) {
  Verification verification = compile(kGraph);
  std::optional<FaultyKernel> first = findWrong<prims::TanhOp>(verification);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->number, 0u);
  EXPECT_EQ(first->total, 2u);
  EXPECT_EQ(first->name, "contraction_tanh 20x32");
  EXPECT_EQ(first->place, "model.py:5");
  EXPECT_EQ(first->ops, (std::vector<std::string>{"model.py:4: prims.matmul", "model.py:5: prims.sin"}));
}

TEST_F(VerificationTest, NamesALaterKernelIfTheFirstIsRight) {
  Verification verification = compile(kGraph);
  std::optional<FaultyKernel> second = findWrong<prims::ExpOp>(verification);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->number, 1u);
  EXPECT_EQ(second->place, "model.py:7");
}

TEST_F(VerificationTest, IntegersThatIndexAreInRange) {
  Verification verification = compile(R"(
    fx.graph @main(%x: tensor<5x3xf32>, %i: tensor<4xi64>, %mask: tensor<4xi64>) inputs ["x", "i", "mask"]
        outputs [#fx.role<result "y">, #fx.role<result "z">] symbols [] {
      %j = prims.neg %i : tensor<4xi64>
      %y = prims.index %x[%j] dims = [0] : (tensor<5x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
      %z = prims.mul %mask, %mask : tensor<4xi64>
      fx.output %y, %z : tensor<4x3xf32>, tensor<4xi64>
    })");
  EXPECT_EQ(indexLimits(verification.reference(), {}), (llvm::SmallVector<int64_t>{2, 5, 2}));
}

} // namespace
} // namespace graphmill::tools
