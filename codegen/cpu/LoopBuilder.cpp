#include "codegen/cpu/LoopBuilder.h"

using namespace llvm;

namespace graphmill::cpu {

Values LoopBuilder::forLoop(Value *lo, Value *hi, Value *step, ArrayRef<Value *> init,
                            function_ref<Values(Value *, ArrayRef<Value *>)> body) {
  if (auto l = known(lo), h = known(hi), s = known(step); l && h && s) {
    if (*l >= *h) {
      return Values(init);
    }
    if (*l + *s >= *h) {
      return body(lo, init);
    }
  }
  Function *function = GetInsertBlock()->getParent();
  BasicBlock *before = GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(getContext(), "loop", function);
  BasicBlock *after = BasicBlock::Create(getContext(), "after", function);
  CreateCondBr(CreateICmpSLT(lo, hi), loop, after);

  SetInsertPoint(loop);
  PHINode *iv = CreatePHI(lo->getType(), 2, "i");
  iv->addIncoming(lo, before);
  SmallVector<PHINode *> phis;
  Values carried;
  for (Value *value : init) {
    PHINode *phi = CreatePHI(value->getType(), 2);
    phi->addIncoming(value, before);
    phis.push_back(phi);
    carried.push_back(phi);
  }
  Values next = body(iv, carried);
  BasicBlock *latch = GetInsertBlock();
  Value *following = CreateAdd(iv, step, "", /*HasNUW=*/true, /*HasNSW=*/true);
  iv->addIncoming(following, latch);
  CreateCondBr(CreateICmpSLT(following, hi), loop, after);

  SetInsertPoint(after);
  Values results;
  for (auto [i, phi] : enumerate(phis)) {
    phi->addIncoming(next[i], latch);
    PHINode *result = CreatePHI(phi->getType(), 2);
    result->addIncoming(init[i], before);
    result->addIncoming(next[i], latch);
    results.push_back(result);
  }
  return results;
}

Value *LoopBuilder::stackArray(Type *element, unsigned count) {
  InsertPointGuard guard(*this);
  BasicBlock &entry = GetInsertBlock()->getParent()->getEntryBlock();
  SetInsertPoint(&entry, entry.begin());
  return CreateAlloca(element, index(count));
}

void LoopBuilder::ifThen(Value *condition, function_ref<void()> body) {
  ifThenElse(condition, body, nullptr);
}

void LoopBuilder::ifThenElse(Value *condition, function_ref<void()> then, function_ref<void()> otherwise) {
  if (auto constant = dyn_cast<ConstantInt>(condition)) {
    if (constant->isOne()) {
      then();
    } else if (otherwise) {
      otherwise();
    }
    return;
  }
  Function *function = GetInsertBlock()->getParent();
  BasicBlock *yes = BasicBlock::Create(getContext(), "then", function);
  BasicBlock *no = otherwise ? BasicBlock::Create(getContext(), "else", function) : nullptr;
  BasicBlock *after = BasicBlock::Create(getContext(), "after", function);
  CreateCondBr(condition, yes, no ? no : after);
  SetInsertPoint(yes);
  then();
  CreateBr(after);
  if (no) {
    SetInsertPoint(no);
    otherwise();
    CreateBr(after);
  }
  SetInsertPoint(after);
}

} // namespace graphmill::cpu
