// The fused ops that PyTorch's own transformer modules call in eval mode: each is written as
// the ATen ops that it stands for.
#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

/// What the mask of the fused ops covers: [queries, keys], [batch, keys] or
/// [batch, heads, queries, keys].
enum class MaskKind { Queries = 0, Keys = 1, All = 2 };

/// `qkvWeight` is [3 * width, width].
struct HeadsAttention {
  Value query, key, value, qkvWeight, qkvBias, projectionWeight, projectionBias, mask;
  std::optional<int64_t> maskKind;
  int64_t heads;
};

static Value linear(PrimBuilder &b, Value x, Value weight, Value bias) {
  return aten::LinearOp::create(b.builder, b.loc, x, weight, bias);
}

/// Where keys are attended to, in the shape of the scores: the fused ops' masks say where not.
static Value attended(PrimBuilder &b, Operation *op, const HeadsAttention &a, const Dims &scores) {
  Value mask = b.logicalNot(truth(b, a.mask));
  size_t rank = dimsOf(mask).size();
  auto kind = static_cast<MaskKind>(a.maskKind.value_or(static_cast<int64_t>(rank == 4 ? MaskKind::All : MaskKind::Queries)));
  if (kind < MaskKind::Queries || kind > MaskKind::All || rank != (kind == MaskKind::All ? 4 : 2)) {
    op->emitOpError("has a mask of ") << rank << " dims and kind " << static_cast<int64_t>(kind)
                                      << "; expected [queries, keys] (0), [batch, keys] (1) or [batch, heads, queries, keys] (2)";
    return {};
  }
  switch (kind) {
  case MaskKind::Queries:
    return b.broadcastDims(mask, scores, {2, 3});
  case MaskKind::Keys:
    return b.broadcastDims(mask, scores, {0, 3});
  case MaskKind::All:
    return b.broadcast(mask, scores);
  }
  llvm_unreachable("kinds were checked");
}

/// Query, key and value with their heads, [batch, heads, length, size].
static SmallVector<Value> project(PrimBuilder &b, const HeadsAttention &a) {
  Dim width = dimsOf(a.query).back();
  int64_t each = *getStatic(width);
  SmallVector<Value> parts{a.query, a.key, a.value};
  // One product where all three are one tensor.
  Value together = llvm::all_equal(parts) ? linear(b, a.query, a.qkvWeight, a.qkvBias) : Value();
  for (auto [i, part] : llvm::enumerate(parts)) {
    Dim start = b.dim(static_cast<int64_t>(i) * each);
    part = together ? b.slice(together, 2, start, width)
                    : linear(b, part, b.slice(a.qkvWeight, 0, start, width), b.slice(a.qkvBias, 0, start, width));
    Dims dims = dimsOf(part);
    part = b.swapDims(b.reshape(part, {dims[0], dims[1], b.dim(a.heads), b.dim(each / a.heads)}), 1, 2);
  }
  return parts;
}

/// What is attended to and, if `weights` is given, with which weights.
static Value attend(PrimBuilder &b, Operation *op, const HeadsAttention &a, Value *weights = nullptr) {
  Dims dims = dimsOf(a.query);
  SmallVector<Value> parts = project(b, a);
  OpBuilder &builder = b.builder;
  Value keep;
  if (a.mask) {
    keep = attended(b, op, a, {dims[0], b.dim(a.heads), dims[1], dimsOf(a.key)[1]});
    if (!keep) {
      return {};
    }
  }
  Value y = aten::ScaledDotProductAttentionOp::create(builder, b.loc, parts[0], parts[1], parts[2], keep, builder.getF64FloatAttr(0.0),
                                                      builder.getBoolAttr(false), FloatAttr(), builder.getBoolAttr(false));
  if (keep) {
    // The fused ops' softmax gives NaN where all keys are masked, other attention 0.
    Value some = b.reduce(prims::Reducer::Max, b.convert(keep, getElement(y)), {3}, /*keepdim=*/true);
    y = b.select(b.compare(prims::Predicate::Gt, some, 0.0), y, b.constant(std::numeric_limits<double>::quiet_NaN(), getElement(y)));
  }
  if (weights) {
    double scale = 1.0 / std::sqrt(static_cast<double>(*getStatic(dimsOf(parts[0]).back())));
    Value scores = b.matmul(b.mul(parts[0], scale), b.swapDims(parts[1], 2, 3));
    if (keep) {
      scores = b.select(keep, scores, b.constant(-std::numeric_limits<double>::infinity(), getElement(scores)));
    }
    *weights = aten::SoftmaxOp::create(builder, b.loc, scores, builder.getI64IntegerAttr(3), TypeAttr());
  }
  return linear(b, b.reshape(b.swapDims(y, 1, 2), dims), a.projectionWeight, a.projectionBias);
}

static Decompositions::Results multiHeadAttention(PrimBuilder &b, aten::NativeMultiHeadAttentionOp op) {
  HeadsAttention attention{op.getQuery(),      op.getKey(),        op.getValue(), op.getQkvWeight(), op.getQkvBias(),
                           op.getProjWeight(), op.getProjBias(), op.getMask(),  op.getMaskType(),
                           static_cast<int64_t>(op.getNumHead())};
  bool needed = op.getNeedWeights();
  Value weights, y = attend(b, op, attention, needed ? &weights : nullptr);
  if (!y) {
    return {};
  }
  if (!needed) {
    return {y, b.full({b.dim(0)}, 0.0, getElement(y))};
  }
  return {y, op.getAverageAttnWeights() ? b.mean(weights, {1}) : weights};
}

static Value encoderLayer(PrimBuilder &b, aten::TransformerEncoderLayerFwdOp op) {
  OpBuilder &builder = b.builder;
  auto norm = [&](Value x, Value weight, Value bias) -> Value {
    auto shape = fx::DimsAttr::get(b.context(), {dimsOf(x).back()});
    return aten::LayerNormOp::create(builder, b.loc, x, shape, weight, bias, op.getEpsAttr(), builder.getBoolAttr(true));
  };
  auto firstNorm = [&](Value x) { return norm(x, op.getNormWeight_1(), op.getNormBias_1()); };
  auto secondNorm = [&](Value x) { return norm(x, op.getNormWeight_2(), op.getNormBias_2()); };
  bool normFirst = op.getNormFirst();
  Value x = op.getSrc(), in = normFirst ? firstNorm(x) : x;
  Value y = attend(b, op, {in, in, in, op.getQkvWeight(), op.getQkvBias(), op.getProjWeight(), op.getProjBias(), op.getMask(),
                           op.getMaskType(), static_cast<int64_t>(op.getNumHeads())});
  if (!y) {
    return {};
  }
  x = b.add(x, y);
  x = normFirst ? x : firstNorm(x);
  y = linear(b, normFirst ? secondNorm(x) : x, op.getFfnWeight_1(), op.getFfnBias_1());
  y = op.getUseGelu() ? Value(aten::GeluOp::create(builder, b.loc, y, builder.getStringAttr("none")))
                      : Value(aten::ReluOp::create(builder, b.loc, y));
  x = b.add(x, linear(b, y, op.getFfnWeight_2(), op.getFfnBias_2()));
  return normFirst ? x : secondNorm(x);
}

void addTransformerDecompositions(Decompositions &d) {
  d.addMany<aten::NativeMultiHeadAttentionOp, multiHeadAttention>();
  d.add<aten::TransformerEncoderLayerFwdOp, encoderLayer>();
}

} // namespace graphmill
