#include "codegen/cpu/Formula.h"
#include "llvm/IR/Module.h"

using llvm::ArrayRef;
using llvm::Value;

namespace graphmill::cpu {

Term polynomial(Term x, ArrayRef<double> c) {
  Term result = x.number(c[0]);
  for (double next : c.drop_front()) {
    result = fma(result, x, next);
  }
  return result;
}

Term widen(Term x) {
  return {x.builder(), x.builder().CreateFPExt(x, x.typeWith(llvm::Type::getDoubleTy(x.builder().getContext())))};
}
Term narrow(Term x) {
  return {x.builder(), x.builder().CreateFPTrunc(x, x.typeWith(llvm::Type::getFloatTy(x.builder().getContext())))};
}

static llvm::Type *integerType(Term x) {
  return x.typeWith(llvm::Type::getIntNTy(x.builder().getContext(), x.type()->getScalarSizeInBits()));
}

Term bitsOf(Term x) { return {x.builder(), x.builder().CreateBitCast(x, integerType(x))}; }

Term fromBits(Term bits) {
  llvm::LLVMContext &context = bits.builder().getContext();
  bool wide = bits.type()->getScalarSizeInBits() == 64;
  llvm::Type *element = wide ? llvm::Type::getDoubleTy(context) : llvm::Type::getFloatTy(context);
  return {bits.builder(), bits.builder().CreateBitCast(bits, bits.typeWith(element))};
}

// Vector units convert between float64 and int32, but (before AVX-512) not int64.
Term toInteger(Term x) {
  LoopBuilder &b = x.builder();
  // NaN has no integer.
  Term whole = select(x.isNan(), x.number(0), x);
  Value *narrow = b.CreateFPToSI(whole, x.typeWith(b.getInt32Ty()));
  return {b, b.CreateSExt(narrow, integerType(x))};
}
Term toFloat(Term n, Term like) {
  LoopBuilder &b = n.builder();
  return {b, b.CreateSIToFP(b.CreateTrunc(n, n.typeWith(b.getInt32Ty())), like.type())};
}

Term powerOfTwo(Term n, Term like) {
  LoopBuilder &b = n.builder();
  int64_t bias = like.isDouble() ? 1023 : 127, mantissa = like.isDouble() ? 52 : 23;
  return fromBits({b, b.CreateShl(b.CreateAdd(n, n.integer(bias)), n.integer(mantissa))});
}

Term scale(Term x, Term n) {
  LoopBuilder &b = x.builder();
  // Two steps: 2^n itself may not be a normal number where the result is one. The half is
  // taken in 32 bits, which have an arithmetic shift on every vector unit.
  Value *n32 = b.CreateTrunc(n, n.typeWith(b.getInt32Ty()));
  Value *half32 = b.CreateAShr(n32, llvm::ConstantInt::get(n32->getType(), 1));
  Term half(b, b.CreateSExt(half32, n.type())), rest(b, b.CreateSub(n, half));
  return x * powerOfTwo(half, x) * powerOfTwo(rest, x);
}

Value *callLibm(LoopBuilder &b, llvm::StringRef name, ArrayRef<Value *> arguments) {
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

Term orLibm(Term rare, Term x, llvm::StringRef name, ArrayRef<Value *> arguments) {
  LoopBuilder &b = x.builder();
  Value *any = rare.type()->isVectorTy() ? b.CreateOrReduce(rare) : rare;
  llvm::BasicBlock *before = b.GetInsertBlock(), *slow = nullptr;
  Value *called = nullptr;
  b.ifThen(any, [&] {
    called = callLibm(b, name, arguments);
    slow = b.GetInsertBlock();
  });
  if (!called || slow == before) { // the condition is a constant
    return called ? Term(b, called) : x;
  }
  llvm::PHINode *result = b.CreatePHI(x.type(), 2);
  result->addIncoming(x, before);
  result->addIncoming(called, slow);
  return {b, result};
}

} // namespace graphmill::cpu
