//===- MicroKernel.h - A tile of sums of products in registers -------------===//
#pragma once
#include "codegen/cpu/LoopBuilder.h"

namespace graphmill::cpu {

/// sums[r][v] += a[r][k] * b[k][v * lanes …] for k in [0, length), float32.
struct MicroKernel {
  unsigned lanes, vectors; ///< columns: vectors * lanes

  llvm::SmallVector<llvm::Value *> rows; ///< pointers to a[r][0]
  llvm::Value *strideA;                  ///< elements from a[r][k] to a[r][k + 1]
  llvm::Value *columns;                  ///< pointer to b[0][0]
  llvm::Value *strideB;                  ///< elements from b[k] to b[k + 1]
  llvm::Value *length;
  llvm::SmallVector<llvm::Value *> masks; ///< one a vector: columns that exist; empty: all

  llvm::FixedVectorType *vectorType(LoopBuilder &b) const { return llvm::FixedVectorType::get(b.getFloatTy(), lanes); }
  Values zeros(LoopBuilder &b, unsigned numRows) const {
    return Values(numRows * vectors, llvm::Constant::getNullValue(vectorType(b)));
  }
  Values emit(LoopBuilder &b, llvm::ArrayRef<llvm::Value *> sums) const;
};

/// Columns of the square that the vectors are the rows of; as many vectors as lanes.
void emitTranspose(LoopBuilder &b, llvm::MutableArrayRef<llvm::Value *> vectors);

/// Rows that the registers hold beside one row of b and one element of a.
unsigned rowsInRegisters(unsigned numRegisters, unsigned vectors);

} // namespace graphmill::cpu
