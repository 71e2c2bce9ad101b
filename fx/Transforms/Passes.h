//===- Passes.h - Passes on graphs of prims --------------------------------===//
#pragma once
#include "fx/Prims/PrimsDialect.h"
#include "mlir/Pass/Pass.h"

namespace graphmill {
#define GEN_PASS_DECL
#include "fx/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "fx/Transforms/Passes.h.inc"
} // namespace graphmill
