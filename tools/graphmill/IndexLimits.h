//===- IndexLimits.h - Which integers a graph's inputs may hold ------------===//
#pragma once
#include "fx/IR/FxDialect.h"

namespace graphmill::tools {

/// For each input of a graph of prims: below what its integers must be to be valid indices, as far as
/// following them to the ops that index with them tells; 2 for those that nothing is indexed by (masks).
llvm::SmallVector<int64_t> indexLimits(fx::GraphOp graph, llvm::ArrayRef<int64_t> sizes);

} // namespace graphmill::tools
