//===- FxDialect.h - Graphs, symbols and owned tensors ---------------------===//
#pragma once
#include "fx/IR/Dims.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "fx/IR/FxDialect.h.inc"
#include "fx/IR/FxEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "fx/IR/FxAttrs.h.inc"
#define GET_OP_CLASSES
#include "fx/IR/FxOps.h.inc"
