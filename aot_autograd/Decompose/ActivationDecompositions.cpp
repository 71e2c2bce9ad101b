#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;

static Value sigmoid(PrimBuilder &b, Value x) { return b.sigmoid(x); }
static Value silu(PrimBuilder &b, Value x) { return b.mul(x, b.sigmoid(x)); }
static Value relu(PrimBuilder &b, Value x) { return b.maximum(x, 0.0); }
static Value relu6(PrimBuilder &b, Value x) { return b.minimum(b.maximum(x, 0.0), 6.0); }
static Value hardswish(PrimBuilder &b, Value x) { return b.div(b.mul(x, relu6(b, b.add(x, 3.0))), 6.0); }
static Value hardsigmoid(PrimBuilder &b, Value x) { return b.div(relu6(b, b.add(x, 3.0)), 6.0); }
static Value mish(PrimBuilder &b, Value x) {
  return b.mul(x, b.unary<prims::TanhOp>(b.unary<prims::Log1pOp>(b.exp(x))));
}
/// min(x, 0) - log1p(exp(-|x|)): neither end overflows.
static Value logSigmoid(PrimBuilder &b, Value x) {
  Value tail = b.unary<prims::Log1pOp>(b.exp(b.neg(b.unary<prims::AbsOp>(x))));
  return b.sub(b.minimum(x, 0.0), tail);
}

/// x > 0 ? positive : negative, NaN going to `negative`.
static Value bySign(PrimBuilder &b, Value x, Value positive, Value negative) {
  return b.select(b.compare(Predicate::Gt, x, 0.0), positive, negative);
}

static Value expLinear(PrimBuilder &b, Value x, Value alpha, Value scale, Value inputScale) {
  Value negative = b.mul(b.unary<prims::Expm1Op>(b.mul(x, inputScale)), b.mul(alpha, scale));
  return bySign(b, x, b.mul(x, scale), negative);
}

/// The operand in the type to compute in, its scalars likewise.
struct Activation {
  PrimBuilder &b;
  Type element, compute;
  Value x;
  Activation(PrimBuilder &b, Operation *op)
      : b(b), element(resultElement(op)), compute(b.opmath(element)), x(b.convert(op->getOperand(0), compute)) {}
  Value scalar(Attribute value) const { return b.scalar(value, compute); }
  Value number(double value) const { return b.constant(value, compute); }
  Value done(Value result) const { return b.convert(result, element); }
};

static Value elu(PrimBuilder &b, aten::EluOp op) {
  Activation a(b, op);
  return a.done(expLinear(b, a.x, a.scalar(op.getAlpha()), a.scalar(op.getScale()), a.scalar(op.getInputScale())));
}

static Value celu(PrimBuilder &b, aten::CeluOp op) {
  Activation a(b, op);
  Value alpha = a.scalar(op.getAlpha());
  return a.done(expLinear(b, a.x, alpha, a.number(1), b.div(a.number(1), alpha)));
}

static Value selu(PrimBuilder &b, aten::SeluOp op) {
  Activation a(b, op);
  // The constants of "Self-Normalizing Neural Networks".
  return a.done(expLinear(b, a.x, a.number(1.6732632423543772848), a.number(1.0507009873554804934), a.number(1)));
}

static Value leakyRelu(PrimBuilder &b, aten::LeakyReluOp op) {
  Activation a(b, op);
  return a.done(bySign(b, a.x, a.x, b.mul(a.x, a.scalar(op.getNegativeSlope()))));
}

static Value rrelu(PrimBuilder &b, aten::RreluOp op) {
  if (op.getTraining()) {
    op.emitOpError("in training mode is random; export the module in eval mode");
    return {};
  }
  Activation a(b, op);
  Value slope = b.mul(b.add(a.scalar(op.getLower()), a.scalar(op.getUpper())), 0.5);
  return a.done(bySign(b, a.x, a.x, b.mul(a.x, slope)));
}

static Value softplus(PrimBuilder &b, aten::SoftplusOp op) {
  Activation a(b, op);
  Value beta = a.scalar(op.getBeta()), scaled = b.mul(a.x, beta);
  Value soft = b.div(b.unary<prims::Log1pOp>(b.exp(scaled)), beta);
  return a.done(b.select(b.compare(Predicate::Gt, scaled, a.scalar(op.getThreshold())), a.x, soft));
}

static Value gelu(PrimBuilder &b, aten::GeluOp op) {
  Activation a(b, op);
  Value gate;
  if (op.getApproximate() == "tanh") {
    // sqrt(2 / pi) * (x + 0.044715 x^3)
    Value cubic = b.mul(b.mul(b.mul(a.x, a.x), a.x), 0.044715);
    gate = b.unary<prims::TanhOp>(b.mul(b.add(a.x, cubic), 0.79788456080286535588));
  } else {
    gate = b.unary<prims::ErfOp>(b.mul(a.x, 0.70710678118654752440));
  }
  return a.done(b.mul(b.mul(a.x, 0.5), b.add(gate, 1.0)));
}

