#include "codegen/host/AffineLowering.h"

using namespace mlir;
namespace graphmill::host {

llvm::Value *AffineLowering::checked(llvm::Intrinsic::ID intrinsic,
                                     llvm::Value *a, llvm::Value *b) {
  llvm::Value *pair = builder.CreateBinaryIntrinsic(intrinsic, a, b);
  failed = builder.CreateOr(failed, builder.CreateExtractValue(pair, 1));
  return builder.CreateExtractValue(pair, 0);
}

/// Replaces a divisor that isn't positive by 1 and notes it. Constants need no
/// check: MLIR builds no expression that divides by a constant below 1.
llvm::Value *AffineLowering::checkedDivisor(llvm::Value *divisor) {
  if (llvm::isa<llvm::ConstantInt>(divisor)) {
    return divisor;
  }
  llvm::Value *isBad = builder.CreateICmpSLT(divisor, builder.getInt64(1));
  failed = builder.CreateOr(failed, isBad);
  return builder.CreateSelect(isBad, builder.getInt64(1), divisor);
}

llvm::Value *AffineLowering::floorDiv(llvm::Value *a, llvm::Value *b) {
  llvm::Value *zero = builder.getInt64(0);
  llvm::Value *quotient = builder.CreateSDiv(a, b);
  llvm::Value *remainder = builder.CreateSub(a, builder.CreateMul(quotient, b));
  llvm::Value *differs = builder.CreateXor(
      builder.CreateICmpSLT(remainder, zero), builder.CreateICmpSLT(b, zero));
  llvm::Value *roundDown =
      builder.CreateAnd(builder.CreateICmpNE(remainder, zero), differs);
  return builder.CreateSub(quotient,
                           builder.CreateZExt(roundDown, builder.getInt64Ty()));
}

llvm::Value *AffineLowering::lowerBinary(AffineBinaryOpExpr expr) {
  llvm::Value *a = lower(expr.getLHS());
  llvm::Value *b = lower(expr.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return checked(llvm::Intrinsic::sadd_with_overflow, a, b);
  case AffineExprKind::Mul:
    return checked(llvm::Intrinsic::smul_with_overflow, a, b);
  case AffineExprKind::FloorDiv:
    return floorDiv(a, checkedDivisor(b));
  case AffineExprKind::CeilDiv:
    // ceil(a / b) = -floor(-a / b)
    return builder.CreateNeg(floorDiv(builder.CreateNeg(a), checkedDivisor(b)));
  case AffineExprKind::Mod: {
    llvm::Value *divisor = checkedDivisor(b);
    return builder.CreateSub(a,
                             builder.CreateMul(floorDiv(a, divisor), divisor));
  }
  default:
    llvm_unreachable("not a binary expression");
  }
}

llvm::Value *AffineLowering::lower(AffineExpr expr) {
  if (auto constant = llvm::dyn_cast<AffineConstantExpr>(expr)) {
    return builder.getInt64(constant.getValue());
  }
  if (auto symbol = llvm::dyn_cast<AffineSymbolExpr>(expr)) {
    assert(symbols[symbol.getPosition()] && "symbol isn't known yet");
    return symbols[symbol.getPosition()];
  }
  if (llvm::Value *known = lowered.lookup(expr)) {
    return known;
  }
  llvm::Value *value = lowerBinary(llvm::cast<AffineBinaryOpExpr>(expr));
  lowered[expr] = value;
  return value;
}

namespace {
/// How tightly an operator binds; an operand that binds less gets parentheses.
enum Precedence { kSum, kProduct, kAtom };

struct Printed {
  std::string text;
  Precedence precedence;
  std::string in(Precedence least) const {
    return precedence < least ? "(" + text + ")" : text;
  }
};

Printed print(AffineExpr expr, llvm::ArrayRef<llvm::StringRef> names);

Printed printSum(Printed lhs, AffineExpr rhs,
                 llvm::ArrayRef<llvm::StringRef> names) {
  std::string text = print(rhs, names).in(kSum);
  bool isNegative = text.front() == '-';
  return {lhs.text + (isNegative ? " - " : " + ") + text.substr(isNegative),
          kSum};
}

Printed print(AffineExpr expr, llvm::ArrayRef<llvm::StringRef> names) {
  if (auto constant = llvm::dyn_cast<AffineConstantExpr>(expr)) {
    return {std::to_string(constant.getValue()), kAtom};
  }
  if (auto symbol = llvm::dyn_cast<AffineSymbolExpr>(expr)) {
    return {names[symbol.getPosition()].str(), kAtom};
  }
  auto binary = llvm::cast<AffineBinaryOpExpr>(expr);
  Printed lhs = print(binary.getLHS(), names),
          rhs = print(binary.getRHS(), names);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return printSum(lhs, binary.getRHS(), names);
  case AffineExprKind::Mul:
    if (rhs.text == "-1") {
      return {"-" + lhs.in(kProduct), kProduct};
    }
    return {rhs.in(kProduct) + "*" + lhs.in(kProduct), kProduct};
  case AffineExprKind::FloorDiv:
    return {lhs.in(kProduct) + " // " + rhs.in(kAtom), kProduct};
  case AffineExprKind::CeilDiv:
    return {"ceil(" + lhs.in(kProduct) + " / " + rhs.in(kAtom) + ")", kAtom};
  case AffineExprKind::Mod:
    return {lhs.in(kAtom) + " % " + rhs.in(kAtom), kProduct};
  default:
    llvm_unreachable("not a binary expression");
  }
}
} // namespace

std::string printDim(AffineExpr expr,
                     llvm::ArrayRef<llvm::StringRef> symbolNames) {
  return print(expr, symbolNames).text;
}

} // namespace graphmill::host
