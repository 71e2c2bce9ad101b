//===- CompileGraph.h - A scheduled graph to a library ---------------------===//
#pragma once
#include "codegen/cpu/CpuTarget.h"
#include "codegen/host/Library.h"
#include "fx/IR/FxDialect.h"
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
};

/// What `graphmill compile` reports.
struct CompileSummary {
  unsigned kernels = 0, distinctKernels = 0, cachedKernels = 0;
  uint64_t weightBytes = 0;
  std::string arena; ///< bytes, as an expression over the symbols
  double emitSeconds = 0, linkSeconds = 0;
};

/// Compiles the one fx.graph of a module whose ops are all loop kernels.
llvm::Expected<CompileSummary> compileGraph(mlir::ModuleOp module, llvm::StringRef modelName,
                                            const CompileGraphOptions &options);

} // namespace graphmill::cpu
