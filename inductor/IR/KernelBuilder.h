//===- KernelBuilder.h - Building loop.kernel bodies -----------------------===//
#pragma once
#include "inductor/IR/LoopDialect.h"
#include "mlir/IR/Builders.h"
#include <functional>

namespace graphmill::loop {

/// Builds the body of one kernel: index maps are given as lists of expressions over the
/// axes in scope (`axis(i)`), tensors as block arguments.
class KernelBuilder {
public:
  /// Starts a kernel before the builder's insertion point. `symbols` is how many symbols
  /// the graph has.
  KernelBuilder(mlir::OpBuilder &builder, mlir::Location loc, unsigned symbols,
                mlir::ValueRange inputs, mlir::TypeRange results, llvm::ArrayRef<Dim> axes,
                unsigned inits = 0);

  KernelOp kernel;
  /// Inside the body.
  mlir::OpBuilder b;
  mlir::Location loc;

  mlir::Value in(unsigned i) { return kernel.getInputArg(i); }
  mlir::Value out(unsigned i = 0) { return kernel.getOutputArg(i); }
  mlir::AffineExpr axis(unsigned i) { return mlir::getAffineDimExpr(i, b.getContext()); }
  mlir::AffineExpr constant(int64_t value) { return mlir::getAffineConstantExpr(value, b.getContext()); }
  /// The kernel's axes in order.
  Dims allAxes(unsigned count);

  /// `indices` are the dims after the axes: axis(numAxes), axis(numAxes + 1), …
  mlir::Value load(mlir::Value tensor, llvm::ArrayRef<mlir::AffineExpr> map,
                   mlir::ValueRange indices = {});
  mlir::Value loadIf(mlir::Value mask, mlir::Value other, mlir::Value tensor,
                     llvm::ArrayRef<mlir::AffineExpr> map, mlir::ValueRange indices = {});
  void store(mlir::Value value, mlir::Value tensor, llvm::ArrayRef<mlir::AffineExpr> map,
             mlir::ValueRange indices = {}, Combiner combiner = Combiner::Set);
  mlir::Value apply(mlir::AffineExpr expr);
  mlir::Value inside(llvm::ArrayRef<mlir::AffineExpr> exprs, llvm::ArrayRef<Dim> bounds);

  /// Opens a reduction; `body` gives what to combine, in terms of axes first, first + 1, ….
  llvm::SmallVector<mlir::Value> reduce(llvm::ArrayRef<Reducer> reducers, llvm::ArrayRef<Dim> axes,
                                        std::function<llvm::SmallVector<mlir::Value>(unsigned first)> body);
  void forEach(llvm::ArrayRef<Dim> axes, std::function<void(unsigned first)> body);

private:
  unsigned numAxes() { return axesOf(b.getInsertionBlock()).size(); }
  mlir::AffineMap mapOf(llvm::ArrayRef<mlir::AffineExpr> exprs, unsigned indices);
  unsigned symbols;
};

/// The type that body ops compute an element in: unsigned integers lose their sign.
mlir::Type scalarType(mlir::Type element);

} // namespace graphmill::loop
