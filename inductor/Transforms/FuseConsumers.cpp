//===- FuseConsumers.cpp - Readers join the kernel they read from ----------===//
//
// A contraction or reduction takes in the pointwise kernel that is its result's only
// reader (its epilogue). A kernel that works row by row takes in readers that need only
// the same row: softmax and layer norm become one kernel over rows.
//
//===----------------------------------------------------------------------===//
#include "inductor/Analysis/IndexForm.h"
#include "inductor/Analysis/KernelInfo.h"
#include "inductor/Transforms/KernelMerge.h"
#include "inductor/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace graphmill {

#define GEN_PASS_DEF_FUSECONSUMERSPASS
#include "inductor/Transforms/Passes.h.inc"

using namespace loop;

namespace {
struct FuseConsumers : impl::FuseConsumersPassBase<FuseConsumers> {
  using FuseConsumersPassBase::FuseConsumersPassBase;

  void runOnOperation() override {
    for (auto graph : getOperation().getOps<fx::GraphOp>()) {
      SmallVector<KernelOp> worklist;
      for (auto kernel : graph.getBlock().getOps<KernelOp>()) {
        worklist.push_back(kernel);
      }
      // A merged kernel sits where its reader was: readers of the reader come later.
      for (size_t i = 0; i < worklist.size(); ++i) {
        KernelOp kernel = worklist[i];
        while (kernel) {
          reason = nullptr;
          auto [merged, absorbed] = tryFuse(kernel);
          if (merged) {
            llvm::replace(worklist, absorbed, KernelOp());
            ++numFused;
          } else if (reason) {
            KernelOp reader = firstReader(kernel);
            if (auto remark = remark::missed(reader.getLoc(), remark::RemarkOpts::name("consumer").category("fusion"))) {
              remark << "not fused: " + describe(reader) + " into " + describe(kernel) + ": " + reason;
            }
          }
          kernel = merged;
        }
      }
    }
  }

private:
  const char *reason = nullptr; ///< why the last attempt failed, if it was one
  KernelOp decline(const char *why) {
    reason = why;
    return {};
  }

  /// The merged kernel and the reader that went into it; nulls if nothing fits.
  std::pair<KernelOp, KernelOp> tryFuse(KernelOp kernel) {
    if (isPointwise(kernel) || kernel.getSequential() || kernel.getInits() > 0) {
      return {};
    }
    KernelOp reader = firstReader(kernel);
    if (!reader || reader.getSequential() || reader.getInits() > 0 || sorts(kernel) || sorts(reader)) {
      return {};
    }
    if (costOf(kernel).ops + costOf(reader).ops > maxOps) {
      return {decline("together they would hold more ops than the limit (max-ops)"), nullptr};
    }
    if (isPointwise(reader)) {
      if (KernelOp merged = fuseEpilogue(kernel, reader)) {
        return {merged, reader};
      }
    }
    if (kernel.getForm() == Template::None && reader.getForm() == Template::None) {
      if (KernelOp merged = fuseRows(kernel, reader)) {
        return {merged, reader};
      }
    }
    return {};
  }

  /// A sort is a call on whole rows in memory: nothing joins it.
  static bool sorts(KernelOp kernel) { return !kernel.getBlock().getOps<SortOp>().empty(); }

  /// The earliest op that uses a result, if it is a kernel: others stay behind it.
  static KernelOp firstReader(KernelOp kernel) {
    Operation *first = nullptr;
    for (Operation *user : kernel->getUsers()) {
      if (!first || user->isBeforeInBlock(first)) {
        first = user;
      }
    }
    return dyn_cast_or_null<KernelOp>(first);
  }


  //===--------------------------------------------------------------------===//
  // Epilogues
  //===--------------------------------------------------------------------===//

