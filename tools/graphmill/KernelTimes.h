//===- KernelTimes.h - Which kernels take long to compile ------------------===//
#pragma once
#include "codegen/cpu/CompileGraph.h"
#include "llvm/Support/raw_ostream.h"

namespace graphmill::tools {

/// The sum over all threads, then a row for each of the slowest kernels.
void printKernelTimes(llvm::raw_ostream &os, llvm::ArrayRef<cpu::KernelTime> times);

} // namespace graphmill::tools
