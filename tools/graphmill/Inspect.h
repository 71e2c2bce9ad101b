//===- Inspect.h - What `graphmill inspect` shares between kinds of files --===//
#pragma once
#include "llvm/Support/Error.h"
#include <string>

namespace graphmill::tools {

/// "2 to 512, multiples of 2".
std::string describeRange(int64_t min, int64_t max, int64_t divisor);

/// Prints the signature, sizes, weights and ops of an archive or a graph.
llvm::Error inspectModule(llvm::StringRef path);

} // namespace graphmill::tools
