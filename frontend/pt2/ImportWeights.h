//===- ImportWeights.h - Stored tensors as fx.tensor -----------------------===//
#pragma once
#include "frontend/pt2/ExportedProgram.h"
#include "fx/IR/FxDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace graphmill::pt2 {

/// Unsigned integers are `uiN`, bool is `i1`, the others signless or float types.
mlir::Type elementType(mlir::MLIRContext *context, ScalarType type);

/// Writes the owned tensors at the start of a module.
class ImportWeights {
public:
  ImportWeights(mlir::ModuleOp module, const ExportedProgram &program);

  /// The owned tensor's value as the model sees it: an `fx.get`, and for storage that
  /// isn't row-major the view of it. Tensors that are the same elements of the same
  /// storage (tied parameters) share one `fx.tensor`.
  mlir::Value read(mlir::OpBuilder &builder, mlir::Location loc, const StoredTensor &tensor,
                   fx::TensorKind kind);
  /// Its `fx.tensor`, null if it was never read or is only part of one.
  mlir::StringAttr symbolOf(const StoredTensor &tensor) const;

private:
  /// Elements `offset…` of the storage in row-major order under `sizes`.
  mlir::StringAttr own(mlir::Location loc, const StoredTensor &tensor, fx::TensorKind kind,
                       llvm::ArrayRef<int64_t> sizes, int64_t offset);
  mlir::ElementsAttr values(const StoredTensor &tensor, mlir::RankedTensorType type, int64_t offset);

  mlir::ModuleOp module;
  const ExportedProgram &program;
  mlir::SymbolTable symbols;
  /// Storage, dtype, offset and sizes -> the tensor's name.
  std::map<std::string, mlir::StringAttr> owned;
  llvm::StringMap<mlir::StringAttr> byName;
};

} // namespace graphmill::pt2
