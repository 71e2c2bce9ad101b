//===- EmitWindow.cpp - Sliding windows with channels as lanes -------------===//
//
// A grid tile is a row of outputs, one vector of channels wide. Away from padding several
// neighbours are done at once, so that a tap's weights are loaded once for them; near it the
// taps that are outside are left out of the loops, not masked.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/EmitTemplates.h"
#include "mlir/IR/Matchers.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace graphmill::cpu {

using loop::IndexForm;

/// Whether combining the value changes nothing where `padding` doesn't hold.
static bool isIdentityOutside(mlir::Value value, loop::InsideOp padding, loop::Reducer reducer) {
  auto isIdentity = [&](mlir::Value other) {
    APFloat constant(0.0);
    if (reducer == loop::Reducer::Sum) {
      return matchPattern(other, mlir::m_AnyZeroFloat());
    }
    return matchPattern(other, mlir::m_ConstantFloat(&constant)) && constant.isInfinity() &&
           constant.isNegative() == (reducer == loop::Reducer::Max);
  };
  if (reducer != loop::Reducer::Sum && reducer != loop::Reducer::Max && reducer != loop::Reducer::Min) {
    return false;
  }
  mlir::Operation *op = value.getDefiningOp();
  if (auto load = dyn_cast_or_null<loop::LoadOp>(op)) {
    return load.getMask() == padding.getResult() && isIdentity(load.getOther());
  }
  if (auto select = dyn_cast_or_null<mlir::arith::SelectOp>(op)) {
    return select.getCondition() == padding.getResult() && isIdentity(select.getFalseValue());
  }
  if (auto product = dyn_cast_or_null<mlir::arith::MulFOp>(op)) {
    return reducer == loop::Reducer::Sum && (isIdentityOutside(product.getLhs(), padding, reducer) ||
                                             isIdentityOutside(product.getRhs(), padding, reducer));
  }
  return false;
}

/// Each condition bounds a positive multiple of one kernel axis plus one of an inner axis. It
/// holds or not for all lanes: the lanes' axis isn't in it.
static bool boundsPairs(loop::InsideOp padding, unsigned numAxes, unsigned laneAxis) {
  Dims axes = loop::enclosingAxes(padding);
  return padding.getIndices().empty() && all_of(padding.getMap().getResults(), [&](mlir::AffineExpr expr) {
           unsigned outer = 0, inner = 0;
           for (auto &[atom, coefficient] : IndexForm::of(expr, axes).terms) {
             auto dim = dyn_cast<mlir::AffineDimExpr>(atom);
             if (!dim || dim.getPosition() == laneAxis || getStatic(coefficient).value_or(0) <= 0) {
               return false;
             }
             ++(dim.getPosition() < numAxes ? outer : inner);
           }
           return outer <= 1 && inner <= 1;
         });
}

std::optional<Window> Window::match(loop::KernelOp kernel, const KernelPlan &plan) {
  if (plan.vectorAxis == KernelPlan::kNone || plan.lanes == 1 || plan.innerVectors || kernel.getInits() > 0) {
    return std::nullopt;
  }
  Window w;
  for (mlir::Operation &op : kernel.getBlock()) {
    if (op.getNumRegions() > 0) {
      if (w.reduce || !isa<loop::ReduceOp>(op)) {
        return std::nullopt;
      }
      w.reduce = cast<loop::ReduceOp>(op);
    } else if (isa<loop::InsideOp>(op)) {
      return std::nullopt;
    }
  }
  if (!w.reduce) {
    return std::nullopt;
  }
  // Neighbours share what comes from outside the sum.
  bool usesPlace = w.reduce
                       .walk([&](mlir::Operation *op) {
                         bool isOutside = any_of(op->getOperands(), [&](mlir::Value value) {
                           mlir::Operation *from = value.getDefiningOp();
                           return from && !w.reduce->isProperAncestor(from) && !from->hasTrait<mlir::OpTrait::ConstantLike>();
                         });
                         return isOutside && op != w.reduce ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
                       })
                       .wasInterrupted();
  if (usesPlace) {
    return std::nullopt;
  }
  for (auto padding : w.reduce.getBlock().getOps<loop::InsideOp>()) {
    if (w.padding || !boundsPairs(padding, kernel.getNumAxes(), plan.vectorAxis)) {
      return std::nullopt;
    }
    w.padding = padding;
  }
  for (auto [i, value] : enumerate(w.reduce.getYield().getValues())) {
    if (w.padding && !isIdentityOutside(value, w.padding, w.reduce.getReducer(i))) {
      return std::nullopt;
    }
  }
  // The axis that a window slides along: the innermost that some dim adds to an inner axis.
  std::optional<unsigned> slides;
  for (auto load : w.reduce.getBlock().getOps<loop::LoadOp>()) {
    Dims axes = loop::enclosingAxes(load);
    for (mlir::AffineExpr expr : load.getMap().getResults()) {
      IndexForm form = IndexForm::of(expr, axes);
      bool usesInner = false;
      for (unsigned i = kernel.getNumAxes(); i < axes.size(); ++i) {
        usesInner |= form.uses(i) && getStatic(axes[i]) != 1;
      }
      for (unsigned axis : plan.order) {
        if (usesInner && form.uses(axis)) {
          slides = axis; // later in the order is further inside
        }
      }
    }
  }
  if (!slides) {
    return std::nullopt;
  }
  w.slides = *slides;
  return w;
}

