//===- EmitTemplates.h - Kernels with code of their own --------------------===//
#pragma once
#include "codegen/cpu/Contraction.h"
#include "codegen/cpu/KernelEmitter.h"

namespace graphmill::cpu {

EmittedKernel emitContraction(KernelEmitter &emitter, const Contraction &contraction, const KernelPlan &plan);

} // namespace graphmill::cpu
