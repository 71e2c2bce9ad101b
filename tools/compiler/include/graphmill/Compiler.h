//===- Compiler.h - From a graph to a library, in a C++ program ------------===//
#ifndef GRAPHMILL_COMPILER_H
#define GRAPHMILL_COMPILER_H

#include "graphmill/Graph.h"
#include <string>

namespace graphmill {

struct CompileOptions {
  std::string target = "native"; ///< or x86-64-v3, x86-64-v4, aarch64, an LLVM CPU name
  unsigned threads = 0;          ///< that compile; 0: one a core
  bool exact = false;            ///< only sums of the model's own products: no Winograd convolutions
  std::string weightsFile;       ///< name of a .safetensors file beside the library; empty: embed
};

/// Writes the library of a graph to `path`; returns an error message, empty if all went well.
/// On failure, what was at `path` before is still there.
std::string compile(const Graph &graph, const std::string &path, const CompileOptions &options = {});

} // namespace graphmill

#endif // GRAPHMILL_COMPILER_H
