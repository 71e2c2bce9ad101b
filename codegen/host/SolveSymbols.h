//===- SolveSymbols.h - Which input's dim tells each symbol's value
//--------===//
#pragma once
#include "codegen/host/HostPlan.h"
#include "llvm/Support/Error.h"

namespace graphmill::host {

/// How one symbol follows from the inputs' shapes: dim = coefficient * symbol +
/// rest, where coefficient and rest use only symbols that come earlier in the
/// order.
struct SymbolSource {
  unsigned symbol;
  int input = -1, dim = -1; ///< -1: no input has it; the value is its bound, or its minimum
  mlir::AffineExpr coefficient, rest;
  bool isBare = false; ///< the dim is the symbol itself
};

/// One source for each symbol, in an order in which they can be computed. Dims
/// that are the bare symbol are preferred. Fails on a symbol that the plan uses
/// and no dim determines.
llvm::Expected<std::vector<SymbolSource>> solveSymbols(const Plan &plan);

/// Calls `visit` with every size that the plan mentions; null ones are skipped.
void forEachSize(const Plan &plan,
                 llvm::function_ref<void(mlir::AffineExpr)> visit);

} // namespace graphmill::host
