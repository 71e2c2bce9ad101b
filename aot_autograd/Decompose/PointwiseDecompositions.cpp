#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;

/// Operands in the result's dtype and shape.
static SmallVector<Value> promoted(PrimBuilder &b, Operation *op, ValueRange operands, Type element) {
  Dims dims = dimsOf(resultTypeOf(op));
  SmallVector<Value> result;
  for (Value operand : operands) {
    result.push_back(b.broadcast(b.convert(operand, element), dims));
  }
  return result;
}

static SmallVector<Value> promoted(PrimBuilder &b, Operation *op) {
  return promoted(b, op, op->getOperands(), resultTypeOf(op).getElementType());
}

/// float16 and bfloat16 compute in float32, rounding once at the end.
template <Value (*formula)(PrimBuilder &, Value)> static Value inOpmath(PrimBuilder &b, Operation *op) {
  Type element = resultTypeOf(op).getElementType();
  Value x = b.convert(op->getOperand(0), b.opmath(element));
  return b.convert(formula(b, x), element);
}

template <typename Aten, typename Prim> static Value unary(PrimBuilder &b, Aten op) {
  return b.unary<Prim>(promoted(b, op)[0]);
}
template <typename Aten, typename Prim> static Value binary(PrimBuilder &b, Aten op) {
  SmallVector<Value> x = promoted(b, op);
  return b.binary<Prim>(x[0], x[1]);
}

static Value sigmoid(PrimBuilder &b, Value x) { return b.sigmoid(x); }
static Value silu(PrimBuilder &b, Value x) { return b.mul(x, b.sigmoid(x)); }
static Value reciprocal(PrimBuilder &b, Value x) { return b.div(1.0, x); }
static Value square(PrimBuilder &b, Value x) { return b.mul(x, x); }
static Value relu(PrimBuilder &b, Value x) { return b.maximum(x, 0.0); }

template <typename Aten, Value (*formula)(PrimBuilder &, Value)>
static Value formulaOf(PrimBuilder &b, Aten op) {
  return inOpmath<formula>(b, op);
}

static Value gelu(PrimBuilder &b, aten::GeluOp op) {
  Type element = resultTypeOf(op).getElementType();
  Value x = b.convert(op.getSelf(), b.opmath(element));
  Value gate;
  if (op.getApproximate() == "tanh") {
    // 0.7978845608 = sqrt(2 / pi)
    Value inner = b.mul(b.add(x, b.mul(b.mul(b.mul(x, x), x), 0.044715)), 0.79788456080286535588);
    gate = b.unary<prims::TanhOp>(inner);
  } else {
    gate = b.unary<prims::ErfOp>(b.mul(x, 0.70710678118654752440));
  }
  return b.convert(b.mul(b.mul(x, 0.5), b.add(gate, 1.0)), element);
}

static Value hardtanh(PrimBuilder &b, aten::HardtanhOp op) {
  Type element = resultTypeOf(op).getElementType();
  Value low = b.scalar(op.getMinVal(), element), high = b.scalar(op.getMaxVal(), element);
  return b.minimum(b.maximum(op.getSelf(), low), high);
}

/// self + sign * alpha * other
template <typename Aten, typename Prim> static Value addLike(PrimBuilder &b, Aten op) {
  Type element = resultTypeOf(op).getElementType();
  Type compute = b.opmath(element);
  SmallVector<Value> x = promoted(b, op, op->getOperands(), element);
  auto one = dyn_cast<IntegerAttr>(op.getAlpha());
  if (one && one.getInt() == 1) {
    return b.binary<Prim>(x[0], x[1]);
  }
  Value scaled = b.mul(b.convert(x[1], compute), b.scalar(op.getAlpha(), compute));
  return b.convert(b.binary<Prim>(b.convert(x[0], compute), scaled), element);
}

/// Integer or float division rounded towards minus infinity.
static Value floorDivide(PrimBuilder &b, Value x, Value y) {
  Type element = getElement(x);
  Value remainder = b.binary<prims::FmodOp>(x, y);
  Value zero = b.constant(0, element);
  Value inexact = b.compare(Predicate::Ne, remainder, zero);
  Value signsDiffer = b.binary<prims::XorOp>(b.compare(Predicate::Lt, remainder, zero),
                                            b.compare(Predicate::Lt, y, zero));
  Value adjust = b.binary<prims::AndOp>(inexact, signsDiffer);
  if (!isFloat(element)) {
    return b.sub(b.div(x, y), b.convert(adjust, element));
  }
  // Eager: (x - fmod) / y is exact up to rounding; round it, and give x / y's sign to zero.
  Value quotient = b.div(b.sub(x, remainder), y);
  quotient = b.select(adjust, b.sub(quotient, 1.0), quotient);
  Value floor = b.unary<prims::FloorOp>(quotient);
  floor = b.select(b.compare(Predicate::Gt, b.sub(quotient, floor), 0.5), b.add(floor, 1.0), floor);
  Value ratio = b.div(x, y);
  Value signedZero = b.binary<prims::CopysignOp>(b.constant(0.0, element), ratio);
  Value result = b.select(b.compare(Predicate::Ne, quotient, zero), floor, signedZero);
  return b.select(b.compare(Predicate::Eq, y, zero), ratio, result);
}

