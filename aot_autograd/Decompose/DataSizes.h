//===- DataSizes.h - Sizes that only the data tells ------------------------===//
#pragma once
#include "aot_autograd/Decompose/Decompositions.h"
#include "fx/Aten/Rules.h"

namespace graphmill {

/// The row-major places of the elements that aren't 0, `count` many; `count` is a symbol
/// that gets its value here.
mlir::Value nonzeroPlaces(PrimBuilder &b, mlir::Value value, Dim count);
/// The same as an index vector for each dim.
llvm::SmallVector<mlir::Value> nonzeroColumns(PrimBuilder &b, mlir::Value value, Dim count);

} // namespace graphmill
