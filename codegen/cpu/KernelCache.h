//===- KernelCache.h - Compiled kernels, kept by what they were made from --===//
//
// A folder of object files, one a kernel, named by a hash of the kernel's text, the target
// and the compiler. Entries appear by renaming, so that compilers may run at once.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/cpu/KernelEmitter.h"
#include "codegen/host/Compile.h"

namespace graphmill::cpu {

class KernelCache {
public:
  /// Of GRAPHMILL_CACHE, else XDG_CACHE_HOME/graphmill, else ~/.cache/graphmill; "off" in
  /// GRAPHMILL_CACHE, or no home, means no cache.
  static KernelCache open();

  struct Entry {
    host::ObjectFile object;
    EmittedKernel emitted;
  };
  std::string keyOf(llvm::StringRef kernelText, const host::TargetSpec &target) const;
  std::optional<Entry> find(llvm::StringRef key, mlir::MLIRContext *context) const;
  /// A cache that can't be written is no error.
  void insert(llvm::StringRef key, const Entry &entry) const;

private:
  std::string folder;   ///< empty: none
  std::string compiler; ///< which build of graphmill this is
};

} // namespace graphmill::cpu
