//===- RandomInputs.h - Inputs for measuring ------------------------------===//
#pragma once
#include "tools/graphmill/LoadedLibrary.h"

namespace graphmill::tools {

/// A small value that a symbol of this range may have.
int64_t chooseSize(int64_t min, int64_t max, int64_t divisor);

/// Reads "batch=4,seq=128" and gives each of the library's symbols a value;
/// those that aren't named get a small one that is allowed.
llvm::Expected<std::vector<int64_t>> chooseSizes(const LoadedLibrary &library,
                                                 llvm::StringRef sizes);

/// Owns its arrays. Floats are uniform in [-1, 1), integers in [0, limit) with the input's own of
/// `intLimits`, booleans either; the same on every call.
class RandomInputs {
public:
  static llvm::Expected<RandomInputs> make(const LoadedLibrary &library,
                                           llvm::ArrayRef<int64_t> sizes,
                                           llvm::ArrayRef<int64_t> intLimits);
  llvm::ArrayRef<gm_tensor> tensors() const { return views; }

  /// Tries larger limits, one input of integers after the other, and keeps the
  /// largest with which a run ends well. Returns each input's; 0 for other dtypes.
  llvm::Expected<std::vector<int64_t>> spreadIntegers(const LoadedLibrary &library, int threads);

private:
  void fill(size_t input, int64_t intLimit);

  std::vector<std::vector<int64_t>> shapes;
  std::vector<std::unique_ptr<char[]>> arrays;
  std::vector<gm_tensor> views;
};

} // namespace graphmill::tools
