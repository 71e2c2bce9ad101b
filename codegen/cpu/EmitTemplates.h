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

} // namespace graphmill::cpu
