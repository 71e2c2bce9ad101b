//===- InlineProducers.cpp - A reader computes what it reads ---------------===//
//
// A load from a pointwise kernel's result becomes that kernel's body, evaluated at the
// place that is read. Views (nothing but an index map) always go this way; computation does
// if nobody else wants the result, or if it is cheaper to repeat than to store.
//
//===----------------------------------------------------------------------===//
#include "inductor/Analysis/IndexForm.h"
#include "inductor/Analysis/KernelInfo.h"
#include "inductor/Lowering/Lowering.h"
#include "inductor/Transforms/KernelMerge.h"
#include "inductor/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace graphmill {

#define GEN_PASS_DEF_INLINEPRODUCERSPASS
#include "inductor/Transforms/Passes.h.inc"

using namespace loop;

namespace {
struct InlineProducers : impl::InlineProducersPassBase<InlineProducers> {
  using InlineProducersPassBase::InlineProducersPassBase;

  void runOnOperation() override {
    for (auto graph : getOperation().getOps<fx::GraphOp>()) {
      for (Operation &op : llvm::make_early_inc_range(graph.getBlock())) {
        if (auto kernel = dyn_cast<KernelOp>(op)) {
          visit(kernel);
        }
      }
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(graph.getBlock()))) {
        if (isa<KernelOp, fx::GetOp>(op) && op.use_empty()) {
          op.erase();
        }
      }
    }
  }

