//===- KernelTable.h - Where the time of a run goes
//-------------------------===//
#pragma once
#include "tools/graphmill/LoadedLibrary.h"
#include "tools/graphmill/MachinePeak.h"
#include "llvm/Support/raw_ostream.h"

namespace graphmill::tools {

/// Prints steps by falling time: share, time and calls per run, GFLOP/s, GB/s.
/// Steps that share a kernel are one row unless `eachStep`. With `peak`, a column says what
/// share of the machine's multiply-adds or memory bandwidth a kernel makes use of.
void printKernelTable(llvm::raw_ostream &os,
                      llvm::ArrayRef<gm_step_profile> steps, uint64_t numRuns,
                      bool eachStep, size_t maxRows,
                      std::optional<MachinePeak> peak = std::nullopt);

} // namespace graphmill::tools
