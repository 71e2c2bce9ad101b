#pragma once
#include "frontend/pt2/SymExpr.h"
#include "llvm/ADT/StringRef.h"

namespace graphmill::pt2 {

/// A function's name in sympy or torch, what it is here, and how many operands
/// it takes.
struct SymFunction {
  llvm::StringLiteral name;
  SymOp op;
  unsigned minOperands, maxOperands;
};

/// Null for a function that isn't known.
const SymFunction *findSymFunction(llvm::StringRef name);

} // namespace graphmill::pt2
