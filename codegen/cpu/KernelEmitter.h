//===- KernelEmitter.h - loop.kernel to LLVM IR ----------------------------===//
#pragma once
#include "codegen/cpu/EmitScalars.h"
#include "fx/Aten/Promotion.h"
#include "codegen/cpu/KernelPlan.h"
#include "llvm/IR/Module.h"

namespace graphmill::cpu {

/// Where body ops are evaluated: the values of axes and the lanes.
struct Place {
  llvm::SmallVector<llvm::Value *> axes; ///< i64 each; of the lane axis, the first lane's
  unsigned lanes = 1;
  unsigned laneAxis = KernelPlan::kNone;
  llvm::Value *mask = nullptr; ///< lanes that exist, in a row's tail
};

/// Inner axes' bounds; empty: all of each axis.
using Ranges = llvm::SmallVector<std::pair<llvm::Value *, llvm::Value *>>;

/// Emits the function of one kernel:
///   void name(char *const *buffers, const int64_t *symbols, int64_t begin, int64_t end, char *scratch)
class KernelEmitter {
public:
  KernelEmitter(llvm::Module &module, loop::KernelOp kernel, const CpuTarget &target, llvm::StringRef name);

  /// The loop nest as the plan lays it out.
  void emitNest(const KernelPlan &plan);

  // What templates use.
  LoopBuilder b;
  loop::KernelOp kernel;
  const CpuTarget &target;
  llvm::Value *begin, *end, *scratch;

  llvm::Value *buffer(mlir::Value tensor);
  llvm::Value *symbol(unsigned i) { return symbols[i]; }
  /// An expression over axes and `indices`; a vector if a lane axis or a vector index is in it.
  llvm::Value *emitIndex(mlir::AffineExpr expr, const Place &place, llvm::ArrayRef<llvm::Value *> indices = {});
  /// All ops of a block up to `until` (or its end), with what they define put into `scope`.
  void emitOps(mlir::Block &block, const Place &place, mlir::Operation *until = nullptr);
  void emitOp(mlir::Operation &op, const Place &place);
  /// The kernel's own ops around a reduction that has been done, with these for its results.
  void emitAround(loop::ReduceOp done, llvm::ArrayRef<llvm::Value *> results, const Place &place);
  llvm::Value *lookup(mlir::Value value) { return scope.lookup(value); }
  void define(mlir::Value value, llvm::Value *llvmValue) { scope[value] = llvmValue; }
  void finish() { b.CreateRetVoid(); }
  /// A reduction at several places at once, over the same elements of its axes: the values that
  /// each place's results have. What the places share is loaded once.
  std::vector<Values> emitReduceAt(loop::ReduceOp op, llvm::ArrayRef<Place> places, const Ranges &ranges = {});
  /// `body` for tiles begin … end of a grid of these extents, with the tile's position in it.
  void forEachTile(llvm::ArrayRef<llvm::Value *> extents, llvm::function_ref<void(llvm::ArrayRef<llvm::Value *>)> body);
  bool knownInside = false; ///< all conditions of the kernel hold where code is emitted now
  const KernelPlan *plan = nullptr;
  /// Of lanes first, first + 1, …: those below `end`.
  llvm::Value *tailMask(llvm::Value *first, llvm::Value *end, unsigned lanes);
  /// Runs `body` over lanes [lo, hi): whole vectors, then one masked tail.
  Values laneLoop(llvm::Value *lo, llvm::Value *hi, unsigned lanes, llvm::ArrayRef<llvm::Value *> init,
                  llvm::function_ref<Values(llvm::Value *, llvm::Value *, llvm::ArrayRef<llvm::Value *>)> body);

private:
  void emitLoad(loop::LoadOp op, const Place &place);
  void emitStore(loop::StoreOp op, const Place &place);
  void emitInside(loop::InsideOp op, const Place &place);
  void emitCheckIndex(loop::CheckIndexOp op, const Place &place);
  void emitSort(loop::SortOp op, const Place &place);
  void emitReduce(loop::ReduceOp op, const Place &place);
  void emitFor(loop::ForOp op, const Place &place);
  void emitInits();
  void emitRow(Place place, llvm::Value *lo, llvm::Value *hi);
  /// Whether every condition of the kernel holds for all inner iterations at this place; null
  /// if that can't be said at once.
  llvm::Value *emitAllInside(const Place &place);
  Values operandsOf(mlir::OperandRange operands);
  llvm::Value *elementPointer(mlir::Value tensor, llvm::Value *offset);
  llvm::Value *laneIota(unsigned lanes);
  /// Nest over an inner op's axes; the innermost may be the lanes'.
  Values innerNest(const KernelPlan::Inner &inner, const Ranges &ranges, Place place, unsigned first, size_t depth,
                   llvm::ArrayRef<llvm::Value *> init,
                   llvm::function_ref<Values(const Place &, llvm::ArrayRef<llvm::Value *>)> body);

  llvm::SmallVector<llvm::Value *> buffers, symbols;
  llvm::DenseMap<mlir::Value, llvm::Value *> scope;
};

/// Emits a kernel by its template if it has one that fits, else as its loop nest; gives the
/// number of grid tiles, the scratch a thread needs and the number of phases: tiles
/// [p * grid, (p + 1) * grid) are phase p, which starts when the one before is done.
struct EmittedKernel {
  mlir::AffineExpr grid, scratchBytes, phases;
};
EmittedKernel emitKernel(llvm::Module &module, loop::KernelOp kernel, const CpuTarget &target, llvm::StringRef name);

} // namespace graphmill::cpu
