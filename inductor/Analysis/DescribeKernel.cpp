#include "inductor/Analysis/KernelInfo.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace graphmill::loop {

/// The first function in a body: "tanh"; "relu" for a maximum with zero; "" if there is none.
static StringRef functionOf(KernelOp kernel) {
  StringRef function;
  kernel.walk([&](Operation *op) {
    if (!function.empty()) {
      return;
    }
    if (isa<math::MathDialect>(op->getDialect())) {
      function = op->getName().stripDialect();
    } else if (isa<arith::MaximumFOp>(op) && llvm::any_of(op->getOperands(), [](Value v) { return matchPattern(v, m_AnyZeroFloat()); })) {
      function = "relu";
    }
  });
  return function;
}

std::string describe(KernelOp kernel) {
  std::string name = kernel.getForm() == Template::None ? "" : stringifyTemplate(kernel.getForm()).str();
  auto contains = [&]<typename Op>(Op) { return kernel.walk([](Op) { return WalkResult::interrupt(); }).wasInterrupted(); };
  if (name.empty()) {
    name = contains(SortOp()) ? "sort" : contains(ReduceOp()) ? "reduce" : kernel.getSequential() ? "scatter" : "";
  }
  StringRef function = functionOf(kernel);
  if (name.empty() && function.empty()) {
    name = kernel.getInputs().empty() ? "fill" : isView(kernel) ? "copy" : "pointwise";
  }
  std::string text = name.empty() || function.empty() ? name + function.str() : name + "_" + function.str();
  if (kernel.getNumResults() > 0) {
    char separator = ' ';
    for (Dim dim : dimsOf(kernel.getResult(0))) {
      std::optional<int64_t> size = getStatic(dim);
      text += separator + (size ? std::to_string(*size) : "?");
      separator = 'x';
    }
  }
  return text;
}

} // namespace graphmill::loop
