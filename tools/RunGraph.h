//===- RunGraph.h - Compile a graph and run it, in this process ------------===//
#pragma once
#include "fx/Eval/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"

namespace graphmill::tools {

/// Runs a module's one fx.graph (of ATen ops or prims) as compiled for this machine. The
/// module is left as it is.
llvm::Expected<std::vector<eval::HostTensor>> runCompiled(mlir::ModuleOp module,
                                                          llvm::ArrayRef<eval::HostTensor> inputs);

} // namespace graphmill::tools
