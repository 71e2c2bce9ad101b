//===- Library.h - From a plan and its kernels to the finished library
//-----===//
#pragma once
#include "codegen/host/Compile.h"
#include "codegen/host/HostPlan.h"
#include "mlir/Support/Timing.h"

namespace graphmill::host {

struct LibraryOptions {
  std::string path; ///< of the library
  /// Name (no folder) of a .safetensors file to write beside the library;
  /// empty: embed.
  std::string weightsFile;
  unsigned threads = 1; ///< that write the weights
  mlir::Timer timing = {}; ///< gets "tables", "link" and "weights"
};

/// Emits the plan's tables, links them with the kernels and the runtime and
/// writes the library and, if asked for, the weights file. On failure neither
/// is there, or what was there before.
llvm::Error buildLibrary(const Plan &plan, llvm::ArrayRef<ObjectFile> kernels,
                         const TargetSpec &target,
                         const LibraryOptions &options);

} // namespace graphmill::host
