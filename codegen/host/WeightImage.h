//===- WeightImage.h - How the weights lie end to end
//----------------------===//
#pragma once
#include "codegen/host/HostPlan.h"
#include "llvm/Support/Error.h"

namespace graphmill::host {

/// The hidden symbol at the start of embedded weights.
inline constexpr const char *kWeightsSymbol = "graphmillWeights";

/// All weights as one run of bytes, each at its alignment, equal memory once.
struct WeightImage {
  struct Part {
    uint64_t offsetBytes;
    const Weight *weight;
  };
  std::vector<Part> parts;            ///< ascending, without overlap
  std::vector<uint64_t> offsetsBytes; ///< of each of the plan's weights
  uint64_t sizeBytes = 0;
};

/// Refers to the plan's weights, which must stay where they are.
WeightImage layOutWeights(const Plan &plan);

/// Writes all weights, the image's start at `start` of the file; gaps stay as they are.
llvm::Error writeWeights(int file, uint64_t start, const WeightImage &image,
                         unsigned threads, llvm::StringRef path);

/// What a library has to know of the file that holds its weights.
struct WeightsFileHeader {
  std::string fileName; ///< without folder: it lies beside the library
  uint64_t headerBytes, headerHash;
};

} // namespace graphmill::host
