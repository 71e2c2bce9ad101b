//===- TransformConvolutions.cpp - Winograd's convolutions -----------------===//
#include "inductor/Analysis/IndexForm.h"
#include "inductor/Analysis/KernelInfo.h"
#include "inductor/Analysis/Winograd.h"
#include "inductor/IR/KernelBuilder.h"
#include "inductor/Lowering/Lowering.h"
#include "inductor/Transforms/Passes.h"
#include "inductor/Transforms/StoredConstants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace graphmill {

#define GEN_PASS_DEF_TRANSFORMCONVOLUTIONSPASS
#include "inductor/Transforms/Passes.h.inc"

using namespace loop;

namespace {

/// A convolution whose taps are 3x3 and next to each other, on channels-last input.
struct Convolution {
  KernelOp kernel;
  ReduceOp reduce;
  LoadOp input, weight;
  unsigned column, y, x; ///< kernel axes
  int64_t padding[2];
  int64_t channels, columns;
  Dim height, width; ///< of the output

  static std::optional<Convolution> match(KernelOp kernel);
};

/// The kernel axis of `axis + tap - padding`, if an index is that.
std::optional<std::pair<unsigned, int64_t>> slidingAxis(AffineExpr index, unsigned tap, KernelOp kernel) {
  IndexForm form = IndexForm::of(index, {});
  std::optional<int64_t> constant = getStatic(form.constant);
  if (form.terms.size() != 2 || getStatic(form.coefficient(tap)) != 1 || !constant) {
    return std::nullopt;
  }
  for (unsigned axis = 0; axis < kernel.getNumAxes(); ++axis) {
    if (getStatic(form.coefficient(axis)) == 1) {
      return std::pair(axis, -*constant);
    }
  }
  return std::nullopt;
}

/// Whether the operand's channels, dim 1, are next to each other in memory.
bool hasChannelsLast(KernelOp kernel, unsigned operand) {
  auto orders = kernel->getAttrOfType<ArrayAttr>("orders");
  ArrayRef<int64_t> order = orders ? cast<DenseI64ArrayAttr>(orders[operand]) : ArrayRef<int64_t>();
  return !order.empty() && order.back() == 1;
}

std::optional<Convolution> Convolution::match(KernelOp kernel) {
  constexpr unsigned kRow = 4, kColumn = 5, kChannel = 6; // the reduction's axes, as lowered
  if (kernel.getForm() != Template::Contraction || kernel.getNumAxes() != 4 || kernel.getInits() > 0) {
    return std::nullopt;
  }
  Convolution c;
  c.kernel = kernel;
  for (Operation &op : kernel.getBlock()) {
    if (op.getNumRegions() > 0) {
      if (c.reduce) {
        return std::nullopt;
      }
      c.reduce = dyn_cast<ReduceOp>(op);
    }
  }
  if (!c.reduce || c.reduce.getNumResults() != 1 || c.reduce.getReducer(0) != Reducer::Sum || !c.reduce.getType(0).isF32()) {
    return std::nullopt;
  }
  ArrayRef<AffineExpr> inner = c.reduce.getAxes().getExprs();
  auto product = c.reduce.getYield().getValues()[0].getDefiningOp<arith::MulFOp>();
  std::optional<int64_t> channels = inner.size() == 3 ? getStatic(inner[2]) : std::nullopt;
  if (!product || !channels || getStatic(inner[0]) != 3 || getStatic(inner[1]) != 3) {
    return std::nullopt;
  }
  c.channels = *channels;
  c.input = product.getLhs().getDefiningOp<LoadOp>();
  c.weight = product.getRhs().getDefiningOp<LoadOp>();
  auto isInput = [&](LoadOp load) {
    return load && load.getIndices().empty() && load.getMap().getNumResults() == 4 &&
           cast<BlockArgument>(load.getTensor()).getArgNumber() < kernel.getInputs().size();
  };
  if (!isInput(c.input) || !isInput(c.weight) || c.weight.getMask()) {
    return std::nullopt;
  }
  auto dim = [&](unsigned axis) { return getAffineDimExpr(axis, kernel.getContext()); };
  AffineMap from = c.input.getMap(), weight = c.weight.getMap();
  auto row = slidingAxis(from.getResult(2), kRow, kernel), column = slidingAxis(from.getResult(3), kColumn, kernel);
  auto output = dyn_cast<AffineDimExpr>(weight.getResult(0));
  if (!row || !column || !output || from.getResult(1) != dim(kChannel) || weight.getResult(1) != dim(kChannel) ||
      weight.getResult(2) != dim(kRow) || weight.getResult(3) != dim(kColumn)) {
    return std::nullopt;
  }
  c.column = output.getPosition();
  std::tie(c.y, c.padding[0]) = *row;
  std::tie(c.x, c.padding[1]) = *column;
  if (c.column >= 4 || llvm::any_of(from.getResults(), [&](AffineExpr e) { return e.isFunctionOfDim(c.column); }) ||
      c.y == c.x || from.getResult(0).isFunctionOfDim(c.y) || from.getResult(0).isFunctionOfDim(c.x)) {
    return std::nullopt;
  }
  // What is outside of the input is 0 and nothing else is.
  if (c.input.getMask()) {
    auto inside = c.input.getMask().getDefiningOp<InsideOp>();
    Dims sizes = dimsOf(c.input.getTensor());
    if (!inside || !matchPattern(c.input.getOther(), m_AnyZeroFloat())) {
      return std::nullopt;
    }
    for (auto [index, bound] : llvm::zip(inside.getMap().getResults(), inside.getBounds().getExprs())) {
      if (!(index == from.getResult(2) && equal(bound, sizes[2])) && !(index == from.getResult(3) && equal(bound, sizes[3]))) {
        return std::nullopt;
      }
    }
  }
  Dims axes = axesOf(&kernel.getBlock());
  std::optional<int64_t> columns = getStatic(axes[c.column]);
  if (!columns) {
    return std::nullopt;
  }
  c.columns = *columns;
  c.height = axes[c.y];
  c.width = axes[c.x];
  return c;
}

/// Estimated time of all sums, in multiply-adds; of `outputs` 1: of a direct convolution.
double costOf(const Convolution &c, unsigned outputs) {
  // Reading a weight from memory takes as long as 11 products, and a turn of the transforms, for
  // each channel and column, as 4: 20 GB/s and 110 GFLOP/s (AMD Zen 4, one core).
  constexpr double kWeightRead = 11, kTransform = 4;
  constexpr int64_t kUnknownSize = 56;
  int64_t height = getStatic(c.height).value_or(kUnknownSize), width = getStatic(c.width).value_or(kUnknownSize);
  double tiles = double(llvm::divideCeil(height, outputs)) * double(llvm::divideCeil(width, outputs));
  double both = double(c.channels) * double(c.columns);
  if (outputs == 1) {
    return 9 * both * std::max(tiles, kWeightRead);
  }
  double products = both * std::max(tiles, kWeightRead);
  return (outputs + 2) * (outputs + 2) * (products + kTransform * tiles * double(c.channels + c.columns));
}

/// Outputs of a tile, in each direction; 0: the direct sum is as good.
unsigned chooseTile(const Convolution &c, int64_t lanes) {
  // Fewer channels or columns than lanes leave most of them idle.
  if (c.channels < lanes || c.columns < lanes) {
    return 0;
  }
  unsigned best = costOf(c, 4) < costOf(c, 2) ? 4 : 2;
  return costOf(c, best) < 0.8 * costOf(c, 1) ? best : 0;
}

struct TransformConvolutions : impl::TransformConvolutionsPassBase<TransformConvolutions> {
  using TransformConvolutionsPassBase::TransformConvolutionsPassBase;

