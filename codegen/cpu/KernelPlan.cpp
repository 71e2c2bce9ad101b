#include "codegen/cpu/KernelPlan.h"

using namespace mlir;

namespace graphmill::cpu {

using loop::IndexForm;

SmallVector<AffineExpr> stridesOf(loop::KernelOp kernel, Value tensor) {
  Dims dims = dimsOf(tensor);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  auto argument = cast<BlockArgument>(tensor);
  if (auto orders = kernel->getAttrOfType<ArrayAttr>("orders")) {
    ArrayRef<int64_t> given = cast<DenseI64ArrayAttr>(orders[argument.getArgNumber()]);
    if (!given.empty()) {
      order.assign(given.begin(), given.end());
    }
  }
  SmallVector<AffineExpr> strides(dims.size());
  AffineExpr stride = constantDim(kernel.getContext(), 1);
  for (int64_t dim : llvm::reverse(order)) {
    strides[dim] = stride;
    stride = simplify(stride * dims[dim]);
  }
  return strides;
}

namespace {

/// Collects accesses and decides. One instance a kernel.
class Planner {
public:
  Planner(loop::KernelOp kernel, const CpuTarget &target) : target(target) { plan.kernel = kernel; }

  KernelPlan run() {
    collect(plan.kernel.getBlock());
    plan.extents.assign(plan.kernel.getAxes().getExprs().begin(), plan.kernel.getAxes().getExprs().end());
    SmallVector<Access *> all;
    for (auto &entry : plan.accesses) {
      all.push_back(&entry.second);
    }
    if (!plan.kernel.getSequential()) {
      merge(plan.extents, 0, all);
    }
    for (Operation *loopOp : inners) {
      planInner(loopOp);
    }
    chooseVectors(all);
    for (unsigned i = 0; i < plan.extents.size(); ++i) {
      if (i != plan.vectorAxis && getStatic(plan.extents[i]) != 1) {
        plan.order.push_back(i);
      }
    }
    return std::move(plan);
  }

private:
  void collect(Block &block) {
    Dims axes = loop::axesOf(&block);
    for (Operation &op : block) {
      if (auto load = dyn_cast<loop::LoadOp>(op)) {
        addAccess(&op, load.getTensor(), load.getMap(), axes);
      } else if (auto store = dyn_cast<loop::StoreOp>(op)) {
        addAccess(&op, store.getTensor(), store.getMap(), axes);
      } else if (auto apply = dyn_cast<loop::ApplyOp>(op)) {
        pin(apply.getMap());
      } else if (auto inside = dyn_cast<loop::InsideOp>(op)) {
        pin(inside.getMap());
      } else if (auto sort = dyn_cast<loop::SortOp>(op)) {
        pin(sort.getMap());
      } else if (isa<loop::ReduceOp, loop::ForOp>(op)) {
        inners.push_back(&op);
        collect(op.getRegion(0).front());
      }
    }
  }

  void addAccess(Operation *op, Value tensor, AffineMap map, ArrayRef<Dim> axes) {
    AffineExpr offset = constantDim(op->getContext(), 0);
    for (auto [index, stride] : llvm::zip(map.getResults(), stridesOf(plan.kernel, tensor))) {
      offset = offset + index * stride;
    }
    plan.accesses.try_emplace(op, Access{op, tensor, IndexForm::of(offset, axes)});
  }

  /// Axes whose own value is needed can't be merged.
  void pin(AffineMap map) {
    for (AffineExpr expr : map.getResults()) {
      expr.walk([&](AffineExpr e) {
        if (auto dim = dyn_cast<AffineDimExpr>(e)) {
          pinned.insert(dim.getPosition());
        }
      });
    }
  }

  /// Two axes are one if stepping the outer is the same as passing the inner's end, in
  /// every access. `first` is the number of the first of these axes.
  void merge(Dims &extents, unsigned first, ArrayRef<Access *> accesses) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (unsigned outer = 0; outer < extents.size() && !changed; ++outer) {
        for (unsigned in = 0; in < extents.size() && !changed; ++in) {
          if (outer != in && canMerge(extents, first, outer, in, accesses)) {
            extents[in] = simplify(extents[in] * extents[outer]);
            extents[outer] = constantDim(plan.kernel.getContext(), 1);
            changed = true;
          }
        }
      }
    }
  }

