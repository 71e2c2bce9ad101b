//===- KernelInfo.h - What fusion asks about a kernel ----------------------===//
#pragma once
#include "inductor/IR/LoopDialect.h"

namespace graphmill::loop {

/// Rough cost of one element of a straight-line body.
struct BodyCost {
  unsigned loads = 0;
  unsigned ops = 0;     ///< of all kinds but constants
  unsigned compute = 0; ///< additions count 1, divisions 4, functions 12
};
BodyCost costOf(KernelOp kernel);

/// No inner loops, nothing written in place, one iteration an element.
bool isPointwise(KernelOp kernel);
/// Pointwise and nothing but a read through an index map, or a constant.
bool isView(KernelOp kernel);
/// The kernel that computes a value, if one does.
KernelOp producerOf(mlir::Value value);
/// The only store to a result; null if there are several.
StoreOp storeOf(KernelOp kernel, unsigned result);
/// All reads of an operand.
llvm::SmallVector<LoadOp> loadsOf(KernelOp kernel, mlir::Value blockArgument);
/// Distinct kernels that read any result.
llvm::SmallVector<mlir::Operation *> usersOf(KernelOp kernel);

/// "contraction_tanh 128x3072", "reduce_exp ?x12": the form, the most telling function and the
/// first result's sizes, for tables and remarks.
std::string describe(KernelOp kernel);

/// Axes c as expressions over r, given that `read` (over c, of these sizes) and `write` (over
/// r) name the same element: how to run a reader in its producer's iteration space. Nothing
/// if c isn't determined by r.
std::optional<llvm::SmallVector<mlir::AffineExpr>> solveAxes(mlir::AffineMap read, llvm::ArrayRef<Dim> sizes,
                                                            mlir::AffineMap write, llvm::ArrayRef<Dim> elementSizes);

} // namespace graphmill::loop
