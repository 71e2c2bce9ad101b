//===- AtenDialect.h - PyTorch's ops ---------------------------------------===//
#pragma once
#include "fx/IR/FxDialect.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include "fx/Aten/AtenDialect.h.inc"
#define GET_OP_CLASSES
#include "fx/Aten/AtenOps.h.inc"
