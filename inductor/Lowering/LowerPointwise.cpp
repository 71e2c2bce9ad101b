#include "inductor/Lowering/Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace graphmill::loop {

Value scalarConstant(OpBuilder &b, Location loc, double value, Type type) {
  if (auto real = dyn_cast<FloatType>(type)) {
    APFloat number(value);
    bool lossy;
    number.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lossy);
    return arith::ConstantOp::create(b, loc, FloatAttr::get(real, number));
  }
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, static_cast<int64_t>(value)));
}

static bool isUnsigned(Type element) {
  return element.isUnsignedInteger() || element.isInteger(1);
}

Value identityOf(OpBuilder &b, Location loc, prims::Reducer reducer, Type element) {
  Type type = scalarType(element);
  bool isMax = reducer == prims::Reducer::Max;
  if (reducer == prims::Reducer::Max || reducer == prims::Reducer::Min) {
    if (isFloat(element)) {
      double infinity = std::numeric_limits<double>::infinity();
      return scalarConstant(b, loc, isMax ? -infinity : infinity, type);
    }
    unsigned width = type.getIntOrFloatBitWidth();
    APInt value = isUnsigned(element) ? (isMax ? APInt::getMinValue(width) : APInt::getMaxValue(width))
                                      : (isMax ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width));
    return arith::ConstantOp::create(b, loc, IntegerAttr::get(type, value));
  }
  if (reducer == prims::Reducer::And) {
    return arith::ConstantOp::create(b, loc, IntegerAttr::get(type, APInt::getAllOnes(type.getIntOrFloatBitWidth())));
  }
  return scalarConstant(b, loc, reducer == prims::Reducer::Prod ? 1 : 0, type);
}

Value convertScalar(OpBuilder &b, Location loc, Value x, Type from, Type to) {
  Type target = scalarType(to);
  if (scalarType(from) == target && !to.isInteger(1)) {
    return x;
  }
  if (to.isInteger(1)) {
    if (from.isInteger(1)) {
      return x;
    }
    Value zero = scalarConstant(b, loc, 0, scalarType(from));
    if (isFloat(from)) {
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, x, zero);
    }
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x, zero);
  }
  if (isFloat(from) && isFloat(to)) {
    unsigned wf = from.getIntOrFloatBitWidth(), wt = to.getIntOrFloatBitWidth();
    if (wf == wt) { // float16 and bfloat16: through float32
      Value wide = arith::ExtFOp::create(b, loc, b.getF32Type(), x);
      return arith::TruncFOp::create(b, loc, target, wide);
    }
    return wf < wt ? Value(arith::ExtFOp::create(b, loc, target, x))
                   : Value(arith::TruncFOp::create(b, loc, target, x));
  }
  if (isFloat(from)) {
    // As x86 and eager do: through a signed integer of at least 32 bits, the smallest one if
    // that can't hold the number, then cut.
    unsigned width = target.getIntOrFloatBitWidth();
    Type step = width <= 32 && !to.isUnsignedInteger(32) ? b.getI32Type() : b.getI64Type();
    APInt smallest = APInt::getSignedMinValue(step.getIntOrFloatBitWidth());
    Value limit = scalarConstant(b, loc, -smallest.signedRoundToDouble(), x.getType());
    Value fits = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, math::AbsFOp::create(b, loc, x), limit);
    Value whole = arith::SelectOp::create(b, loc, fits, arith::FPToSIOp::create(b, loc, step, x),
                                          arith::ConstantOp::create(b, loc, IntegerAttr::get(step, smallest)));
    return step == target ? whole : Value(arith::TruncIOp::create(b, loc, target, whole));
  }
  if (isFloat(to)) {
    return isUnsigned(from) ? Value(arith::UIToFPOp::create(b, loc, target, x))
                            : Value(arith::SIToFPOp::create(b, loc, target, x));
  }
  unsigned wf = scalarType(from).getIntOrFloatBitWidth(), wt = target.getIntOrFloatBitWidth();
  if (wf == wt) {
    return x;
  }
  if (wf > wt) {
    return arith::TruncIOp::create(b, loc, target, x);
  }
  return isUnsigned(from) ? Value(arith::ExtUIOp::create(b, loc, target, x))
                          : Value(arith::ExtSIOp::create(b, loc, target, x));
}

