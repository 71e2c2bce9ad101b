#include "codegen/cpu/KernelEmitter.h"
#include "codegen/cpu/BuildPlan.h"
#include "codegen/cpu/MaskedAccess.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using graphmill::loop::IndexForm;

namespace graphmill::cpu {

KernelEmitter::KernelEmitter(Module &module, loop::KernelOp kernel, const CpuTarget &target, StringRef name)
    : b(module.getContext()), kernel(kernel), target(target) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context), *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer, i64, i64, pointer}, false);
  Function *function = Function::Create(type, Function::ExternalLinkage, name, module);
  function->addFnAttr(Attribute::NoUnwind);
  b.SetInsertPoint(BasicBlock::Create(context, "entry", function));
  begin = function->getArg(2);
  end = function->getArg(3);
  scratch = function->getArg(4);
  MDNode *invariant = MDNode::get(context, {});
  for (unsigned i = 0; i < kernel.getBlock().getNumArguments(); ++i) {
    LoadInst *load = b.CreateLoad(pointer, b.CreateConstGEP1_64(pointer, function->getArg(0), i));
    load->setMetadata(LLVMContext::MD_invariant_load, invariant);
    buffers.push_back(load);
  }
  unsigned numSymbols = 0;
  kernel.walk([&](mlir::Operation *op) {
    for (mlir::NamedAttribute attr : op->getAttrs()) {
      if (auto map = dyn_cast<mlir::AffineMapAttr>(attr.getValue())) {
        numSymbols = std::max(numSymbols, map.getValue().getNumSymbols());
      } else if (auto dims = dyn_cast<fx::DimsAttr>(attr.getValue())) {
        for (Dim dim : dims.getExprs()) {
          numSymbols = std::max(numSymbols, countSymbols(dim));
        }
      }
    }
  });
  for (unsigned i = 0; i < numSymbols; ++i) {
    LoadInst *load = b.CreateLoad(i64, b.CreateConstGEP1_64(i64, function->getArg(1), i));
    load->setMetadata(LLVMContext::MD_invariant_load, invariant);
    symbols.push_back(load);
  }
}

Value *KernelEmitter::buffer(mlir::Value tensor) { return buffers[cast<mlir::BlockArgument>(tensor).getArgNumber()]; }

//===----------------------------------------------------------------------===//
// Index expressions
//===----------------------------------------------------------------------===//

Value *KernelEmitter::laneIota(unsigned lanes) {
  SmallVector<Constant *> values;
  for (unsigned i = 0; i < lanes; ++i) {
    values.push_back(b.getInt64(i));
  }
  return ConstantVector::get(values);
}

static bool isPowerOfTwo(Value *value, unsigned &shift) {
  auto constant = LoopBuilder::known(value);
  if (!constant || *constant <= 0 || !isPowerOf2_64(*constant)) {
    return false;
  }
  shift = Log2_64(*constant);
  return true;
}

/// Not 0. A divisor that depends on sizes is 0 only where the dim that it belongs to is empty, and then no element is
/// there for the quotient to name; but a masked access computes its place all the same.
static Value *nonZeroDivisor(LoopBuilder &b, Value *divisor) {
  return LoopBuilder::known(divisor) ? divisor : b.CreateBinaryIntrinsic(Intrinsic::umax, divisor, b.index(1));
}

/// a / d rounded down, d > 0.
static Value *floorDivide(LoopBuilder &b, Value *a, Value *d, Value *scalarDivisor) {
  unsigned shift;
  if (isPowerOfTwo(scalarDivisor, shift)) {
    return b.CreateAShr(a, ConstantInt::get(a->getType(), shift));
  }
  Value *quotient = b.CreateSDiv(a, d);
  Value *remainder = b.CreateSub(a, b.CreateMul(quotient, d));
  Value *negative = b.CreateICmpSLT(remainder, ConstantInt::get(a->getType(), 0));
  return b.CreateAdd(quotient, b.CreateSExt(negative, a->getType()));
}

