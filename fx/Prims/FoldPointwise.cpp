//===- FoldPointwise.cpp - Rules of arithmetic that hold for every value ---===//
//
// Exact ones only, NaN and signed zeros included: x - 0 is x, but x + 0 turns -0 into 0.
//
//===----------------------------------------------------------------------===//
#include "fx/Prims/PrimsDialect.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace graphmill;
using namespace graphmill::prims;

/// The one number that all elements of a value are, seen through views.
static Attribute matchNumber(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
      return splat ? splat.getSplatValue<Attribute>() : Attribute();
    }
    if (!isa<BroadcastOp, ReshapeOp, TransposeOp, SliceOp>(op)) {
      return {};
    }
    value = op->getOperand(0);
  }
  return {};
}

/// Whether all elements are this number; -0 isn't 0. For bool, 1 is true.
static bool isSplatOf(Value value, double wanted) {
  Attribute number = matchNumber(value);
  if (auto real = dyn_cast_or_null<FloatAttr>(number)) {
    double is = real.getValueAsDouble();
    return is == wanted && std::signbit(is) == std::signbit(wanted);
  }
  if (auto integer = dyn_cast_or_null<IntegerAttr>(number)) {
    bool isBool = integer.getType().isInteger(1);
    int64_t is = isBool ? integer.getValue().getBoolValue() : integer.getValue().getSExtValue();
    return static_cast<double>(is) == wanted;
  }
  return false;
}

static bool isReal(Value value) { return isa<FloatType>(getElement(value)); }

OpFoldResult AbsOp::fold(FoldAdaptor) {
  if (getOperand().getDefiningOp<AbsOp>()) {
    return getOperand();
  }
  // Negated unsigned elements wrap around: 1 becomes 255, and stays so.
  auto negated = getOperand().getDefiningOp<NegOp>();
  if (negated && !getElement(getOperand()).isUnsignedInteger()) {
    setOperand(negated.getOperand());
    return getResult();
  }
  return {};
}

OpFoldResult NegOp::fold(FoldAdaptor) {
  auto inner = getOperand().getDefiningOp<NegOp>();
  return inner ? inner.getOperand() : OpFoldResult();
}

OpFoldResult NotOp::fold(FoldAdaptor) {
  auto inner = getOperand().getDefiningOp<NotOp>();
  return inner ? inner.getOperand() : OpFoldResult();
}

OpFoldResult AddOp::fold(FoldAdaptor) {
  double zero = isReal(getLhs()) ? -0.0 : 0.0;
  return isSplatOf(getRhs(), zero) ? getLhs() : isSplatOf(getLhs(), zero) ? getRhs() : OpFoldResult();
}

OpFoldResult SubOp::fold(FoldAdaptor) { return isSplatOf(getRhs(), 0.0) ? getLhs() : OpFoldResult(); }

OpFoldResult MulOp::fold(FoldAdaptor) {
  for (auto [x, factor] : {std::pair(getLhs(), getRhs()), std::pair(getRhs(), getLhs())}) {
    if (isSplatOf(factor, 1.0)) {
      return x;
    }
    // Integers: the zero itself is the product.
    if (isa<IntegerType>(getElement(factor)) && isSplatOf(factor, 0.0)) {
      return factor;
    }
  }
  return {};
}

OpFoldResult DivOp::fold(FoldAdaptor) { return isSplatOf(getRhs(), 1.0) ? getLhs() : OpFoldResult(); }
OpFoldResult MaximumOp::fold(FoldAdaptor) { return getLhs() == getRhs() ? getLhs() : OpFoldResult(); }
OpFoldResult MinimumOp::fold(FoldAdaptor) { return getLhs() == getRhs() ? getLhs() : OpFoldResult(); }

/// `unit` changes nothing, `zero` decides.
static OpFoldResult foldLogic(Value lhs, Value rhs, double unit, double zero) {
  if (lhs == rhs || isSplatOf(rhs, unit)) {
    return lhs;
  }
  if (isSplatOf(lhs, unit)) {
    return rhs;
  }
  return isSplatOf(rhs, zero) ? rhs : isSplatOf(lhs, zero) ? lhs : OpFoldResult();
}

static double allOnes(Value value) { return getElement(value).isInteger(1) ? 1 : -1; }

OpFoldResult AndOp::fold(FoldAdaptor) { return foldLogic(getLhs(), getRhs(), allOnes(getLhs()), 0); }
OpFoldResult OrOp::fold(FoldAdaptor) { return foldLogic(getLhs(), getRhs(), 0, allOnes(getLhs())); }

OpFoldResult SelectOp::fold(FoldAdaptor) {
  if (getOnTrue() == getOnFalse() || isSplatOf(getPred(), 1)) {
    return getOnTrue();
  }
  return isSplatOf(getPred(), 0) ? getOnFalse() : OpFoldResult();
}

/// Whether every value of `from` is one of `to`, so that a conversion can be undone.
static bool holds(Type to, Type from) {
  if (from.isInteger(1)) {
    return !to.isInteger(1);
  }
  auto realFrom = dyn_cast<FloatType>(from), realTo = dyn_cast<FloatType>(to);
  if (realFrom) {
    return realTo && realFrom.getFPMantissaWidth() <= realTo.getFPMantissaWidth() &&
           realFrom.getWidth() < realTo.getWidth();
  }
  auto wholeFrom = dyn_cast<IntegerType>(from), wholeTo = dyn_cast<IntegerType>(to);
  if (!wholeFrom) {
    return false;
  }
  unsigned bits = wholeFrom.getWidth() - !wholeFrom.isUnsigned();
  if (realTo) {
    return bits <= realTo.getFPMantissaWidth() && realTo.getWidth() >= 32;
  }
  return wholeTo && bits <= wholeTo.getWidth() - !wholeTo.isUnsigned() && wholeFrom.isUnsigned() >= wholeTo.isUnsigned();
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getResult().getType()) {
    return getOperand();
  }
  auto inner = getOperand().getDefiningOp<ConvertOp>();
  if (inner && holds(getElement(inner.getResult()), getElement(inner.getOperand()))) {
    setOperand(inner.getOperand());
    return getResult();
  }
  return {};
}

namespace {
/// x^1 = x, x^2 = x * x, x^-1 = 1 / x: rounded once, as pow is.
struct SimplifyPower : OpRewritePattern<PowOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PowOp op, PatternRewriter &rewriter) const override {
    Value x = op.getLhs();
    if (isSplatOf(op.getRhs(), 1)) {
      rewriter.replaceOp(op, x);
      return success();
    }
    if (isSplatOf(op.getRhs(), 2)) {
      rewriter.replaceOpWithNewOp<MulOp>(op, op.getType(), x, x);
      return success();
    }
    if (isReal(x) && isSplatOf(op.getRhs(), -1)) {
      auto scalar = RankedTensorType::get({}, getElement(x));
      Value one = ConstantOp::create(rewriter, op.getLoc(), scalar,
                                     DenseElementsAttr::get(scalar, rewriter.getFloatAttr(getElement(x), 1.0)));
      Value ones = op.getType() == scalar
                       ? one
                       : BroadcastOp::create(rewriter, op.getLoc(), op.getType(), one, ArrayRef<int64_t>());
      rewriter.replaceOpWithNewOp<DivOp>(op, op.getType(), ones, x);
      return success();
    }
    return failure();
  }
};
} // namespace

void PowOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SimplifyPower>(context);
}
