#include "codegen/cpu/KernelEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace graphmill::cpu {

using loop::Reducer;

namespace {

bool isArg(Reducer reducer) { return reducer == Reducer::Argmax || reducer == Reducer::Argmin; }
bool isMax(Reducer reducer) { return reducer == Reducer::Max || reducer == Reducer::Argmax; }

/// One running result of a reduction: a value, and for argmax and argmin a position.
struct Accumulator {
  LoopBuilder &b;
  Reducer reducer;
  mlir::Type element; ///< signed, or bool: unsigned ones were widened

  bool real() const { return isFloat(element); }
  bool natural() const { return element.isInteger(1); }

  Constant *identity(Type *type) const {
    Type *scalar = type->getScalarType();
    Constant *value;
    switch (reducer) {
    case Reducer::Sum:
    case Reducer::Or:
      value = Constant::getNullValue(scalar);
      break;
    case Reducer::Prod:
      value = real() ? ConstantFP::get(scalar, 1.0) : static_cast<Constant *>(ConstantInt::get(scalar, 1));
      break;
    case Reducer::And:
      value = Constant::getAllOnesValue(scalar);
      break;
    default: { // extremes
      bool high = !isMax(reducer);
      if (real()) {
        value = ConstantFP::getInfinity(scalar, !high);
      } else {
        unsigned width = scalar->getIntegerBitWidth();
        APInt bits = natural() ? (high ? APInt::getMaxValue(width) : APInt::getMinValue(width))
                               : (high ? APInt::getSignedMaxValue(width) : APInt::getSignedMinValue(width));
        value = ConstantInt::get(scalar, bits);
      }
    }
    }
    auto *vector = dyn_cast<FixedVectorType>(type);
    return vector ? ConstantVector::getSplat(vector->getElementCount(), value) : value;
  }

  Value *combine(Value *x, Value *y) const {
    switch (reducer) {
    case Reducer::Sum:
      return real() ? b.CreateFAdd(x, y) : b.CreateAdd(x, y);
    case Reducer::Prod:
      return real() ? b.CreateFMul(x, y) : b.CreateMul(x, y);
    case Reducer::And:
      return b.CreateAnd(x, y);
    case Reducer::Or:
      return b.CreateOr(x, y);
    default:
      return real() ? emitMaximum(b, x, y, isMax(reducer))
                    : b.CreateBinaryIntrinsic(isMax(reducer) ? (natural() ? Intrinsic::umax : Intrinsic::smax)
                                                             : (natural() ? Intrinsic::umin : Intrinsic::smin), x, y);
    }
  }

  /// Whether (value, at) is to replace (best, bestAt): a better value, a first NaN, or an
  /// equal one that comes earlier.
  Value *beats(Value *value, Value *at, Value *best, Value *bestAt) const {
    Value *better, *equal;
    if (real()) {
      Value *valueNan = b.CreateFCmpUNO(value, value), *bestNan = b.CreateFCmpUNO(best, best);
      better = isMax(reducer) ? b.CreateFCmpOGT(value, best) : b.CreateFCmpOLT(value, best);
      better = b.CreateOr(b.CreateAnd(better, b.CreateNot(bestNan)), b.CreateAnd(valueNan, b.CreateNot(bestNan)));
      equal = b.CreateOr(b.CreateFCmpOEQ(value, best), b.CreateAnd(valueNan, bestNan));
    } else {
      auto predicate = isMax(reducer) ? (natural() ? CmpInst::ICMP_UGT : CmpInst::ICMP_SGT)
                                      : (natural() ? CmpInst::ICMP_ULT : CmpInst::ICMP_SLT);
      better = b.CreateICmp(predicate, value, best);
      equal = b.CreateICmpEQ(value, best);
    }
    return b.CreateOr(better, b.CreateAnd(equal, b.CreateICmpSLT(at, bestAt)));
  }
};

/// Halves the lanes until one is left.
Value *horizontal(const Accumulator &accumulator, Value *vector) {
  LoopBuilder &b = accumulator.b;
  unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
  while (lanes > 1) {
    lanes /= 2;
    SmallVector<int> low, high;
    for (unsigned i = 0; i < lanes; ++i) {
      low.push_back(i);
      high.push_back(i + lanes);
    }
    vector = accumulator.combine(b.CreateShuffleVector(vector, low), b.CreateShuffleVector(vector, high));
  }
  return b.CreateExtractElement(vector, uint64_t(0));
}

std::pair<Value *, Value *> horizontalArg(const Accumulator &accumulator, Value *values, Value *places) {
  LoopBuilder &b = accumulator.b;
  unsigned lanes = cast<FixedVectorType>(values->getType())->getNumElements();
  Value *best = b.CreateExtractElement(values, uint64_t(0)), *at = b.CreateExtractElement(places, uint64_t(0));
  for (unsigned i = 1; i < lanes; ++i) {
    Value *value = b.CreateExtractElement(values, i), *place = b.CreateExtractElement(places, i);
    Value *take = accumulator.beats(value, place, best, at);
    best = b.CreateSelect(take, value, best);
    at = b.CreateSelect(take, place, at);
  }
  return {best, at};
}

} // namespace

