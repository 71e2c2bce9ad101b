//===- CheckDialect.h - Tests of numbers as IR -----------------------------===//
#pragma once
#include "fx/IR/FxDialect.h"

#include "fx/Check/CheckDialect.h.inc"
#define GET_OP_CLASSES
#include "fx/Check/CheckOps.h.inc"