static Value div(PrimBuilder &b, aten::DivOp op) {
  Type element = resultTypeOf(op).getElementType(), compute = b.opmath(element);
  SmallVector<Value> x = promoted(b, op, op->getOperands(), compute);
  Value result;
  if (!op.getRoundingMode()) {
    result = b.div(x[0], x[1]);
  } else if (*op.getRoundingMode() == "floor") {
    result = floorDivide(b, x[0], x[1]);
  } else {
    result = b.div(x[0], x[1]);
    result = isFloat(compute) ? b.unary<prims::TruncOp>(result) : result;
  }
  return b.convert(result, element);
}

static Value remainder(PrimBuilder &b, aten::RemainderOp op) {
  Type element = resultTypeOf(op).getElementType(), compute = b.opmath(element);
  SmallVector<Value> x = promoted(b, op, op->getOperands(), compute);
  Value r = b.binary<prims::FmodOp>(x[0], x[1]);
  Value zero = b.constant(0, compute);
  Value fix = b.binary<prims::AndOp>(
      b.compare(Predicate::Ne, r, zero),
      b.binary<prims::XorOp>(b.compare(Predicate::Lt, r, zero), b.compare(Predicate::Lt, x[1], zero)));
  return b.convert(b.select(fix, b.add(r, x[1]), r), element);
}

/// x^n for small whole n by multiplication, as eager does; otherwise the function.
static Value pow(PrimBuilder &b, aten::PowOp op) {
  Type element = resultTypeOf(op).getElementType(), compute = b.opmath(element);
  SmallVector<Value> x = promoted(b, op, op->getOperands(), compute);
  double exponent = std::numeric_limits<double>::quiet_NaN();
  if (auto number = op.getExponent().getDefiningOp<fx::NumberOp>()) {
    if (auto real = dyn_cast<FloatAttr>(number.getValue())) {
      exponent = real.getValueAsDouble();
    } else if (auto integer = dyn_cast<IntegerAttr>(number.getValue())) {
      exponent = integer.getValue().isOne() && integer.getType().isInteger(1) ? 1.0 : integer.getInt();
    }
  }
  Value result;
  if (exponent == 2.0) {
    result = b.mul(x[0], x[0]);
  } else if (exponent == 3.0) {
    result = b.mul(b.mul(x[0], x[0]), x[0]);
  } else if (exponent == 1.0) {
    result = x[0];
  } else if (exponent == 0.5 && isFloat(compute)) {
    result = b.unary<prims::SqrtOp>(x[0]);
  } else if (exponent == -0.5 && isFloat(compute)) {
    result = b.unary<prims::RsqrtOp>(x[0]);
  } else if (exponent == -1.0 && isFloat(compute)) {
    result = b.div(1.0, x[0]);
  } else if (exponent == -2.0 && isFloat(compute)) {
    result = b.div(1.0, b.mul(x[0], x[0]));
  } else {
    result = b.binary<prims::PowOp>(x[0], x[1]);
  }
  return b.convert(result, element);
}

template <typename Aten, Predicate predicate> static Value comparison(PrimBuilder &b, Aten op) {
  SmallVector<Value> x = promoted(b, op, op->getOperands(), resultType(op->getOperands()));
  return b.compare(predicate, x[0], x[1]);
}

/// Anything but zero is true.
static Value truth(PrimBuilder &b, Value x) { return b.convert(x, b.boolean()); }

template <typename Aten, typename Prim> static Value logical(PrimBuilder &b, Aten op) {
  return b.binary<Prim>(truth(b, op.getSelf()), truth(b, op.getOther()));
}
static Value logicalNot(PrimBuilder &b, aten::LogicalNotOp op) {
  return b.logicalNot(truth(b, op.getSelf()));
}
static Value isnan(PrimBuilder &b, aten::IsnanOp op) {
  return b.compare(Predicate::Ne, op.getSelf(), op.getSelf());
}
static Value isinf(PrimBuilder &b, aten::IsinfOp op) {
  Value x = op.getSelf();
  if (!isFloat(getElement(x))) {
    return b.full(dimsOf(x), 0.0, b.boolean());
  }
  return b.compare(Predicate::Eq, b.unary<prims::AbsOp>(x), std::numeric_limits<double>::infinity());
}

