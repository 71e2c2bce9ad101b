#include "codegen/cpu/Contraction.h"

using namespace mlir;

namespace graphmill::cpu {

using loop::IndexForm;

static IndexForm offsetForm(loop::KernelOp kernel, Value tensor, AffineMap map, ArrayRef<Dim> axes) {
  AffineExpr offset = constantDim(kernel.getContext(), 0);
  for (auto [index, stride] : llvm::zip(map.getResults(), stridesOf(kernel, tensor))) {
    offset = offset + index * stride;
  }
  return IndexForm::of(offset, axes);
}

static bool isLinear(const IndexForm &form) {
  return llvm::all_of(form.terms, [](auto &term) { return isa<AffineDimExpr>(term.first); });
}

/// Through conversions, to the load.
static loop::LoadOp loadBehind(Value value) {
  while (auto *op = value.getDefiningOp()) {
    if (auto load = dyn_cast<loop::LoadOp>(op)) {
      return load;
    }
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op)) {
      return nullptr;
    }
    value = op->getOperand(0);
  }
  return nullptr;
}

/// Whether stepping `outer` equals passing the end of `inner` in all forms.
static bool mergeable(ArrayRef<IndexForm> forms, unsigned outer, unsigned inner, Dim innerSize) {
  return llvm::all_of(forms, [&](const IndexForm &form) {
    return !form.isNonlinear(outer) && !form.isNonlinear(inner) &&
           equal(form.coefficient(outer), form.coefficient(inner) * innerSize);
  });
}

/// (n floordiv p, k…, n mod p) as the last and first results of B's map.
static int64_t panelOf(loop::LoadOp b, unsigned columns) {
  AffineMap map = b.getMap();
  if (map.getNumResults() < 3) {
    return 0;
  }
  AffineExpr column = getAffineDimExpr(columns, b.getContext());
  AffineExpr last = map.getResult(map.getNumResults() - 1);
  if (last.getKind() != AffineExprKind::Mod) {
    return 0;
  }
  auto mod = cast<AffineBinaryOpExpr>(last);
  std::optional<int64_t> size = getStatic(mod.getRHS());
  if (mod.getLHS() != column || !size) {
    return 0;
  }
  bool found = llvm::is_contained(map.getResults(), column.floorDiv(*size));
  return found ? *size : 0;
}