static Value compare(OpBuilder &b, Location loc, prims::Predicate predicate, Value x, Value y, Type element) {
  unsigned i = static_cast<unsigned>(predicate);
  if (isFloat(element)) {
    using P = arith::CmpFPredicate;
    const P table[] = {P::OEQ, P::UNE, P::OLT, P::OLE, P::OGT, P::OGE};
    return arith::CmpFOp::create(b, loc, table[i], x, y);
  }
  using P = arith::CmpIPredicate;
  const P signedTable[] = {P::eq, P::ne, P::slt, P::sle, P::sgt, P::sge};
  const P unsignedTable[] = {P::eq, P::ne, P::ult, P::ule, P::ugt, P::uge};
  return arith::CmpIOp::create(b, loc, (isUnsigned(element) ? unsignedTable : signedTable)[i], x, y);
}

/// 0 if the count is not below the width (left), the sign if so (right).
static Value shift(OpBuilder &b, Location loc, Value x, Value count, Type element, bool left) {
  Type type = x.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Value last = scalarConstant(b, loc, width - 1, type);
  Value over = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, count, last);
  Value safe = arith::SelectOp::create(b, loc, over, last, count);
  if (left) {
    Value shifted = arith::ShLIOp::create(b, loc, x, safe);
    return arith::SelectOp::create(b, loc, over, scalarConstant(b, loc, 0, type), shifted);
  }
  if (isUnsigned(element)) {
    Value shifted = arith::ShRUIOp::create(b, loc, x, safe);
    return arith::SelectOp::create(b, loc, over, scalarConstant(b, loc, 0, type), shifted);
  }
  return arith::ShRSIOp::create(b, loc, x, safe);
}

static Value sign(OpBuilder &b, Location loc, Value x, Type element) {
  Type type = x.getType();
  Value zero = scalarConstant(b, loc, 0, type), one = scalarConstant(b, loc, 1, type);
  Value positive = compare(b, loc, prims::Predicate::Gt, x, zero, element);
  Value result = arith::SelectOp::create(b, loc, positive, one, zero);
  if (element.isInteger(1) || isUnsigned(element)) {
    return element.isInteger(1) ? x : result;
  }
  Value negative = compare(b, loc, prims::Predicate::Lt, x, zero, element);
  return arith::SelectOp::create(b, loc, negative, scalarConstant(b, loc, -1, type), result);
}

/// Integers by truncation. The divisor -1 is a negation: the smallest integer wraps around
/// instead of trapping; a zero divisor gives 0.
static Value divideInteger(OpBuilder &b, Location loc, Value x, Value y, Type element, bool remainder) {
  Type type = x.getType();
  Value zero = scalarConstant(b, loc, 0, type), one = scalarConstant(b, loc, 1, type);
  Value isZero = compare(b, loc, prims::Predicate::Eq, y, zero, element);
  Value safe = arith::SelectOp::create(b, loc, isZero, one, y);
  Value result;
  if (isUnsigned(element)) {
    result = remainder ? Value(arith::RemUIOp::create(b, loc, x, safe)) : Value(arith::DivUIOp::create(b, loc, x, safe));
  } else {
    Value minusOne = scalarConstant(b, loc, -1, type);
    Value negates = compare(b, loc, prims::Predicate::Eq, y, minusOne, element);
    safe = arith::SelectOp::create(b, loc, negates, one, safe);
    Value quotient = remainder ? Value(arith::RemSIOp::create(b, loc, x, safe))
                               : Value(arith::DivSIOp::create(b, loc, x, safe));
    Value negated = remainder ? zero : Value(arith::SubIOp::create(b, loc, zero, x));
    result = arith::SelectOp::create(b, loc, negates, negated, quotient);
  }
  return arith::SelectOp::create(b, loc, isZero, zero, result);
}

