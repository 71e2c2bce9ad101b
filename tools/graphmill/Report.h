//===- Report.h - What became of a model, as a page ------------------------===//
#pragma once
#include "tools/compiler/CompileModule.h"
#include "llvm/Support/JSON.h"

namespace graphmill::tools {

/// Collects what `compile --report` shows: the model's ops before they are compiled, remarks while they are, and
/// the kernels and the memory plan when they have been.
class Report {
public:
  /// Numbers the ops of the module's graph; see Origins.h.
  explicit Report(mlir::ModuleOp module);

  void addRemark(mlir::Location location, llvm::StringRef text);
  /// `bytes` is the library's size.
  void finish(const ModuleSummary &summary, const ModuleOptions &options, uint64_t bytes);

  const llvm::json::Object &data() const { return all; }
  /// One file without references to others. It appears whole or not at all.
  llvm::Error write(llvm::StringRef path) const;

private:
  llvm::json::Object all;
  llvm::json::Array ops, remarks;
};

} // namespace graphmill::tools
