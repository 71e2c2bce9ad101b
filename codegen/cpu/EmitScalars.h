//===- EmitScalars.h - arith and math ops on scalars and vectors -----------===//
#pragma once
#include "codegen/cpu/CpuTarget.h"
#include "codegen/cpu/LoopBuilder.h"
#include "mlir/IR/Operation.h"

namespace graphmill::cpu {

/// LLVM type of a body value; `index` is i64.
llvm::Type *llvmType(llvm::LLVMContext &context, mlir::Type type);
/// Type in memory: bool takes a byte.
llvm::Type *memoryType(llvm::LLVMContext &context, mlir::Type element);

/// Operands that are partly vectors become all vectors.
void unifyLanes(LoopBuilder &b, llvm::MutableArrayRef<llvm::Value *> values);

/// The value of an arith or math op on operands already unified; null if it isn't one.
llvm::Value *emitScalarOp(LoopBuilder &b, mlir::Operation *op, llvm::ArrayRef<llvm::Value *> operands);

/// The larger or smaller; NaN if either is.
llvm::Value *emitMaximum(LoopBuilder &b, llvm::Value *x, llvm::Value *y, bool isMax);

/// A function of one or two float arguments by its name in C's libm ("exp", "erf", "pow"),
/// on scalars or vectors.
llvm::Value *emitFunction(LoopBuilder &b, llvm::StringRef name, llvm::ArrayRef<llvm::Value *> arguments);

} // namespace graphmill::cpu
