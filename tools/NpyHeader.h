//===- NpyHeader.h - The dictionary at the start of an array file
//----------===//
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace graphmill::tools {

struct NpyHeader {
  std::string descr; ///< "<f4"
  bool fortranOrder;
  llvm::SmallVector<int64_t> shape;
};

/// Reads "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", a
/// Python literal with the three keys in any order.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef text);

} // namespace graphmill::tools
