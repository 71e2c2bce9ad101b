//===- EmitTemplates.h - Kernels with code of their own --------------------===//
#pragma once
#include "codegen/cpu/Contraction.h"
#include "codegen/cpu/KernelEmitter.h"

namespace graphmill::cpu {

EmittedKernel emitContraction(KernelEmitter &emitter, const Contraction &contraction, const KernelPlan &plan);

/// The ops of an attention kernel (inductor/Lowering/LowerStructured.cpp) by their roles.
struct AttentionParts {
  loop::ReduceOp largest, sum; ///< over keys: of the scores, of the exponentials
  loop::ReduceOp dot;          ///< in `largest`: query times key
  loop::ForOp output;          ///< over the value's columns
  loop::ReduceOp total;        ///< in `output`: exponentials times values
  loop::LoadOp query, key, value;

  static std::optional<AttentionParts> match(loop::KernelOp kernel);
};
EmittedKernel emitAttention(KernelEmitter &emitter, const AttentionParts &parts, const KernelPlan &plan);

/// The ops of a recurrent layer (inductor/Lowering/LowerRecurrent.cpp): axes [step, unit, batch].
struct RecurrentParts {
  loop::ReduceOp products;                  ///< a sum a gate, of the hidden state times weights
  loop::LoadOp hidden;                      ///< of the step before, or another value in the first
  llvm::SmallVector<loop::LoadOp> weights;  ///< a gate each
  /// Weights are [units / lanes, gates / vectors, k, vectors, lanes].
  unsigned lanes = 0, vectors = 0;

  static std::optional<RecurrentParts> match(loop::KernelOp kernel, const KernelPlan &plan);
};
EmittedKernel emitRecurrent(KernelEmitter &emitter, const RecurrentParts &parts, const KernelPlan &plan);

/// The ops of a transformed convolution (inductor/Transforms/TransformConvolutions.cpp).
struct WinogradParts {
  loop::ReduceOp sum, products, transform; ///< over the products' tile, channels, the input's tile
  loop::LoadOp input, weight;
  loop::InsideOp padding;
  unsigned outputs;         ///< of a tile, in each direction
  unsigned column, y, x;    ///< kernel axes; the one that is left is the batch's
  unsigned batch;

  Dim numTiles(unsigned axis); ///< along one of the kernel's axes
  Dim numProducts();
  static std::optional<WinogradParts> match(loop::KernelOp kernel);
};
EmittedKernel emitWinograd(KernelEmitter &emitter, const WinogradParts &parts, const KernelPlan &plan);

/// A reduction over a window that slides along one of the kernel's axes, with the lanes on
/// another: depthwise convolutions and pooling.
struct Window {
  loop::ReduceOp reduce;
  loop::InsideOp padding; ///< elements count where this holds; null: everywhere
  unsigned slides;        ///< the kernel axis

  static std::optional<Window> match(loop::KernelOp kernel, const KernelPlan &plan);
};
EmittedKernel emitWindow(KernelEmitter &emitter, const Window &window, const KernelPlan &plan);

} // namespace graphmill::cpu
