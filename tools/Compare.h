//===- Compare.h - How far an array is from the expected one
//---------------===//
#pragma once
#include "graphmill/runtime.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>

namespace graphmill::tools {

struct Tolerance {
  double absolute = 1e-4, relative = 1e-4;
};

/// What comparing two arrays of one dtype and shape has shown.
struct Comparison {
  uint64_t numElements = 0, numOutside = 0;
  double maxAbsolute = 0; ///< infinite if a NaN or infinity is in one only
  double maxRelative = 0; ///< error / |expected|
  double maxExpected = 0; ///< largest finite magnitude
  uint64_t worstIndex = 0;
  double worstActual = 0, worstExpected = 0;
};

/// An element passes if |actual - expected| <= absolute + relative *
/// |expected|, or both are NaN or the same infinity. Integers and booleans must
/// be equal.
Comparison compareArrays(gm_dtype dtype, llvm::ArrayRef<char> actual,
                         llvm::ArrayRef<char> expected, Tolerance tolerance);

/// "DIFFERS, max abs error 8, …; worst at [3]: 136, expected 128; …": for a line of output.
std::string describe(const Comparison &comparison,
                     llvm::ArrayRef<int64_t> shape, Tolerance tolerance);

/// "[3, 17]" for an element of an array of this shape.
std::string formatIndex(uint64_t index, llvm::ArrayRef<int64_t> shape);

} // namespace graphmill::tools
