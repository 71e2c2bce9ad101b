//===- Outline.h - A test as a graph with inputs and expected outputs ------===//
#pragma once
#include "fx/Check/CheckDialect.h"
#include "fx/Eval/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace graphmill::check {

struct OutlinedTest {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< one fx.graph @main, and the owned tensors
  std::vector<eval::HostTensor> inputs;
  llvm::SmallVector<CloseOp> checks; ///< one an output of the graph
};
llvm::Expected<OutlinedTest> outline(TestOp test);

/// Reports on the op each element (the first, and how many) that isn't close enough.
mlir::LogicalResult compare(CloseOp check, const eval::HostTensor &actual);

} // namespace graphmill::check
