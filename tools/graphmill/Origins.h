//===- Origins.h - Which primitive ops a kernel was made from --------------===//
//
// Ops of a graph of prims get numbers, kept in their locations: these pass through lowering and
// fusion with the ops that come from them, and are no part of what is compiled.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "inductor/IR/LoopDialect.h"

namespace graphmill::tools {

/// Numbers a graph's ops in their order, from 0. Clones have the same numbers.
void numberOps(fx::GraphOp graph);

/// The number of the op that a location is of, or comes from.
std::optional<unsigned> numberOf(mlir::Location location);

/// Numbers of all ops but constants that are in a kernel, ascending.
llvm::SmallVector<unsigned> opsIn(loop::KernelOp kernel);

/// Ops of a numbered graph by their numbers.
class NumberedOps {
public:
  explicit NumberedOps(fx::GraphOp graph);

  mlir::Operation *lookup(unsigned number) const { return ops.lookup(number); }
  /// The value of the graph that a kernel's result holds; null if it is none of them.
  mlir::Value valueOf(mlir::OpResult kernelResult) const;

private:
  llvm::DenseMap<unsigned, mlir::Operation *> ops;
};

/// "model.py:41", the innermost line of the user's; "" if the archive has none.
std::string placeOf(mlir::Location location);

/// The path of the module that the op is in, "layer1.0.conv1"; "" if the archive has none.
std::string modulePathOf(mlir::Location location);

/// The name of the node that the op comes from; "" if the archive has none.
std::string nodeOf(mlir::Location location);

/// Lines like "'linear' model.py:41: prims.matmul, prims.add": neighbours that come from one node are together.
std::vector<std::string> describeOrigins(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace graphmill::tools
