//===- Winograd.h - 3x3 convolutions with fewer products -------------------===//
//
// F(m x m, 3 x 3): m x m outputs from a tile of T x T inputs, T = m + 2, with T * T products a
// channel instead of 9 * m * m (Winograd 1980; Lavin and Gray 2015):
//
//   y = A ((G g G^T) * (B d B^T)) A^T     with A [m, T], G [T, 3], B [T, T].
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/SmallVector.h"

namespace graphmill::loop {

/// The three matrices, row-major. Rows 1 and 2, 3 and 4, … of `input` differ in the sign of
/// their odd columns only, and so do the same columns of `output` in their odd rows.
struct Winograd {
  /// m is 2 or 4. The error is about a direct sum's for 2, up to five times that for 4.
  explicit Winograd(unsigned outputs);

  unsigned outputs;                                           ///< m
  unsigned size() const { return outputs + 2; }               ///< T
  double input(unsigned i, unsigned j) const { return b[i * size() + j]; }
  double weight(unsigned i, unsigned j) const { return g[i * 3 + j]; }
  double output(unsigned i, unsigned j) const { return a[i * size() + j]; }

private:
  llvm::SmallVector<double, 36> a, g, b;
};

} // namespace graphmill::loop