  void runOnOperation() override {
    for (auto graph : getOperation().getOps<fx::GraphOp>()) {
      StoredConstants constants(getOperation(), graph);
      for (KernelOp kernel : llvm::to_vector(graph.getBlock().getOps<KernelOp>())) {
        std::optional<Convolution> c = Convolution::match(kernel);
        if (!c || !hasChannelsLast(kernel, cast<BlockArgument>(c->input.getTensor()).getArgNumber())) {
          continue;
        }
        unsigned operand = cast<BlockArgument>(c->weight.getTensor()).getArgNumber();
        auto get = kernel.getInputs()[operand].getDefiningOp<fx::GetOp>();
        unsigned outputs = chooseTile(*c, panel / 2);
        bool isOwn = get && loadsOf(kernel, c->weight.getTensor()).size() == 1 && constants.isOwn(constants.lookup(get));
        if (outputs == 0 || !isOwn || constants.lookup(get).getPacking()) {
          if (auto remark = remark::missed(kernel.getLoc(), kRemark)) {
            remark << "not transformed: " + describe(kernel) + ": " +
                          (outputs == 0 ? "a direct sum takes about as little time" : "its weight isn't a constant of its own");
          }
          continue;
        }
        if (auto remark = remark::passed(kernel.getLoc(), kRemark)) {
          std::string tile = (Twine(outputs) + "x" + Twine(outputs)).str();
          remark << "transformed: " + describe(kernel) + " has " + tile + " outputs from fewer products (Winograd)";
        }
        rewrite(*c, operand, Winograd(outputs), constants);
        ++numTransformed;
      }
    }
  }

private:
  static constexpr remark::RemarkOpts kRemark = remark::RemarkOpts::name("winograd").category("convolution");

  static fx::GetOp matrix(StoredConstants &constants, OpBuilder &builder, KernelOp kernel, StringRef name, unsigned rows,
                          unsigned columns, llvm::function_ref<double(unsigned, unsigned)> element) {
    SmallVector<float> values;
    for (unsigned i = 0; i < rows * columns; ++i) {
      values.push_back(static_cast<float>(element(i / columns, i % columns)));
    }
    auto type = RankedTensorType::get({rows, columns}, builder.getF32Type());
    return constants.add(builder, kernel.getLoc(), (name + "." + Twine(columns - 2)).str(),
                         DenseElementsAttr::get(type, ArrayRef<float>(values)));
  }

