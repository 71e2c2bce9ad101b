#include "codegen/cpu/EmitScalars.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using llvm::ArrayRef;
using llvm::Value;

namespace graphmill::cpu {

/// One call of libm a lane: right for every function, fast for none.
static Value *callLibm(LoopBuilder &b, llvm::StringRef name, ArrayRef<Value *> arguments) {
  llvm::Type *scalar = arguments[0]->getType()->getScalarType();
  std::string symbol = scalar->isFloatTy() ? (name + "f").str() : name.str();
  llvm::SmallVector<llvm::Type *> types(arguments.size(), scalar);
  llvm::Module *module = b.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee =
      module->getOrInsertFunction(symbol, llvm::FunctionType::get(scalar, types, false));
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(arguments[0]->getType());
  if (!vector) {
    return b.CreateCall(callee, arguments);
  }
  Value *result = llvm::PoisonValue::get(vector);
  for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
    llvm::SmallVector<Value *> scalars;
    for (Value *argument : arguments) {
      scalars.push_back(b.CreateExtractElement(argument, lane));
    }
    result = b.CreateInsertElement(result, b.CreateCall(callee, scalars), lane);
  }
  return result;
}

namespace {
/// Formulas on float32 vectors.
struct Float {
  LoopBuilder &b;
  llvm::Type *type, *intType;

  Float(LoopBuilder &b, Value *like) : b(b), type(like->getType()) {
    intType = llvm::Type::getInt32Ty(b.getContext());
    if (auto *vector = llvm::dyn_cast<llvm::VectorType>(type)) {
      intType = llvm::VectorType::get(intType, vector->getElementCount());
    }
  }
  Value *number(double value) { return llvm::ConstantFP::get(type, value); }
  Value *integer(int64_t value) { return llvm::ConstantInt::get(intType, value, true); }
  Value *fma(Value *x, Value *y, Value *z) { return b.CreateIntrinsic(type, llvm::Intrinsic::fma, {x, y, z}); }
  Value *fma(Value *x, Value *y, double z) { return fma(x, y, number(z)); }
  /// c[0] x^n + c[1] x^(n-1) + …
  Value *polynomial(Value *x, ArrayRef<double> c) {
    Value *result = number(c[0]);
    for (double next : c.drop_front()) {
      result = fma(result, x, next);
    }
    return result;
  }
  /// x * 2^n in two steps, so that denormal results are right.
  Value *scale(Value *x, Value *n) {
    Value *half = b.CreateAShr(n, integer(1)), *rest = b.CreateSub(n, half);
    auto power = [&](Value *k) { return b.CreateBitCast(b.CreateShl(b.CreateAdd(k, integer(127)), integer(23)), type); };
    return b.CreateFMul(b.CreateFMul(x, power(half)), power(rest));
  }
};
} // namespace

/// exp: x = n ln2 + r, |r| <= ln2 / 2; a degree 6 polynomial in r. Error below 1 ulp.
static Value *emitExp(LoopBuilder &b, Value *x) {
  Float f(b, x);
  // Beyond these the result is infinite or 0; clamping keeps n in range. NaN goes through.
  Value *clamped = b.CreateSelect(b.CreateFCmpOGT(x, f.number(89.0)), f.number(89.0), x);
  clamped = b.CreateSelect(b.CreateFCmpOLT(clamped, f.number(-104.0)), f.number(-104.0), clamped);
  Value *n = b.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, b.CreateFMul(clamped, f.number(1.44269504088896341)));
  Value *r = f.fma(n, f.number(-0.693145751953125), clamped);
  r = f.fma(n, f.number(-1.42860682030941723212e-6), r);
  Value *p = f.polynomial(r, {1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1});
  Value *y = b.CreateFAdd(f.fma(b.CreateFMul(r, r), p, r), f.number(1.0));
  // NaN has no integer: give it any.
  Value *safe = b.CreateSelect(b.CreateFCmpUNO(x, x), f.number(0.0), n);
  Value *result = f.scale(y, b.CreateFPToSI(safe, f.intType));
  return result;
}

Value *emitFunction(LoopBuilder &b, llvm::StringRef name, ArrayRef<Value *> arguments) {
  llvm::Type *scalar = arguments[0]->getType()->getScalarType();
  if (scalar->isHalfTy() || scalar->isBFloatTy()) {
    llvm::Type *wide = llvm::Type::getFloatTy(b.getContext());
    llvm::Type *original = arguments[0]->getType();
    if (auto *vector = llvm::dyn_cast<llvm::VectorType>(original)) {
      wide = llvm::VectorType::get(wide, vector->getElementCount());
    }
    llvm::SmallVector<Value *> extended;
    for (Value *argument : arguments) {
      extended.push_back(b.CreateFPExt(argument, wide));
    }
    return b.CreateFPTrunc(emitFunction(b, name, extended), original);
  }
  if (scalar->isFloatTy() && name == "exp") {
    return emitExp(b, arguments[0]);
  }
  return callLibm(b, name, arguments);
}

} // namespace graphmill::cpu
