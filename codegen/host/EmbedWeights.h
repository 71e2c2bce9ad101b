//===- EmbedWeights.h - Weights as the last segment of a library
//-----------===//
//
// Gigabytes of weights must pass neither through LLVM nor through lld, and must
// be mapped, not copied, when the library is loaded. So lld links a section
// without contents (NOBITS) that has the weights' size and a read-only segment
// of its own at the end of the address space; then the weights are appended to
// the file, page-aligned, and the segment and the section are told that they
// have contents after all.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/host/Compile.h"
#include "codegen/host/WeightImage.h"

namespace graphmill::host {

/// Linker script that puts the section last; goes with makeWeightsObject().
extern const char *const kWeightsScript;

/// An object that reserves `sizeBytes` under kWeightsSymbol.
llvm::Expected<ObjectFile> makeWeightsObject(uint64_t sizeBytes,
                                             const TargetSpec &target);

/// Appends the weights to the linked library. `file` is open for reading and
/// writing.
llvm::Error appendWeights(int file, const WeightImage &weights,
                          unsigned threads, llvm::StringRef path);

} // namespace graphmill::host
