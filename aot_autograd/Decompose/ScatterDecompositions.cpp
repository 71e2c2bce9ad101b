#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using prims::Combiner;
using prims::Predicate;

/// Operands of a scatter with at least one dim, `src` in self's dtype and at least as large
/// as `index` (a number becomes that large).
struct Scatter {
  PrimBuilder &b;
  Value self, index, src;
  int64_t dim;
  Dims result;

  template <typename Op>
  Scatter(PrimBuilder &b, Op op) : b(b), self(op.getSelf()), index(b.convert(op.getIndex(), b.i64())), result(resultDims(op)) {
    src = b.convert(op.getSrc(), resultElement(op));
    dim = fromFront(op.getDim(), result.size());
    if (result.empty()) {
      self = b.unsqueeze(self, 0);
    }
    if (dimsOf(index).empty()) {
      index = b.unsqueeze(index, 0);
    }
    if (dimsOf(src).empty()) {
      src = b.broadcast(src, dimsOf(index));
    }
  }
  Value into(Value operand, Combiner combiner, Value values) const { return b.scatter(combiner, operand, index, values, dim, kChecked); }
  Value done(Value value) const { return b.reshape(value, result); }
};

static Value scatter(PrimBuilder &b, aten::ScatterOp op) {
  Scatter s(b, op);
  StringRef reduce = op.getReduce().value_or("set");
  Combiner combiner = reduce == "add" ? Combiner::Add : reduce == "multiply" ? Combiner::Mul : Combiner::Set;
  return s.done(s.into(s.self, combiner, s.src));
}

static Value scatterAdd(PrimBuilder &b, aten::ScatterAddOp op) {
  Scatter s(b, op);
  return s.done(s.into(s.self, Combiner::Add, s.src));
}

/// The combiner's neutral element.
static Value neutral(PrimBuilder &b, Combiner combiner, Type element) {
  if (combiner == Combiner::Add || combiner == Combiner::Mul) {
    return b.constant(combiner == Combiner::Mul ? 1 : 0, element);
  }
  bool isMax = combiner == Combiner::Max;
  if (isFloat(element)) {
    double infinity = std::numeric_limits<double>::infinity();
    return b.constant(isMax ? -infinity : infinity, element);
  }
  unsigned width = element.getIntOrFloatBitWidth();
  bool isUnsigned = element.isUnsignedInteger() || width == 1;
  APInt value = isUnsigned ? (isMax ? APInt::getMinValue(width) : APInt::getMaxValue(width))
                           : (isMax ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width));
  return b.constant(value.getSExtValue(), element);
}

static Value scatterReduce(PrimBuilder &b, aten::ScatterReduceOp op) {
  Scatter s(b, op);
  Type element = resultElement(op);
  StringRef reduce = op.getReduce();
  bool isMean = reduce == "mean";
  Combiner combiner = reduce == "prod"   ? Combiner::Mul
                      : reduce == "amax" ? Combiner::Max
                      : reduce == "amin" ? Combiner::Min
                                         : Combiner::Add;
  if (!isMean && reduce != "sum" && reduce != "prod" && reduce != "amax" && reduce != "amin") {
    op.emitOpError("reduce is \"") << reduce << "\", expected sum, prod, mean, amax or amin";
    return {};
  }
  Value base = s.self;
  if (!op.getIncludeSelf()) {
    // Places that are written forget what was there.
    base = s.into(base, Combiner::Set, b.broadcast(neutral(b, combiner, element), dimsOf(s.index)));
  }
  Value combined = s.into(base, combiner, s.src);
  if (!isMean) {
    return s.done(combined);
  }
  Value ones = b.full(dimsOf(s.index), 1.0, b.i64());
  Value counts = s.into(b.full(dimsOf(s.self), op.getIncludeSelf() ? 1.0 : 0.0, b.i64()), Combiner::Add, ones);
  Value divisor = b.convert(b.maximum(counts, b.constant(1, b.i64())), element);
  if (isFloat(element)) {
    return s.done(b.div(combined, divisor));
  }
  // Integers round towards minus infinity.
  Value quotient = b.div(combined, divisor), remainder = b.binary<prims::FmodOp>(combined, divisor);
  Value isBelow = b.compare(Predicate::Lt, remainder, b.constant(0, element));
  return s.done(b.sub(quotient, b.convert(isBelow, element)));
}

/// The k-th masked element gets source's k-th: a running count says which.
static Value maskedScatter(PrimBuilder &b, aten::MaskedScatterOp op) {
  Dims dims = resultDims(op);
  Dim count = product(b.context(), dims), available = product(b.context(), dimsOf(op.getSource()));
  Value mask = b.reshape(b.broadcast(truth(b, op.getMask()), dims), {count});
  Value order = b.sub(b.scan(prims::Reducer::Sum, b.convert(mask, b.i64()), 0), b.constant(1, b.i64()));
  order = b.maximum(order, b.constant(0, b.i64()));
  Value source = b.convert(b.reshape(op.getSource(), {available}), resultElement(op));
  Value self = b.reshape(b.broadcast(op.getSelf(), dims), {count});
  return b.reshape(b.select(mask, b.index(source, order, {0}), self), dims);
}

void addScatterDecompositions(Decompositions &d) {
  d.add<aten::ScatterOp, scatter>();
  d.add<aten::ScatterAddOp, scatterAdd>();
  d.add<aten::ScatterReduceOp, scatterReduce>();
  d.add<aten::MaskedScatterOp, maskedScatter>();
}

} // namespace graphmill