/// Integer power by squaring; a negative exponent gives 1/x truncated: 0 unless x is 1 or -1.
static Value powInteger(OpBuilder &b, Location loc, Value x, Value n, Type element) {
  Type type = x.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Value zero = scalarConstant(b, loc, 0, type), one = scalarConstant(b, loc, 1, type);
  Value result = one, base = x;
  for (unsigned bit = 0; bit < width; ++bit) {
    Value mask = arith::ConstantOp::create(b, loc, IntegerAttr::get(type, APInt::getOneBitSet(width, bit)));
    Value isSet = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, arith::AndIOp::create(b, loc, n, mask), zero);
    result = arith::SelectOp::create(b, loc, isSet, arith::MulIOp::create(b, loc, result, base), result);
    base = arith::MulIOp::create(b, loc, base, base);
  }
  if (isUnsigned(element)) {
    return result;
  }
  Value minusOne = scalarConstant(b, loc, -1, type);
  Value odd = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, arith::AndIOp::create(b, loc, n, one), zero);
  Value ofMinusOne = arith::SelectOp::create(b, loc, odd, minusOne, one);
  Value isOne = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, one);
  Value isMinusOne = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, minusOne);
  Value inverse = arith::SelectOp::create(b, loc, isOne, one, arith::SelectOp::create(b, loc, isMinusOne, ofMinusOne, zero));
  Value negative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, n, zero);
  return arith::SelectOp::create(b, loc, negative, inverse, result);
}

/// Float and integer forms of one binary op.
template <typename FloatOp, typename SignedOp, typename UnsignedOp = SignedOp>
static Value either(OpBuilder &b, Location loc, Value x, Value y, Type element) {
  if (isFloat(element)) {
    return FloatOp::create(b, loc, x, y);
  }
  return isUnsigned(element) ? Value(UnsignedOp::create(b, loc, x, y)) : Value(SignedOp::create(b, loc, x, y));
}

