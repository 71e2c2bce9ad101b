//===- RuntimeObjects.h - The runtime's object code, carried by graphmill
//--===//
#pragma once
#include "codegen/host/Target.h"
#include "llvm/ADT/ArrayRef.h"

namespace graphmill::host {

/// Made by runtime/CMakeLists.txt when graphmill is built.
struct RuntimeObjects {
  llvm::ArrayRef<char> object; ///< the runtime, relocatable
  llvm::ArrayRef<char> libcStub,
      libmStub; ///< names and sonames for the linker, no code
};

const RuntimeObjects &runtimeObjects(const TargetSpec &target);

} // namespace graphmill::host
