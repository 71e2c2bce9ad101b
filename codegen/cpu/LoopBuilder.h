//===- LoopBuilder.h - Structured control flow with LLVM's IRBuilder -------===//
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace graphmill::cpu {

using Values = llvm::SmallVector<llvm::Value *, 4>;

/// IRBuilder plus loops and branches that carry values.
class LoopBuilder : public llvm::IRBuilder<> {
public:
  using llvm::IRBuilder<>::IRBuilder;

  llvm::Value *index(int64_t value) { return getInt64(value); }
  static std::optional<int64_t> known(llvm::Value *value) {
    auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value);
    return constant ? std::optional(constant->getSExtValue()) : std::nullopt;
  }

  /// for (i = lo; i < hi; i += step) carried = body(i, carried); returns the last values.
  /// A loop that is known to run once or never is no loop.
  Values forLoop(llvm::Value *lo, llvm::Value *hi, llvm::Value *step, llvm::ArrayRef<llvm::Value *> init,
                 llvm::function_ref<Values(llvm::Value *, llvm::ArrayRef<llvm::Value *>)> body);
  void forLoop(llvm::Value *lo, llvm::Value *hi, llvm::Value *step, llvm::function_ref<void(llvm::Value *)> body) {
    forLoop(lo, hi, step, {}, [&](llvm::Value *i, llvm::ArrayRef<llvm::Value *>) {
      body(i);
      return Values();
    });
  }
  /// Memory on the function's stack.
  llvm::Value *stackArray(llvm::Type *element, unsigned count);
  /// if (condition) body()
  void ifThen(llvm::Value *condition, llvm::function_ref<void()> body);
  void ifThenElse(llvm::Value *condition, llvm::function_ref<void()> then, llvm::function_ref<void()> otherwise);
};

} // namespace graphmill::cpu
