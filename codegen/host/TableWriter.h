//===- TableWriter.h - Read-only C tables as LLVM constants
//----------------===//
#pragma once
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace graphmill::host {

/// Builds constants laid out as a C compiler would lay out the same fields in
/// order.
class TableWriter {
public:
  explicit TableWriter(llvm::Module &module) : module(module) {}

  llvm::Constant *i32(int64_t value);
  llvm::Constant *i64(int64_t value);
  llvm::Constant *null();

  /// A pointer to the zero-terminated text; equal texts share one.
  llvm::Constant *text(llvm::StringRef text);

  /// A pointer to the elements, which have one type; null if there are none.
  llvm::Constant *array(llvm::ArrayRef<llvm::Constant *> elements);

  /// A struct value, for use in array() or a global. Its size must be that of
  /// the C struct.
  llvm::Constant *record(llvm::ArrayRef<llvm::Constant *> fields,
                         size_t sizeBytes);

private:
  llvm::GlobalVariable *hide(llvm::Constant *value);

  llvm::Module &module;
  llvm::StringMap<llvm::Constant *> texts;
};

} // namespace graphmill::host
