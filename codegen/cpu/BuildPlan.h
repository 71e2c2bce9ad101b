//===- BuildPlan.h - Graph values to buffers, kernels to steps -------------===//
#pragma once
#include "codegen/host/HostPlan.h"
#include "inductor/IR/LoopDialect.h"
#include "llvm/Support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace graphmill::cpu {

struct GraphPlan {
  host::Plan plan;
  std::vector<std::shared_ptr<std::vector<char>>> owned; ///< bytes of weights that were expanded
  std::vector<loop::KernelOp> kernels; ///< one for each step of the plan, in order; null for a size told by data
};

/// The dtype of the C interface; nothing for those it lacks.
std::optional<host::Dtype> dtypeOf(mlir::Type element);

/// Places every value: inputs, outputs and weights where they are, all others in one arena
/// whose parts are reused once nothing reads them any more. Steps lack what codegen knows:
/// the function, the grid and scratch.
llvm::Expected<GraphPlan> buildPlan(mlir::ModuleOp module, fx::GraphOp graph, llvm::StringRef modelName);

} // namespace graphmill::cpu
