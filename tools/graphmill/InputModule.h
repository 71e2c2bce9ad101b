//===- InputModule.h - What commands compile: archives and graphs ----------===//
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace graphmill::tools {

/// A .pt2 archive, or MLIR as text or bytecode, by the file's first bytes.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> readModule(llvm::StringRef path, mlir::MLIRContext &context);

/// Keeps the errors that passes report at user's locations, to show them as one message.
class DiagnosticCollector {
public:
  /// Remarks go to the stream at once, if one is given.
  DiagnosticCollector(mlir::MLIRContext *context, llvm::raw_ostream *remarks);
  ~DiagnosticCollector();
  llvm::Error toError(llvm::StringRef file);

private:
  mlir::MLIRContext *context;
  mlir::DiagnosticEngine::HandlerID handler;
  std::vector<std::string> errors;
};

} // namespace graphmill::tools
