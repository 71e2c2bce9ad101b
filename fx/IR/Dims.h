//===- Dims.h - Sizes as affine expressions over a graph's symbols ---------===//
#pragma once
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace graphmill {

/// A size: an affine (or semi-affine: products of symbols occur when dims are
/// flattened) expression over the graph's symbols. Static sizes are constants.
using Dim = mlir::AffineExpr;
using Dims = llvm::SmallVector<Dim, 6>;

Dim constantDim(mlir::MLIRContext *context, int64_t value);
/// The canonical form; two dims are equal if their canonical forms are.
Dim simplify(Dim dim);
bool equal(Dim a, Dim b);
std::optional<int64_t> getStatic(Dim dim);
/// Product of all sizes; 1 for none.
Dim product(mlir::MLIRContext *context, llvm::ArrayRef<Dim> dims);
/// 1 + the largest symbol used, 0 if none.
unsigned countSymbols(Dim dim);
std::string toString(Dim dim);
std::string toString(llvm::ArrayRef<Dim> dims);

/// The sizes of a tensor: from its encoding, else its static shape.
Dims dimsOf(mlir::RankedTensorType type);
Dims dimsOf(mlir::Value value);
Dim dimOf(mlir::Value value, unsigned index);
/// A tensor of these sizes; static ones carry no encoding.
mlir::RankedTensorType getTensorType(llvm::ArrayRef<Dim> dims, mlir::Type element);
/// The same sizes with another element type. Numbers lose their encoding.
mlir::RankedTensorType withElement(mlir::RankedTensorType type, mlir::Type element);
mlir::Type getElement(mlir::Value value);

/// Whether tensors may have elements of this type: PyTorch's dtypes, as graphs spell them.
bool isElement(mlir::Type type);
/// Whether this is a Python number taking a tensor's place (`#fx.number`).
bool isNumber(mlir::Type type);

} // namespace graphmill