static Value where(PrimBuilder &b, aten::WhereOp op) {
  SmallVector<Value> x = promoted(b, op, {op.getSelf(), op.getOther()}, resultTypeOf(op).getElementType());
  return b.select(truth(b, op.getCondition()), x[0], x[1]);
}

static Value dropout(PrimBuilder &b, aten::DropoutOp op) {
  if (!op.getTrain() || op.getP().convertToDouble() == 0.0) {
    return op.getInput();
  }
  op.emitOpError("in training mode is random; export the module in eval mode");
  return {};
}

void addPointwiseDecompositions(Decompositions &d) {
#define UNARY(NAME) d.add<aten::NAME##Op, unary<aten::NAME##Op, prims::NAME##Op>>();
  UNARY(Exp) UNARY(Exp2) UNARY(Expm1) UNARY(Log) UNARY(Log1p) UNARY(Log2) UNARY(Log10)
  UNARY(Sqrt) UNARY(Rsqrt) UNARY(Sin) UNARY(Cos) UNARY(Tan) UNARY(Asin) UNARY(Acos) UNARY(Atan)
  UNARY(Sinh) UNARY(Cosh) UNARY(Tanh) UNARY(Asinh) UNARY(Acosh) UNARY(Atanh) UNARY(Erf)
  UNARY(Erfc) UNARY(Erfinv) UNARY(Lgamma) UNARY(Digamma) UNARY(Abs) UNARY(Neg) UNARY(Sign)
#undef UNARY
#define ROUNDING(NAME)                                                                          \
  d.add<aten::NAME##Op, +[](PrimBuilder &b, aten::NAME##Op op) -> Value {                       \
    return isFloat(getElement(op.getSelf())) ? b.unary<prims::NAME##Op>(op.getSelf())           \
                                             : Value(op.getSelf());                             \
  }>();
  ROUNDING(Ceil) ROUNDING(Floor) ROUNDING(Trunc)
#undef ROUNDING
#define FORMULA(NAME, FUNCTION) d.add<aten::NAME##Op, formulaOf<aten::NAME##Op, FUNCTION>>();
  FORMULA(Sigmoid, sigmoid) FORMULA(Silu, silu) FORMULA(Reciprocal, reciprocal)
  FORMULA(Square, square) FORMULA(Relu, relu)
#undef FORMULA
#define BINARY(NAME, PRIM) d.add<aten::NAME##Op, binary<aten::NAME##Op, prims::PRIM##Op>>();
  BINARY(Mul, Mul) BINARY(Fmod, Fmod) BINARY(Maximum, Maximum) BINARY(Minimum, Minimum)
  BINARY(Atan2, Atan2) BINARY(BitwiseAnd, And) BINARY(BitwiseOr, Or) BINARY(BitwiseXor, Xor)
#undef BINARY
#define COMPARISON(NAME) d.add<aten::NAME##Op, comparison<aten::NAME##Op, Predicate::NAME>>();
  COMPARISON(Eq) COMPARISON(Ne) COMPARISON(Lt) COMPARISON(Le) COMPARISON(Gt) COMPARISON(Ge)
#undef COMPARISON
  d.add<aten::BitwiseNotOp, unary<aten::BitwiseNotOp, prims::NotOp>>();
  d.add<aten::LogicalAndOp, logical<aten::LogicalAndOp, prims::AndOp>>();
  d.add<aten::LogicalOrOp, logical<aten::LogicalOrOp, prims::OrOp>>();
  d.add<aten::LogicalXorOp, logical<aten::LogicalXorOp, prims::XorOp>>();
  d.add<aten::LogicalNotOp, logicalNot>();
  d.add<aten::AddOp, addLike<aten::AddOp, prims::AddOp>>();
  d.add<aten::SubOp, addLike<aten::SubOp, prims::SubOp>>();
  d.add<aten::DivOp, div>();
  d.add<aten::RemainderOp, remainder>();
  d.add<aten::PowOp, pow>();
  d.add<aten::GeluOp, gelu>();
  d.add<aten::HardtanhOp, hardtanh>();
  d.add<aten::IsnanOp, isnan>();
  d.add<aten::IsinfOp, isinf>();
  d.add<aten::WhereOp, where>();
  d.add<aten::DropoutOp, dropout>();
}

} // namespace graphmill
