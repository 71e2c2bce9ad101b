//===- CpuTarget.h - What kernels have to know of the processor ------------===//
#pragma once
#include "codegen/host/Target.h"

namespace graphmill::cpu {

struct CpuTarget {
  host::TargetSpec spec;
  unsigned vectorBytes = 32; ///< of one register
  unsigned numVectorRegisters = 16;
  bool hasF16Convert = true;

  static llvm::Expected<CpuTarget> of(const host::TargetSpec &spec);
  /// Elements of float32 in one register.
  unsigned lanes() const { return vectorBytes / 4; }
};

} // namespace graphmill::cpu
