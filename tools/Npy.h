//===- Npy.h - NumPy's array files
//-----------------------------------------===//
#pragma once
#include "graphmill/runtime.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <vector>

namespace graphmill::tools {

/// An array in row-major order and this machine's byte order.
class NpyArray {
public:
  gm_dtype dtype;
  llvm::SmallVector<int64_t> shape;

  llvm::ArrayRef<char> bytes() const { return contents; }

  /// A view of the array, as an input for gm_run.
  gm_tensor tensor() const;

private:
  friend class NpyReader;
  llvm::ArrayRef<char> contents;
  std::unique_ptr<llvm::MemoryBuffer> mapped; ///< of the file, if used as it is
  std::vector<char> converted;                ///< if it had to be rearranged
};

/// Reads versions 1 to 3 of the format; either byte order; row- or
/// column-major. The file may be anything: what isn't an array is an error.
/// bfloat16 is what ml_dtypes writes, two bytes of type V.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path);

/// The same for a file in memory; `name` is for messages.
llvm::Expected<NpyArray> parseNpy(std::unique_ptr<llvm::MemoryBuffer> file,
                                  llvm::StringRef name);

/// Writes version 1, row-major. The file appears whole or not at all.
llvm::Error writeNpy(llvm::StringRef path, gm_dtype dtype,
                     llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<char> bytes);

/// Bytes of an element.
size_t dtypeBytes(gm_dtype dtype);
llvm::StringRef dtypeName(gm_dtype dtype);

} // namespace graphmill::tools
