//===- AffineLowering.h - Size expressions as LLVM IR and as text
//----------===//
#pragma once
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include <string>

namespace graphmill::host {

/// Emits straight-line i64 code for (semi-)affine expressions over symbols.
/// Equal subexpressions are emitted once. Overflow, and division by what isn't
/// positive, are noted rather than left to wrap: the symbols come from the
/// user's shapes.
class AffineLowering {
public:
  /// `symbols[i]` is the value of s<i>; null where it isn't known yet.
  AffineLowering(llvm::IRBuilder<> &builder,
                 llvm::ArrayRef<llvm::Value *> symbols)
      : builder(builder), symbols(symbols.begin(), symbols.end()),
        failed(builder.getFalse()) {}

  llvm::Value *lower(mlir::AffineExpr expr);

  /// Makes the symbol known from here on.
  void setSymbol(unsigned position, llvm::Value *value) {
    symbols[position] = value;
  }

  /// a / b rounded down; b is not checked.
  llvm::Value *floorDiv(llvm::Value *a, llvm::Value *b);

  /// An i1: whether any value so far is wrong.
  llvm::Value *getFailed() const { return failed; }

private:
  llvm::Value *lowerBinary(mlir::AffineBinaryOpExpr expr);
  llvm::Value *checked(llvm::Intrinsic::ID intrinsic, llvm::Value *a,
                       llvm::Value *b);
  llvm::Value *checkedDivisor(llvm::Value *divisor);

  llvm::IRBuilder<> &builder;
  llvm::SmallVector<llvm::Value *> symbols;
  llvm::DenseMap<mlir::AffineExpr, llvm::Value *> lowered;
  llvm::Value *failed;
};

/// "2*batch + 1": for messages and `graphmill inspect`.
std::string printDim(mlir::AffineExpr expr,
                     llvm::ArrayRef<llvm::StringRef> symbolNames);

} // namespace graphmill::host
