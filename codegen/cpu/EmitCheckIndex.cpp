#include "codegen/cpu/KernelEmitter.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace graphmill::cpu {

/// Two comparisons and a branch that isn't taken. Of several bad lanes the largest value is
/// reported; threads that report at once leave one of their values.
void KernelEmitter::emitCheckIndex(loop::CheckIndexOp op, const Place &place) {
  Value *index = lookup(op.getIndex()), *size = emitIndex(op.getSize().getExpr(), Place());
  Value *pair[] = {index, b.CreateSub(size, b.index(1))};
  unifyLanes(b, pair);
  Value *zero = Constant::getNullValue(index->getType());
  Value *inside = b.CreateBinaryIntrinsic(Intrinsic::smax, b.CreateBinaryIntrinsic(Intrinsic::smin, index, pair[1]), zero);
  Value *isBad = b.CreateICmpNE(index, inside), *value = index;
  define(op, inside);
  if (auto *vector = dyn_cast<VectorType>(index->getType())) {
    isBad = place.mask ? b.CreateAnd(isBad, place.mask) : isBad;
    Value *least = b.CreateVectorSplat(vector->getElementCount(), b.index(INT64_MIN));
    value = b.CreateSelect(isBad, index, least);
    isBad = b.CreateOrReduce(isBad);
  }
  b.ifThen(isBad, [&] {
    Value *report = value->getType()->isVectorTy() ? b.CreateIntMaxReduce(value, /*IsSigned=*/true) : value;
    Value *faults = buffer(op.getFaults());
    auto word = [&](unsigned i, Value *written) {
      StoreInst *store = b.CreateAlignedStore(written, b.CreateConstGEP1_64(b.getInt64Ty(), faults, i), Align(8));
      store->setAtomic(AtomicOrdering::Monotonic);
    };
    word(1, report);
    word(2, size);
    word(0, b.index(1));
  });
}

} // namespace graphmill::cpu
