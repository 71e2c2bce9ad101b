#include "codegen/cpu/MicroKernel.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace graphmill::cpu {

unsigned rowsInRegisters(unsigned numRegisters, unsigned vectors) {
  return std::max(1u, (numRegisters - vectors - 1) / vectors);
}

void emitForEachRow(LoopBuilder &b, ArrayRef<Value *> sums, unsigned width,
                    function_ref<void(Value *, ArrayRef<Value *>)> body) {
  if (sums.size() == width) {
    return body(b.index(0), sums);
  }
  Type *vector = sums[0]->getType();
  Value *tile = b.stackArray(vector, sums.size());
  for (auto [i, sum] : enumerate(sums)) {
    b.CreateStore(sum, b.CreateConstInBoundsGEP1_64(vector, tile, i));
  }
  b.forLoop(b.index(0), b.index(sums.size() / width), b.index(1), [&](Value *row) {
    Value *first = b.CreateInBoundsGEP(vector, tile, b.CreateMul(row, b.index(width)));
    Values ofRow;
    for (unsigned i = 0; i < width; ++i) {
      ofRow.push_back(b.CreateLoad(vector, b.CreateConstInBoundsGEP1_64(vector, first, i)));
    }
    body(row, ofRow);
  });
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

void MicroKernel::setRows(LoopBuilder &b, Value *first, Value *stride, unsigned numRows) {
  rows.clear();
  auto *known = dyn_cast<ConstantInt>(stride);
  for (unsigned r = 0; r < numRows; ++r) {
    rows.push_back(known ? Row{first, r * known->getSExtValue()}
                         : Row{b.CreateGEP(b.getFloatTy(), first, b.CreateMul(stride, b.index(r)))});
  }
}

Values MicroKernel::emit(LoopBuilder &b, ArrayRef<Value *> sums) const {
  Type *element = b.getFloatTy();
  FixedVectorType *vector = vectorType(b);
  // Steps are constants from the pointers at the turn's first one, where strides are known:
  // what instructions hold in their addresses, and nothing that LLVM need look for.
  auto turn = [&](Value *k, ArrayRef<Value *> before, int64_t numSteps) {
    Values now(before.begin(), before.end());
    Value *column = b.CreateGEP(element, columns, b.CreateMul(k, strideB)), *alongRow = b.CreateMul(k, strideA);
    SmallDenseMap<Value *, Value *> places;
    for (const Row &row : rows) {
      Value *&place = places[row.pointer];
      place = place ? place : b.CreateGEP(element, row.pointer, alongRow);
    }
    for (int64_t i = 0; i < numSteps; ++i) {
      SmallVector<Value *> row;
      for (unsigned v = 0; v < vectors; ++v) {
        Value *pointer = b.CreateGEP(element, column, b.CreateAdd(b.CreateMul(b.index(i), strideB), b.index(v * lanes)));
        row.push_back(masks.empty() ? static_cast<Value *>(b.CreateAlignedLoad(vector, pointer, Align(4)))
                                    : b.CreateMaskedLoad(vector, pointer, Align(4), masks[v], Constant::getNullValue(vector)));
      }
      for (auto [r, from] : enumerate(rows)) {
        Value *step = b.CreateAdd(b.CreateMul(b.index(i), strideA), b.index(from.offset));
        Value *a = b.CreateVectorSplat(lanes, b.CreateLoad(element, b.CreateGEP(element, places[from.pointer], step)));
        for (unsigned v = 0; v < vectors; ++v) {
          Value *&sum = now[r * vectors + v];
          sum = b.CreateIntrinsic(vector, Intrinsic::fma, {a, row[v], sum});
        }
      }
    }
    return now;
  };
  // Steps a turn: the loop's own instructions cost a tenth of a dozen sums, and nothing of 28.
  int64_t unroll = std::clamp<int64_t>(48 / sums.size(), 1, 4);
  Value *whole = b.CreateMul(b.CreateUDiv(length, b.index(unroll)), b.index(unroll));
  Values result = b.forLoop(b.index(0), whole, b.index(unroll), sums,
                            [&](Value *k, ArrayRef<Value *> now) { return turn(k, now, unroll); });
  return b.forLoop(whole, length, b.index(1), result, [&](Value *k, ArrayRef<Value *> now) { return turn(k, now, 1); });
}

} // namespace graphmill::cpu
