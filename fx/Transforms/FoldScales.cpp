//===- FoldScales.cpp - Factors of output channels go into weights ---------===//
//
// conv(x, w) * s = conv(x, w * s) if s has one value an output channel. With a bias b
// between: (conv(x, w) + b) * s = conv(x, w * s) + b * s.
//
//===----------------------------------------------------------------------===//
#include "fx/Transforms/ConstantTensors.h"
#include "fx/Transforms/Passes.h"

using namespace mlir;

namespace graphmill {

#define GEN_PASS_DEF_FOLDSCALESPASS
#include "fx/Transforms/Passes.h.inc"

namespace {

/// A product with a constant weight, and the dim of its result that the weight's columns make.
struct Product {
  Operation *op;
  OpOperand *weight;
  int64_t channelDim;
};

/// One value a channel, [n], or one for all, []; constant.
struct ChannelVector {
  Value value;
  bool isScalar() const { return cast<RankedTensorType>(value.getType()).getNumElements() == 1; }
};

struct FoldScales : impl::FoldScalesPassBase<FoldScales> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<fx::GraphOp>()) {
      ConstantTensors values(graph);
      constants = &values;
      for (Operation &op : llvm::make_early_inc_range(graph.getBlock())) {
        if (isa<prims::MulOp, prims::DivOp>(op)) {
          foldScale(&op);
        } else if (auto add = dyn_cast<prims::AddOp>(op)) {
          joinBiases(add);
        }
      }
    }
    constants = nullptr;
    eraseUnused(getOperation());
  }