namespace {
class WindowEmitter {
public:
  WindowEmitter(KernelEmitter &e, const Window &window, const KernelPlan &plan)
      : e(e), b(e.b), w(window), plan(plan), inner(plan.inner.find(window.reduce)->second), numAxes(e.kernel.getNumAxes()) {
    e.plan = &plan;
  }

  EmittedKernel emit() {
    mlir::AffineExpr channelBlocks = plan.extents[plan.vectorAxis].ceilDiv(plan.lanes);
    Values extents;
    SmallVector<unsigned> order;
    mlir::AffineExpr grid = constantDim(e.kernel.getContext(), 1);
    for (unsigned axis : plan.order) {
      if (axis != w.slides) {
        order.push_back(axis);
        extents.push_back(extent(axis));
        grid = grid * plan.extents[axis];
      }
    }
    extents.push_back(e.emitIndex(simplify(channelBlocks), Place()));
    e.forEachTile(extents, [&](ArrayRef<Value *> position) {
      Place place;
      place.axes.assign(numAxes, b.index(0));
      for (auto [axis, at] : zip(order, position)) {
        place.axes[axis] = at;
      }
      Value *first = b.CreateMul(position.back(), b.index(plan.lanes));
      place.axes[plan.vectorAxis] = first;
      place.laneAxis = plan.vectorAxis;
      place.lanes = plan.lanes;
      std::optional<int64_t> channels = getStatic(plan.extents[plan.vectorAxis]);
      if (channels && *channels % plan.lanes == 0) {
        return emitLine(place);
      }
      // Whole vectors have no masks.
      Value *isWhole = b.CreateICmpSLE(b.CreateAdd(first, b.index(plan.lanes)), extent(plan.vectorAxis));
      b.ifThenElse(isWhole, [&] { emitLine(place); },
                   [&] {
                     Place tail = place;
                     tail.mask = e.tailMask(first, extent(plan.vectorAxis), plan.lanes);
                     emitLine(tail);
                   });
    });
    e.finish();
    mlir::AffineExpr one = constantDim(e.kernel.getContext(), 1);
    return {simplify(grid * channelBlocks), constantDim(e.kernel.getContext(), 0), one};
  }

private:
  Value *extent(unsigned axis) { return e.emitIndex(plan.extents[axis], Place()); }
  Value *clamp(Value *value, Value *low, Value *high) {
    return b.CreateBinaryIntrinsic(Intrinsic::smin, b.CreateBinaryIntrinsic(Intrinsic::smax, value, low), high);
  }
  /// value / by rounded down or up; by > 0.
  Value *divide(Value *value, int64_t by, bool up) {
    if (by == 1) {
      return value;
    }
    value = up ? b.CreateAdd(value, b.index(by - 1)) : value;
    Value *quotient = b.CreateSDiv(value, b.index(by));
    Value *isInexact = b.CreateICmpSLT(b.CreateSub(value, b.CreateMul(quotient, b.index(by))), b.index(0));
    return b.CreateAdd(quotient, b.CreateSExt(isInexact, b.getInt64Ty()));
  }

  /// One condition: coefficient of the sliding or another kernel axis, of an inner axis, the rest.
  struct Condition {
    std::optional<unsigned> outer, inner;
    int64_t outerStep = 0, innerStep = 0;
    mlir::AffineExpr constant, bound;
  };
  SmallVector<Condition> conditions() {
    SmallVector<Condition> result;
    if (!w.padding) {
      return result;
    }
    Dims axes = loop::enclosingAxes(w.padding);
    mlir::AffineMap map = w.padding.getMap();
    for (auto [expr, bound] : zip(map.getResults(), w.padding.getBounds().getExprs())) {
      IndexForm form = IndexForm::of(expr, axes);
      Condition c;
      c.constant = form.constant;
      c.bound = bound;
      for (auto &[atom, coefficient] : form.terms) {
        unsigned axis = cast<mlir::AffineDimExpr>(atom).getPosition();
        if (axis < numAxes) {
          c.outer = axis;
          c.outerStep = *getStatic(coefficient);
        } else {
          c.inner = axis - numAxes;
          c.innerStep = *getStatic(coefficient);
        }
      }
      result.push_back(c);
    }
    return result;
  }

  Ranges wholeRanges() {
    Ranges ranges;
    for (mlir::AffineExpr size : inner.extents) {
      ranges.emplace_back(b.index(0), e.emitIndex(size, Place()));
    }
    return ranges;
  }

