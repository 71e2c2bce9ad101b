//===- IndexForm.h - Index expressions as sums of strided axes -------------===//
#pragma once
#include "fx/IR/Dims.h"
#include "mlir/IR/AffineMap.h"
#include <utility>

namespace graphmill::loop {

/// An expression as sum of coefficient * atom + constant. Atoms are axes (affine dims) and
/// what isn't linear in them (`d0 mod 7`, `d0 floordiv s1`); coefficients and the constant
/// are free of axes.
class IndexForm {
public:
  /// `axes` are the sizes of the dims, used to bound them; dims beyond those given are
  /// unbounded.
  static IndexForm of(mlir::AffineExpr expr, llvm::ArrayRef<Dim> axes);

  mlir::AffineExpr constant;
  llvm::SmallVector<std::pair<mlir::AffineExpr, mlir::AffineExpr>, 4> terms; ///< atom, coefficient

  /// Coefficient of an axis; 0 if it doesn't occur linearly.
  mlir::AffineExpr coefficient(unsigned axis) const;
  /// Whether a non-linear atom contains the axis.
  bool isNonlinear(unsigned axis) const;
  bool uses(unsigned axis) const;
  mlir::AffineExpr toExpr() const;

private:
  void add(mlir::AffineExpr atom, mlir::AffineExpr coefficient);
  void recombine(llvm::ArrayRef<Dim> axes);
};

/// The expression in the shortest form that the axes' sizes allow: `d0 mod 8` with d0 < 8
/// is d0, `(d0 * 8 + d1) floordiv 8` with d1 < 8 is d0.
mlir::AffineExpr simplifyIndex(mlir::AffineExpr expr, llvm::ArrayRef<Dim> axes);
mlir::AffineMap simplifyMap(mlir::AffineMap map, llvm::ArrayRef<Dim> axes);

/// Largest value of an expression if it is surely known; smallest is 0 unless negative
/// coefficients occur (then nothing is returned).
std::optional<mlir::AffineExpr> upperBound(const IndexForm &form, llvm::ArrayRef<Dim> axes);
/// Whether a >= b for all values of the symbols (which are at least 0). False if unknown.
bool provablyAtLeast(mlir::AffineExpr a, mlir::AffineExpr b);
/// expr / divisor if that is whole for all values of the symbols.
std::optional<mlir::AffineExpr> divideExactly(mlir::AffineExpr expr, mlir::AffineExpr divisor);

} // namespace graphmill::loop
