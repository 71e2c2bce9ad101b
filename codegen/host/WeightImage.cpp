#include "codegen/host/WeightImage.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

namespace graphmill::host {

WeightImage layOutWeights(const Plan &plan) {
  WeightImage image;
  // Tied parameters refer to the same mapped bytes.
  llvm::DenseMap<std::pair<const char *, size_t>, uint64_t> known;
  for (const Weight &weight : plan.weights) {
    auto [entry, isNew] =
        known.try_emplace({weight.bytes.data(), weight.bytes.size()}, 0);
    if (isNew) {
      image.sizeBytes = llvm::alignTo(image.sizeBytes, weight.alignment);
      entry->second = image.sizeBytes;
      image.parts.push_back({image.sizeBytes, &weight});
      image.sizeBytes += weight.bytes.size();
    }
    image.offsetsBytes.push_back(entry->second);
  }
  return image;
}

} // namespace graphmill::host