  /// Cuts an inner axis to where the condition holds at this place.
  void restrict(const Condition &c, const Place &place, Ranges &ranges) {
    Value *base = e.emitIndex(c.constant, Place());
    if (c.outer) {
      base = b.CreateAdd(base, b.CreateMul(place.axes[*c.outer], b.index(c.outerStep)));
    }
    Value *bound = e.emitIndex(c.bound, Place());
    if (!c.inner) { // all or nothing, of any axis that has a loop
      Value *holds = b.CreateICmpULT(base, bound);
      auto &[lo, hi] = ranges[inner.order.front()];
      hi = b.CreateSelect(holds, hi, lo);
      return;
    }
    auto &[lo, hi] = ranges[*c.inner];
    // 0 <= base + step * k < bound
    Value *least = divide(b.CreateNeg(base), c.innerStep, true);
    Value *end = divide(b.CreateSub(b.CreateAdd(bound, b.index(c.innerStep - 1)), base), c.innerStep, false);
    lo = clamp(least, lo, hi);
    hi = clamp(end, lo, hi);
  }

  /// All of the sliding axis, channels of one vector.
  void emitLine(const Place &line) {
    Ranges ranges = wholeRanges();
    Value *length = extent(w.slides), *lo = b.index(0), *hi = length;
    SmallVector<Condition> sliding;
    for (const Condition &c : conditions()) {
      if (c.outer != w.slides) {
        restrict(c, line, ranges);
        continue;
      }
      sliding.push_back(c);
      // Positions whose whole window is inside: 0 <= base + step * x and … + reach < bound.
      Value *base = e.emitIndex(c.constant, Place()), *bound = e.emitIndex(c.bound, Place());
      Value *reach = c.inner ? b.CreateMul(b.CreateSub(e.emitIndex(inner.extents[*c.inner], Place()), b.index(1)), b.index(c.innerStep))
                             : b.index(0);
      Value *least = divide(b.CreateNeg(base), c.outerStep, true);
      Value *end = divide(b.CreateSub(b.CreateSub(b.CreateAdd(bound, b.index(c.outerStep - 1)), base), reach), c.outerStep, false);
      lo = clamp(least, lo, hi);
      hi = clamp(end, lo, hi);
    }
    auto single = [&](Value *x) {
      Place here = line;
      here.axes[w.slides] = x;
      Ranges cut = ranges;
      for (const Condition &c : sliding) {
        restrict(c, here, cut);
      }
      emitOutputs(here, 1, cut);
    };
    if (!sliding.empty()) {
      b.forLoop(b.index(0), lo, b.index(1), single);
    }
    unsigned count = neighbours();
    Value *whole = b.CreateAdd(lo, b.CreateMul(b.CreateUDiv(b.CreateSub(hi, lo), b.index(count)), b.index(count)));
    auto group = [&](unsigned size) {
      return [&, size](Value *x) {
        Place here = line;
        here.axes[w.slides] = x;
        emitOutputs(here, size, ranges);
      };
    };
    b.forLoop(lo, whole, b.index(count), group(count));
    b.forLoop(whole, hi, b.index(1), group(1));
    if (!sliding.empty()) {
      b.forLoop(hi, length, b.index(1), single);
    }
  }

  /// How many outputs' sums fit in registers, beside a tap's weights and one element.
  unsigned neighbours() {
    unsigned vectors = std::max(1u, plan.lanes / e.target.lanes()) * w.reduce.getNumResults();
    unsigned fit = (e.target.numVectorRegisters - vectors - 1) / vectors;
    std::optional<int64_t> length = getStatic(plan.extents[w.slides]);
    return std::clamp<int64_t>(length.value_or(fit), 1, std::min(fit, 6u));
  }

  void emitOutputs(const Place &first, unsigned count, const Ranges &ranges) {
    SmallVector<Place> places(count, first);
    for (unsigned i = 1; i < count; ++i) {
      places[i].axes[w.slides] = b.CreateAdd(first.axes[w.slides], b.index(i));
    }
    // The constants that the sum's body uses.
    e.emitOps(e.kernel.getBlock(), first, w.reduce);
    e.knownInside = true;
    std::vector<Values> sums = e.emitReduceAt(w.reduce, places, ranges);
    e.knownInside = false;
    for (auto [place, results] : zip(places, sums)) {
      e.emitAround(w.reduce, results, place);
    }
  }

  KernelEmitter &e;
  LoopBuilder &b;
  Window w;
  const KernelPlan &plan;
  const KernelPlan::Inner &inner;
  unsigned numAxes;
};
} // namespace

EmittedKernel emitWindow(KernelEmitter &emitter, const Window &window, const KernelPlan &plan) {
  return WindowEmitter(emitter, window, plan).emit();
}

} // namespace graphmill::cpu
