//===- WeightsFile.h - Weights beside the library, as .safetensors
//---------===//
#pragma once
#include "codegen/host/FileBytes.h"
#include "codegen/host/WeightImage.h"

namespace graphmill::host {

/// Written in full, but not yet under its name.
struct PendingWeightsFile {
  PendingFile file;
  WeightsFileHeader header;
};

/// Writes `fileName` into the folder of `libraryPath`. The data is the image
/// byte for byte and starts at a multiple of 4096, so weights keep their
/// alignment when the file is mapped; gaps are tensors of their own, for the
/// format allows no holes.
llvm::Expected<PendingWeightsFile>
writeWeightsFile(const WeightImage &weights, llvm::StringRef fileName,
                 llvm::StringRef libraryPath, unsigned threads);

} // namespace graphmill::host
