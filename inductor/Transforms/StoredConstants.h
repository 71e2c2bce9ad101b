//===- StoredConstants.h - Constant operands stored in another form --------===//
#pragma once
#include "fx/Transforms/ConstantTensors.h"
#include "inductor/IR/LoopDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace graphmill::loop {

/// The owned tensors that a graph's kernels read, to be stored as one kernel wants to read them.
class StoredConstants {
public:
  StoredConstants(mlir::ModuleOp module, fx::GraphOp graph) : module(module), symbols(module), constants(graph) {}

  /// The tensor, if its bytes may be stored in another order; says why if not.
  fx::TensorOp packable(fx::GetOp get, KernelOp kernel);
  fx::TensorOp lookup(fx::GetOp get) { return symbols.lookup<fx::TensorOp>(get.getTensor()); }
  /// Whether one kernel alone reads it, and no run changes it.
  bool isOwn(fx::TensorOp tensor) { return readers(tensor) <= 1 && !constants.isMutated(tensor.getSymName()); }

  /// The same tensor, stored as `packing` says.
  fx::GetOp replace(fx::GetOp get, fx::PackingAttr packing, llvm::StringRef prefix);
  /// Makes that the kernel's operand, in the order of its type; the old one goes if nothing reads it.
  void replaceOperand(KernelOp kernel, unsigned operand, fx::PackingAttr packing, llvm::StringRef prefix);
  void eraseIfUnused(fx::GetOp get);
  /// A constant that isn't in the model; one for all that ask for the same.
  fx::GetOp add(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, mlir::DenseElementsAttr value);

private:
  unsigned readers(fx::TensorOp tensor);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  ConstantTensors constants;
};

} // namespace graphmill::loop
