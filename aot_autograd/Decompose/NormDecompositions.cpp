#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

/// (x - mean) * rstd over `dims`, with both statistics, which keep the dims as 1.
struct Normalized {
  Value value, mean, rstd;
};

static Normalized normalize(PrimBuilder &b, Value x, ArrayRef<int64_t> dims, double eps) {
  Value mean = b.mean(x, dims, /*keepdim=*/true);
  Value centered = b.sub(x, mean);
  Value variance = b.mean(b.mul(centered, centered), dims, /*keepdim=*/true);
  Value rstd = b.unary<prims::RsqrtOp>(b.add(variance, eps));
  return {b.mul(centered, rstd), mean, rstd};
}

/// y * weight + bias, either of which may be missing; `map` is where their dims go.
static Value affine(PrimBuilder &b, Value y, Value weight, Value bias, ArrayRef<int64_t> map) {
  Dims dims = dimsOf(y);
  Type compute = getElement(y);
  if (weight) {
    y = b.mul(y, b.broadcastDims(b.convert(weight, compute), dims, map));
  }
  if (bias) {
    y = b.add(y, b.broadcastDims(b.convert(bias, compute), dims, map));
  }
  return y;
}

//===----------------------------------------------------------------------===//
// Over the last dims
//===----------------------------------------------------------------------===//

template <typename Op> static Normalized layerNormalized(PrimBuilder &b, Op op) {
  Value x = b.convert(op.getInput(), b.opmath(getElement(op.getInput())));
  int64_t rank = dimsOf(x).size(), n = op.getNormalizedShape().getExprs().size();
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(rank - n, rank));
  Normalized y = normalize(b, x, dims, op.getEps().convertToDouble());
  y.value = affine(b, y.value, op.getWeight(), op.getBias(), dims);
  return y;
}

static Value layerNorm(PrimBuilder &b, aten::LayerNormOp op) {
  return b.convert(layerNormalized(b, op).value, resultElement(op));
}

static Decompositions::Results nativeLayerNorm(PrimBuilder &b, aten::NativeLayerNormOp op) {
  Normalized y = layerNormalized(b, op);
  Type element = resultElement(op);
  return {b.convert(y.value, element), b.convert(y.mean, element), b.convert(y.rstd, element)};
}

static Value rmsNorm(PrimBuilder &b, aten::RmsNormOp op) {
  Type element = resultElement(op), compute = b.opmath(element);
  Value x = b.convert(op.getInput(), compute);
  int64_t rank = dimsOf(x).size(), n = op.getNormalizedShape().getExprs().size();
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(rank - n, rank));
  // Without eps: the smallest step from 1 in the type computed in.
  double eps = op.getEps() ? op.getEps()->convertToDouble() : element.isF64() ? 0x1p-52 : 0x1p-23;
  Value rstd = b.unary<prims::RsqrtOp>(b.add(b.mean(b.mul(x, x), dims, /*keepdim=*/true), eps));
  return b.convert(affine(b, b.mul(x, rstd), op.getWeight(), {}, dims), element);
}

//===----------------------------------------------------------------------===//
// Over groups of channels
//===----------------------------------------------------------------------===//

static Normalized groupNormalized(PrimBuilder &b, Value input, Value weight, Value bias, int64_t groups, double eps) {
  Value x = b.convert(input, b.opmath(getElement(input)));
  Dims dims = dimsOf(x), grouped{dims[0], b.dim(groups), simplify(dims[1].floorDiv(groups))};
  grouped.append(dims.begin() + 2, dims.end());
  SmallVector<int64_t> reduced = llvm::to_vector(llvm::seq<int64_t>(2, grouped.size()));
  Normalized y = normalize(b, b.reshape(x, grouped), reduced, eps);
  y.value = affine(b, b.reshape(y.value, dims), weight, bias, {1});
  return y;
}

static Value groupNorm(PrimBuilder &b, aten::GroupNormOp op) {
  Normalized y = groupNormalized(b, op.getInput(), op.getWeight(), op.getBias(), op.getNumGroups(), op.getEps().convertToDouble());
  return b.convert(y.value, resultElement(op));
}

static Decompositions::Results nativeGroupNorm(PrimBuilder &b, aten::NativeGroupNormOp op) {
  Normalized y = groupNormalized(b, op.getInput(), op.getWeight(), op.getBias(), op.getGroup(), op.getEps().convertToDouble());
  Type element = resultElement(op);
  Dims statistics = dimsOf(op.getMean());
  return {b.convert(y.value, element), b.convert(b.reshape(y.mean, statistics), element),
          b.convert(b.reshape(y.rstd, statistics), element)};
}

//===----------------------------------------------------------------------===//
// Over the batch
//===----------------------------------------------------------------------===//

/// x * scale + shift with vectors computed from the weights alone: the compiler folds them.
static Value byRunningStatistics(PrimBuilder &b, Value x, Value mean, Value variance, Value weight, Value bias, double eps) {
  Type compute = getElement(x);
  Value scale = b.unary<prims::RsqrtOp>(b.add(b.convert(variance, compute), eps));
  if (weight) {
    scale = b.mul(scale, b.convert(weight, compute));
  }
  Value shift = b.neg(b.mul(b.convert(mean, compute), scale));
  if (bias) {
    shift = b.add(shift, b.convert(bias, compute));
  }
  return affine(b, x, scale, shift, {1});
}

