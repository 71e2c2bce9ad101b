//===- AssignLayouts.cpp - In which order each tensor is stored ------------===//
//
// A convolution reads and writes channels last: its rows are pixels, its run is channels.
// Kernels around it follow, so that nothing is reordered inside a network. What comes from
// or goes to the user is in the user's order: copies stand at the borders.
//
//===----------------------------------------------------------------------===//
#include "fx/Prims/PrimsDialect.h"
#include "inductor/Analysis/KernelInfo.h"
#include "inductor/IR/KernelBuilder.h"
#include "inductor/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace graphmill {

#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "inductor/Transforms/Passes.h.inc"

using namespace loop;

namespace {
using Order = SmallVector<int64_t>;

/// [0, 2, 3, …, 1]: batch, pixels, channels.
Order channelsLast(int64_t rank) {
  Order order{0};
  for (int64_t i = 2; i < rank; ++i) {
    order.push_back(i);
  }
  order.push_back(1);
  return order;
}

struct AssignLayouts : impl::AssignLayoutsPassBase<AssignLayouts> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<fx::GraphOp>()) {
      orders.clear();
      copyInputs(graph);
      for (auto kernel : graph.getBlock().getOps<KernelOp>()) {
        chooseForward(kernel);
      }
      SmallVector<KernelOp> kernels = llvm::to_vector(graph.getBlock().getOps<KernelOp>());
      for (KernelOp kernel : llvm::reverse(kernels)) {
        chooseBackward(kernel);
      }
      copyOutputs(graph);
      for (auto kernel : graph.getBlock().getOps<KernelOp>()) {
        annotate(kernel);
      }
    }
  }

