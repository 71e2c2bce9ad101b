#include "codegen/cpu/EmitScalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/Intrinsics.h"

using llvm::ArrayRef;
using llvm::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

namespace graphmill::cpu {

llvm::Type *llvmType(llvm::LLVMContext &context, mlir::Type type) {
  if (type.isF32()) {
    return llvm::Type::getFloatTy(context);
  }
  if (type.isF64()) {
    return llvm::Type::getDoubleTy(context);
  }
  if (type.isF16()) {
    return llvm::Type::getHalfTy(context);
  }
  if (type.isBF16()) {
    return llvm::Type::getBFloatTy(context);
  }
  if (type.isIndex()) {
    return llvm::Type::getInt64Ty(context);
  }
  return llvm::Type::getIntNTy(context, type.getIntOrFloatBitWidth());
}

llvm::Type *memoryType(llvm::LLVMContext &context, mlir::Type element) {
  return element.isInteger(1) ? llvm::Type::getInt8Ty(context) : llvmType(context, element);
}

void unifyLanes(LoopBuilder &b, llvm::MutableArrayRef<Value *> values) {
  llvm::VectorType *vector = nullptr;
  for (Value *value : values) {
    if (value && value->getType()->isVectorTy()) {
      vector = llvm::cast<llvm::VectorType>(value->getType());
    }
  }
  for (Value *&value : values) {
    if (vector && value && !value->getType()->isVectorTy()) {
      value = b.CreateVectorSplat(vector->getElementCount(), value);
    }
  }
}

Value *emitMaximum(LoopBuilder &b, Value *x, Value *y, bool isMax) {
  // select(x > y, x, y) gives y if either is NaN: one instruction on x86. Only a NaN in x is
  // left to be put in.
  Value *larger = b.CreateSelect(isMax ? b.CreateFCmpOGT(x, y) : b.CreateFCmpOLT(x, y), x, y);
  if (llvm::isa<llvm::Constant>(x)) {
    return larger;
  }
  if (llvm::isa<llvm::Constant>(y)) {
    return b.CreateSelect(isMax ? b.CreateFCmpOGT(y, x) : b.CreateFCmpOLT(y, x), y, x);
  }
  return b.CreateSelect(b.CreateFCmpUNO(x, x), x, larger);
}

static llvm::FCmpInst::Predicate floatPredicate(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OEQ: return llvm::FCmpInst::FCMP_OEQ;
  case P::UNE: return llvm::FCmpInst::FCMP_UNE;
  case P::OLT: return llvm::FCmpInst::FCMP_OLT;
  case P::OLE: return llvm::FCmpInst::FCMP_OLE;
  case P::OGT: return llvm::FCmpInst::FCMP_OGT;
  case P::OGE: return llvm::FCmpInst::FCMP_OGE;
  case P::ONE: return llvm::FCmpInst::FCMP_ONE;
  case P::ORD: return llvm::FCmpInst::FCMP_ORD;
  case P::UNO: return llvm::FCmpInst::FCMP_UNO;
  case P::UEQ: return llvm::FCmpInst::FCMP_UEQ;
  case P::ULT: return llvm::FCmpInst::FCMP_ULT;
  case P::ULE: return llvm::FCmpInst::FCMP_ULE;
  case P::UGT: return llvm::FCmpInst::FCMP_UGT;
  case P::UGE: return llvm::FCmpInst::FCMP_UGE;
  case P::AlwaysFalse: return llvm::FCmpInst::FCMP_FALSE;
  case P::AlwaysTrue: return llvm::FCmpInst::FCMP_TRUE;
  }
  llvm_unreachable("all predicates are listed");
}

static llvm::ICmpInst::Predicate integerPredicate(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq: return llvm::ICmpInst::ICMP_EQ;
  case P::ne: return llvm::ICmpInst::ICMP_NE;
  case P::slt: return llvm::ICmpInst::ICMP_SLT;
  case P::sle: return llvm::ICmpInst::ICMP_SLE;
  case P::sgt: return llvm::ICmpInst::ICMP_SGT;
  case P::sge: return llvm::ICmpInst::ICMP_SGE;
  case P::ult: return llvm::ICmpInst::ICMP_ULT;
  case P::ule: return llvm::ICmpInst::ICMP_ULE;
  case P::ugt: return llvm::ICmpInst::ICMP_UGT;
  case P::uge: return llvm::ICmpInst::ICMP_UGE;
  }
  llvm_unreachable("all predicates are listed");
}

static Value *constantOf(LoopBuilder &b, arith::ConstantOp op) {
  llvm::Type *type = llvmType(b.getContext(), op.getType());
  if (auto real = llvm::dyn_cast<mlir::FloatAttr>(op.getValue())) {
    return llvm::ConstantFP::get(type, real.getValue());
  }
  return llvm::ConstantInt::get(type, llvm::cast<mlir::IntegerAttr>(op.getValue()).getValue());
}

/// A body type with the lanes of a value.
static llvm::Type *typeLike(LoopBuilder &b, mlir::Type type, Value *like) {
  llvm::Type *scalar = llvmType(b.getContext(), type);
  auto *vector = llvm::dyn_cast<llvm::VectorType>(like->getType());
  return vector ? llvm::VectorType::get(scalar, vector->getElementCount()) : scalar;
}

/// x / y. LLVM takes 0 / 0 for 0 in lanes that it knows to be 0 on both sides, as those are that a mask leaves out, and
/// then drops the mask (SelectionDAG's SimplifyDemandedVectorElts, LLVM 22): it must not see where the divisor is from.
static Value *emitDivision(LoopBuilder &b, Value *x, Value *y) {
  bool opaque = y->getType()->isVectorTy() && !llvm::isa<llvm::Constant>(y);
  return b.CreateFDiv(x, opaque ? b.CreateUnaryIntrinsic(llvm::Intrinsic::arithmetic_fence, y) : y);
}