  /// Runs the reader's body in the producer's iterations, on the value still in registers.
  KernelOp fuseEpilogue(KernelOp kernel, KernelOp reader) {
    if (kernel.getNumResults() != 1 || !llvm::hasSingleElement(usersOf(kernel))) {
      return decline("others read it too");
    }
    StoreOp store = storeOf(kernel, 0);
    if (!store || store.getMask() || !store.getIndices().empty() || !loadsOf(kernel, kernel.getOutputArg(0)).empty()) {
      return decline("it writes its result in several places");
    }
    AffineMap read;
    SmallVector<Value> arguments; // an operand may be given twice
    for (auto [i, value] : llvm::enumerate(reader.getInputs())) {
      if (value != kernel.getResult(0)) {
        continue;
      }
      arguments.push_back(reader.getInputArg(i));
      for (LoadOp load : loadsOf(reader, arguments.back())) {
        if (load.getMask() || !load.getIndices().empty() || (read && read != load.getMap())) {
          return decline("it reads under a condition, by index, or in several places");
        }
        read = load.getMap();
      }
    }
    if (!read) {
      return {};
    }
    Dims readerAxes(reader.getAxes().getExprs()), axes = enclosingAxes(store);
    auto solved = solveAxes(read, readerAxes, store.getMap(), dimsOf(kernel.getResult(0)));
    if (!solved) {
      return decline("it reads elements in another order or number than they are made");
    }
    OpBuilder builder(reader);
    KernelMerge merge(builder, reader.getLoc());
    merge.start(kernel.getAxes(), kernel.getForm());
    IRMapping mapping;
    // A stand-in for the result, so that the store is copied too: it marks the place.
    mapping.map(kernel.getOutputArg(0), kernel.getOutputArg(0));
    copyBody(kernel, merge, mapping);
    Value value = mapping.lookupOrDefault(store.getValue());
    StoreOp place;
    for (Operation *user : kernel.getOutputArg(0).getUsers()) {
      if (user != store) {
        place = cast<StoreOp>(user);
      }
    }
    OpBuilder inside(place);

    IRMapping readerMapping;
    for (auto [i, operand] : llvm::enumerate(reader.getInputs())) {
      if (operand != kernel.getResult(0)) {
        readerMapping.map(reader.getInputArg(i), merge.input(operand));
      }
    }
    for (unsigned i = 0; i < reader.getNumResults(); ++i) {
      readerMapping.map(reader.getOutputArg(i), merge.output(reader.getResult(i)));
    }
    Reindexing r;
    r.axes = *solved;
    r.newAxes = axes.size();
    r.newSizes = axes;
    for (Operation &op : reader.getBlock()) {
      auto load = dyn_cast<LoadOp>(op);
      if (load && llvm::is_contained(arguments, load.getTensor())) {
        readerMapping.map(load.getResult(), value);
      } else if (!isa<EndOp>(op)) {
        cloneReindexed(inside, op, readerMapping, r);
      }
    }
    place.erase();
    return replace(merge, kernel, reader);
  }

  /// The producer's body at the start of the merged one.
  static OpBuilder copyBody(KernelOp kernel, KernelMerge &merge, IRMapping &mapping) {
    for (auto [i, operand] : llvm::enumerate(kernel.getInputs())) {
      mapping.map(kernel.getInputArg(i), merge.input(operand));
    }
    OpBuilder inside(kernel.getContext());
    inside.setInsertionPointToEnd(&merge.block());
    for (Operation &op : kernel.getBlock()) {
      if (!isa<EndOp>(op)) {
        inside.clone(op, mapping);
      }
    }
    return inside;
  }

  static KernelOp replace(KernelMerge &merge, KernelOp kernel, KernelOp reader) {
    KernelOp merged = merge.finish();
    reader.erase();
    kernel.erase();
    return merged;
  }

  //===--------------------------------------------------------------------===//
  // Rows
  //===--------------------------------------------------------------------===//

