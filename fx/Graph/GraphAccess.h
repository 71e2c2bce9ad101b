//===- GraphAccess.h - The module inside a Graph ---------------------------===//
#pragma once
#include "graphmill/Graph.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace graphmill {

/// For the compiler: users of Graph need no MLIR.
struct GraphAccess {
  /// A finished copy of the module; the graph may be built further.
  static mlir::OwningOpRef<mlir::ModuleOp> module(const Graph &graph);
  static mlir::MLIRContext &context(const Graph &graph);
};

} // namespace graphmill