  /// [columns / panel, size, size, channels, panel] of transformed taps [columns, channels, size, size].
  fx::PackingAttr packingOf(const Convolution &c, const Winograd &w) {
    int64_t size = w.size(), area = size * size, panels = llvm::divideCeil(c.columns, int64_t(panel));
    return fx::PackingAttr::get(&getContext(), {panels, size, size, c.channels, panel}, {0, size, 1, area, 0},
                                {panel, 0, 0, 0, 1}, /*step=*/c.channels * area, /*limit=*/c.columns, /*offset=*/0, w.outputs);
  }

  void rewrite(Convolution &c, unsigned operand, const Winograd &w, StoredConstants &constants) {
    KernelOp old = c.kernel;
    OpBuilder builder(old);
    fx::GetOp inputMatrix = matrix(constants, builder, old, "winograd.input", w.size(), w.size(),
                                   [&](unsigned i, unsigned j) { return w.input(i, j); });
    fx::GetOp outputMatrix = matrix(constants, builder, old, "winograd.output", w.outputs, w.size(),
                                    [&](unsigned i, unsigned j) { return w.output(i, j); });
    auto get = old.getInputs()[operand].getDefiningOp<fx::GetOp>();
    SmallVector<Value> inputs(old.getInputs());
    inputs[operand] = constants.replace(get, packingOf(c, w), "winograd.");
    unsigned first = inputs.size();
    inputs.append({inputMatrix, outputMatrix});
    KernelBuilder k(builder, old.getLoc(), c.input.getMap().getNumSymbols(), inputs, old.getResultTypes(),
                    old.getAxes().getExprs());
    k.kernel.setForm(Template::Winograd);
    SmallVector<Attribute> orders(cast<ArrayAttr>(old->getAttr("orders")).getValue());
    auto inOrder = DenseI64ArrayAttr::get(&getContext(), {});
    orders[operand] = inOrder;
    orders.insert(orders.begin() + first, 2, inOrder);
    k.kernel->setAttr("orders", builder.getArrayAttr(orders));

    IRMapping mapping;
    for (unsigned i = 0; i < old.getInputs().size(); ++i) {
      mapping.map(old.getInputArg(i), k.in(i));
    }
    for (unsigned i = 0; i < old.getNumResults(); ++i) {
      mapping.map(old.getOutputArg(i), k.out(i));
    }
    for (Operation &op : old.getBlock().without_terminator()) {
      if (&op == c.reduce) {
        mapping.map(c.reduce.getResult(0), sum(k, c, w, k.in(operand), k.in(first), k.in(first + 1), mapping));
      } else {
        k.b.clone(op, mapping);
      }
    }
    old.replaceAllUsesWith(k.kernel);
    old.erase();
    constants.eraseIfUnused(get);
  }

  Value sum(KernelBuilder &k, Convolution &c, const Winograd &w, Value weight, Value inputMatrix, Value outputMatrix,
            const IRMapping &mapping) {
    int64_t m = w.outputs, width = panel;
    Value input = mapping.lookup(c.input.getTensor());
    Dims square(2, constantDim(&getContext(), w.size())), sizes = dimsOf(input);
    Value zero = scalarConstant(k.b, k.loc, 0, k.b.getF32Type());
    auto times = [&](Value x, Value y) -> Value { return arith::MulFOp::create(k.b, k.loc, x, y); };
    // `left`[axis y] and `right`[axis x] of a matrix, times a value.
    auto scaled = [&](Value value, Value matrix, ArrayRef<AffineExpr> left, ArrayRef<AffineExpr> right) {
      return times(times(value, k.load(matrix, left)), k.load(matrix, right));
    };
    AffineExpr y = k.axis(c.y), x = k.axis(c.x), column = k.axis(c.column);
    return k.reduce({Reducer::Sum}, square, [&](unsigned place) {
      AffineExpr i = k.axis(place), j = k.axis(place + 1);
      Value products = k.reduce({Reducer::Sum}, {constantDim(&getContext(), c.channels)}, [&](unsigned channel) {
        Value transformed = k.reduce({Reducer::Sum}, square, [&](unsigned tap) {
          AffineExpr row = y.floorDiv(m) * m + k.axis(tap) - c.padding[0];
          AffineExpr rowPlace = x.floorDiv(m) * m + k.axis(tap + 1) - c.padding[1];
          Value inside = k.inside({row, rowPlace}, {sizes[2], sizes[3]});
          AffineExpr batch = c.input.getMap().getResult(0);
          Value value = k.loadIf(inside, zero, input, {batch, k.axis(channel), row, rowPlace});
          return SmallVector<Value>{scaled(value, inputMatrix, {i, k.axis(tap)}, {j, k.axis(tap + 1)})};
        })[0];
        Value factor = k.load(weight, {column.floorDiv(width), i, j, k.axis(channel), column % width});
        return SmallVector<Value>{times(transformed, factor)};
      })[0];
      return SmallVector<Value>{scaled(products, outputMatrix, {y % m, i}, {x % m, j})};
    })[0];
  }
};
} // namespace
} // namespace graphmill
