//===- MicroKernel.h - A tile of sums of products in registers -------------===//
#pragma once
#include "codegen/cpu/LoopBuilder.h"

namespace graphmill::cpu {

/// sums[r][v] += a[r][k] * b[k][v * lanes …] for k in [0, length), float32.
struct MicroKernel {
  unsigned lanes, vectors; ///< columns: vectors * lanes

  /// a[r][0] is `offset` elements behind `pointer`. Rows that share a pointer share the
  /// register it is in: fourteen pointers are more than x86 has.
  struct Row {
    llvm::Value *pointer;
    int64_t offset = 0;
  };
  llvm::SmallVector<Row> rows;
  llvm::Value *strideA;                  ///< elements from a[r][k] to a[r][k + 1]
  llvm::Value *columns;                  ///< pointer to b[0][0]
  llvm::Value *strideB;                  ///< elements from b[k] to b[k + 1]
  llvm::Value *length;
  llvm::SmallVector<llvm::Value *> masks; ///< one a vector: columns that exist; empty: all

  /// The rows of a matrix whose first one is at `first`.
  void setRows(LoopBuilder &b, llvm::Value *first, llvm::Value *stride, unsigned numRows);
  llvm::FixedVectorType *vectorType(LoopBuilder &b) const { return llvm::FixedVectorType::get(b.getFloatTy(), lanes); }
  Values zeros(LoopBuilder &b, unsigned numRows) const {
    return Values(numRows * vectors, llvm::Constant::getNullValue(vectorType(b)));
  }
  Values emit(LoopBuilder &b, llvm::ArrayRef<llvm::Value *> sums) const;
};

/// `body` for each row of a tile of sums, `width` vectors a row. The sums go through memory, so
/// that a body of many ops is there once and not for each row.
void emitForEachRow(LoopBuilder &b, llvm::ArrayRef<llvm::Value *> sums, unsigned width,
                    llvm::function_ref<void(llvm::Value *, llvm::ArrayRef<llvm::Value *>)> body);

/// Columns of the square that the vectors are the rows of; as many vectors as lanes.
void emitTranspose(LoopBuilder &b, llvm::MutableArrayRef<llvm::Value *> vectors);

/// Rows that the registers hold beside one row of b and one element of a.
unsigned rowsInRegisters(unsigned numRegisters, unsigned vectors);

} // namespace graphmill::cpu
