//===- StandardOutput.h - Whether what was printed has arrived -------------===//
#pragma once
#include "llvm/Support/Error.h"

namespace graphmill::tools {

/// Writes what is left in `outs()`; an error if any of it has got lost, as on a full disk.
llvm::Error finishOutput();

} // namespace graphmill::tools
