//===- ViewOps.h - Which ATen ops are views, and their inverses ------------===//
#pragma once
#include "mlir/IR/Builders.h"

namespace graphmill {

/// Whether the op's results share memory with its first operand.
bool isView(mlir::Operation *op);

/// The operand of view op `op` with what its result `number` shows replaced by `part`.
/// Null, after an error at `loc`, if elements of the result overlap.
mlir::Value undoView(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *op, unsigned number,
                     mlir::Value operand, mlir::Value part);

} // namespace graphmill