Value emitScalar(OpBuilder &b, Operation *op, ValueRange v) {
  Location loc = op->getLoc();
  Type element = op->getNumOperands() ? getElement(op->getOperand(0)) : Type();
  bool real = element && isFloat(element), boolean = element && element.isInteger(1);
  Value x = v.empty() ? Value() : v[0], y = v.size() > 1 ? v[1] : Value();
  return llvm::TypeSwitch<Operation *, Value>(op)
#define MATH(PRIM, OP) .Case([&](prims::PRIM##Op) { return math::OP##Op::create(b, loc, x); })
      MATH(Exp, Exp) MATH(Exp2, Exp2) MATH(Expm1, ExpM1) MATH(Log, Log) MATH(Log1p, Log1p)
      MATH(Log2, Log2) MATH(Log10, Log10) MATH(Sqrt, Sqrt) MATH(Rsqrt, Rsqrt) MATH(Sin, Sin)
      MATH(Cos, Cos) MATH(Tan, Tan) MATH(Asin, Asin) MATH(Acos, Acos) MATH(Atan, Atan)
      MATH(Sinh, Sinh) MATH(Cosh, Cosh) MATH(Tanh, Tanh) MATH(Asinh, Asinh) MATH(Acosh, Acosh)
      MATH(Atanh, Atanh) MATH(Erf, Erf) MATH(Erfc, Erfc) MATH(Ceil, Ceil) MATH(Floor, Floor)
      MATH(Trunc, Trunc) MATH(Round, RoundEven)
#undef MATH
      .Case([&](prims::AbsOp) {
        return real ? Value(math::AbsFOp::create(b, loc, x)) : isUnsigned(element) ? x : Value(math::AbsIOp::create(b, loc, x));
      })
      .Case([&](prims::NegOp) -> Value {
        return real ? Value(arith::NegFOp::create(b, loc, x))
                    : Value(arith::SubIOp::create(b, loc, scalarConstant(b, loc, 0, x.getType()), x));
      })
      .Case([&](prims::SignOp) { return sign(b, loc, x, element); })
      .Case([&](prims::NotOp) -> Value {
        Value ones = arith::ConstantOp::create(
            b, loc, IntegerAttr::get(x.getType(), APInt::getAllOnes(x.getType().getIntOrFloatBitWidth())));
        return arith::XOrIOp::create(b, loc, x, ones);
      })
      .Case([&](prims::AddOp) -> Value {
        return boolean ? Value(arith::OrIOp::create(b, loc, x, y)) : either<arith::AddFOp, arith::AddIOp>(b, loc, x, y, element);
      })
      .Case([&](prims::SubOp) { return either<arith::SubFOp, arith::SubIOp>(b, loc, x, y, element); })
      .Case([&](prims::MulOp) { return either<arith::MulFOp, arith::MulIOp>(b, loc, x, y, element); })
      .Case([&](prims::DivOp) -> Value {
        return real ? Value(arith::DivFOp::create(b, loc, x, y)) : divideInteger(b, loc, x, y, element, false);
      })
      .Case([&](prims::FmodOp) -> Value {
        return real ? Value(arith::RemFOp::create(b, loc, x, y)) : divideInteger(b, loc, x, y, element, true);
      })
      .Case([&](prims::PowOp) -> Value {
        return real ? Value(math::PowFOp::create(b, loc, x, y)) : powInteger(b, loc, x, y, element);
      })
      .Case([&](prims::Atan2Op) { return math::Atan2Op::create(b, loc, x, y); })
      .Case([&](prims::CopysignOp) { return math::CopySignOp::create(b, loc, x, y); })
      .Case([&](prims::MaximumOp) {
        return either<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(b, loc, x, y, element);
      })
      .Case([&](prims::MinimumOp) {
        return either<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(b, loc, x, y, element);
      })
      .Case([&](prims::AndOp) { return arith::AndIOp::create(b, loc, x, y); })
      .Case([&](prims::OrOp) { return arith::OrIOp::create(b, loc, x, y); })
      .Case([&](prims::XorOp) { return arith::XOrIOp::create(b, loc, x, y); })
      .Case([&](prims::ShlOp) { return shift(b, loc, x, y, element, true); })
      .Case([&](prims::ShrOp) { return shift(b, loc, x, y, element, false); })
      .Case([&](prims::CompareOp op) { return compare(b, loc, op.getPredicate(), x, y, element); })
      .Case([&](prims::SelectOp) { return arith::SelectOp::create(b, loc, v[0], v[1], v[2]); })
      .Case([&](prims::ConvertOp op) {
        return convertScalar(b, loc, x, element, getElement(op.getResult()));
      })
      .Case([&](prims::BitcastOp op) -> Value {
        Type to = scalarType(getElement(op.getResult()));
        return to == x.getType() ? x : Value(arith::BitcastOp::create(b, loc, to, x));
      })
      .Default([](Operation *) { return Value(); });
}

Lowering::Results Lowering::lowerPointwise(Operation *op) {
  if (!op->hasTrait<OpTrait::Elementwise>() && !isa<prims::ConvertOp, prims::BitcastOp>(op)) {
    return {};
  }
  Dims axes = dimsOf(op->getResult(0));
  KernelBuilder k = kernel(op, op->getOperands(), axes);
  Dims identity = k.allAxes(axes.size());
  SmallVector<Value> values;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    values.push_back(k.load(k.in(i), identity));
  }
  Value result = emitScalar(k.b, op, values);
  if (!result) {
    k.kernel.erase();
    return {};
  }
  k.store(result, k.out(), identity);
  return {k.kernel.getResult(0)};
}

} // namespace graphmill::loop
