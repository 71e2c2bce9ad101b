//===- Lowering.h - From prims to one kernel each --------------------------===//
#pragma once
#include "fx/Aten/Promotion.h"
#include "fx/Prims/PrimsDialect.h"
#include "inductor/IR/KernelBuilder.h"

namespace graphmill::loop {

/// Lowers the prims of one graph. Each function replaces one op by a kernel (or by
/// nothing but a renaming) and gives its new results, or none after it has reported why not.
class Lowering {
public:
  Lowering(mlir::OpBuilder &builder, unsigned symbols) : builder(builder), symbols(symbols) {}

  using Results = llvm::SmallVector<mlir::Value>;
  Results lower(mlir::Operation *op);

  mlir::OpBuilder &builder;
  unsigned symbols;

  mlir::Type i64() { return builder.getI64Type(); }
  KernelBuilder kernel(mlir::Operation *op, mlir::ValueRange inputs, llvm::ArrayRef<Dim> axes,
                       unsigned inits = 0) {
    return KernelBuilder(builder, op->getLoc(), symbols, inputs, op->getResultTypes(), axes, inits);
  }

  // One file each, by subject. Null or empty: not an op of theirs.
  Results lowerPointwise(mlir::Operation *op);
  Results lowerShape(mlir::Operation *op);
  Results lowerReduction(mlir::Operation *op);
  Results lowerIndexing(mlir::Operation *op);
  Results lowerRandom(mlir::Operation *op);
  Results lowerStructured(mlir::Operation *op);
  Results lowerRecurrent(mlir::Operation *op);
};

/// The scalar computation of an elementwise prim on operands of `element` type.
mlir::Value emitScalar(mlir::OpBuilder &b, mlir::Operation *op, mlir::ValueRange operands);
/// Constant of a body's scalar type; infinities for integers are the extremes.
mlir::Value scalarConstant(mlir::OpBuilder &b, mlir::Location loc, double value, mlir::Type type);
/// The neutral element of a reduction over elements of a tensor's `element` type.
mlir::Value identityOf(mlir::OpBuilder &b, mlir::Location loc, prims::Reducer reducer, mlir::Type element);
mlir::Value convertScalar(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                          mlir::Type from, mlir::Type to);

} // namespace graphmill::loop
