//===- LoopDialect.h - Loop nests over tensors -----------------------------===//
#pragma once
#include "fx/IR/FxDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/AffineMap.h"

#include "inductor/IR/LoopDialect.h.inc"
#include "inductor/IR/LoopEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "inductor/IR/LoopAttrs.h.inc"
#define GET_OP_CLASSES
#include "inductor/IR/LoopOps.h.inc"

namespace graphmill::loop {

/// Sizes of the axes around `op`, outermost first, up to and including its kernel's.
Dims enclosingAxes(mlir::Operation *op);
/// Axes that a map used directly in `block` is over.
Dims axesOf(mlir::Block *block);
/// The kernel's axes one to one: (d0, d1, …) -> (d0, d1, …).
mlir::AffineMap identityMap(mlir::MLIRContext *context, unsigned axes, unsigned symbols);

} // namespace graphmill::loop