static Value hardtanh(PrimBuilder &b, aten::HardtanhOp op) {
  Type element = resultElement(op);
  Value low = b.scalar(op.getMinVal(), element), high = b.scalar(op.getMaxVal(), element);
  return b.minimum(b.maximum(op.getSelf(), low), high);
}

static Value hardshrink(PrimBuilder &b, aten::HardshrinkOp op) {
  Activation a(b, op);
  Value lambd = a.scalar(op.getLambd());
  Value inside = b.compare(Predicate::Le, b.unary<prims::AbsOp>(a.x), lambd);
  return a.done(b.select(inside, a.number(0), a.x));
}

static Value softshrink(PrimBuilder &b, aten::SoftshrinkOp op) {
  Activation a(b, op);
  Value lambd = a.scalar(op.getLambd());
  Value inner = b.select(b.compare(Predicate::Lt, a.x, b.neg(lambd)), b.add(a.x, lambd), b.mul(a.x, 0.0));
  return a.done(b.select(b.compare(Predicate::Gt, a.x, lambd), b.sub(a.x, lambd), inner));
}

static Value threshold(PrimBuilder &b, aten::ThresholdOp op) {
  Type element = resultElement(op);
  Value small = b.compare(Predicate::Le, op.getSelf(), b.scalar(op.getThreshold(), element));
  return b.select(small, b.scalar(op.getValue(), element), op.getSelf());
}

static Value prelu(PrimBuilder &b, aten::PreluOp op) {
  Activation a(b, op);
  Dims dims = resultDims(op), w = dimsOf(op.getWeight());
  Value weight = b.convert(op.getWeight(), a.compute);
  if (w.size() == 1 && dims.size() >= 2 && getStatic(w[0]) != 1) {
    weight = b.broadcastDims(weight, dims, {1});
  }
  return a.done(bySign(b, a.x, a.x, b.mul(a.x, weight)));
}

static Value glu(PrimBuilder &b, aten::GluOp op) {
  Activation a(b, op);
  int64_t dim = fromFront(op.getDim(), dimsOf(a.x).size());
  Dim half = resultDims(op)[dim];
  Value gate = b.slice(a.x, dim, half, half);
  return a.done(b.mul(b.slice(a.x, dim, b.dim(0), half), b.sigmoid(gate)));
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

/// x with elements zeroed with probability p and the others scaled by 1 / (1 - p); and
/// which were kept.
static std::pair<Value, Value> dropped(PrimBuilder &b, Value x, double p) {
  Type element = getElement(x);
  Dims dims = dimsOf(x);
  Value kept = b.compare(Predicate::Ge, b.random(prims::Distribution::Uniform, dims, b.f32()), p);
  double scale = p < 1.0 ? 1.0 / (1.0 - p) : 0.0;
  return {b.select(kept, b.mul(x, scale), b.constant(0.0, element)), kept};
}

static Value dropout(PrimBuilder &b, aten::DropoutOp op) {
  double p = op.getP().convertToDouble();
  return op.getTrain() && p > 0.0 ? dropped(b, op.getInput(), p).first : Value(op.getInput());
}

static Decompositions::Results nativeDropout(PrimBuilder &b, aten::NativeDropoutOp op) {
  double p = op.getP().convertToDouble();
  if (!op.getTrain().value_or(true) || p == 0.0) {
    return {op.getInput(), b.full(dimsOf(op.getInput()), 1.0, b.boolean())};
  }
  auto [output, mask] = dropped(b, op.getInput(), p);
  return {output, mask};
}

void addActivationDecompositions(Decompositions &d) {
#define FORMULA(NAME, FUNCTION) d.add<aten::NAME##Op, formulaOf<aten::NAME##Op, FUNCTION>>();
  FORMULA(Sigmoid, sigmoid) FORMULA(Silu, silu) FORMULA(Relu, relu) FORMULA(Relu6, relu6)
  FORMULA(Hardswish, hardswish) FORMULA(Hardsigmoid, hardsigmoid) FORMULA(Mish, mish) FORMULA(LogSigmoid, logSigmoid)
#undef FORMULA
  d.add<aten::EluOp, elu>();
  d.add<aten::CeluOp, celu>();
  d.add<aten::SeluOp, selu>();
  d.add<aten::LeakyReluOp, leakyRelu>();
  d.add<aten::RreluOp, rrelu>();
  d.add<aten::SoftplusOp, softplus>();
  d.add<aten::GeluOp, gelu>();
  d.add<aten::HardtanhOp, hardtanh>();
  d.add<aten::HardshrinkOp, hardshrink>();
  d.add<aten::SoftshrinkOp, softshrink>();
  d.add<aten::ThresholdOp, threshold>();
  d.add<aten::PreluOp, prelu>();
  d.add<aten::GluOp, glu>();
  d.add<aten::DropoutOp, dropout>();
  d.addMany<aten::NativeDropoutOp, nativeDropout>();
}

} // namespace graphmill