std::vector<Values> KernelEmitter::emitReduceAt(loop::ReduceOp op, ArrayRef<Place> places, const Ranges &ranges) {
  const KernelPlan::Inner &inner = plan->inner.find(op)->second;
  Place start = places[0];
  unsigned first = start.axes.size();
  start.axes.append(inner.extents.size(), b.index(0));
  bool ownLanes = inner.vectorAxis != KernelPlan::kNone;
  unsigned lanes = ownLanes ? inner.lanes : start.lanes;

  SmallVector<Accumulator> accumulators;
  Values one; // of one place
  auto lanesOf = [&](Type *type) -> Type * { return lanes > 1 ? FixedVectorType::get(type, lanes) : type; };
  for (auto [i, value] : enumerate(op.getYield().getValues())) {
    accumulators.push_back({b, op.getReducer(i), value.getType()});
    Type *type = lanesOf(llvmType(b.getContext(), value.getType()));
    one.push_back(accumulators.back().identity(type));
    if (isArg(op.getReducer(i))) {
      // Later than every place: an element equal to the identity still wins.
      one.push_back(ConstantInt::get(lanesOf(b.getInt64Ty()), INT64_MAX));
    }
  }
  Values init;
  for (unsigned p = 0; p < places.size(); ++p) {
    init.append(one.begin(), one.end());
  }
  // A sum of products rounds once a term.
  auto emitFused = [&](const Accumulator &accumulator, mlir::Value yielded, Value *carried) -> Value * {
    auto product = yielded.getDefiningOp<mlir::arith::MulFOp>();
    if (!product || accumulator.reducer != Reducer::Sum || !product->hasOneUse()) {
      return nullptr;
    }
    Value *values[] = {lookup(product.getLhs()), lookup(product.getRhs()), carried};
    unifyLanes(b, values);
    return b.CreateIntrinsic(carried->getType(), Intrinsic::fma, values);
  };
  Dims axes = loop::axesOf(&op.getBlock());
  /// The elements at one place, combined with what is carried.
  auto step = [&](const Place &here, ArrayRef<Value *> carried, Values &next) {
    emitOps(op.getBlock(), here);
    unsigned at = 0;
    for (auto [i, yielded] : enumerate(op.getYield().getValues())) {
      const Accumulator &accumulator = accumulators[i];
      Value *value = lookup(yielded);
      if (lanes > 1 && !value->getType()->isVectorTy()) {
        value = b.CreateVectorSplat(lanes, value);
      }
      // Lanes past a row's end count for nothing (outer lanes are cut when stored).
      Value *mask = ownLanes ? here.mask : nullptr;
      if (!isArg(accumulator.reducer)) {
        Value *sum = emitFused(accumulator, yielded, carried[at]);
        sum = sum ? sum : accumulator.combine(carried[at], value);
        next.push_back(mask ? b.CreateSelect(mask, sum, carried[at]) : sum);
        at += 1;
        continue;
      }
      mlir::AffineExpr flat = constantDim(op.getContext(), 0);
      for (unsigned axis = first; axis < axes.size(); ++axis) {
        flat = flat * axes[axis] + mlir::getAffineDimExpr(axis, op.getContext());
      }
      Value *position = emitIndex(flat, here);
      if (lanes > 1 && !position->getType()->isVectorTy()) {
        position = b.CreateVectorSplat(lanes, position);
      }
      Value *take = accumulator.beats(value, position, carried[at], carried[at + 1]);
      take = mask ? b.CreateAnd(take, mask) : take;
      next.push_back(b.CreateSelect(take, value, carried[at]));
      next.push_back(b.CreateSelect(take, position, carried[at + 1]));
      at += 2;
    }
  };
  Values totals = innerNest(inner, ranges, start, first, 0, init, [&](const Place &here, ArrayRef<Value *> carried) {
    Values next;
    for (auto [p, place] : enumerate(places)) {
      Place at = here;
      copy(place.axes, at.axes.begin());
      step(at, carried.slice(p * one.size(), one.size()), next);
    }
    return next;
  });
  bool collapse = ownLanes && lanes > 1;
  std::vector<Values> results(places.size());
  Value **total = totals.begin();
  for (Values &result : results) {
    for (const Accumulator &accumulator : accumulators) {
      if (isArg(accumulator.reducer)) {
        result.push_back(collapse ? horizontalArg(accumulator, total[0], total[1]).second : total[1]);
        total += 2;
      } else {
        result.push_back(collapse ? horizontal(accumulator, total[0]) : total[0]);
        total += 1;
      }
    }
  }
  return results;
}

void KernelEmitter::emitReduce(loop::ReduceOp op, const Place &place) {
  Values values = emitReduceAt(op, place)[0];
  for (auto [result, value] : zip(op.getResults(), values)) {
    define(result, value);
  }
}

} // namespace graphmill::cpu
