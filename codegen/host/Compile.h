//===- Compile.h - LLVM module to object code
//-------------------------------===//
#pragma once
#include "codegen/host/Target.h"
#include "llvm/ADT/SmallVector.h"

namespace graphmill::host {

/// An object file in memory.
struct ObjectFile {
  std::string name; ///< for messages of the linker
  llvm::SmallVector<char, 0> bytes;
};

struct CompileOptions {
  /// Hoists what is invariant out of loops. Worth its time for loops that were
  /// not built with that in mind.
  bool hoistInvariants = false;
  /// Hoists constants into registers, too. Not for loops that need all of them
  /// for their sums: those would be spilled.
  bool hoistConstants = true;
  /// Checks the module first, for modules that don't come from tested emitters.
  bool verify = false;
};

/// Runs a short pipeline (instsimplify, simplifycfg, early-cse) and generates
/// code. The module must know its target (TargetSpec::applyTo). Threads may
/// call this at once, each with a module in an LLVMContext of its own.
llvm::Expected<ObjectFile> compileModule(llvm::Module &module,
                                         const TargetSpec &target,
                                         const CompileOptions &options = {});

/// The same as assembly text, for `--emit=asm`.
llvm::Expected<std::string>
compileToAssembly(llvm::Module &module, const TargetSpec &target,
                  const CompileOptions &options = {});

} // namespace graphmill::host