Value *emitScalarOp(LoopBuilder &b, mlir::Operation *op, ArrayRef<Value *> v) {
  Value *x = v.empty() ? nullptr : v[0], *y = v.size() > 1 ? v[1] : nullptr;
  auto cast = [&](llvm::Instruction::CastOps kind) {
    return b.CreateCast(kind, x, typeLike(b, op->getResult(0).getType(), x));
  };
  return llvm::TypeSwitch<mlir::Operation *, Value *>(op)
      .Case([&](arith::ConstantOp op) { return constantOf(b, op); })
#define BINARY(OP, CREATE) .Case([&](arith::OP) { return b.CREATE(x, y); })
      BINARY(AddFOp, CreateFAdd) BINARY(SubFOp, CreateFSub) BINARY(MulFOp, CreateFMul)
      BINARY(AddIOp, CreateAdd) BINARY(SubIOp, CreateSub) BINARY(MulIOp, CreateMul) BINARY(DivSIOp, CreateSDiv)
      BINARY(DivUIOp, CreateUDiv) BINARY(RemSIOp, CreateSRem) BINARY(RemUIOp, CreateURem)
      BINARY(AndIOp, CreateAnd) BINARY(OrIOp, CreateOr) BINARY(XOrIOp, CreateXor)
      BINARY(ShLIOp, CreateShl) BINARY(ShRSIOp, CreateAShr) BINARY(ShRUIOp, CreateLShr)
#undef BINARY
      .Case([&](arith::DivFOp) { return emitDivision(b, x, y); })
#define INTRINSIC(OP, ID) .Case([&](OP) { return b.CreateBinaryIntrinsic(llvm::Intrinsic::ID, x, y); })
      INTRINSIC(arith::MaxSIOp, smax) INTRINSIC(arith::MaxUIOp, umax) INTRINSIC(arith::MinSIOp, smin)
      INTRINSIC(arith::MinUIOp, umin) INTRINSIC(math::CopySignOp, copysign)
#undef INTRINSIC
#define CAST(OP, KIND) .Case([&](arith::OP) { return cast(llvm::Instruction::KIND); })
      CAST(ExtFOp, FPExt) CAST(TruncFOp, FPTrunc) CAST(ExtSIOp, SExt) CAST(ExtUIOp, ZExt)
      CAST(TruncIOp, Trunc) CAST(SIToFPOp, SIToFP) CAST(UIToFPOp, UIToFP) CAST(FPToSIOp, FPToSI)
      CAST(FPToUIOp, FPToUI) CAST(BitcastOp, BitCast)
#undef CAST
      .Case([&](arith::IndexCastOp op) {
        return b.CreateSExtOrTrunc(x, typeLike(b, op.getType(), x));
      })
      .Case([&](arith::NegFOp) { return b.CreateFNeg(x); })
      .Case([&](arith::MaximumFOp) { return emitMaximum(b, x, y, true); })
      .Case([&](arith::MinimumFOp) { return emitMaximum(b, x, y, false); })
      .Case([&](arith::CmpFOp op) { return b.CreateFCmp(floatPredicate(op.getPredicate()), x, y); })
      .Case([&](arith::CmpIOp op) { return b.CreateICmp(integerPredicate(op.getPredicate()), x, y); })
      .Case([&](arith::SelectOp) { return b.CreateSelect(v[0], v[1], v[2]); })
      .Case([&](math::AbsFOp) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); })
      .Case([&](math::AbsIOp) { return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b.getFalse()); })
      .Case([&](math::SqrtOp) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x); })
      .Case([&](math::RsqrtOp) -> Value * {
        return b.CreateFDiv(llvm::ConstantFP::get(x->getType(), 1.0), b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x));
      })
      .Case([&](math::CeilOp) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, x); })
      .Case([&](math::FloorOp) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x); })
      .Case([&](math::TruncOp) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, x); })
      .Case([&](math::RoundEvenOp) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, x); })
#define FUNCTION(OP, NAME) .Case([&](OP) { return emitFunction(b, NAME, v); })
      FUNCTION(math::ExpOp, "exp") FUNCTION(math::Exp2Op, "exp2") FUNCTION(math::ExpM1Op, "expm1")
      FUNCTION(math::LogOp, "log") FUNCTION(math::Log1pOp, "log1p") FUNCTION(math::Log2Op, "log2")
      FUNCTION(math::Log10Op, "log10") FUNCTION(math::SinOp, "sin") FUNCTION(math::CosOp, "cos")
      FUNCTION(math::TanOp, "tan") FUNCTION(math::AsinOp, "asin") FUNCTION(math::AcosOp, "acos")
      FUNCTION(math::AtanOp, "atan") FUNCTION(math::SinhOp, "sinh") FUNCTION(math::CoshOp, "cosh")
      FUNCTION(math::TanhOp, "tanh") FUNCTION(math::AsinhOp, "asinh") FUNCTION(math::AcoshOp, "acosh")
      FUNCTION(math::AtanhOp, "atanh") FUNCTION(math::ErfOp, "erf") FUNCTION(math::ErfcOp, "erfc")
      FUNCTION(math::PowFOp, "pow") FUNCTION(math::Atan2Op, "atan2") FUNCTION(arith::RemFOp, "fmod")
#undef FUNCTION
      .Default([](mlir::Operation *) -> Value * { return nullptr; });
}

} // namespace graphmill::cpu
