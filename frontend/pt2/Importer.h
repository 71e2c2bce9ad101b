//===- Importer.h - From an exported program to an fx module ---------------===//
#pragma once
#include "frontend/pt2/ExportedProgram.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace graphmill::pt2 {

struct ImportOptions {
  /// Write `fx.call` for ops that have no record instead of refusing them all together.
  bool keepUnknownOps = false;
};

/// A module with one `fx.graph @main` and an `fx.tensor` for each weight it uses.
/// Weights' values point into the archive's mapping, which they keep alive. The graph is
/// as exported: in-place ops and views are still there (`--aten-functionalize` is next).
/// The error holds everything that was found wrong, a line each, at the user's lines.
/// The context must have the fx and aten dialects loaded.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importProgram(mlir::MLIRContext &context, const ExportedProgram &program,
              const ImportOptions &options = {});

} // namespace graphmill::pt2
