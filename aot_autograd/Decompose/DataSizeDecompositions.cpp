#include "aot_autograd/Decompose/DataSizes.h"

using namespace mlir;

namespace graphmill {

using prims::Combiner;

/// Gives the symbol its value. A count that is an expression, or was told before, needs none.
static void bind(PrimBuilder &b, Value total, Dim count, Dim bound) {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(count)) {
    fx::BindSizeOp::create(b.builder, b.loc, total, symbol.getPosition(), fx::DimAttr::get(b.context(), bound));
  }
}

/// A running count says where each place goes; those of zeros go behind the end.
Value nonzeroPlaces(PrimBuilder &b, Value value, Dim count) {
  Dim n = product(b.context(), dimsOf(value));
  Value flags = b.reshape(truth(b, value), {n}), numbers = b.convert(flags, b.i64());
  bind(b, b.sum(numbers, {0}), count, n);
  Value order = b.sub(b.scan(prims::Reducer::Sum, numbers, 0), b.constant(1, b.i64()));
  Value target = b.select(flags, order, b.size(n, b.i64()));
  Value places = b.indexPut(Combiner::Set, b.full({simplify(n + 1)}, 0.0, b.i64()), b.iota(n), target, {0});
  return b.slice(places, 0, b.dim(0), count);
}

SmallVector<Value> nonzeroColumns(PrimBuilder &b, Value value, Dim count) {
  Value places = nonzeroPlaces(b, value, count);
  SmallVector<Value> columns;
  Dim stride = b.dim(1);
  for (Dim size : llvm::reverse(dimsOf(value))) {
    Value own = getStatic(stride) == 1 ? places : b.div(places, b.size(stride, b.i64()));
    columns.insert(columns.begin(), b.binary<prims::FmodOp>(own, b.size(size, b.i64())));
    stride = simplify(stride * size);
  }
  return columns;
}

static Value nonzero(PrimBuilder &b, aten::NonzeroOp op) {
  SmallVector<Value> columns;
  for (Value column : nonzeroColumns(b, op.getSelf(), op.getCount().getExpr())) {
    columns.push_back(b.unsqueeze(column, 1));
  }
  if (columns.empty()) {
    bind(b, b.convert(truth(b, op.getSelf()), b.i64()), op.getCount().getExpr(), b.dim(1));
    return b.full(resultDims(op), 0.0, b.i64());
  }
  return b.concatenate(columns, 1);
}

static Decompositions::Results nonzeroNumpy(PrimBuilder &b, aten::NonzeroNumpyOp op) {
  Value self = op.getSelf();
  return nonzeroColumns(b, dimsOf(self).empty() ? b.unsqueeze(self, 0) : self, op.getCount().getExpr());
}

static Value maskedSelect(PrimBuilder &b, aten::MaskedSelectOp op) {
  Dims dims = b.commonDims({op.getSelf(), op.getMask()});
  Value places = nonzeroPlaces(b, b.broadcast(op.getMask(), dims), op.getCount().getExpr());
  return b.index(b.reshape(b.broadcast(op.getSelf(), dims), {product(b.context(), dims)}), places, {0});
}

/// Among the sorted elements, those that differ from the one before are new.
static Decompositions::Results unique(PrimBuilder &b, aten::UniqueOp op) {
  Dim n = product(b.context(), dimsOf(op.getSelf())), count = op.getCount().getExpr();
  Value zero = b.constant(0, b.i64()), one = b.constant(1, b.i64());
  auto [values, order] = b.sort(b.reshape(op.getSelf(), {n}), 0, /*descending=*/false);
  Value before = b.index(values, b.maximum(b.sub(b.iota(n), one), zero), {0});
  Value differs = b.compare(prims::Predicate::Ne, values, before), isFirst = b.compare(prims::Predicate::Eq, b.iota(n), zero);
  Value isNew = b.binary<prims::OrOp>(differs, b.broadcast(isFirst, {n}));
  Value output = b.index(values, nonzeroPlaces(b, isNew, count), {0});
  Value number = b.sub(b.scan(prims::Reducer::Sum, b.convert(isNew, b.i64()), 0), one);
  Value none = b.full({b.dim(0)}, 0.0, b.i64()), inverse = none, counts = none;
  if (op.getReturnInverse()) {
    inverse = b.reshape(b.indexPut(Combiner::Set, b.full({n}, 0.0, b.i64()), number, order, {0}), dimsOf(op.getInverse()));
  }
  if (op.getReturnCounts()) {
    Value all = b.indexPut(Combiner::Add, b.full({n}, 0.0, b.i64()), b.full({n}, 1.0, b.i64()), number, {0});
    counts = b.slice(all, 0, b.dim(0), count);
  }
  return {output, inverse, counts};
}

/// The first elements under another shape; zeros where there are none.
static Value resize(PrimBuilder &b, aten::ResizeOp op) {
  Dim n = product(b.context(), dimsOf(op.getSelf())), wanted = product(b.context(), resultDims(op));
  Value flat = b.reshape(op.getSelf(), {n});
  return b.reshape(b.pad(flat, {b.dim(0)}, {simplify(wanted - n)}, b.constant(0, getElement(flat))), resultDims(op));
}

void addDataSizeDecompositions(Decompositions &d) {
  d.add<aten::NonzeroOp, nonzero>();
  d.addMany<aten::NonzeroNumpyOp, nonzeroNumpy>();
  d.add<aten::MaskedSelectOp, maskedSelect>();
  d.addMany<aten::UniqueOp, unique>();
  d.add<aten::ResizeOp, resize>();
}

} // namespace graphmill
