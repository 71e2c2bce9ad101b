#include "codegen/cpu/MicroKernel.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace graphmill::cpu {

unsigned rowsInRegisters(unsigned numRegisters, unsigned vectors) {
  return std::max(1u, (numRegisters - vectors - 1) / vectors);
}

void emitTranspose(LoopBuilder &b, MutableArrayRef<Value *> vectors) {
  unsigned n = vectors.size();
  SmallVector<int> low, high;
  for (unsigned i = 0; i < n / 2; ++i) {
    low.append({static_cast<int>(i), static_cast<int>(n + i)});
    high.append({static_cast<int>(n / 2 + i), static_cast<int>(n + n / 2 + i)});
  }
  // Each turn interleaves the first half with the second: after log2(n), rows are columns.
  for (unsigned turn = 1; turn < n; turn *= 2) {
    SmallVector<Value *> next;
    for (unsigned i = 0; i < n / 2; ++i) {
      next.push_back(b.CreateShuffleVector(vectors[i], vectors[i + n / 2], low));
      next.push_back(b.CreateShuffleVector(vectors[i], vectors[i + n / 2], high));
    }
    copy(next, vectors.begin());
  }
}

Values MicroKernel::emit(LoopBuilder &b, ArrayRef<Value *> sums) const {
  Type *element = b.getFloatTy();
  FixedVectorType *vector = vectorType(b);
  auto step = [&](Value *k, ArrayRef<Value *> now) {
    Values next(now.begin(), now.end());
    SmallVector<Value *> row;
    for (unsigned v = 0; v < vectors; ++v) {
      Value *pointer = b.CreateGEP(element, columns, b.CreateAdd(b.CreateMul(k, strideB), b.index(v * lanes)));
      row.push_back(masks.empty() ? static_cast<Value *>(b.CreateAlignedLoad(vector, pointer, Align(4)))
                                  : b.CreateMaskedLoad(vector, pointer, Align(4), masks[v], Constant::getNullValue(vector)));
    }
    for (unsigned r = 0; r < rows.size(); ++r) {
      Value *pointer = b.CreateGEP(element, rows[r], b.CreateMul(k, strideA));
      Value *a = b.CreateVectorSplat(lanes, b.CreateLoad(element, pointer));
      for (unsigned v = 0; v < vectors; ++v) {
        Value *&sum = next[r * vectors + v];
        sum = b.CreateIntrinsic(vector, Intrinsic::fma, {a, row[v], sum});
      }
    }
    return next;
  };
  // Four steps a turn: the loop's own instructions cost a tenth of the sums otherwise.
  constexpr int64_t kUnroll = 4;
  Value *whole = b.CreateMul(b.CreateUDiv(length, b.index(kUnroll)), b.index(kUnroll));
  Values result = b.forLoop(b.index(0), whole, b.index(kUnroll), sums, [&](Value *k, ArrayRef<Value *> now) {
    Values next(now.begin(), now.end());
    for (int64_t i = 0; i < kUnroll; ++i) {
      next = step(b.CreateAdd(k, b.index(i)), next);
    }
    return next;
  });
  return b.forLoop(whole, length, b.index(1), result, step);
}

} // namespace graphmill::cpu
