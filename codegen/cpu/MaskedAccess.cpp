#include "codegen/cpu/MaskedAccess.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace graphmill::cpu {

/// Lanes first, first + 1, … of a vector. Conjunctions are cut before they are made, so that a
/// part that a constant turns off is the constant zero already here.
static Value *cutOut(LoopBuilder &b, Value *vector, unsigned first, unsigned count) {
  auto *both = dyn_cast<BinaryOperator>(vector);
  if (!both || both->getOpcode() != Instruction::And) {
    return b.CreateShuffleVector(vector, createSequentialMask(first, count, 0));
  }
  Value *x = cutOut(b, both->getOperand(0), first, count), *y = cutOut(b, both->getOperand(1), first, count);
  for (auto [constant, other] : {std::pair(x, y), std::pair(y, x)}) {
    if (auto *known = dyn_cast<Constant>(constant); known && (known->isNullValue() || known->isAllOnesValue())) {
      return known->isNullValue() ? constant : other;
    }
  }
  return b.CreateAnd(x, y);
}

/// Calls `body` for each part with a function that cuts it out of a vector.
static void forEachPart(LoopBuilder &b, unsigned registerBytes, FixedVectorType *type,
                        function_ref<void(unsigned first, unsigned count, function_ref<Value *(Value *)> cut)> body) {
  Type *element = type->getElementType();
  unsigned lanes = type->getNumElements();
  unsigned most = registerBytes * 8 / std::max(8u, element->getScalarSizeInBits());
  for (unsigned first = 0; first < lanes; first += most) {
    unsigned count = std::min(most, lanes - first);
    body(first, count, [&](Value *vector) {
      return count == lanes ? vector : cutOut(b, vector, first, count);
    });
  }
}

Value *emitMaskedLoad(LoopBuilder &b, unsigned registerBytes, FixedVectorType *type, Value *pointer, Align align,
                      Value *mask, Value *other) {
  SmallVector<Value *> parts;
  forEachPart(b, registerBytes, type, [&](unsigned first, unsigned count, function_ref<Value *(Value *)> cut) {
    auto *part = FixedVectorType::get(type->getElementType(), count);
    if (pointer->getType()->isVectorTy()) {
      parts.push_back(b.CreateMaskedGather(part, cut(pointer), align, cut(mask), cut(other)));
      return;
    }
    Value *from = first ? b.CreateConstGEP1_64(type->getElementType(), pointer, first) : pointer;
    parts.push_back(b.CreateMaskedLoad(part, from, align, cut(mask), cut(other)));
  });
  return parts.size() == 1 ? parts[0] : concatenateVectors(b, parts);
}

/// The lane of a constant mask that has a single one.
static std::optional<unsigned> onlyLane(Value *mask) {
  auto *constant = dyn_cast<Constant>(mask);
  std::optional<unsigned> only;
  for (unsigned i = 0; constant && i < cast<FixedVectorType>(mask->getType())->getNumElements(); ++i) {
    Constant *lane = constant->getAggregateElement(i);
    if (lane && lane->isNullValue()) {
      continue;
    }
    if (only || !lane || !lane->isOneValue()) {
      return std::nullopt;
    }
    only = i;
  }
  return only;
}

void emitMaskedStore(LoopBuilder &b, unsigned registerBytes, Value *value, Value *pointer, Align align, Value *mask) {
  auto *type = cast<FixedVectorType>(value->getType());
  forEachPart(b, registerBytes, type, [&](unsigned first, unsigned, function_ref<Value *(Value *)> cut) {
    if (pointer->getType()->isVectorTy()) {
      b.CreateMaskedScatter(cut(value), cut(pointer), align, cut(mask));
      return;
    }
    Value *part = cut(mask);
    if (std::optional<unsigned> lane = onlyLane(part)) {
      // Of a truncated vector, LLVM 22 would write one element of the wide type
      // (github.com/llvm/llvm-project/issues/179489).
      Value *to = b.CreateConstGEP1_64(type->getElementType(), pointer, first + *lane);
      b.CreateAlignedStore(b.CreateExtractElement(value, first + *lane), to, align);
      return;
    }
    Value *to = first ? b.CreateConstGEP1_64(type->getElementType(), pointer, first) : pointer;
    b.CreateMaskedStore(cut(value), to, align, part);
  });
}

} // namespace graphmill::cpu