private:
  /// Merges what it can into one kernel, one operand after the other. Producers were
  /// visited before: what they read is already merged into them.
  void visit(KernelOp kernel) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (unsigned i = 0; i < kernel.getInputs().size() - kernel.getInits(); ++i) {
        KernelOp producer = producerOf(kernel.getInputs()[i]);
        if (producer && !whyNot(producer, kernel, i)) {
          kernel = inlineInto(kernel, i, producer);
          ++numInlined;
          changed = true;
          break;
        }
      }
    }
    if (getContext().getRemarkEngine()) {
      remarkMissed(kernel);
    }
  }

  void remarkMissed(KernelOp kernel) {
    for (unsigned i = 0; i < kernel.getInputs().size() - kernel.getInits(); ++i) {
      KernelOp producer = producerOf(kernel.getInputs()[i]);
      if (producer && isPointwise(producer)) {
        remark::missed(kernel.getLoc(), remark::RemarkOpts::name("inline").category("fusion"))
            << "not fused: " + describe(producer) + " into " + describe(kernel) + ": " + whyNot(producer, kernel, i);
      }
    }
  }

  /// Why a reader shouldn't compute what the producer would have stored; null if it should.
  const char *whyNot(KernelOp producer, KernelOp reader, unsigned operand) {
    if (!isPointwise(producer) || producer.getNumResults() != 1 || !storeOf(producer, 0)) {
      return "it isn't one value an element";
    }
    SmallVector<LoadOp> loads = loadsOf(reader, reader.getInputArg(operand));
    // A sort reads its operand as a whole, from memory.
    if (!llvm::all_of(reader.getInputArg(operand).getUsers(), [](Operation *user) { return isa<LoadOp>(user); })) {
      return "a sort reads rows from memory";
    }
    if (reader.getForm() == Template::Contraction && !suitsContraction(producer, reader, loads)) {
      return "a contraction reads its operands from memory, and this is no strided view";
    }
    if (reader.getForm() == Template::Attention && !suitsAttention(producer, loads)) {
      return "attention reads its operands from memory, and this is no strided view";
    }
    if (isView(producer)) {
      return nullptr;
    }
    BodyCost cost = costOf(producer), readerCost = costOf(reader);
    if (cost.loads + readerCost.loads > maxReads) {
      return "together they would read more buffers than the limit (max-reads)";
    }
    if (cost.ops + readerCost.ops > maxOps) {
      return "together they would hold more ops than the limit (max-ops)";
    }
    SetVector<Attribute> places;
    for (LoadOp load : loads) {
      places.insert(load.getMapAttr());
    }
    bool cheap = cost.compute <= 4 && cost.loads <= 3;
    bool shared = !llvm::hasSingleElement(usersOf(producer)) || places.size() > 1;
    if (!shared && !repeats(loads)) {
      return nullptr;
    }
    if (!cheap) {
      return shared ? "several reads share it, and it isn't cheap enough to compute for each"
                    : "elements are read more than once, and aren't cheap enough to compute each time";
    }
    return isEpilogue(producer) ? "it is free as the end of the kernel before it" : nullptr;
  }

  /// Whether it will cost nothing as the end of the contraction or reduction that it reads.
  static bool isEpilogue(KernelOp producer) {
    return llvm::any_of(producer.getInputs(), [&](Value input) {
      KernelOp before = producerOf(input);
      return before && !isPointwise(before) && llvm::hasSingleElement(usersOf(before));
    });
  }

  /// Whether an element is read more than once: some axis around the load isn't in its map,
  /// or axes overlap in one dim, as an image's rows and a window's taps do.
  static bool repeats(ArrayRef<LoadOp> loads) {
    for (LoadOp load : loads) {
      Dims axes = enclosingAxes(load);
      for (unsigned i = 0; i < axes.size(); ++i) {
        if (getStatic(axes[i]) != 1 && !load.getMap().isFunctionOfDim(i)) {
          return true;
        }
      }
      AffineMap map = load.getMap();
      if (llvm::any_of(map.getResults(), [&](AffineExpr result) { return overlaps(result, axes); })) {
        return true;
      }
    }
    return false;
  }

  /// Whether a sum of axes times constants takes a value more than once.
  static bool overlaps(AffineExpr result, ArrayRef<Dim> axes) {
    SmallVector<std::pair<int64_t, std::optional<int64_t>>> steps; // coefficient, extent
    for (auto &[atom, coefficient] : IndexForm::of(result, axes).terms) {
      auto dim = dyn_cast<AffineDimExpr>(atom);
      std::optional<int64_t> step = getStatic(coefficient);
      if (!dim || !step || dim.getPosition() >= axes.size()) {
        return false; // a reshape's floordiv and mod, or an index from a tensor
      }
      steps.emplace_back(std::abs(*step), getStatic(axes[dim.getPosition()]));
    }
    llvm::sort(steps);
    int64_t reach = 0; // of the smaller steps together
    for (auto [step, extent] : steps) {
      if (step <= reach) {
        return true;
      }
      reach = extent ? reach + (*extent - 1) * step : std::numeric_limits<int32_t>::max();
    }
    return false;
  }

  /// A contraction's inner loop reads operands directly: only index maps that stay strided,
  /// and padding by zeros, may come between.
  static bool suitsContraction(KernelOp producer, KernelOp reader, ArrayRef<LoadOp> loads) {
    if (!isView(producer) || loads.size() != 1) {
      return false;
    }
    LoadOp outer = loads[0], inner;
    for (Operation &op : producer.getBlock()) {
      if (auto load = dyn_cast<LoadOp>(op)) {
        if (inner && load.getTensor() != inner.getTensor()) {
          // The second load is the padding's value.
          return false;
        }
        inner = load;
      }
    }
    if (!inner || !inner.getIndices().empty() || !outer.getIndices().empty()) {
      return false;
    }
    if (inner.getMask() && (outer.getMask() || !isZero(inner.getOther()))) {
      return false;
    }
    AffineMap composed = inner.getMap().compose(outer.getMap());
    Dims axes = enclosingAxes(outer);
    for (AffineExpr expr : composed.getResults()) {
      for (auto &term : IndexForm::of(expr, axes).terms) {
        if (!isa<AffineDimExpr>(term.first)) {
          return false;
        }
      }
    }
    return true;
  }

  /// Queries, keys and values are read in rows: an index map between may do as it likes with
  /// batch and head only.
  static bool suitsAttention(KernelOp producer, ArrayRef<LoadOp> loads) {
    if (!isView(producer)) {
      return false;
    }
    for (LoadOp outer : loads) {
      Dims axes = enclosingAxes(outer);
      for (Operation &op : producer.getBlock()) {
        auto inner = dyn_cast<LoadOp>(op);
        if (!inner) {
          continue;
        }
        if (!inner.getIndices().empty() || inner.getMask()) {
          return false;
        }
        AffineMap composed = inner.getMap().compose(outer.getMap());
        for (AffineExpr expr : composed.getResults()) {
          for (auto &[atom, coefficient] : IndexForm::of(expr, axes).terms) {
            bool rowsOnly = isa<AffineDimExpr>(atom) || (!atom.isFunctionOfDim(2) && !atom.isFunctionOfDim(3) && !atom.isFunctionOfDim(4));
            if (!rowsOnly) {
              return false;
            }
          }
        }
      }
    }
    return true;
  }

  static bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()); }

  KernelOp inlineInto(KernelOp reader, unsigned operand, KernelOp producer) {
    OpBuilder builder(reader);
    BlockArgument argument = reader.getInputArg(operand);
    // New operands go before the ones that results start from.
    SmallVector<Value> inputs(reader.getInputs());
    IRMapping producerArguments;
    for (unsigned i = 0; i < producer.getInputs().size(); ++i) {
      Value value = producer.getInputs()[i];
      unsigned end = inputs.size() - reader.getInits();
      auto found = std::find(inputs.begin(), inputs.begin() + end, value);
      unsigned at = found - inputs.begin();
      if (at == end) {
        inputs.insert(inputs.begin() + end, value);
        reader.getBlock().insertArgument(end, value.getType(), value.getLoc());
      }
      producerArguments.map(producer.getInputArg(i), reader.getBlock().getArgument(at));
    }
    StoreOp store = storeOf(producer, 0);
    for (LoadOp load : loadsOf(reader, argument)) {
      builder.setInsertionPoint(load);
      Reindexing r;
      Dims axes = enclosingAxes(load);
      r.newAxes = axes.size();
      r.newSizes = axes;
      r.indices.assign(load.getIndices().begin(), load.getIndices().end());
      // A pointwise kernel stores element (d0, d1, …) in iteration (d0, d1, …).
      r.axes.assign(load.getMap().getResults().begin(), load.getMap().getResults().end());
      r.mask = load.getMask();
      IRMapping mapping(producerArguments);
      for (Operation &op : producer.getBlock()) {
        if (!isa<StoreOp, EndOp>(op)) {
          cloneReindexed(builder, op, mapping, r);
        }
      }
      Value value = mapping.lookupOrDefault(store.getValue());
      if (load.getMask()) {
        value = arith::SelectOp::create(builder, load.getLoc(), load.getMask(), value, load.getOther());
      }
      load.replaceAllUsesWith(value);
      load.erase();
    }
    inputs.erase(inputs.begin() + operand);
    reader.getBlock().eraseArgument(operand);
    builder.setInsertionPoint(reader);
    auto merged = KernelOp::create(builder, reader.getLoc(), reader.getResultTypes(), inputs, reader.getAxes(),
                                   reader.getInits(), reader.getSequential(), reader.getForm());
    merged.getBody().takeBody(reader.getBody());
    reader.replaceAllUsesWith(merged.getResults());
    reader.erase();
    if (producer.use_empty()) {
      producer.erase();
    }
    return merged;
  }
};
} // namespace
} // namespace graphmill
