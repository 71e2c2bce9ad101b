//===- PrimsDialect.h - The primitive ops ----------------------------------===//
#pragma once
#include "fx/IR/FxDialect.h"

#include "fx/Prims/PrimsDialect.h.inc"
#include "fx/Prims/PrimsEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "fx/Prims/PrimsAttrs.h.inc"
#define GET_OP_CLASSES
#include "fx/Prims/PrimsOps.h.inc"
