//===- PackWeights.cpp - Constant operands in the order they are read ------===//
//
// B of a contraction, if it is a constant that nothing else reads in another way, is stored
// as [batch…, N / panel, K…, panel]: the micro-kernel reads it from front to back. A recurrent
// layer's are [units / lanes, gates / 2, K, 2, lanes], for the same reason. Other constants (a depthwise convolution's taps) are stored so that the axis along which their
// kernel writes is their last dim, too.
//
//===----------------------------------------------------------------------===//
#include "inductor/Analysis/IndexForm.h"
#include "inductor/Analysis/KernelInfo.h"
#include "inductor/Transforms/Passes.h"
#include "inductor/Transforms/StoredConstants.h"

using namespace mlir;

namespace graphmill {

#define GEN_PASS_DEF_PACKWEIGHTSPASS
#include "inductor/Transforms/Passes.h.inc"

using namespace loop;

namespace {

/// How a contraction reads its constant operand.
struct Packing {
  KernelOp kernel;
  LoadOp load;
  unsigned operand;
  fx::GetOp get;
  SmallVector<unsigned> batch, depth; ///< kernel axes; reduction axes
  unsigned columns;
  SmallVector<int64_t> sizes; ///< of all axes
};

std::optional<LoadOp> loadBehind(Value value) {
  while (auto *op = value.getDefiningOp()) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      return load;
    }
    if (!isa<arith::ExtFOp>(op)) {
      break;
    }
    value = op->getOperand(0);
  }
  return std::nullopt;
}

struct PackWeights : impl::PackWeightsPassBase<PackWeights> {
  using PackWeightsPassBase::PackWeightsPassBase;

  void runOnOperation() override {
    for (auto graph : getOperation().getOps<fx::GraphOp>()) {
      StoredConstants ofGraph(getOperation(), graph);
      constants = &ofGraph;
      for (KernelOp kernel : llvm::to_vector(graph.getBlock().getOps<KernelOp>())) {
        if (std::optional<Packing> packing = match(kernel)) {
          if (fx::TensorOp tensor = constants->packable(packing->get, kernel)) {
            rewrite(*packing, tensor);
            ++numPacked;
          }
        } else if (kernel.getForm() == Template::Recurrent) {
          packGates(kernel);
        } else if (kernel.getForm() == Template::None) {
          moveLanesLast(kernel);
        }
      }
      for (fx::GetOp get : llvm::to_vector(graph.getBlock().getOps<fx::GetOp>())) {
        if (get->use_empty()) {
          get.erase();
        }
      }
    }
  }

private:
  static std::optional<Packing> match(KernelOp kernel) {
    if (kernel.getForm() != Template::Contraction) {
      return std::nullopt;
    }
    auto reduces = kernel.getBlock().getOps<ReduceOp>();
    if (!llvm::hasSingleElement(reduces)) {
      return std::nullopt;
    }
    ReduceOp reduce = *reduces.begin();
    auto product = reduce.getYield().getValues()[0].getDefiningOp<arith::MulFOp>();
    if (!product) {
      return std::nullopt;
    }
    auto a = loadBehind(product.getLhs()), b = loadBehind(product.getRhs());
    if (!a || !b || b->getMask() || !b->getIndices().empty()) {
      return std::nullopt;
    }
    Packing p{kernel, *b, 0, nullptr, {}, {}, 0, {}};
    auto argument = cast<BlockArgument>(b->getTensor());
    p.operand = argument.getArgNumber();
    if (p.operand >= kernel.getInputs().size()) {
      return std::nullopt;
    }
    p.get = kernel.getInputs()[p.operand].getDefiningOp<fx::GetOp>();
    if (!p.get || loadsOf(kernel, argument).size() != 1 || !getElement(p.get).isF32()) {
      return std::nullopt;
    }
    Dims axes = axesOf(&reduce.getBlock());
    std::optional<unsigned> columns;
    for (unsigned i = 0; i < axes.size(); ++i) {
      std::optional<int64_t> size = getStatic(axes[i]);
      bool inA = a->getMap().isFunctionOfDim(i), inB = b->getMap().isFunctionOfDim(i);
      p.sizes.push_back(size.value_or(-1));
      if (!inB && i < kernel.getNumAxes()) {
        continue;
      }
      if (!size) {
        return std::nullopt;
      }
      if (i >= kernel.getNumAxes()) {
        p.depth.push_back(i);
      } else if (inA) {
        p.batch.push_back(i);
      } else if (*size == 1) {
        continue;
      } else if (columns) {
        return std::nullopt;
      } else {
        columns = i;
      }
    }
    if (!columns) {
      return std::nullopt;
    }
    p.columns = *columns;
    return p;
  }

