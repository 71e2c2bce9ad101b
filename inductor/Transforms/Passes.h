//===- Passes.h - Passes of inductor ---------------------------------------===//
#pragma once
#include "inductor/IR/LoopDialect.h"
#include "mlir/Pass/Pass.h"

namespace graphmill {
#define GEN_PASS_DECL
#include "inductor/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "inductor/Transforms/Passes.h.inc"
} // namespace graphmill