  bool canMerge(const Dims &extents, unsigned first, unsigned outer, unsigned in, ArrayRef<Access *> accesses) {
    if (getStatic(extents[outer]) == 1 || getStatic(extents[in]) == 1 || pinned.contains(first + outer) ||
        pinned.contains(first + in)) {
      return false;
    }
    for (Access *access : accesses) {
      const IndexForm &form = access->form;
      if (form.isNonlinear(first + outer) || form.isNonlinear(first + in) ||
          !equal(form.coefficient(first + outer), form.coefficient(first + in) * extents[in])) {
        return false;
      }
    }
    return true;
  }

  SmallVector<Access *> accessesIn(Operation *loopOp) {
    SmallVector<Access *> result;
    loopOp->walk([&](Operation *op) {
      auto found = plan.accesses.find(op);
      if (found != plan.accesses.end()) {
        result.push_back(&found->second);
      }
    });
    return result;
  }

  static ArrayRef<AffineExpr> axesOfInner(Operation *loopOp) {
    auto reduce = dyn_cast<loop::ReduceOp>(loopOp);
    return reduce ? reduce.getAxes().getExprs() : cast<loop::ForOp>(loopOp).getAxes().getExprs();
  }

  /// An inner loop that reads what it writes runs in order.
  bool carriesMemory(Operation *loopOp) {
    llvm::DenseSet<Value> written;
    for (Access *access : accessesIn(loopOp)) {
      if (access->isStore()) {
        written.insert(access->tensor);
      }
    }
    return llvm::any_of(accessesIn(loopOp), [&](Access *access) {
      return !access->isStore() && written.contains(access->tensor);
    });
  }

  void planInner(Operation *loopOp) {
    KernelPlan::Inner inner;
    inner.extents.assign(axesOfInner(loopOp).begin(), axesOfInner(loopOp).end());
    unsigned first = loop::enclosingAxes(loopOp).size();
    SmallVector<Access *> accesses = accessesIn(loopOp);
    if (!carriesMemory(loopOp)) {
      bool ordered = false; // an argmax needs its flat position
      if (auto reduce = dyn_cast<loop::ReduceOp>(loopOp)) {
        for (unsigned i = 0; i < reduce.getNumResults(); ++i) {
          ordered |= reduce.getReducer(i) == loop::Reducer::Argmax || reduce.getReducer(i) == loop::Reducer::Argmin;
        }
      }
      if (!ordered) {
        merge(inner.extents, first, accesses);
      }
    }
    for (unsigned i = 0; i < inner.extents.size(); ++i) {
      if (getStatic(inner.extents[i]) != 1) {
        inner.order.push_back(i);
      }
    }
    plan.inner.try_emplace(loopOp, std::move(inner));
  }

  /// How well lanes along `axis` suit the accesses: contiguous and invariant ones are good,
  /// gathers bad. Very short axes are worth little.
  double score(unsigned axis, AffineExpr extent, ArrayRef<Access *> accesses) {
    double total = 0;
    for (Access *access : accesses) {
      const IndexForm &form = access->form;
      double weight = access->isStore() ? 2 : 1;
      if (form.isNonlinear(axis)) {
        total -= 3 * weight;
      } else if (std::optional<int64_t> stride = getStatic(form.coefficient(axis))) {
        total += *stride == 1 ? 3 * weight : *stride == 0 ? weight : -3 * weight;
      } else {
        total -= 3 * weight;
      }
    }
    if (std::optional<int64_t> n = getStatic(extent)) {
      if (*n < static_cast<int64_t>(target.lanes()) / 2) {
        total = std::min(total, 0.0) - 1;
      }
    }
    return total;
  }

