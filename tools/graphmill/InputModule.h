//===- InputModule.h - What commands compile: archives and graphs ----------===//
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/Error.h"

namespace graphmill::tools {

/// A .pt2 archive, or MLIR as text or bytecode, by the file's first bytes. `timing` gets "read" and
/// "import".
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> readModule(llvm::StringRef path, mlir::MLIRContext &context,
                                                             mlir::Timer timing = {});

/// Refuses to compile text that `--emit` printed: it has names in the weights' places.
llvm::Error checkWeights(mlir::ModuleOp module, llvm::StringRef path);

/// Whether it is a file, no pipe, that can be read and begins with these bytes.
bool startsWith(llvm::StringRef path, llvm::StringRef bytes);

} // namespace graphmill::tools
