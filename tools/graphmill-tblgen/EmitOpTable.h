#pragma once
#include "tools/graphmill-tblgen/OpRecords.h"
#include "llvm/Support/raw_ostream.h"

namespace graphmill::tblgen {

/// The importer's table: static arrays, included by fx/Aten/OpTable.cpp.
void emitOpTable(llvm::ArrayRef<OpRecord> ops, llvm::raw_ostream &os);
/// graphmill/GraphOps.inc: a method of graphmill::Graph for each op.
void emitGraphOps(llvm::ArrayRef<OpRecord> ops, llvm::raw_ostream &os);
/// docs/ops.md: what is covered, a row an op.
void emitOpReference(llvm::ArrayRef<OpRecord> ops, llvm::raw_ostream &os);

} // namespace graphmill::tblgen