std::optional<Contraction> Contraction::match(loop::KernelOp kernel) {
  if (kernel.getForm() != loop::Template::Contraction) {
    return std::nullopt;
  }
  Contraction c;
  c.kernel = kernel;
  for (Operation &op : kernel.getBlock()) {
    if (op.getNumRegions() > 0) {
      if (c.reduce) {
        return std::nullopt;
      }
      c.reduce = dyn_cast<loop::ReduceOp>(op);
    }
  }
  if (!c.reduce || c.reduce.getNumResults() != 1 || c.reduce.getReducer(0) != loop::Reducer::Sum ||
      !c.reduce.getType(0).isF32()) {
    return std::nullopt;
  }
  auto product = c.reduce.getYield().getValues()[0].getDefiningOp<arith::MulFOp>();
  if (!product) {
    return std::nullopt;
  }
  c.a = loadBehind(product.getLhs());
  c.b = loadBehind(product.getRhs());
  if (!c.a || !c.b || c.b.getMask() || !c.a.getIndices().empty() || !c.b.getIndices().empty()) {
    return std::nullopt;
  }
  if (!getElement(c.a.getTensor()).isF32() || !getElement(c.b.getTensor()).isF32()) {
    return std::nullopt;
  }
  if (c.a.getMask()) {
    c.padding = c.a.getMask().getDefiningOp<loop::InsideOp>();
    if (!c.padding || !matchPattern(c.a.getOther(), m_AnyZeroFloat())) {
      return std::nullopt;
    }
  }
  c.axes = loop::axesOf(&c.reduce.getBlock());
  // Tiles of nothing have no size; the plain nest does what is left, which is to write zeros.
  if (llvm::any_of(c.axes, [](Dim axis) { return getStatic(axis) == 0; })) {
    return std::nullopt;
  }
  unsigned numAxes = kernel.getNumAxes();
  c.formA = offsetForm(kernel, c.a.getTensor(), c.a.getMap(), c.axes);
  c.formB = offsetForm(kernel, c.b.getTensor(), c.b.getMap(), c.axes);
  if (!isLinear(c.formA)) {
    return std::nullopt;
  }
  // Whose axes are whose.
  std::optional<unsigned> columns;
  for (unsigned i = 0; i < numAxes; ++i) {
    bool inA = c.formA.uses(i), inB = c.formB.uses(i);
    if (getStatic(c.axes[i]) == 1) {
      continue;
    }
    if (inA && inB) {
      c.batch.push_back(i);
    } else if (inB) {
      if (columns) {
        return std::nullopt;
      }
      columns = i;
    } else {
      c.rows.push_back(i);
    }
  }
  if (!columns) {
    return std::nullopt;
  }
  c.columns = *columns;
  c.panel = panelOf(c.b, c.columns);
  if (c.panel == 0 && !isLinear(c.formB)) {
    return std::nullopt;
  }
  bool apart = getStatic(c.formB.coefficient(c.columns)) != 1;
  // Rows of B that are read in place are in as many pages as there are rows: many rows of A
  // pay for bringing them together.
  c.packsPanels = c.panel == 0 && (apart || getStatic(c.numRows()).value_or(32) >= 32);
  // Epilogue accesses.
  SmallVector<IndexForm> epilogue;
  bool pinsRows = false;
  for (Operation &op : kernel.getBlock()) {
    auto check = [&](AffineMap map, Value tensor) {
      epilogue.push_back(offsetForm(kernel, tensor, map, c.axes));
    };
    if (auto load = dyn_cast<loop::LoadOp>(op)) {
      check(load.getMap(), load.getTensor());
    } else if (auto store = dyn_cast<loop::StoreOp>(op)) {
      check(store.getMap(), store.getTensor());
    } else if (isa<loop::ApplyOp, loop::InsideOp>(op)) {
      pinsRows = true;
    }
  }
  // Rows in the order of the output's memory, so that consecutive rows are neighbours.
  c.flatEpilogue = !pinsRows;
  SmallVector<IndexForm> all(epilogue);
  all.push_back(c.formA);
  c.uniformRows = !pinsRows && !c.padding;
  for (unsigned i = 0; i + 1 < c.rows.size(); ++i) {
    c.flatEpilogue &= mergeable(epilogue, c.rows[i], c.rows[i + 1], c.axes[c.rows[i + 1]]);
    c.uniformRows &= mergeable(all, c.rows[i], c.rows[i + 1], c.axes[c.rows[i + 1]]);
  }
  // The run: the reduction's axis along which B's panel steps by one row. Taps before it.
  SmallVector<unsigned> inner;
  for (unsigned i = numAxes; i < c.axes.size(); ++i) {
    if (getStatic(c.axes[i]) != 1) {
      inner.push_back(i);
    }
  }
  // Merge from the inside while A and B step evenly and no padding depends on it.
  auto pinned = [&](unsigned axis) {
    return c.padding && llvm::any_of(c.padding.getMap().getResults(),
                                     [&](AffineExpr e) { return e.isFunctionOfDim(axis); });
  };
  while (inner.size() > 1) {
    unsigned last = inner.back(), before = inner[inner.size() - 2];
    if (pinned(last) || pinned(before) || !mergeable({c.formA, c.formB}, before, last, c.axes[last])) {
      break;
    }
    c.axes[last] = simplify(c.axes[last] * c.axes[before]);
    c.axes[before] = constantDim(kernel.getContext(), 1);
    inner.erase(inner.end() - 2);
  }
  if (inner.empty()) {
    inner.push_back(c.axes.size() - 1);
  }
  c.run = inner.pop_back_val();
  // Few rows don't pay for packing: each result is a sum along two contiguous rows.
  std::optional<int64_t> rows = getStatic(c.numRows());
  if (apart && c.panel == 0 && rows && *rows < 4 && getStatic(c.formA.coefficient(c.run)) == 1 &&
      getStatic(c.formB.coefficient(c.run)) == 1) {
    return std::nullopt;
  }
  // Rows outside of the padding are read from zeros, forwards.
  bool isBackwards = getStatic(c.formA.coefficient(c.run)).value_or(0) < 0;
  if (pinned(c.run) || (c.padding && isBackwards)) {
    return std::nullopt;
  }
  c.taps.assign(inner.begin(), inner.end());
  return c;
}

Dim Contraction::numRows() const {
  Dim count = constantDim(formA.constant.getContext(), 1);
  for (unsigned axis : rows) {
    count = count * axes[axis];
  }
  return simplify(count);
}

Dim Contraction::numBatches() const {
  Dim count = constantDim(formA.constant.getContext(), 1);
  for (unsigned axis : batch) {
    count = count * axes[axis];
  }
  return simplify(count);
}

} // namespace graphmill::cpu
