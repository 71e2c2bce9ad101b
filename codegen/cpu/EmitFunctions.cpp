#include "codegen/cpu/EmitScalars.h"
#include "codegen/cpu/Formula.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::ArrayRef;
using llvm::Value;

namespace graphmill::cpu {

namespace {
using Unary = Term (*)(Term);
using Binary = Term (*)(Term, Term);
} // namespace

/// Formulas by name; null: libm has it. Those of float64 are few.
static Unary unaryFormula(llvm::StringRef name, bool isDouble) {
  Unary both = llvm::StringSwitch<Unary>(name)
                   .Case("exp", emitExp)
                   .Case("log", emitLog)
                   .Case("sin", emitSin)
                   .Case("cos", emitCos)
                   .Case("tanh", emitTanh)
                   .Default(nullptr);
  if (both || isDouble) {
    return both;
  }
  return llvm::StringSwitch<Unary>(name)
      .Case("exp2", emitExp2)
      .Case("expm1", emitExpm1)
      .Case("log1p", emitLog1p)
      .Case("log2", emitLog2)
      .Case("log10", emitLog10)
      .Case("tan", emitTan)
      .Case("asin", emitAsin)
      .Case("acos", emitAcos)
      .Case("atan", emitAtan)
      .Case("sinh", emitSinh)
      .Case("cosh", emitCosh)
      .Case("asinh", emitAsinh)
      .Case("acosh", emitAcosh)
      .Case("atanh", emitAtanh)
      .Case("erf", emitErf)
      .Case("erfc", emitErfc)
      .Default(nullptr);
}

static Binary binaryFormula(llvm::StringRef name, bool isDouble) {
  return isDouble ? nullptr
                  : llvm::StringSwitch<Binary>(name)
                        .Case("atan2", emitAtan2)
                        .Case("fmod", emitFmod)
                        .Case("pow", emitPow)
                        .Default(nullptr);
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
  if (arguments.size() == 1) {
    if (Unary formula = unaryFormula(name, scalar->isDoubleTy())) {
      return formula(Term(b, arguments[0]));
    }
  } else if (Binary formula = binaryFormula(name, scalar->isDoubleTy())) {
    return formula(Term(b, arguments[0]), Term(b, arguments[1]));
  }
  return callLibm(b, name, arguments);
}

} // namespace graphmill::cpu
