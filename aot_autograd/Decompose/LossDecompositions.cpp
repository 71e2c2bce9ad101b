#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;

constexpr uint64_t kMean = 1, kSum = 2;

static SmallVector<int64_t> allDims(Value x) { return llvm::to_vector(llvm::seq<int64_t>(0, dimsOf(x).size())); }

static Value reducedLoss(PrimBuilder &b, Value x, uint64_t reduction) {
  return reduction == kMean ? b.mean(x, allDims(x)) : reduction == kSum ? b.sum(x, allDims(x)) : x;
}

/// Both operands in the type to compute in, broadcast.
struct Pair {
  PrimBuilder &b;
  Type element, compute;
  Value x, target;
  template <typename Op> Pair(PrimBuilder &b, Op op) : b(b), element(resultElement(op)), compute(b.opmath(element)) {
    x = b.convert(op.getSelf(), compute);
    target = b.convert(op.getTarget(), compute);
    Dims dims = b.commonDims({x, target});
    x = b.broadcast(x, dims);
    target = b.broadcast(target, dims);
  }
  Value done(Value loss, uint64_t reduction) const { return b.convert(reducedLoss(b, loss, reduction), element); }
};

template <typename Op, bool squared> static Value difference(PrimBuilder &b, Op op) {
  Pair p(b, op);
  Value d = b.sub(p.x, p.target);
  return p.done(squared ? b.mul(d, d) : b.unary<prims::AbsOp>(d), op.getReduction());
}

static Value smoothL1(PrimBuilder &b, aten::SmoothL1LossOp op) {
  Pair p(b, op);
  double beta = op.getBeta().convertToDouble();
  Value d = b.unary<prims::AbsOp>(b.sub(p.x, p.target));
  Value small = b.div(b.mul(b.mul(d, d), 0.5), beta), large = b.sub(d, 0.5 * beta);
  return p.done(b.select(b.compare(Predicate::Lt, d, beta), small, large), op.getReduction());
}

static Value huber(PrimBuilder &b, aten::HuberLossOp op) {
  Pair p(b, op);
  double delta = op.getDelta().convertToDouble();
  Value d = b.unary<prims::AbsOp>(b.sub(p.x, p.target));
  Value small = b.mul(b.mul(d, d), 0.5), large = b.mul(b.sub(d, 0.5 * delta), delta);
  return p.done(b.select(b.compare(Predicate::Le, d, delta), small, large), op.getReduction());
}

/// Logarithms are kept above -100, as eager does.
static Value binaryCrossEntropy(PrimBuilder &b, aten::BinaryCrossEntropyOp op) {
  Pair p(b, op);
  auto log = [&](Value x) { return b.maximum(b.unary<prims::LogOp>(x), -100.0); };
  Value loss = b.sub(b.mul(b.sub(p.target, 1.0), log(b.sub(1.0, p.x))), b.mul(p.target, log(p.x)));
  if (op.getWeight()) {
    loss = b.mul(loss, b.convert(op.getWeight(), p.compute));
  }
  return p.done(loss, op.getReduction());
}

static Value bceWithLogits(PrimBuilder &b, aten::BceWithLogitsOp op) {
  Pair p(b, op);
  Value logSigmoid = b.sub(b.minimum(p.x, 0.0), b.unary<prims::Log1pOp>(b.exp(b.neg(b.unary<prims::AbsOp>(p.x)))));
  Value scaled = logSigmoid;
  if (op.getPosWeight()) {
    Value extra = b.mul(b.sub(b.convert(op.getPosWeight(), p.compute), 1.0), p.target);
    scaled = b.mul(logSigmoid, b.add(extra, 1.0));
  }
  Value loss = b.sub(b.mul(b.sub(1.0, p.target), p.x), scaled);
  if (op.getWeight()) {
    loss = b.mul(loss, b.convert(op.getWeight(), p.compute));
  }
  return p.done(loss, op.getReduction());
}

