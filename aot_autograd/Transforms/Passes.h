//===- Passes.h - Passes of aot_autograd -----------------------------------===//
#pragma once
#include "fx/Prims/PrimsDialect.h"
#include "mlir/Pass/Pass.h"

namespace graphmill {
#define GEN_PASS_DECL
#include "aot_autograd/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "aot_autograd/Transforms/Passes.h.inc"
} // namespace graphmill
