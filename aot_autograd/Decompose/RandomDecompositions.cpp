#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using prims::Distribution;
using prims::Predicate;

/// In float32 (float64 for float64): narrow dtypes would round to 1.
static Value drawn(PrimBuilder &b, Operation *op, Distribution distribution) {
  return b.random(distribution, resultDims(op), isFloat(resultElement(op)) ? b.opmath(resultElement(op)) : b.f32());
}

template <typename Op, Distribution distribution> static Value random(PrimBuilder &b, Op op) {
  return b.convert(drawn(b, op, distribution), resultElement(op));
}

template <typename Op> static Value randint(PrimBuilder &b, Op op) {
  int64_t low = op.getLow(), high = op.getHigh();
  if (high <= low) {
    op.emitOpError("draws from [") << low << ", " << high << "), which is empty";
    return {};
  }
  Value bits = b.random(Distribution::Bits, resultDims(op), b.i64());
  Value x = b.binary<prims::FmodOp>(bits, b.constant(high - low, b.i64()));
  return b.convert(b.add(x, b.constant(low, b.i64())), resultElement(op));
}

/// The order that sorts random numbers.
static Value randperm(PrimBuilder &b, aten::RandpermOp op) {
  Value bits = b.random(Distribution::Bits, resultDims(op), b.i64());
  return b.convert(b.sort(bits, 0, /*descending=*/false).second, resultElement(op));
}

static Value bernoulli(PrimBuilder &b, aten::BernoulliOp op) {
  Value p = b.convert(op.getP() ? op.getP() : op.getSelf(), b.f32());
  Value drawn = b.random(Distribution::Uniform, resultDims(op), b.f32());
  return b.convert(b.compare(Predicate::Lt, drawn, p), resultElement(op));
}

static Value uniform(PrimBuilder &b, aten::UniformOp op) {
  double from = op.getFrom().convertToDouble(), to = op.getTo().convertToDouble();
  return b.convert(b.add(b.mul(drawn(b, op, Distribution::Uniform), to - from), from), resultElement(op));
}

static Value normal(PrimBuilder &b, aten::NormalOp op) {
  Value x = b.mul(drawn(b, op, Distribution::Normal), op.getStd().convertToDouble());
  return b.convert(b.add(x, op.getMean().convertToDouble()), resultElement(op));
}

/// Standard exponential: -log(1 - u), which is never of 0.
static Value standardExponential(PrimBuilder &b, ArrayRef<Dim> dims, Type element) {
  Value u = b.random(Distribution::Uniform, dims, element);
  return b.neg(b.unary<prims::LogOp>(b.sub(1.0, u)));
}

static Value exponential(PrimBuilder &b, aten::ExponentialOp op) {
  Type element = resultElement(op);
  Value x = standardExponential(b, resultDims(op), b.opmath(element));
  return b.convert(b.div(x, op.getLambd().convertToDouble()), element);
}

/// The place of the largest weight / e is drawn with that weight, if each e is exponential;
/// the places of the n largest are n draws without replacement.
static Value multinomial(PrimBuilder &b, aten::MultinomialOp op) {
  Type compute = b.opmath(getElement(op.getSelf()));
  Value weights = b.convert(op.getSelf(), compute);
  Dims dims = dimsOf(weights);
  int64_t last = dims.size() - 1, samples = op.getNumSamples();
  if (!op.getReplacement()) {
    Value order = b.sort(b.div(weights, standardExponential(b, dims, compute)), last, /*descending=*/true).second;
    return b.slice(order, last, b.dim(0), b.dim(samples));
  }
  Dims drawn = dims;
  drawn.insert(drawn.begin() + last, b.dim(samples));
  Value quotients = b.div(b.unsqueeze(weights, last), standardExponential(b, drawn, compute));
  return b.argReduce(prims::Reducer::Max, quotients, last + 1);
}

void addRandomDecompositions(Decompositions &d) {
  d.add<aten::RandOp, random<aten::RandOp, Distribution::Uniform>>();
  d.add<aten::RandLikeOp, random<aten::RandLikeOp, Distribution::Uniform>>();
  d.add<aten::RandnOp, random<aten::RandnOp, Distribution::Normal>>();
  d.add<aten::RandnLikeOp, random<aten::RandnLikeOp, Distribution::Normal>>();
  d.add<aten::RandintOp, randint<aten::RandintOp>>();
  d.add<aten::RandintLikeOp, randint<aten::RandintLikeOp>>();
  d.add<aten::RandpermOp, randperm>();
  d.add<aten::BernoulliOp, bernoulli>();
  d.add<aten::UniformOp, uniform>();
  d.add<aten::NormalOp, normal>();
  d.add<aten::ExponentialOp, exponential>();
  d.add<aten::MultinomialOp, multinomial>();
}

} // namespace graphmill
