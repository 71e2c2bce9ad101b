//===- InputFile.h - Files that a command line names -----------------------===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace graphmill::tools {

/// Refuses what isn't there, folders, and devices (/dev/zero never ends). Pipes are fine.
llvm::Error checkReadable(llvm::StringRef path);

/// The whole file, mapped where that pays.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(llvm::StringRef path);

} // namespace graphmill::tools