private:
  std::optional<Product> matchProduct(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !value.hasOneUse() || !isa<FloatType>(getElement(value))) {
      return std::nullopt;
    }
    if (auto convolution = dyn_cast<prims::ConvolutionOp>(op)) {
      if (constants->isConstant(convolution.getWeight())) {
        return Product{op, &convolution.getWeightMutable(), 1};
      }
    }
    if (auto matmul = dyn_cast<prims::MatmulOp>(op)) {
      if (constants->isConstant(matmul.getRhs())) {
        return Product{op, &matmul.getRhsMutable(), static_cast<int64_t>(dimsOf(value).size()) - 1};
      }
    }
    return std::nullopt;
  }

  std::optional<ChannelVector> matchVector(Value value, int64_t channelDim) {
    auto broadcast = value.getDefiningOp<prims::BroadcastOp>();
    if (!broadcast || !constants->isConstant(broadcast.getOperand())) {
      return std::nullopt;
    }
    for (auto [size, dim] : llvm::zip(broadcast.getOperand().getType().getShape(), broadcast.getDims())) {
      if (size != 1 && dim != channelDim) {
        return std::nullopt;
      }
    }
    return ChannelVector{broadcast.getOperand()};
  }

  struct Biased {
    Product product;
    ChannelVector bias;
  };
  /// A product plus a constant of each channel, read by one op only.
  std::optional<Biased> matchBiased(Value value) {
    auto add = value.getDefiningOp<prims::AddOp>();
    if (!add || !value.hasOneUse()) {
      return std::nullopt;
    }
    for (unsigned side : {0, 1}) {
      if (std::optional<Product> product = matchProduct(add->getOperand(side))) {
        if (auto bias = matchVector(add->getOperand(1 - side), product->channelDim)) {
          return Biased{*product, *bias};
        }
      }
    }
    return std::nullopt;
  }

  /// The weight's dim that holds output channels. A transposed convolution's [C, O / groups, K…]
  /// has none if there are groups: its channels are spread over both dims.
  static std::optional<int64_t> columnsOf(const Product &product) {
    auto convolution = dyn_cast<prims::ConvolutionOp>(product.op);
    if (!convolution) {
      return cast<RankedTensorType>(product.weight->get().getType()).getRank() - 1;
    }
    if (!convolution.getTransposed()) {
      return 0;
    }
    return convolution.getGroups() == 1 ? std::optional<int64_t>(1) : std::nullopt;
  }

  /// In another shape: repeated along all dims but `dim`.
  static Value spread(OpBuilder &b, Location loc, ChannelVector vector, RankedTensorType type, int64_t dim) {
    auto from = cast<RankedTensorType>(vector.value.getType());
    SmallVector<int64_t> flat, dims;
    if (!vector.isScalar()) {
      flat.push_back(from.getNumElements());
      dims.push_back(dim);
    }
    Value value = vector.value;
    auto flatType = RankedTensorType::get(flat, from.getElementType());
    if (from != flatType) {
      value = prims::ReshapeOp::create(b, loc, flatType, value);
    }
    return value.getType() == type ? value : prims::BroadcastOp::create(b, loc, type, value, dims);
  }

  static Value apply(OpBuilder &b, Operation *like, Value lhs, Value rhs) {
    return b.create(like->getLoc(), like->getName().getIdentifier(), {lhs, rhs}, lhs.getType())->getResult(0);
  }

  /// op(u, v) on vectors.
  static ChannelVector combine(OpBuilder &b, Operation *like, ChannelVector u, ChannelVector v) {
    auto shape = cast<RankedTensorType>((u.isScalar() ? v : u).value.getType());
    auto type = RankedTensorType::get({shape.getNumElements()}, shape.getElementType());
    return {apply(b, like, spread(b, like->getLoc(), u, type, 0), spread(b, like->getLoc(), v, type, 0))};
  }

  void foldScale(Operation *scaling) {
    for (unsigned side = 0; side < (isa<prims::DivOp>(scaling) ? 1 : 2); ++side) {
      Value scaled = scaling->getOperand(side), factor = scaling->getOperand(1 - side);
      std::optional<Product> product = matchProduct(scaled);
      std::optional<Biased> biased;
      if (!product) {
        biased = matchBiased(scaled);
        if (!biased) {
          continue;
        }
        product = biased->product;
      }
      std::optional<ChannelVector> vector = matchVector(factor, product->channelDim);
      std::optional<int64_t> columns = columnsOf(*product);
      if (!vector || !(columns || vector->isScalar())) {
        continue;
      }
      // Down to where the factor is known: nothing between reads the product.
      product->op->moveBefore(scaling);
      OpBuilder b(product->op);
      Location loc = scaling->getLoc();
      Value weight = product->weight->get();
      Value aligned = spread(b, loc, *vector, cast<RankedTensorType>(weight.getType()), columns.value_or(0));
      product->weight->set(apply(b, scaling, weight, aligned));
      Value result = product->op->getResult(0);
      if (biased) {
        replaceBias(scaling, *product, combine(b, scaling, biased->bias, *vector), scaled.getDefiningOp());
      } else {
        scaling->getResult(0).replaceAllUsesWith(result);
        scaling->erase();
      }
      ++numFolded;
      return;
    }
  }

  /// add(add(product, u), v) = add(product, u + v)
  void joinBiases(prims::AddOp add) {
    for (unsigned side : {0, 1}) {
      Value inner = add->getOperand(side);
      std::optional<Biased> biased = matchBiased(inner);
      if (!biased) {
        continue;
      }
      if (auto second = matchVector(add->getOperand(1 - side), biased->product.channelDim)) {
        OpBuilder b(add);
        replaceBias(add, biased->product, combine(b, add, biased->bias, *second), inner.getDefiningOp());
        return;
      }
    }
  }

  /// `last`, and the addition before it, become one addition.
  static void replaceBias(Operation *last, const Product &product, ChannelVector bias, Operation *before) {
    OpBuilder b(last);
    Value result = product.op->getResult(0);
    Value full = spread(b, last->getLoc(), bias, cast<RankedTensorType>(result.getType()), product.channelDim);
    Value sum = prims::AddOp::create(b, before->getLoc(), result.getType(), result, full);
    last->getResult(0).replaceAllUsesWith(sum);
    last->erase();
    before->erase();
  }

  ConstantTensors *constants = nullptr;
};
} // namespace
} // namespace graphmill
