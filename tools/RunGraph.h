//===- RunGraph.h - Compile a graph and run it, in this process ------------===//
#pragma once
#include "fx/Eval/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"

namespace graphmill::tools {

struct RunOptions {
  std::string target = "native";
  unsigned level = 2; ///< of optimization
};

/// Runs a module's one fx.graph (of ATen ops or prims) as compiled. The module is left as it is;
/// inputs are given with their strides.
llvm::Expected<std::vector<eval::HostTensor>> runCompiled(mlir::ModuleOp module, llvm::ArrayRef<eval::HostTensor> inputs,
                                                          const RunOptions &how = {});

} // namespace graphmill::tools
