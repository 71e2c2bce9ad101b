//===- MaskedAccess.h - Masked vectors in memory, a register at a time -----===//
//
// LLVM 22's x86 code generator takes a vector apart that is wider than a register, and where a
// conjunction with a constant turns a whole part of the mask off, it loads that part without a
// mask and stores it by an undefined one. So parts are taken here, of each condition.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/cpu/LoopBuilder.h"

namespace graphmill::cpu {

/// The lanes that `mask` has on, `other`'s elsewhere. `pointer` is of the first lane, or a
/// vector of one each.
llvm::Value *emitMaskedLoad(LoopBuilder &b, unsigned registerBytes, llvm::FixedVectorType *type, llvm::Value *pointer,
                            llvm::Align align, llvm::Value *mask, llvm::Value *other);
void emitMaskedStore(LoopBuilder &b, unsigned registerBytes, llvm::Value *value, llvm::Value *pointer, llvm::Align align,
                     llvm::Value *mask);

} // namespace graphmill::cpu