  /// The best axis of an inner loop for lanes, and how good it is. Only loops without loops
  /// inside have lanes of their own, and only if they may run in any order.
  std::pair<unsigned, double> bestInner(Operation *loopOp) {
    unsigned first = loop::enclosingAxes(loopOp).size(), chosen = KernelPlan::kNone;
    double chosenScore = -1;
    bool isInnermost = llvm::none_of(loopOp->getRegion(0).front(), [](Operation &op) { return op.getNumRegions() > 0; });
    if (!isInnermost || carriesMemory(loopOp)) {
      return {chosen, isInnermost ? chosenScore : 0};
    }
    const KernelPlan::Inner &inner = plan.inner.find(loopOp)->second;
    SmallVector<Access *> accesses = accessesIn(loopOp);
    for (unsigned i : inner.order) {
      double s = score(first + i, inner.extents[i], accesses);
      if (chosen == KernelPlan::kNone || s >= chosenScore) {
        chosen = i;
        chosenScore = s;
      }
    }
    return {chosen, chosenScore};
  }

  void giveLanes(Operation *loopOp, unsigned axis) {
    if (axis == KernelPlan::kNone) {
      return;
    }
    KernelPlan::Inner &inner = plan.inner.find(loopOp)->second;
    inner.vectorAxis = axis;
    llvm::erase(inner.order, axis);
    inner.order.push_back(axis);
    std::optional<int64_t> n = getStatic(inner.extents[axis]);
    int64_t native = target.lanes();
    // Four registers of partial results hide the latency of additions.
    inner.lanes = !n || *n >= 8 * native ? 4 * native : *n >= 2 * native ? 2 * native : native;
  }

  void chooseVectors(ArrayRef<Access *> all) {
    bool sorts = !plan.kernel.getBlock().getOps<loop::SortOp>().empty();
    bool rowsAreLanes = !plan.kernel.getSequential() && !sorts; // a function works on whole rows
    unsigned best = KernelPlan::kNone;
    double bestScore = -1e9;
    for (unsigned i = 0; i < plan.extents.size() && rowsAreLanes; ++i) {
      if (getStatic(plan.extents[i]) == 1) {
        continue;
      }
      double s = score(i, plan.extents[i], all);
      if (s >= bestScore) { // later axes win ties: usually the innermost in memory
        best = i;
        bestScore = s;
      }
    }
    double innerScore = 0;
    SmallVector<unsigned> choices;
    for (Operation *loopOp : inners) {
      auto [axis, s] = bestInner(loopOp);
      choices.push_back(axis);
      innerScore += s;
    }
    if (!inners.empty() && (best == KernelPlan::kNone || innerScore >= bestScore)) {
      plan.innerVectors = true;
      for (auto [loopOp, axis] : llvm::zip(inners, choices)) {
        giveLanes(loopOp, axis);
      }
      return;
    }
    if (best != KernelPlan::kNone) {
      int64_t native = target.lanes();
      plan.vectorAxis = best;
      std::optional<int64_t> n = getStatic(plan.extents[best]);
      plan.lanes = !n || *n >= 4 * native ? 2 * native : native;
      plan.rowBlock = !n || *n > 2 * kRowBlock ? kRowBlock : 0;
    }
  }

  // Elements of a row that one tile does. 4096: 16 KiB of float32, half of an L1 cache.
  static constexpr int64_t kRowBlock = 4096;

  const CpuTarget &target;
  KernelPlan plan;
  SmallVector<Operation *> inners;
  llvm::DenseSet<unsigned> pinned;
};

} // namespace

KernelPlan KernelPlan::of(loop::KernelOp kernel, const CpuTarget &target) { return Planner(kernel, target).run(); }

AffineExpr KernelPlan::grid() const {
  auto context = const_cast<loop::KernelOp &>(kernel).getContext();
  AffineExpr tiles = constantDim(context, 1);
  if (const_cast<loop::KernelOp &>(kernel).getSequential()) {
    return tiles;
  }
  for (unsigned axis : order) {
    tiles = tiles * extents[axis];
  }
  if (rowBlock) {
    tiles = tiles * extents[vectorAxis].ceilDiv(rowBlock);
  }
  return simplify(tiles);
}

} // namespace graphmill::cpu