  /// Weights [gates * units, K] of a recurrent layer, read at (gate * units + unit, k).
  void packGates(KernelOp kernel) {
    SmallVector<LoadOp> loads; // a gate each
    for (ReduceOp reduce : kernel.getBlock().getOps<ReduceOp>()) {
      for (Value value : reduce.getYield().getValues()) {
        auto product = value.getDefiningOp<arith::MulFOp>();
        auto weight = product ? loadBehind(product.getRhs()) : std::nullopt;
        if (!weight) {
          return;
        }
        loads.push_back(*weight);
      }
    }
    auto argument = loads.empty() ? nullptr : dyn_cast<BlockArgument>(loads[0].getTensor());
    if (!argument || argument.getArgNumber() >= kernel.getInputs().size()) {
      return;
    }
    auto get = kernel.getInputs()[argument.getArgNumber()].getDefiningOp<fx::GetOp>();
    if (!get || !getElement(get).isF32()) {
      return;
    }
    RankedTensorType from = get.getType();
    int64_t gates = loads.size(), units = from.getDimSize(0) / gates, depth = from.getDimSize(from.getRank() - 1);
    AffineExpr unit = getAffineDimExpr(1, &getContext()), inner = getAffineDimExpr(kernel.getNumAxes(), &getContext());
    for (auto [gate, load] : llvm::enumerate(loads)) {
      AffineExpr expected[] = {unit + static_cast<int64_t>(gate) * units, inner};
      if (load.getTensor() != argument || !llvm::equal(load.getMap().getResults(), expected)) {
        return;
      }
    }
    if (!constants->packable(get, kernel)) {
      return;
    }
    // 4 gates are done in two passes of 2: 6 rows of sums are 12 registers.
    int64_t lanes = panel / 2, vectors = gates == 4 ? 2 : gates, blocks = llvm::divideCeil(units, lanes);
    // Stored [block, pass, k, vector, lane]: gate pass * vectors + vector, unit block * lanes + lane.
    auto packing = fx::PackingAttr::get(&getContext(), {blocks, gates / vectors, depth, vectors, lanes},
                                        {0, vectors * units * depth, 1, units * depth, 0}, {lanes, 0, 0, 0, 1}, /*step=*/depth,
                                        /*limit=*/units, /*offset=*/0);
    constants->replaceOperand(kernel, argument.getArgNumber(), packing, "packed.");
    for (auto [gate, load] : llvm::enumerate(loads)) {
      AffineMap map = load.getMap();
      int64_t number = gate;
      AffineExpr place[] = {unit.floorDiv(lanes), constantDim(&getContext(), number / vectors), inner,
                            constantDim(&getContext(), number % vectors), unit % lanes};
      load.setMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(), place, &getContext()));
    }
    ++numPacked;
  }

  /// The axis along which the kernel's first result is contiguous, if it has one.
  static std::optional<unsigned> writtenAxis(KernelOp kernel) {
    StoreOp store = kernel.getNumResults() ? storeOf(kernel, 0) : nullptr;
    auto orders = kernel->getAttrOfType<ArrayAttr>("orders");
    int64_t rank = store ? store.getMap().getNumResults() : 0;
    if (rank == 0) {
      return std::nullopt;
    }
    int64_t last = rank - 1;
    if (orders) {
      ArrayRef<int64_t> order = cast<DenseI64ArrayAttr>(orders[kernel.getInputs().size()]);
      last = order.empty() ? last : order.back();
    }
    auto dim = dyn_cast<AffineDimExpr>(store.getMap().getResult(last));
    return dim && dim.getPosition() < kernel.getNumAxes() ? std::optional(dim.getPosition()) : std::nullopt;
  }

  void moveLanesLast(KernelOp kernel) {
    std::optional<unsigned> axis = writtenAxis(kernel);
    for (unsigned i = 0; axis && i < kernel.getInputs().size(); ++i) {
      auto get = kernel.getInputs()[i].getDefiningOp<fx::GetOp>();
      SmallVector<LoadOp> loads = loadsOf(kernel, kernel.getInputArg(i));
      if (!get || loads.size() != 1 || !loads[0].getIndices().empty()) {
        continue;
      }
      AffineMap map = loads[0].getMap();
      fx::TensorOp tensor = constants->lookup(get);
      auto found = llvm::find(map.getResults(), getAffineDimExpr(*axis, &getContext()));
      unsigned dim = found - map.getResults().begin();
      if (dim + 1 >= map.getNumResults() || !constants->isOwn(tensor)) {
        continue; // not read along the axis, or in order already
      }
      SmallVector<unsigned> order;
      for (unsigned d = 0; d < map.getNumResults(); ++d) {
        if (d != dim) {
          order.push_back(d);
        }
      }
      order.push_back(dim);
      storeInOrder(kernel, i, loads[0], tensor, order);
    }
  }

  void storeInOrder(KernelOp kernel, unsigned operand, LoadOp load, fx::TensorOp tensor, ArrayRef<unsigned> order) {
    RankedTensorType from = tensor.getTensorType();
    if (isa<SplatElementsAttr>(tensor.getValue()) || from.getElementType().isInteger(1)) {
      return; // nothing to gain; an attribute's bools are bits
    }
    SmallVector<int64_t> shape, moved, strides(from.getRank(), 1);
    for (int64_t d = from.getRank() - 2; d >= 0; --d) {
      strides[d] = strides[d + 1] * from.getDimSize(d + 1);
    }
    SmallVector<AffineExpr> place;
    for (unsigned d : order) {
      shape.push_back(from.getDimSize(d));
      moved.push_back(strides[d]);
      place.push_back(load.getMap().getResult(d));
    }
    SmallVector<int64_t> none(shape.size(), 0);
    auto packing = fx::PackingAttr::get(&getContext(), shape, moved, none, /*step=*/0, /*limit=*/1, /*offset=*/0);
    constants->replaceOperand(kernel, operand, packing, "ordered.");
    AffineMap map = load.getMap();
    load.setMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(), place, &getContext()));
  }

  StoredConstants *constants = nullptr; ///< of the graph at hand

  void rewrite(Packing &p, fx::TensorOp tensor) {
    MLIRContext *context = &getContext();
    int64_t width = panel, n = p.sizes[p.columns], panels = llvm::divideCeil(n, width);
    // Offsets in the original, one stride for each axis.
    AffineExpr offset = constantDim(context, 0);
    int64_t stride = 1;
    ArrayRef<int64_t> original = tensor.getTensorType().getShape();
    for (int64_t i = original.size(); i-- > 0;) {
      offset = offset + p.load.getMap().getResult(i) * stride;
      stride *= original[i];
    }
    IndexForm form = IndexForm::of(offset, axesOf(p.load->getBlock()));
    auto strideOf = [&](unsigned axis) { return getStatic(form.coefficient(axis)).value_or(0); };

    SmallVector<int64_t> shape, strides, columns;
    SmallVector<AffineExpr> place;
    auto add = [&](int64_t size, int64_t stride, int64_t column, AffineExpr at) {
      shape.push_back(size);
      strides.push_back(stride);
      columns.push_back(column);
      place.push_back(at);
    };
    auto addAxes = [&](ArrayRef<unsigned> axes) {
      for (unsigned axis : axes) {
        add(p.sizes[axis], strideOf(axis), 0, getAffineDimExpr(axis, context));
      }
    };
    AffineExpr column = getAffineDimExpr(p.columns, context);
    addAxes(p.batch);
    add(panels, 0, width, column.floorDiv(width));
    addAxes(p.depth);
    add(width, 0, 1, column % width);
    auto packing = fx::PackingAttr::get(context, shape, strides, columns, /*step=*/strideOf(p.columns), /*limit=*/n,
                                        /*offset=*/getStatic(form.constant).value_or(0));
    constants->replaceOperand(p.kernel, p.operand, packing, "packed.");
    AffineMap map = p.load.getMap();
    p.load.setMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(), place, context));
  }
};
} // namespace
} // namespace graphmill
