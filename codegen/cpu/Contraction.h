//===- Contraction.h - A sum of products as rows times panels --------------===//
//
// out[m…, n] = epilogue(sum over k… of A[m…, k…] * B[k…, n]): matrix products, convolutions
// (whose rows are output pixels and whose k are taps and channels) and their batched and
// grouped forms.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/cpu/KernelPlan.h"

namespace graphmill::cpu {

struct Contraction {
  loop::KernelOp kernel;
  loop::ReduceOp reduce;
  loop::LoadOp a, b;
  loop::InsideOp padding; ///< A is 0 where this is false; null if it never is
  loop::IndexForm formA, formB;

  // Kernel axes by the operands that depend on them.
  llvm::SmallVector<unsigned> batch, rows;
  unsigned columns;
  // Axes of the reduction: taps are looped over, the run is the innermost.
  llvm::SmallVector<unsigned> taps;
  unsigned run;
  Dims axes; ///< sizes of all axes; those merged away are 1

  /// Rows are equally far apart in A, and nothing else depends on which row it is.
  bool uniformRows = false;
  /// All epilogue accesses see the rows as one axis: rows.back().
  bool flatEpilogue = false;
  /// B is [columns / panel, taps…, run, panel], zeros past the last column.
  int64_t panel = 0;
  /// B's columns are apart in memory: each panel is packed before it is used.
  bool packsPanels = false;

  /// The parts of a kernel with this form; nothing if it must run as a plain nest.
  static std::optional<Contraction> match(loop::KernelOp kernel);

  Dim numRows() const;
  Dim numColumns() const { return axes[columns]; }
  Dim numBatches() const;
};

} // namespace graphmill::cpu
