//===- TextLimits.h - What MLIR's parser can't be given --------------------===//
#pragma once
#include "llvm/Support/Error.h"

namespace graphmill::tools {

/// An error, with the line, if a graph as text has what would end the process: MLIR's parser and the
/// passes over expressions call themselves once a bracket, a sign or an operator, `array<index: …>`
/// has elements of no width, and reading a number takes time by the square of its digits.
llvm::Error checkText(llvm::StringRef text, llvm::StringRef file);

} // namespace graphmill::tools