private:
  static int64_t rankOf(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

  /// A convolution's input: the operand of a contraction that is read at [n, c, pixels…]
  /// with taps among the pixels or not. Nothing for plain matrix products.
  static Value convolutionInput(KernelOp kernel) {
    if (kernel.getForm() != Template::Contraction || rankOf(kernel.getResult(0)) < 3) {
      return {};
    }
    for (auto reduce : kernel.getBlock().getOps<ReduceOp>()) {
      if (reduce.getAxes().getExprs().size() < 2) {
        return {}; // only a channel axis: a matrix product
      }
      for (auto load : reduce.getBlock().getOps<LoadOp>()) {
        return cast<BlockArgument>(load.getTensor()).getArgNumber() < kernel.getInputs().size()
                   ? kernel.getInputs()[cast<BlockArgument>(load.getTensor()).getArgNumber()]
                   : Value();
      }
    }
    return {};
  }

  /// Sums of products over taps with one channel at a time, and windows: they want channels
  /// last if what they read has them.
  void chooseForward(KernelOp kernel) {
    bool isConvolution = static_cast<bool>(convolutionInput(kernel));
    for (Value result : kernel.getResults()) {
      int64_t rank = rankOf(result);
      if (rank < 3) {
        continue;
      }
      if (kernel.getForm() == Template::Contraction) {
        if (std::optional<Order> order = orderOfContraction(kernel, result, isConvolution)) {
          orders[result] = *order;
        }
        continue;
      }
      // A result that starts as a copy is stored like what it is copied from.
      unsigned number = cast<OpResult>(result).getResultNumber();
      OperandRange candidates = kernel.getInputs();
      if (number < kernel.getInits()) {
        Value copied = candidates[candidates.size() - kernel.getInits() + number];
        if (auto found = orders.find(copied); found != orders.end()) {
          Order order = found->second;
          orders[result] = order;
        }
        continue;
      }
      if (std::optional<Order> order = orderOfWindow(kernel, result)) {
        orders[result] = *order;
        continue;
      }
      // Operands in an order of their own first, then those that kernels made.
      for (bool isOwn : {true, false}) {
        for (Value input : candidates) {
          bool isCandidate = orders.contains(input) == isOwn && (isOwn || (producerOf(input) && !isView(kernel)));
          std::optional<Order> order = isCandidate && !orders.contains(result) ? followed(kernel, input, result) : std::nullopt;
          if (order) {
            orders[result] = *order;
          }
        }
      }
    }
  }

  /// Columns last, whichever dim of the result they are after an epilogue's permutation; a
  /// convolution's groups before them.
  static std::optional<Order> orderOfContraction(KernelOp kernel, Value result, bool isConvolution) {
    StoreOp store = storeOf(kernel, cast<OpResult>(result).getResultNumber());
    auto reduces = kernel.getBlock().getOps<ReduceOp>();
    if (!store || !llvm::hasSingleElement(reduces)) {
      return std::nullopt;
    }
    SmallVector<LoadOp> loads = llvm::to_vector((*reduces.begin()).getBlock().getOps<LoadOp>());
    if (loads.size() < 2) {
      return std::nullopt;
    }
    AffineMap rows = loads.front().getMap(), weight = loads.back().getMap();
    auto isChannel = [&](int64_t dim) {
      AffineMap written = store.getMap();
      std::optional<unsigned> axis = axisOf(written.getResult(dim), written.getNumDims());
      return axis && *axis < kernel.getNumAxes() && weight.isFunctionOfDim(*axis) &&
             (isConvolution || !rows.isFunctionOfDim(*axis));
    };
    Order order = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(result)));
    Order channels = order;
    llvm::erase_if(order, isChannel);
    llvm::erase_if(channels, [&](int64_t dim) { return !isChannel(dim); });
    llvm::append_range(order, channels);
    return inOrder(order) ? std::nullopt : std::optional(order);
  }

  static bool inOrder(ArrayRef<int64_t> order) { return llvm::equal(order, llvm::seq<int64_t>(0, order.size())); }

  /// The first axis that an index depends on; none for constants.
  static std::optional<unsigned> axisOf(AffineExpr expr, unsigned numDims) {
    for (unsigned i = 0; i < numDims; ++i) {
      if (expr.isFunctionOfDim(i)) {
        return i;
      }
    }
    return std::nullopt;
  }

  /// The order in which a result lies like an operand: dims that the same axes run over follow
  /// each other in the same way.
  std::optional<Order> followed(KernelOp kernel, Value input, Value result) {
    auto found = orders.find(input);
    unsigned operand = llvm::find(kernel.getInputs(), input) - kernel.getInputs().begin();
    SmallVector<LoadOp> loads = loadsOf(kernel, kernel.getInputArg(operand));
    unsigned number = cast<OpResult>(result).getResultNumber();
    StoreOp store;
    for (Operation *user : kernel.getOutputArg(number).getUsers()) {
      store = isa<StoreOp>(user) ? cast<StoreOp>(user) : store;
    }
    if (rankOf(input) != rankOf(result) || loads.empty() || !store) {
      return std::nullopt;
    }
    Order from = found == orders.end() ? llvm::to_vector(llvm::seq<int64_t>(0, rankOf(input))) : found->second;
    AffineMap read = loads[0].getMap(), written = store.getMap();
    Order order;
    for (int64_t dim : from) {
      std::optional<unsigned> axis = axisOf(read.getResult(dim), read.getNumDims());
      for (int64_t d = 0; axis && d < rankOf(result); ++d) {
        if (axisOf(written.getResult(d), written.getNumDims()) == axis && !llvm::is_contained(order, d)) {
          order.push_back(d);
        }
      }
    }
    // Dims that no axis of the operand runs over (size 1, broadcast) come first.
    for (int64_t d = rankOf(result); d-- > 0;) {
      if (!llvm::is_contained(order, d)) {
        order.insert(order.begin(), d);
      }
    }
    return inOrder(order) ? std::nullopt : std::optional(order);
  }

  /// A window over something that is contiguous along another dim than the result's last: the
  /// result is stored that way too, and lanes run along it.
  std::optional<Order> orderOfWindow(KernelOp kernel, Value result) {
    StoreOp store = kernel.getNumResults() == 1 ? storeOf(kernel, 0) : nullptr;
    auto reduces = kernel.getBlock().getOps<ReduceOp>();
    if (!store || !llvm::hasSingleElement(reduces) || kernel.getForm() != Template::None) {
      return std::nullopt;
    }
    for (auto load : (*reduces.begin()).getBlock().getOps<LoadOp>()) {
      unsigned number = cast<BlockArgument>(load.getTensor()).getArgNumber();
      int64_t rank = load.getMap().getNumResults();
      if (rank < 3 || number >= kernel.getInputs().size()) {
        continue;
      }
      auto found = orders.find(kernel.getInputs()[number]);
      int64_t last = found == orders.end() ? rank - 1 : found->second.back();
      auto axis = dyn_cast<AffineDimExpr>(load.getMap().getResult(last));
      if (!axis || axis.getPosition() >= kernel.getNumAxes()) {
        return std::nullopt;
      }
      AffineMap written = store.getMap();
      for (int64_t d = 0; d < rankOf(result); ++d) {
        if (written.getResult(d).isFunctionOfDim(axis.getPosition()) && d + 1 < rankOf(result)) {
          Order order;
          for (int64_t other = 0; other < rankOf(result); ++other) {
            if (other != d) {
              order.push_back(other);
            }
          }
          order.push_back(d);
          return order;
        }
      }
      return std::nullopt;
    }
    return std::nullopt;
  }

  /// What only convolutions read is written for them.
  void chooseBackward(KernelOp kernel) {
    for (Value result : kernel.getResults()) {
      bool isCopy = cast<OpResult>(result).getResultNumber() < kernel.getInits();
      if (orders.contains(result) || isCopy || rankOf(result) < 3 || result.use_empty()) {
        continue;
      }
      bool wanted = llvm::all_of(result.getUsers(), [&](Operation *user) {
        auto reader = dyn_cast<KernelOp>(user);
        return reader && convolutionInput(reader) == result;
      });
      if (wanted) {
        orders[result] = channelsLast(rankOf(result));
      }
    }
  }

  KernelOp copy(OpBuilder &builder, Value value, unsigned symbols) {
    Dims axes = dimsOf(value);
    KernelBuilder k(builder, value.getLoc(), symbols, value, value.getType(), axes);
    Dims identity = k.allAxes(axes.size());
    k.store(k.load(k.in(0), identity), k.out(), identity);
    return k.kernel;
  }

  void copyInputs(fx::GraphOp graph) {
    for (auto kernel : llvm::to_vector(graph.getBlock().getOps<KernelOp>())) {
      Value input = convolutionInput(kernel);
      if (!input || input.getDefiningOp<KernelOp>()) {
        continue;
      }
      OpBuilder builder(kernel);
      KernelOp reordered = copy(builder, input, graph.getSymbols().size());
      orders[reordered.getResult(0)] = channelsLast(rankOf(input));
      kernel->replaceUsesOfWith(input, reordered.getResult(0));
    }
  }

  void copyOutputs(fx::GraphOp graph) {
    OpBuilder builder(graph.getOutput());
    llvm::DenseSet<Value> given;
    for (OpOperand &output : graph.getOutput()->getOpOperands()) {
      OpOperand *operand = &output;
      if (auto view = output.get().getDefiningOp<prims::ViewAsComplexOp>()) {
        // The same memory under another name: each output has a name of its own.
        output.set(builder.clone(*view)->getResult(0));
        if (view.use_empty()) {
          view.erase();
        }
        operand = &output.get().getDefiningOp()->getOpOperand(0);
        builder.setInsertionPoint(output.get().getDefiningOp());
      }
      Value value = operand->get();
      bool isOwn = value.getDefiningOp<KernelOp>() && given.insert(value).second;
      if (!isOwn || orders.contains(value)) {
        operand->set(copy(builder, value, graph.getSymbols().size()).getResult(0));
        given.insert(operand->get());
      }
      builder.setInsertionPoint(graph.getOutput());
    }
  }

  void annotate(KernelOp kernel) {
    SmallVector<Attribute> all;
    bool any = false;
    Builder builder(kernel.getContext());
    auto add = [&](Value value) {
      auto found = orders.find(value);
      any |= found != orders.end();
      all.push_back(builder.getDenseI64ArrayAttr(found == orders.end() ? ArrayRef<int64_t>() : ArrayRef<int64_t>(found->second)));
    };
    llvm::for_each(kernel.getInputs(), add);
    llvm::for_each(kernel.getResults(), add);
    if (any) {
      kernel->setAttr("orders", builder.getArrayAttr(all));
    }
  }

  llvm::DenseMap<Value, Order> orders;
};
} // namespace
} // namespace graphmill
