//===- StandardOutput.h - What the programs print --------------------------===//
#pragma once
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace graphmill::tools {

/// `outs()` and `errs()` for text with names from files in it: what could steer a terminal is escaped.
llvm::raw_ostream &out();
llvm::raw_ostream &err();

/// Writes what is left in `outs()`; an error if any of it has got lost, as on a full disk.
llvm::Error finishOutput();

} // namespace graphmill::tools