  /// For each axis of the producer, the reader's axis that it is; nothing if the reader
  /// needs more than the row it is in.
  static std::optional<SmallVector<unsigned>> matchRows(KernelOp kernel, KernelOp reader) {
    unsigned rows = kernel.getNumAxes();
    SmallVector<unsigned> match(rows, ~0u);
    Dims axes(kernel.getAxes().getExprs()), readerAxes(reader.getAxes().getExprs());
    for (auto [i, value] : llvm::enumerate(reader.getInputs())) {
      if (producerOf(value) != kernel) {
        continue;
      }
      unsigned result = cast<OpResult>(value).getResultNumber();
      SmallVector<AffineMap> writes;
      for (Operation *user : kernel.getOutputArg(result).getUsers()) {
        if (isa<LoadOp>(user)) {
          continue;
        }
        auto store = dyn_cast<StoreOp>(user);
        if (!store || !store.getIndices().empty()) { // a sort writes rows as a whole
          return std::nullopt;
        }
        writes.push_back(store.getMap());
      }
      for (LoadOp load : loadsOf(reader, reader.getInputArg(i))) {
        for (AffineMap write : writes) {
          // The dim of the tensor that is just row axis `row` when written must be just
          // one of the reader's own axes when read.
          for (unsigned row = 0; row < rows; ++row) {
            if (getStatic(axes[row]) == 1) {
              continue;
            }
            bool found = false;
            for (auto [to, from] : llvm::zip(write.getResults(), load.getMap().getResults())) {
              auto writeDim = dyn_cast<AffineDimExpr>(to), readDim = dyn_cast<AffineDimExpr>(from);
              if (!writeDim || writeDim.getPosition() != row) {
                continue;
              }
              if (!readDim || readDim.getPosition() >= readerAxes.size() ||
                  !equal(readerAxes[readDim.getPosition()], axes[row]) ||
                  (match[row] != ~0u && match[row] != readDim.getPosition())) {
                return std::nullopt;
              }
              match[row] = readDim.getPosition();
              found = true;
            }
            if (!found) {
              return std::nullopt;
            }
          }
        }
      }
    }
    // Rows of size 1 are any axis of size 1, or none.
    SmallVector<unsigned> taken;
    for (unsigned axis : match) {
      if (axis != ~0u) {
        if (llvm::is_contained(taken, axis)) {
          return std::nullopt;
        }
        taken.push_back(axis);
      }
    }
    return match;
  }

  /// Enough rows to share among threads, or too little work to share.
  bool hasEnoughRows(KernelOp kernel, KernelOp reader) {
    Dim rows = product(&getContext(), kernel.getAxes().getExprs());
    std::optional<int64_t> count = getStatic(rows);
    if (!count || *count >= static_cast<int64_t>(minRows)) {
      return true;
    }
    std::optional<int64_t> all = getStatic(product(&getContext(), reader.getAxes().getExprs()));
    return all && *all <= static_cast<int64_t>(smallElements);
  }

