//===- KernelMerge.h - Bodies moved between kernels ------------------------===//
#pragma once
#include "inductor/IR/LoopDialect.h"
#include "mlir/IR/IRMapping.h"

namespace graphmill::loop {

/// Puts a kernel together from the bodies of others. Operands that are one value become
/// one block argument.
class KernelMerge {
public:
  KernelMerge(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// The block argument for a value read; adds the operand if it is new.
  mlir::Value input(mlir::Value value);
  /// Adds a result that stands for `original`, a result of a kernel that is merged.
  mlir::Value output(mlir::Value original);

  /// Begins with an empty body over these axes.
  void start(fx::DimsAttr axes, Template form);
  mlir::Block &block() { return *body; }
  /// Creates the kernel and replaces the originals' uses by its results.
  KernelOp finish();

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  fx::DimsAttr axes;
  Template form = Template::None;
  std::unique_ptr<mlir::Region> region;
  mlir::Block *body = nullptr;
  llvm::SmallVector<mlir::Value> inputs, originals;
  llvm::SmallVector<mlir::BlockArgument> inputArguments, outputArguments;
};

/// How ops that are copied into another place see axes: dim i of their maps becomes
/// axes[i], an expression over the new place's axes followed by `indices`.
struct Reindexing {
  llvm::SmallVector<mlir::AffineExpr> axes;
  llvm::SmallVector<mlir::Value> indices;
  unsigned newAxes = 0;       ///< enclosing axes at the new place
  unsigned oldAxes = 0;       ///< axes that maps at the top of the copied body are over
  Dims newSizes;              ///< of the new place's axes, to simplify maps by
  mlir::Value mask;           ///< if set, all reads happen only where it is true
};

/// Copies `op`, with what is inside it, at the builder's place. Values in `mapping` are
/// replaced; inner axes keep their order behind the new place's.
mlir::Operation *cloneReindexed(mlir::OpBuilder &builder, mlir::Operation &op, mlir::IRMapping &mapping,
                                const Reindexing &reindexing);

} // namespace graphmill::loop