static Value klDiv(PrimBuilder &b, aten::KlDivOp op) {
  Pair p(b, op);
  Value loss;
  if (op.getLogTarget()) {
    loss = b.mul(b.exp(p.target), b.sub(p.target, p.x));
  } else {
    // x log x is 0 at 0.
    Value zero = b.constant(0.0, p.compute);
    Value entropy = b.mul(p.target, b.unary<prims::LogOp>(p.target));
    loss = b.sub(b.select(b.compare(Predicate::Eq, p.target, zero), zero, entropy), b.mul(p.target, p.x));
  }
  return p.done(loss, op.getReduction());
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// -weight[target] * scores[target] for class indices; classes are dim 1 (0 of a vector).
static Value negativeLogLikelihood(PrimBuilder &b, Value scores, Value target, Value weight, int64_t ignored, uint64_t reduction,
                                   double smoothing) {
  Type compute = getElement(scores);
  int64_t dim = dimsOf(scores).size() == 1 ? 0 : 1;
  Value index = b.convert(target, b.i64());
  Value kept = b.compare(Predicate::Ne, index, b.constant(ignored, b.i64()));
  Value safe = b.select(kept, index, b.constant(0, b.i64()));
  Value loss = b.neg(b.squeeze(b.gather(scores, b.unsqueeze(safe, dim), dim), dim));
  Value weights = b.convert(kept, compute);
  Value smooth;
  if (smoothing > 0) {
    Value all = weight ? b.mul(scores, b.broadcastDims(b.convert(weight, compute), dimsOf(scores), {dim})) : scores;
    smooth = b.mul(b.neg(b.sum(all, {dim})), b.convert(kept, compute));
  }
  if (weight) {
    Dim classes = dimOf(weight, 0);
    Value flat = b.reshape(safe, {product(b.context(), dimsOf(safe))});
    Value picked = b.reshape(b.index(b.reshape(b.convert(weight, compute), {classes}), flat, {0}), dimsOf(safe));
    weights = b.mul(weights, picked);
  }
  loss = b.mul(loss, weights);
  Value total = b.sum(weights, allDims(weights));
  auto reduced = [&](Value x) {
    if (reduction == kMean) {
      return b.div(b.sum(x, allDims(x)), total);
    }
    return reduction == kSum ? b.sum(x, allDims(x)) : x;
  };
  Value result = reduced(loss);
  if (smoothing > 0) {
    Value classes = b.size(dimOf(scores, dim), compute);
    result = b.add(b.mul(result, 1.0 - smoothing), b.mul(b.div(reduced(smooth), classes), smoothing));
  }
  return result;
}

static Value nllLoss(PrimBuilder &b, aten::NllLossOp op) {
  Type element = resultElement(op);
  Value scores = b.convert(op.getSelf(), b.opmath(element));
  return b.convert(negativeLogLikelihood(b, scores, op.getTarget(), op.getWeight(), op.getIgnoreIndex(), op.getReduction(), 0.0), element);
}

static Value crossEntropy(PrimBuilder &b, aten::CrossEntropyOp op) {
  Type element = resultElement(op);
  Value x = b.convert(op.getSelf(), b.opmath(element));
  int64_t dim = dimsOf(x).size() == 1 ? 0 : 1;
  Value shifted = b.sub(x, b.reduce(prims::Reducer::Max, x, {dim}, /*keepdim=*/true));
  Value scores = b.sub(shifted, b.unary<prims::LogOp>(b.sum(b.exp(shifted), {dim}, /*keepdim=*/true)));
  double smoothing = op.getLabelSmoothing().convertToDouble();
  if (categoryOf(getElement(op.getTarget())) != Category::Float) {
    Value loss = negativeLogLikelihood(b, scores, op.getTarget(), op.getWeight(), op.getIgnoreIndex(), op.getReduction(), smoothing);
    return b.convert(loss, element);
  }
  // Targets are probabilities of the classes.
  Value target = b.convert(op.getTarget(), getElement(x));
  if (smoothing > 0) {
    target = b.add(b.mul(target, 1.0 - smoothing), b.div(smoothing, b.size(dimOf(x, dim), getElement(x))));
  }
  if (op.getWeight()) {
    scores = b.mul(scores, b.broadcastDims(b.convert(op.getWeight(), getElement(x)), dimsOf(scores), {dim}));
  }
  Value loss = b.neg(b.sum(b.mul(scores, target), {dim}));
  return b.convert(reducedLoss(b, loss, op.getReduction()), element);
}

void addLossDecompositions(Decompositions &d) {
  d.add<aten::MseLossOp, difference<aten::MseLossOp, true>>();
  d.add<aten::L1LossOp, difference<aten::L1LossOp, false>>();
  d.add<aten::SmoothL1LossOp, smoothL1>();
  d.add<aten::HuberLossOp, huber>();
  d.add<aten::BinaryCrossEntropyOp, binaryCrossEntropy>();
  d.add<aten::BceWithLogitsOp, bceWithLogits>();
  d.add<aten::KlDivOp, klDiv>();
  d.add<aten::NllLossOp, nllLoss>();
  d.add<aten::CrossEntropyOp, crossEntropy>();
}

} // namespace graphmill