  KernelOp fuseRows(KernelOp kernel, KernelOp reader) {
    auto match = matchRows(kernel, reader);
    if (!match) {
      return decline("it needs more than the row that it is in");
    }
    if (!hasEnoughRows(kernel, reader)) {
      return decline("too few rows to share among threads");
    }
    Dims axes(kernel.getAxes().getExprs()), readerAxes(reader.getAxes().getExprs());
    OpBuilder builder(reader);
    KernelMerge merge(builder, reader.getLoc());
    merge.start(kernel.getAxes(), Template::None);
    IRMapping mapping;
    for (unsigned i = 0; i < kernel.getNumResults(); ++i) {
      mapping.map(kernel.getOutputArg(i), merge.output(kernel.getResult(i)));
    }
    OpBuilder inside = copyBody(kernel, merge, mapping);
    // Values stored at the row's own level are at hand; others are read back.
    llvm::DenseMap<Value, Value> rowValues;
    IRMapping readerMapping;
    for (auto [i, operand] : llvm::enumerate(reader.getInputs())) {
      if (producerOf(operand) != kernel) {
        readerMapping.map(reader.getInputArg(i), merge.input(operand));
        continue;
      }
      unsigned result = cast<OpResult>(operand).getResultNumber();
      readerMapping.map(reader.getInputArg(i), mapping.lookup(kernel.getOutputArg(result)));
      StoreOp store = storeOf(kernel, result);
      if (store && store->getBlock() == &kernel.getBlock() && !store.getMask()) {
        rowValues[reader.getInputArg(i)] = mapping.lookupOrDefault(store.getValue());
      }
    }
    for (unsigned i = 0; i < reader.getNumResults(); ++i) {
      readerMapping.map(reader.getOutputArg(i), merge.output(reader.getResult(i)));
    }
    // The reader's other axes become an inner loop.
    Reindexing r;
    r.axes.assign(readerAxes.size(), nullptr);
    r.newSizes = axes;
    for (auto [row, axis] : llvm::enumerate(*match)) {
      if (axis != ~0u) {
        r.axes[axis] = getAffineDimExpr(row, &getContext());
      }
    }
    Dims inner;
    for (auto [i, axis] : llvm::enumerate(r.axes)) {
      if (!axis && getStatic(readerAxes[i]) == 1) {
        axis = constantDim(&getContext(), 0);
      } else if (!axis) {
        axis = getAffineDimExpr(axes.size() + inner.size(), &getContext());
        inner.push_back(readerAxes[i]);
        r.newSizes.push_back(readerAxes[i]);
      }
    }
    r.newAxes = axes.size() + inner.size();
    if (!inner.empty()) {
      auto loopOp = ForOp::create(inside, reader.getLoc(), fx::DimsAttr::get(&getContext(), inner));
      inside.setInsertionPointToEnd(&loopOp.getBody().emplaceBlock());
    }
    for (Operation &op : reader.getBlock()) {
      if (!isa<EndOp>(op)) {
        cloneReindexed(inside, op, readerMapping, r);
      }
    }
    if (!inner.empty()) {
      EndOp::create(inside, reader.getLoc());
    }
    forwardRowValues(merge.block(), rowValues, readerMapping);
    return dropUnread(replace(merge, kernel, reader));
  }

  /// Loads of a value that the row has already computed become that value.
  static void forwardRowValues(Block &block, const llvm::DenseMap<Value, Value> &rowValues, IRMapping &readerMapping) {
    for (auto [argument, value] : rowValues) {
      Value copy = readerMapping.lookup(argument);
      for (Operation *user : llvm::make_early_inc_range(copy.getUsers())) {
        auto load = dyn_cast<LoadOp>(user);
        if (load && !load.getMask() && load.getIndices().empty() && load.getType() == value.getType()) {
          load.replaceAllUsesWith(value);
          load.erase();
        }
      }
    }
  }

  /// Results that nobody outside reads, nor the kernel itself, aren't written.
  static KernelOp dropUnread(KernelOp kernel) {
    SmallVector<unsigned> kept;
    for (unsigned i = 0; i < kernel.getNumResults(); ++i) {
      bool readInside = !loadsOf(kernel, kernel.getOutputArg(i)).empty();
      if (!kernel.getResult(i).use_empty() || readInside) {
        kept.push_back(i);
        continue;
      }
      for (Operation *user : llvm::make_early_inc_range(kernel.getOutputArg(i).getUsers())) {
        user->erase();
      }
    }
    if (kept.size() == kernel.getNumResults()) {
      return kernel;
    }
    SmallVector<Type> types;
    for (unsigned i : kept) {
      types.push_back(kernel.getResult(i).getType());
    }
    for (unsigned i = kernel.getNumResults(); i-- > 0;) {
      if (!llvm::is_contained(kept, i)) {
        kernel.getBlock().eraseArgument(kernel.getInputs().size() + i);
      }
    }
    OpBuilder builder(kernel);
    auto smaller = KernelOp::create(builder, kernel.getLoc(), types, kernel.getInputs(), kernel.getAxes(),
                                    kernel.getInits(), kernel.getSequential(), kernel.getForm());
    smaller.getBody().takeBody(kernel.getBody());
    for (auto [i, old] : llvm::enumerate(kept)) {
      kernel.getResult(old).replaceAllUsesWith(smaller.getResult(i));
    }
    kernel.erase();
    return smaller;
  }
};
} // namespace
} // namespace graphmill
