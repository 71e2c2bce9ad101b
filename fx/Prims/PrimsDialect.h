//===- PrimsDialect.h - The primitive ops ----------------------------------===//
#pragma once
#include "fx/IR/FxDialect.h"

#include "fx/Prims/PrimsDialect.h.inc"
#include "fx/Prims/PrimsEnums.h.inc"

namespace graphmill::prims {
mlir::LogicalResult verifyDim(mlir::Operation *op);

template <typename ConcreteOp>
struct DimOfOperand : mlir::OpTrait::TraitBase<ConcreteOp, DimOfOperand> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifyDim(op); }
};
} // namespace graphmill::prims

#define GET_ATTRDEF_CLASSES
#include "fx/Prims/PrimsAttrs.h.inc"
#define GET_OP_CLASSES
#include "fx/Prims/PrimsOps.h.inc"
