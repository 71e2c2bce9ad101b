//===- CompileGraph.h - A scheduled graph to a library ---------------------===//
#pragma once
#include "codegen/cpu/BuildPlan.h"
#include "codegen/cpu/CpuTarget.h"
#include "codegen/host/Library.h"
#include "inductor/IR/LoopDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace graphmill::cpu {

enum class EmitStage { Library, Llvm, Asm };

struct CompileGraphOptions {
  host::TargetSpec target;
  unsigned threads = 1; ///< that generate code, if the module's context has multithreading
  EmitStage stage = EmitStage::Library;
  llvm::raw_ostream *text = nullptr; ///< where `Llvm` and `Asm` print
  /// Told after each kernel, one call at a time: how many are done, of how many distinct ones.
  std::function<void(unsigned, unsigned)> onKernel = [](unsigned, unsigned) {};
  host::LibraryOptions library;
  mlir::Timer timing = {}; ///< gets the stages "plan", "generate" and the library's
};

/// How long a distinct kernel took, on one thread.
struct KernelTime {
  loop::KernelOp kernel; ///< the first of those that are equal
  double seconds;
  bool isCached;
};

/// What `graphmill compile` reports.
struct CompileSummary {
  unsigned kernels = 0, distinctKernels = 0, cachedKernels = 0;
  uint64_t weightBytes = 0;
  std::string arena; ///< bytes, as an expression over the symbols
  std::vector<KernelTime> times; ///< of the distinct kernels
  GraphPlan planned;             ///< what the library does, step by step
};

/// Compiles the one fx.graph of a module whose ops are all loop kernels.
llvm::Expected<CompileSummary> compileGraph(mlir::ModuleOp module, llvm::StringRef modelName,
                                            const CompileGraphOptions &options);

} // namespace graphmill::cpu