/// All dims but the channels.
static SmallVector<int64_t> batchDims(Value x) {
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, dimsOf(x).size()));
  dims.erase(dims.begin() + 1);
  return dims;
}

/// Training mode writes the running statistics without saying so in the graph.
static LogicalResult refuseUpdates(Operation *op, bool training, Value runningMean) {
  if (training && runningMean) {
    return op->emitOpError("updates running statistics; export the module in eval mode");
  }
  return success();
}

static Value batchNorm(PrimBuilder &b, aten::BatchNormOp op) {
  Type element = resultElement(op);
  Value x = b.convert(op.getInput(), b.opmath(element));
  double eps = op.getEps().convertToDouble();
  if (failed(refuseUpdates(op, op.getTraining(), op.getRunningMean()))) {
    return {};
  }
  Value y;
  if (op.getRunningMean() && op.getRunningVar()) {
    y = byRunningStatistics(b, x, op.getRunningMean(), op.getRunningVar(), op.getWeight(), op.getBias(), eps);
  } else {
    y = affine(b, normalize(b, x, batchDims(x), eps).value, op.getWeight(), op.getBias(), {1});
  }
  return b.convert(y, element);
}

static Decompositions::Results nativeBatchNorm(PrimBuilder &b, aten::NativeBatchNormOp op) {
  Type element = resultElement(op);
  Value x = b.convert(op.getInput(), b.opmath(element));
  double eps = op.getEps().convertToDouble();
  if (failed(refuseUpdates(op, op.getTraining(), op.getRunningMean()))) {
    return {};
  }
  if (!op.getTraining()) {
    Value y = byRunningStatistics(b, x, op.getRunningMean(), op.getRunningVar(), op.getWeight(), op.getBias(), eps);
    Value none = b.full({b.dim(0)}, 0.0, element);
    return {b.convert(y, element), none, none};
  }
  Normalized y = normalize(b, x, batchDims(x), eps);
  Dims channels = dimsOf(op.getMean());
  Value result = affine(b, y.value, op.getWeight(), op.getBias(), {1});
  return {b.convert(result, element), b.convert(b.reshape(y.mean, channels), element),
          b.convert(b.reshape(y.rstd, channels), element)};
}

static Value instanceNorm(PrimBuilder &b, aten::InstanceNormOp op) {
  Type element = resultElement(op);
  Value x = b.convert(op.getInput(), b.opmath(element));
  double eps = op.getEps().convertToDouble();
  if (!op.getUseInputStats()) {
    return b.convert(byRunningStatistics(b, x, op.getRunningMean(), op.getRunningVar(), op.getWeight(), op.getBias(), eps), element);
  }
  if (failed(refuseUpdates(op, true, op.getRunningMean()))) {
    return {};
  }
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(2, dimsOf(x).size()));
  return b.convert(affine(b, normalize(b, x, dims, eps).value, op.getWeight(), op.getBias(), {1}), element);
}

//===----------------------------------------------------------------------===//
// Weight normalization
//===----------------------------------------------------------------------===//

static std::pair<Value, Value> weightNormalized(PrimBuilder &b, Value v, Value g, int64_t dim) {
  Type compute = b.opmath(getElement(v));
  Value x = b.convert(v, compute);
  int64_t rank = dimsOf(x).size();
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  // -1: one norm of everything.
  if (dim != -1) {
    dims.erase(dims.begin() + fromFront(dim, rank));
  }
  Value norm = b.unary<prims::SqrtOp>(b.sum(b.mul(x, x), dims, /*keepdim=*/true));
  return {b.mul(x, b.div(b.convert(g, compute), norm)), norm};
}

static Value weightNorm(PrimBuilder &b, aten::WeightNormOp op) {
  return b.convert(weightNormalized(b, op.getV(), op.getG(), op.getDim()).first, resultElement(op));
}

static Decompositions::Results weightNormInterface(PrimBuilder &b, aten::WeightNormInterfaceOp op) {
  auto [w, norm] = weightNormalized(b, op.getV(), op.getG(), op.getDim());
  return {b.convert(w, resultElement(op)), b.reshape(b.convert(norm, getElement(op.getNorms())), dimsOf(op.getNorms()))};
}

void addNormDecompositions(Decompositions &d) {
  d.add<aten::LayerNormOp, layerNorm>();
  d.addMany<aten::NativeLayerNormOp, nativeLayerNorm>();
  d.add<aten::RmsNormOp, rmsNorm>();
  d.add<aten::GroupNormOp, groupNorm>();
  d.addMany<aten::NativeGroupNormOp, nativeGroupNorm>();
  d.add<aten::BatchNormOp, batchNorm>();
  d.addMany<aten::NativeBatchNormOp, nativeBatchNorm>();
  d.add<aten::InstanceNormOp, instanceNorm>();
  d.add<aten::WeightNormOp, weightNorm>();
  d.addMany<aten::WeightNormInterfaceOp, weightNormInterface>();
}

} // namespace graphmill