Value *KernelEmitter::emitIndex(mlir::AffineExpr expr, const Place &place, ArrayRef<Value *> indices) {
  if (auto constant = dyn_cast<mlir::AffineConstantExpr>(expr)) {
    return b.index(constant.getValue());
  }
  if (auto symbolExpr = dyn_cast<mlir::AffineSymbolExpr>(expr)) {
    return symbols[symbolExpr.getPosition()];
  }
  if (auto dim = dyn_cast<mlir::AffineDimExpr>(expr)) {
    unsigned i = dim.getPosition();
    if (i >= place.axes.size()) {
      return indices[i - place.axes.size()];
    }
    Value *value = place.axes[i];
    if (i == place.laneAxis && place.lanes > 1) {
      value = b.CreateAdd(b.CreateVectorSplat(place.lanes, value), laneIota(place.lanes));
    }
    return value;
  }
  auto binary = cast<mlir::AffineBinaryOpExpr>(expr);
  Value *scalarRhs = emitIndex(binary.getRHS(), place, indices);
  if (expr.getKind() != mlir::AffineExprKind::Add && expr.getKind() != mlir::AffineExprKind::Mul) {
    scalarRhs = nonZeroDivisor(b, scalarRhs);
  }
  Value *pair[] = {emitIndex(binary.getLHS(), place, indices), scalarRhs};
  unifyLanes(b, pair);
  auto [x, y] = std::tie(pair[0], pair[1]);
  switch (expr.getKind()) {
  case mlir::AffineExprKind::Add:
    return b.CreateAdd(x, y);
  case mlir::AffineExprKind::Mul:
    return b.CreateMul(x, y);
  case mlir::AffineExprKind::FloorDiv:
    return floorDivide(b, x, y, scalarRhs);
  case mlir::AffineExprKind::CeilDiv: {
    Value *one = ConstantInt::get(x->getType(), 1);
    return b.CreateAdd(floorDivide(b, b.CreateSub(x, one), y, scalarRhs), one);
  }
  default: { // Mod
    unsigned shift;
    if (isPowerOfTwo(scalarRhs, shift)) {
      return b.CreateAnd(x, ConstantInt::get(x->getType(), (int64_t(1) << shift) - 1));
    }
    return b.CreateSub(x, b.CreateMul(floorDivide(b, x, y, scalarRhs), y));
  }
  }
}

