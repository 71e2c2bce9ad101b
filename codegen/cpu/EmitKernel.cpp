#include "codegen/cpu/EmitTemplates.h"

using namespace llvm;

namespace graphmill::cpu {

EmittedKernel emitKernel(Module &module, loop::KernelOp kernel, const CpuTarget &target, StringRef name) {
  KernelPlan plan = KernelPlan::of(kernel, target);
  KernelEmitter emitter(module, kernel, target, name);
  if (std::optional<Contraction> contraction = Contraction::match(kernel)) {
    return emitContraction(emitter, *contraction, plan);
  }
  if (std::optional<AttentionParts> attention = AttentionParts::match(kernel)) {
    return emitAttention(emitter, *attention, plan);
  }
  if (std::optional<RecurrentParts> recurrent = RecurrentParts::match(kernel, plan)) {
    return emitRecurrent(emitter, *recurrent, plan);
  }
  if (std::optional<WinogradParts> winograd = WinogradParts::match(kernel)) {
    return emitWinograd(emitter, *winograd, plan);
  }
  if (std::optional<Window> window = Window::match(kernel, plan)) {
    return emitWindow(emitter, *window, plan);
  }
  emitter.emitNest(plan);
  // Sorting needs two pairs of 16 bytes an element.
  mlir::AffineExpr scratch = constantDim(kernel.getContext(), 0);
  kernel.walk([&](loop::SortOp sort) { scratch = simplify(sort.getLength().getExpr() * 32); });
  return {plan.grid(), scratch, constantDim(kernel.getContext(), 1)};
}

} // namespace graphmill::cpu
