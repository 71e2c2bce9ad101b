//===- Target.h - The processor that a library is for
//----------------------===//
#pragma once
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>

namespace graphmill::host {

struct TargetSpec {
  std::string triple;
  std::string cpu;
  std::string features; ///< "+avx2,-sse4a"; what the CPU's name doesn't say

  /// "native", an x86-64 or AArch64 CPU name ("x86-64-v3", "znver4",
  /// "neoverse-v1"), or "aarch64" for the baseline of that architecture.
  static llvm::Expected<TargetSpec> parse(llvm::StringRef name);

  bool isAArch64() const {
    return llvm::StringRef(triple).starts_with("aarch64");
  }

  /// For messages and `gm_library_info.target`; names no feature of a native
  /// CPU.
  std::string describe() const;

  /// What the processor must have, bits as in runtime/ProcessorFeatures.h.
  uint64_t processorFeatures() const;

  /// Sets triple and data layout.
  void applyTo(llvm::Module &module) const;

  /// Each thread needs its own.
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine() const;
};

} // namespace graphmill::host
