//===- KernelPlan.h - How one kernel's loops are laid out ------------------===//
//
// Reads a loop.kernel and decides which axes are merged, which axis is the vector's, in
// which order loops run and what the tiles of its grid are. Emits nothing.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/cpu/CpuTarget.h"
#include "inductor/Analysis/IndexForm.h"
#include "inductor/IR/LoopDialect.h"

namespace graphmill::cpu {

/// Sizes of the buffer behind a tensor, in the order it is stored: a permutation of the
/// tensor's dims (`loop.order` on block arguments), identity by default.
llvm::SmallVector<mlir::AffineExpr> stridesOf(loop::KernelOp kernel, mlir::Value tensor);

struct Access {
  mlir::Operation *op; ///< loop.load or loop.store
  mlir::Value tensor;
  loop::IndexForm form; ///< offset in elements over axes, then the op's indices
  bool isStore() const { return mlir::isa<loop::StoreOp>(op); }
};

struct KernelPlan {
  loop::KernelOp kernel;
  unsigned lanes = 1;
  /// Axis whose iterations are the lanes: a kernel axis (all inner loops then work on
  /// vectors), or kNone if every inner loop has its own.
  static constexpr unsigned kNone = ~0u;
  unsigned vectorAxis = kNone;
  bool innerVectors = false;
  /// Sizes of the kernel's axes after merging (merged-away ones are 1).
  Dims extents;
  /// Kernel axes that loops run over, outermost first; without the vector axis.
  llvm::SmallVector<unsigned> order;
  /// Grid tiles are rows of the vector axis, cut into pieces of this many elements (a
  /// multiple of lanes); 0 if rows aren't cut.
  int64_t rowBlock = 0;
  llvm::DenseMap<mlir::Operation *, Access> accesses;
  /// For each inner loop: its axes after merging, and the one made of lanes (or kNone).
  struct Inner {
    Dims extents;
    llvm::SmallVector<unsigned> order;
    unsigned vectorAxis = kNone;
    unsigned lanes = 1;
  };
  llvm::DenseMap<mlir::Operation *, Inner> inner;

  /// Number of grid tiles.
  mlir::AffineExpr grid() const;

  static KernelPlan of(loop::KernelOp kernel, const CpuTarget &target);
};

} // namespace graphmill::cpu
