//===- SizeTable.h - The `values` array of a plan
//--------------------------===//
#pragma once
#include "codegen/host/AffineLowering.h"
#include "codegen/host/SolveSymbols.h"
#include "codegen/host/TableWriter.h"
#include <map>

namespace graphmill::host {

/// Numbers the distinct sizes of a plan: static ones first, which need no code,
/// then those that a function computes from the symbols. A size that isn't set
/// counts as 0.
class SizeTable {
public:
  SizeTable(const Plan &plan, llvm::Module &module);

  unsigned indexOf(mlir::AffineExpr expr) const;
  unsigned getNumConstants() const { return constants.size(); }
  unsigned getNumValues() const { return constants.size() + computed.size(); }

  llvm::Constant *emitConstants(TableWriter &tables) const;

  /// void solve(const int64_t *dims, int64_t *symbols). Divides without a check
  /// for a remainder: a dim that isn't what its expression says is found by the
  /// comparison later.
  llvm::Function *emitSolve(const Plan &plan,
                            llvm::ArrayRef<SymbolSource> sources) const;

  /// int32_t eval(const int64_t *symbols, int64_t *values)
  llvm::Function *emitEval(const Plan &plan) const;

private:
  llvm::Function *createFunction(llvm::Type *result,
                                 llvm::StringRef name) const;

  llvm::Module &module;
  std::vector<int64_t> constants;
  std::vector<mlir::AffineExpr> computed;
  std::map<int64_t, unsigned> constantIndex;
  llvm::DenseMap<mlir::AffineExpr, unsigned> computedIndex;
};

} // namespace graphmill::host
