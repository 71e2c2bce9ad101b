//===- Formula.h - Arithmetic on LLVM values, written as formulas ----------===//
//
// What the math functions are written in. All operations are IEEE's, lane by lane, on
// scalars and vectors of any length; the same IR serves AVX2, AVX-512 and AArch64.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/cpu/LoopBuilder.h"
#include "llvm/IR/Intrinsics.h"

namespace graphmill::cpu {

/// A float or integer value, or a vector of them.
class Term {
public:
  Term(LoopBuilder &b, llvm::Value *value) : b(&b), v(value) {}
  operator llvm::Value *() const { return v; }
  LoopBuilder &builder() const { return *b; }
  llvm::Type *type() const { return v->getType(); }
  bool isDouble() const { return type()->getScalarType()->isDoubleTy(); }

  /// A constant of this term's type.
  Term number(double value) const { return {*b, llvm::ConstantFP::get(type(), value)}; }
  Term integer(int64_t value) const { return {*b, llvm::ConstantInt::get(type(), value, true)}; }
  /// Another element type, as many lanes.
  llvm::Type *typeWith(llvm::Type *element) const {
    auto *vector = llvm::dyn_cast<llvm::VectorType>(type());
    return vector ? llvm::VectorType::get(element, vector->getElementCount()) : element;
  }

  Term operator-() const { return {*b, b->CreateFNeg(v)}; }
  friend Term operator+(Term x, Term y) { return {*x.b, x.b->CreateFAdd(x, y)}; }
  friend Term operator-(Term x, Term y) { return {*x.b, x.b->CreateFSub(x, y)}; }
  friend Term operator*(Term x, Term y) { return {*x.b, x.b->CreateFMul(x, y)}; }
  friend Term operator/(Term x, Term y) { return {*x.b, x.b->CreateFDiv(x, y)}; }
  friend Term operator+(Term x, double y) { return x + x.number(y); }
  friend Term operator-(Term x, double y) { return x - x.number(y); }
  friend Term operator*(Term x, double y) { return x * x.number(y); }
  friend Term operator+(double x, Term y) { return y.number(x) + y; }
  friend Term operator-(double x, Term y) { return y.number(x) - y; }
  friend Term operator/(double x, Term y) { return y.number(x) / y; }

  // Ordered comparisons: false with NaN.
  friend Term operator<(Term x, Term y) { return {*x.b, x.b->CreateFCmpOLT(x, y)}; }
  friend Term operator>(Term x, Term y) { return {*x.b, x.b->CreateFCmpOGT(x, y)}; }
  friend Term operator>=(Term x, Term y) { return {*x.b, x.b->CreateFCmpOGE(x, y)}; }
  friend Term operator==(Term x, Term y) { return {*x.b, x.b->CreateFCmpOEQ(x, y)}; }
  friend Term operator<(Term x, double y) { return x < x.number(y); }
  friend Term operator>(Term x, double y) { return x > x.number(y); }
  friend Term operator>=(Term x, double y) { return x >= x.number(y); }
  friend Term operator==(Term x, double y) { return x == x.number(y); }
  Term isNan() const { return {*b, b->CreateFCmpUNO(v, v)}; }
  friend Term operator&(Term x, Term y) { return {*x.b, x.b->CreateAnd(x, y)}; }
  friend Term operator|(Term x, Term y) { return {*x.b, x.b->CreateOr(x, y)}; }
  Term logicalNot() const { return {*b, b->CreateNot(v)}; }

private:
  LoopBuilder *b;
  llvm::Value *v;
};

inline Term intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value *> arguments, Term like) {
  return {like.builder(), like.builder().CreateIntrinsic(like.type(), id, arguments)};
}
inline Term fma(Term x, Term y, Term z) { return intrinsic(llvm::Intrinsic::fma, {x, y, z}, x); }
inline Term fma(Term x, Term y, double z) { return fma(x, y, x.number(z)); }
inline Term fma(Term x, double y, Term z) { return fma(x, x.number(y), z); }
inline Term abs(Term x) { return intrinsic(llvm::Intrinsic::fabs, {x}, x); }
inline Term sqrt(Term x) { return intrinsic(llvm::Intrinsic::sqrt, {x}, x); }
inline Term trunc(Term x) { return intrinsic(llvm::Intrinsic::trunc, {x}, x); }
inline Term roundEven(Term x) { return intrinsic(llvm::Intrinsic::roundeven, {x}, x); }
inline Term copySign(Term x, Term sign) { return intrinsic(llvm::Intrinsic::copysign, {x, sign}, x); }
inline Term select(Term condition, Term x, Term y) {
  return {x.builder(), x.builder().CreateSelect(condition, x, y)};
}
/// The smaller, or x if it is NaN.
inline Term atMost(Term x, double limit) { return select(x > limit, x.number(limit), x); }
inline Term atLeast(Term x, double limit) { return select(x < limit, x.number(limit), x); }

/// c[0] x^n + c[1] x^(n-1) + …, by Horner's rule.
Term polynomial(Term x, llvm::ArrayRef<double> c);

/// float32 to float64 and back.
Term widen(Term x);
Term narrow(Term x);

/// The bits as an integer of the same width, and back.
Term bitsOf(Term x);
Term fromBits(Term bits);
/// A whole number as an integer of its width; its magnitude is below 2^31, NaN gives any.
Term toInteger(Term x);
/// The reverse, for |n| < 2^31.
Term toFloat(Term n, Term like);
/// 2^n for n that keeps it normal.
Term powerOfTwo(Term n, Term like);
/// x * 2^n; right for denormal results too.
Term scale(Term x, Term n);

/// x, or where `rare` is true in any lane, what libm says for all of them: for arguments
/// that a formula doesn't reach and programs don't either.
Term orLibm(Term rare, Term x, llvm::StringRef name, llvm::ArrayRef<llvm::Value *> arguments);

/// One call of libm a lane: right for every function, fast for none.
llvm::Value *callLibm(LoopBuilder &b, llvm::StringRef name, llvm::ArrayRef<llvm::Value *> arguments);

// Building blocks. Those on float64 serve float32 functions: their error is below 2^-37.
/// exp on |x| < 85 for float32, 700 for float64, without special cases.
Term expInRange(Term x);
/// exp of float64 for |x| < 700, error 2^-39.
Term expForFloat(Term x);
/// log of float64, with its special cases; relative error 2^-37, 2^-52 if `precise`.
Term logForFloat(Term x, bool precise = false);
/// The angle of (x, y) in [-pi, pi] in float64, error 2^-36.
Term angleForFloat(Term y, Term x);

// The functions; each takes float32, those marked float64 too.
Term emitExp(Term x);   ///< and float64
Term emitExp2(Term x);
Term emitExpm1(Term x);
Term emitSinh(Term x);
Term emitCosh(Term x);
Term emitTanh(Term x);  ///< and float64
Term emitLog(Term x);   ///< and float64
Term emitLog2(Term x);
Term emitLog10(Term x);
Term emitLog1p(Term x);
Term emitAsinh(Term x);
Term emitAcosh(Term x);
Term emitAtanh(Term x);
Term emitSin(Term x);   ///< and float64
Term emitCos(Term x);   ///< and float64
Term emitTan(Term x);
Term emitAsin(Term x);
Term emitAcos(Term x);
Term emitAtan(Term x);
Term emitAtan2(Term y, Term x);
Term emitErf(Term x);
Term emitErfc(Term x);
Term emitPow(Term x, Term y);
Term emitFmod(Term x, Term y);

} // namespace graphmill::cpu