Value *KernelEmitter::elementPointer(mlir::Value tensor, Value *offset) {
  return b.CreateGEP(memoryType(b.getContext(), getElement(tensor)), buffer(tensor), offset);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

Values KernelEmitter::operandsOf(mlir::OperandRange operands) {
  Values result;
  for (mlir::Value operand : operands) {
    result.push_back(lookup(operand));
  }
  return result;
}

static bool anyVector(ArrayRef<Value *> values) {
  return any_of(values, [](Value *v) { return v && v->getType()->isVectorTy(); });
}

/// i8 in memory, i1 in registers.
static Value *fromMemory(LoopBuilder &b, Value *value, mlir::Type element) {
  return element.isInteger(1) ? b.CreateICmpNE(value, ConstantInt::get(value->getType(), 0)) : value;
}
static Value *toMemory(LoopBuilder &b, Value *value, mlir::Type element) {
  if (!element.isInteger(1)) {
    return value;
  }
  Type *byte = b.getInt8Ty();
  if (auto *vector = dyn_cast<VectorType>(value->getType())) {
    byte = VectorType::get(byte, vector->getElementCount());
  }
  return b.CreateZExt(value, byte);
}

/// The lanes' mask and the op's own as one vector of `lanes`; null if all are on.
static Value *combineMasks(LoopBuilder &b, Value *lanesMask, Value *own, unsigned lanes) {
  if (own && !own->getType()->isVectorTy()) {
    own = b.CreateVectorSplat(lanes, own);
  }
  if (!lanesMask || !own) {
    return own ? own : lanesMask;
  }
  return b.CreateAnd(lanesMask, own);
}

void KernelEmitter::emitLoad(loop::LoadOp op, const Place &place) {
  const Access &access = plan->accesses.find(op)->second;
  const IndexForm &form = access.form;
  Values indices = operandsOf(op.getIndices());
  Value *own = op.getMask() ? lookup(op.getMask()) : nullptr;
  if (own && isa<ConstantInt>(own) && cast<ConstantInt>(own)->isOne()) {
    own = nullptr;
  }
  Value *other = own ? lookup(op.getOther()) : nullptr;
  mlir::Type element = getElement(op.getTensor());
  Type *type = memoryType(b.getContext(), element);
  Align align(b.GetInsertBlock()->getModule()->getDataLayout().getABITypeAlign(type));

  bool varies = place.laneAxis != KernelPlan::kNone && form.uses(place.laneAxis);
  bool isVector = varies || anyVector(indices) || anyVector({own});
  // Lanes that are off hold zero, not poison: a formula may branch on a property of any lane.
  auto otherInMemory = [&](unsigned lanes) -> Value * {
    if (!other) {
      return Constant::getNullValue(FixedVectorType::get(type, lanes));
    }
    Value *value = toMemory(b, other, element);
    return value->getType()->isVectorTy() ? value : b.CreateVectorSplat(lanes, value);
  };
  if (!isVector) {
    Value *pointer = elementPointer(op.getTensor(), emitIndex(form.toExpr(), place, indices));
    if (!own) {
      define(op, fromMemory(b, b.CreateAlignedLoad(type, pointer, align), element));
      return;
    }
    if (anyVector({other})) {
      Value *one = b.CreateMaskedLoad(FixedVectorType::get(type, 1), pointer, align, b.CreateVectorSplat(1, own));
      Value *loaded = fromMemory(b, b.CreateExtractElement(one, uint64_t(0)), element);
      define(op, b.CreateSelect(own, b.CreateVectorSplat(place.lanes, loaded), other));
      return;
    }
    Value *one = b.CreateMaskedLoad(FixedVectorType::get(type, 1), pointer, align, b.CreateVectorSplat(1, own), otherInMemory(1));
    define(op, fromMemory(b, b.CreateExtractElement(one, uint64_t(0)), element));
    return;
  }
  auto *vectorType = FixedVectorType::get(type, place.lanes);
  Value *mask = combineMasks(b, place.mask, own, place.lanes);
  Value *result;
  bool contiguous = varies && !form.isNonlinear(place.laneAxis) && !anyVector(indices) &&
                    getStatic(form.coefficient(place.laneAxis)) == 1;
  if (contiguous) {
    Place first = place;
    first.lanes = 1;
    Value *pointer = elementPointer(op.getTensor(), emitIndex(form.toExpr(), first, indices));
    if (own && !own->getType()->isVectorTy()) {
      // Zen 2 takes microseconds over a masked load from an unmapped page, though no lane is on.
      pointer = b.CreateSelect(own, pointer, buffer(op.getTensor()));
    }
    result = mask ? emitMaskedLoad(b, target.vectorBytes, vectorType, pointer, align, mask, otherInMemory(place.lanes))
                  : static_cast<Value *>(b.CreateAlignedLoad(vectorType, pointer, align));
  } else {
    Value *offsets = emitIndex(form.toExpr(), place, indices);
    if (!offsets->getType()->isVectorTy()) {
      offsets = b.CreateVectorSplat(place.lanes, offsets);
    }
    Value *all = mask ? mask : ConstantInt::getTrue(FixedVectorType::get(b.getInt1Ty(), place.lanes));
    result = emitMaskedLoad(b, target.vectorBytes, vectorType, elementPointer(op.getTensor(), offsets), align, all,
                            otherInMemory(place.lanes));
  }
  define(op, fromMemory(b, result, element));
}

static Value *combine(LoopBuilder &b, loop::Combiner combiner, Value *old, Value *value, mlir::Type element) {
  bool real = isFloat(element), natural = element.isUnsignedInteger() || element.isInteger(1);
  switch (combiner) {
  case loop::Combiner::Set:
    return value;
  case loop::Combiner::Add:
    return element.isInteger(1) ? b.CreateOr(old, value) : real ? b.CreateFAdd(old, value) : b.CreateAdd(old, value);
  case loop::Combiner::Mul:
    return real ? b.CreateFMul(old, value) : b.CreateMul(old, value);
  case loop::Combiner::Max:
    return real ? emitMaximum(b, old, value, true)
                : b.CreateBinaryIntrinsic(natural ? Intrinsic::umax : Intrinsic::smax, old, value);
  case loop::Combiner::Min:
    return real ? emitMaximum(b, old, value, false)
                : b.CreateBinaryIntrinsic(natural ? Intrinsic::umin : Intrinsic::smin, old, value);
  }
  llvm_unreachable("all combiners are listed");
}

void KernelEmitter::emitStore(loop::StoreOp op, const Place &place) {
  const Access &access = plan->accesses.find(op)->second;
  const IndexForm &form = access.form;
  Values indices = operandsOf(op.getIndices());
  Value *own = op.getMask() ? lookup(op.getMask()) : nullptr;
  mlir::Type element = getElement(op.getTensor());
  Type *type = memoryType(b.getContext(), element);
  Align align(b.GetInsertBlock()->getModule()->getDataLayout().getABITypeAlign(type));
  Value *value = lookup(op.getValue());

  bool varies = place.laneAxis != KernelPlan::kNone && form.uses(place.laneAxis);
  if (!varies && !anyVector(indices)) {
    // A lane axis that the place doesn't depend on has one element: the first lane.
    auto firstLane = [&](Value *lanes) {
      return lanes->getType()->isVectorTy() ? b.CreateExtractElement(lanes, uint64_t(0)) : lanes;
    };
    value = firstLane(value);
    own = own ? firstLane(own) : nullptr;
    Value *pointer = elementPointer(op.getTensor(), emitIndex(form.toExpr(), place, indices));
    auto write = [&] {
      if (op.getCombiner() != loop::Combiner::Set) {
        Value *old = fromMemory(b, b.CreateAlignedLoad(type, pointer, align), element);
        value = combine(b, op.getCombiner(), old, value, element);
      }
      b.CreateAlignedStore(toMemory(b, value, element), pointer, align);
    };
    own ? b.ifThen(own, write) : write();
    return;
  }
  Value *stored = toMemory(b, value, element);
  if (!stored->getType()->isVectorTy()) {
    stored = b.CreateVectorSplat(place.lanes, stored);
  }
  Value *mask = combineMasks(b, place.mask, own, place.lanes);
  bool contiguous = varies && !form.isNonlinear(place.laneAxis) && !anyVector(indices) &&
                    getStatic(form.coefficient(place.laneAxis)) == 1;
  if (contiguous) {
    Place first = place;
    first.lanes = 1;
    Value *pointer = elementPointer(op.getTensor(), emitIndex(form.toExpr(), first, indices));
    if (mask) {
      emitMaskedStore(b, target.vectorBytes, stored, pointer, align, mask);
    } else {
      b.CreateAlignedStore(stored, pointer, align);
    }
    return;
  }
  Value *all = mask ? mask : ConstantInt::getTrue(FixedVectorType::get(b.getInt1Ty(), place.lanes));
  Value *offsets = emitIndex(form.toExpr(), place, indices);
  emitMaskedStore(b, target.vectorBytes, stored, elementPointer(op.getTensor(), offsets), align, all);
}

void KernelEmitter::emitInside(loop::InsideOp op, const Place &place) {
  if (knownInside) {
    return define(op, b.getTrue());
  }
  Values indices = operandsOf(op.getIndices());
  mlir::AffineMap map = op.getMap();
  Value *result = nullptr;
  for (auto [expr, bound] : zip(map.getResults(), op.getBounds().getExprs())) {
    Value *pair[] = {emitIndex(expr, place, indices), emitIndex(bound, place)};
    unifyLanes(b, pair);
    // One unsigned comparison: a negative index is a huge number.
    Value *inside = b.CreateICmpULT(pair[0], pair[1]);
    if (result) {
      Value *both[] = {result, inside};
      unifyLanes(b, both);
      inside = b.CreateAnd(both[0], both[1]);
    }
    result = inside;
  }
  define(op, result ? result : b.getTrue());
}

/// A call of the runtime's gmSortRow (runtime/src/Sort.c).
void KernelEmitter::emitSort(loop::SortOp op, const Place &place) {
  unsigned position = place.axes.size();
  mlir::Type element = getElement(op.getTensor());
  Dims axes = loop::enclosingAxes(op);
  auto rowOf = [&](mlir::Value tensor) -> std::pair<Value *, Value *> {
    mlir::AffineExpr offset = constantDim(op.getContext(), 0);
    mlir::AffineMap map = op.getMap();
    for (auto [index, stride] : zip(map.getResults(), stridesOf(kernel, tensor))) {
      offset = offset + index * stride;
    }
    IndexForm form = IndexForm::of(offset, axes);
    return {elementPointer(tensor, emitIndex(form.toExpr(), place, {b.index(0)})),
            emitIndex(form.coefficient(position), Place())};
  };
  auto [row, stride] = rowOf(op.getTensor());
  auto [values, valueStride] = rowOf(op.getValues());
  auto [places, placeStride] = rowOf(op.getPlaces());
  Type *pointer = b.getPtrTy(), *i64 = b.getInt64Ty(), *i32 = b.getInt32Ty();
  auto *type = FunctionType::get(b.getVoidTy(), {pointer, i64, i64, i32, i32, i32, pointer, i64, pointer, i64, pointer}, false);
  FunctionCallee callee = b.GetInsertBlock()->getModule()->getOrInsertFunction("gmSortRow", type);
  host::Dtype dtype = *dtypeOf(element);
  b.CreateCall(callee, {row, stride, emitIndex(op.getLength().getExpr(), Place()), b.getInt32(static_cast<int32_t>(dtype)),
                        b.getInt32(sizeOf(element)), b.getInt32(op.getDescending()), values, valueStride, places,
                        placeStride, scratch});
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void KernelEmitter::emitOp(mlir::Operation &op, const Place &place) {
  if (auto load = dyn_cast<loop::LoadOp>(op)) {
    return emitLoad(load, place);
  }
  if (auto store = dyn_cast<loop::StoreOp>(op)) {
    return emitStore(store, place);
  }
  if (auto apply = dyn_cast<loop::ApplyOp>(op)) {
    mlir::AffineMap map = apply.getMap();
    return define(apply, emitIndex(map.getResult(0), place, operandsOf(apply.getIndices())));
  }
  if (auto inside = dyn_cast<loop::InsideOp>(op)) {
    return emitInside(inside, place);
  }
  if (auto check = dyn_cast<loop::CheckIndexOp>(op)) {
    return emitCheckIndex(check, place);
  }
  if (auto sort = dyn_cast<loop::SortOp>(op)) {
    return emitSort(sort, place);
  }
  if (auto reduce = dyn_cast<loop::ReduceOp>(op)) {
    return emitReduce(reduce, place);
  }
  if (auto inner = dyn_cast<loop::ForOp>(op)) {
    return emitFor(inner, place);
  }
  Values operands = operandsOf(op.getOperands());
  unifyLanes(b, operands);
  Value *result = emitScalarOp(b, &op, operands);
  if (!result) {
    reportFatalInternalError(Twine("no code for ") + op.getName().getStringRef());
  }
  define(op.getResult(0), result);
}

void KernelEmitter::emitOps(mlir::Block &block, const Place &place, mlir::Operation *until) {
  for (mlir::Operation &op : block) {
    if (&op == until || op.hasTrait<mlir::OpTrait::IsTerminator>()) {
      return;
    }
    emitOp(op, place);
  }
}

void KernelEmitter::emitAround(loop::ReduceOp done, ArrayRef<Value *> results, const Place &place) {
  emitOps(kernel.getBlock(), place, done);
  for (auto [result, value] : zip_equal(done.getResults(), results)) {
    define(result, value);
  }
  for (mlir::Operation *op = done->getNextNode(); !op->hasTrait<mlir::OpTrait::IsTerminator>(); op = op->getNextNode()) {
    emitOp(*op, place);
  }
}

Value *KernelEmitter::tailMask(Value *first, Value *hi, unsigned lanes) {
  Value *left = b.CreateSub(hi, first);
  return b.CreateICmpSLT(laneIota(lanes), b.CreateVectorSplat(lanes, left));
}

Values KernelEmitter::laneLoop(Value *lo, Value *hi, unsigned lanes, ArrayRef<Value *> init,
                               function_ref<Values(Value *, Value *, ArrayRef<Value *>)> body) {
  Value *step = b.index(lanes);
  Value *count = b.CreateSub(hi, lo);
  Value *wholeEnd = b.CreateAdd(lo, b.CreateMul(b.CreateUDiv(count, step), step));
  Values carried = b.forLoop(lo, wholeEnd, step, init, [&](Value *i, ArrayRef<Value *> values) {
    return body(i, nullptr, values);
  });
  // Runs at most once.
  return b.forLoop(wholeEnd, hi, step, carried, [&](Value *i, ArrayRef<Value *> values) {
    return body(i, tailMask(i, hi, lanes), values);
  });
}

constexpr int64_t kUnrolled = 7;

Values KernelEmitter::innerNest(const KernelPlan::Inner &inner, const Ranges &ranges, Place place, unsigned first,
                                size_t depth, ArrayRef<Value *> init,
                                function_ref<Values(const Place &, ArrayRef<Value *>)> body) {
  if (depth == inner.order.size()) {
    return body(place, init);
  }
  unsigned axis = inner.order[depth];
  Value *lo = ranges.empty() ? b.index(0) : ranges[axis].first;
  Value *hi = ranges.empty() ? emitIndex(inner.extents[axis], Place()) : ranges[axis].second;
  if (axis == inner.vectorAxis) {
    place.laneAxis = first + axis;
    place.lanes = inner.lanes;
    return laneLoop(lo, hi, inner.lanes, init, [&](Value *i, Value *mask, ArrayRef<Value *> values) {
      Place here = place;
      here.axes[first + axis] = i;
      here.mask = mask;
      return body(here, values);
    });
  }
  auto iteration = [&](Value *i, ArrayRef<Value *> values) {
    Place here = place;
    here.axes[first + axis] = i;
    return innerNest(inner, ranges, here, first, depth + 1, values, body);
  };
  // A few taps of a window are written one after the other: their addresses are constants.
  std::optional<int64_t> from = LoopBuilder::known(lo), to = LoopBuilder::known(hi);
  if (knownInside && from && to && *to - *from <= kUnrolled) {
    Values values(init.begin(), init.end());
    for (int64_t i = *from; i < *to; ++i) {
      values = iteration(b.index(i), values);
    }
    return values;
  }
  return b.forLoop(lo, hi, b.index(1), init, iteration);
}

void KernelEmitter::emitFor(loop::ForOp op, const Place &place) {
  const KernelPlan::Inner &inner = plan->inner.find(op)->second;
  Place start = place;
  unsigned first = start.axes.size();
  start.axes.append(inner.extents.size(), b.index(0));
  innerNest(inner, {}, start, first, 0, {}, [&](const Place &here, ArrayRef<Value *>) {
    emitOps(op.getBlock(), here);
    return Values();
  });
}

//===----------------------------------------------------------------------===//
// The kernel's own axes
//===----------------------------------------------------------------------===//

Value *KernelEmitter::emitAllInside(const Place &place) {
  Value *result = nullptr;
  bool unknown = false;
  kernel.walk([&](loop::InsideOp op) {
    mlir::AffineMap map = op.getMap();
    Dims axes = loop::enclosingAxes(op);
    for (auto [expr, bound] : zip(map.getResults(), op.getBounds().getExprs())) {
      IndexForm form = IndexForm::of(expr, axes);
      // Inner axes add at most this; their coefficients must be known to have a sign.
      mlir::AffineExpr least = constantDim(op.getContext(), 0), most = least, here = form.constant;
      for (auto [atom, coefficient] : form.terms) {
        auto dim = dyn_cast<mlir::AffineDimExpr>(atom);
        if (!dim || dim.getPosition() == plan->vectorAxis || !op.getIndices().empty()) {
          unknown = true;
          return;
        }
        if (dim.getPosition() < place.axes.size()) {
          here = here + atom * coefficient;
          continue;
        }
        std::optional<int64_t> sign = getStatic(coefficient);
        if (!sign) {
          unknown = true;
          return;
        }
        mlir::AffineExpr &side = *sign < 0 ? least : most;
        side = side + (axes[dim.getPosition()] - 1) * coefficient;
      }
      Value *low = emitIndex(simplify(least), Place()), *high = emitIndex(simplify(most), Place());
      Value *base = emitIndex(here, place), *limit = emitIndex(bound, Place());
      Value *fits = b.CreateAnd(b.CreateICmpSGE(b.CreateAdd(base, low), b.index(0)),
                                b.CreateICmpSLT(b.CreateAdd(base, high), limit));
      result = result ? b.CreateAnd(result, fits) : fits;
    }
  });
  return unknown ? nullptr : result;
}

void KernelEmitter::emitRow(Place place, Value *lo, Value *hi) {
  place.laneAxis = plan->vectorAxis;
  place.lanes = plan->lanes;
  auto row = [&] {
    laneLoop(lo, hi, plan->lanes, {}, [&](Value *i, Value *mask, ArrayRef<Value *>) {
      Place here = place;
      here.axes[plan->vectorAxis] = i;
      here.mask = mask;
      emitOps(kernel.getBlock(), here);
      return Values();
    });
  };
  // Most rows of a padded window see no padding: theirs is code without conditions.
  Value *inside = plan->inner.empty() ? nullptr : emitAllInside(place);
  if (!inside) {
    return row();
  }
  b.ifThenElse(
      inside,
      [&] {
        knownInside = true;
        row();
        knownInside = false;
      },
      row);
}

/// Results that are written in part start as copies of operands.
void KernelEmitter::emitInits() {
  for (unsigned i = 0; i < kernel.getInits(); ++i) {
    mlir::Value from = kernel.getInputArg(kernel.getInputs().size() - kernel.getInits() + i), to = kernel.getOutputArg(i);
    mlir::AffineExpr bytes = product(kernel.getContext(), dimsOf(to)) * static_cast<int64_t>(sizeOf(getElement(to)));
    b.CreateMemCpy(buffer(to), MaybeAlign(1), buffer(from), MaybeAlign(1), emitIndex(simplify(bytes), Place()));
  }
}

void KernelEmitter::forEachTile(ArrayRef<Value *> extents, function_ref<void(ArrayRef<Value *>)> body) {
  // Tile number to position once, then step like an odometer: no division in the loop.
  Values start(extents.size());
  Value *rest = begin;
  for (size_t i = extents.size(); i-- > 0;) {
    start[i] = b.CreateURem(rest, extents[i]);
    rest = b.CreateUDiv(rest, extents[i]);
  }
  b.forLoop(begin, end, b.index(1), start, [&](Value *, ArrayRef<Value *> position) {
    Values here(position.begin(), position.end()), next(extents.size());
    body(here);
    Value *carry = b.index(1);
    for (size_t i = extents.size(); i-- > 0;) {
      Value *digit = b.CreateAdd(here[i], carry);
      Value *wraps = b.CreateICmpEQ(digit, extents[i]);
      next[i] = b.CreateSelect(wraps, b.index(0), digit);
      carry = b.CreateZExt(wraps, b.getInt64Ty());
    }
    return next;
  });
}

void KernelEmitter::emitNest(const KernelPlan &kernelPlan) {
  plan = &kernelPlan;
  Place place;
  place.axes.assign(plan->extents.size(), b.index(0));
  bool hasRow = plan->vectorAxis != KernelPlan::kNone;
  Value *rowLength = hasRow ? emitIndex(plan->extents[plan->vectorAxis], Place()) : nullptr;
  Value *pieces = plan->rowBlock
                      ? b.CreateUDiv(b.CreateAdd(rowLength, b.index(plan->rowBlock - 1)), b.index(plan->rowBlock))
                      : b.index(1);
  SmallVector<Value *> extents;
  for (unsigned axis : plan->order) {
    extents.push_back(emitIndex(plan->extents[axis], Place()));
  }
  if (kernel.getSequential()) {
    emitInits();
    // In order, all in one tile.
    std::function<void(unsigned)> nest = [&](unsigned depth) {
      if (depth == extents.size()) {
        return emitOps(kernel.getBlock(), place);
      }
      b.forLoop(b.index(0), extents[depth], b.index(1), [&](Value *i) {
        place.axes[plan->order[depth]] = i;
        nest(depth + 1);
      });
    };
    nest(0);
    return finish();
  }
  extents.push_back(pieces);
  forEachTile(extents, [&](ArrayRef<Value *> position) {
    for (auto [axis, at] : zip(plan->order, position)) {
      place.axes[axis] = at;
    }
    if (hasRow) {
      Value *lo = b.index(0), *hi = rowLength;
      if (plan->rowBlock) {
        lo = b.CreateMul(position.back(), b.index(plan->rowBlock));
        hi = b.CreateBinaryIntrinsic(Intrinsic::smin, b.CreateAdd(lo, b.index(plan->rowBlock)), rowLength);
      }
      emitRow(place, lo, hi);
    } else {
      emitOps(kernel.getBlock(), place);
    }
  });
  finish();
}

} // namespace graphmill::cpu
