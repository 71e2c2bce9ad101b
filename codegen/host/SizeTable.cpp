#include "codegen/host/SizeTable.h"

using namespace mlir;
namespace graphmill::host {

SizeTable::SizeTable(const Plan &plan, llvm::Module &module) : module(module) {
  constants.push_back(0);
  constantIndex[0] = 0;
  forEachSize(plan, [&](AffineExpr expr) {
    if (auto constant = llvm::dyn_cast<AffineConstantExpr>(expr)) {
      if (constantIndex.try_emplace(constant.getValue(), constants.size())
              .second) {
        constants.push_back(constant.getValue());
      }
    } else if (computedIndex.try_emplace(expr, computed.size()).second) {
      computed.push_back(expr);
    }
  });
}

unsigned SizeTable::indexOf(AffineExpr expr) const {
  if (!expr) {
    return 0;
  }
  if (auto constant = llvm::dyn_cast<AffineConstantExpr>(expr)) {
    return constantIndex.at(constant.getValue());
  }
  return constants.size() + computedIndex.at(expr);
}

llvm::Constant *SizeTable::emitConstants(TableWriter &tables) const {
  std::vector<llvm::Constant *> elements;
  for (int64_t constant : constants) {
    elements.push_back(tables.i64(constant));
  }
  return tables.array(elements);
}

llvm::Function *SizeTable::createFunction(llvm::Type *result,
                                          llvm::StringRef name) const {
  auto *pointer = llvm::PointerType::get(module.getContext(), 0);
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(result, {pointer, pointer}, false),
      llvm::GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::BasicBlock::Create(module.getContext(), "entry", function);
  return function;
}

static llvm::Value *loadElement(llvm::IRBuilder<> &builder, llvm::Value *array,
                                unsigned index) {
  return builder.CreateLoad(
      builder.getInt64Ty(),
      builder.CreateConstGEP1_64(builder.getInt64Ty(), array, index));
}

static void storeElement(llvm::IRBuilder<> &builder, llvm::Value *value,
                         llvm::Value *array, unsigned index) {
  builder.CreateStore(
      value, builder.CreateConstGEP1_64(builder.getInt64Ty(), array, index));
}

llvm::Function *
SizeTable::emitSolve(const Plan &plan,
                     llvm::ArrayRef<SymbolSource> sources) const {
  llvm::Function *function = createFunction(
      llvm::Type::getVoidTy(module.getContext()), "solveSymbols");
  llvm::IRBuilder<> builder(&function->getEntryBlock());
  llvm::SmallVector<unsigned> firstDim;
  unsigned numDims = 0;
  for (const TensorSpec &input : plan.inputs) {
    firstDim.push_back(numDims);
    numDims += input.dims.size();
  }
  llvm::SmallVector<llvm::Value *> unknown(plan.symbols.size(), nullptr);
  AffineLowering lowering(builder, unknown);
  for (const SymbolSource &source : sources) {
    const Symbol &symbol = plan.symbols[source.symbol];
    llvm::Value *value = symbol.bound ? lowering.lower(symbol.bound)
                                      : builder.getInt64(symbol.min);
    if (source.input >= 0) {
      llvm::Value *dim = loadElement(builder, function->getArg(0),
                                     firstDim[source.input] + source.dim);
      llvm::Value *coefficient = lowering.lower(source.coefficient);
      // A product of other symbols may be 0, and then any value would do.
      llvm::Value *isZero =
          builder.CreateICmpEQ(coefficient, builder.getInt64(0));
      coefficient =
          builder.CreateSelect(isZero, builder.getInt64(1), coefficient);
      value = lowering.floorDiv(
          builder.CreateSub(dim, lowering.lower(source.rest)), coefficient);
    }
    lowering.setSymbol(source.symbol, value);
    storeElement(builder, value, function->getArg(1), source.symbol);
  }
  builder.CreateRetVoid();
  return function;
}

llvm::Function *SizeTable::emitEval(const Plan &plan) const {
  llvm::Function *function =
      createFunction(llvm::Type::getInt32Ty(module.getContext()), "evalSizes");
  llvm::IRBuilder<> builder(&function->getEntryBlock());
  llvm::SmallVector<llvm::Value *> symbols;
  for (unsigned s = 0; s < plan.symbols.size(); ++s) {
    symbols.push_back(loadElement(builder, function->getArg(0), s));
  }
  AffineLowering lowering(builder, symbols);
  for (auto [i, expr] : llvm::enumerate(computed)) {
    storeElement(builder, lowering.lower(expr), function->getArg(1),
                 constants.size() + i);
  }
  llvm::Value *fits = builder.CreateNot(lowering.getFailed());
  builder.CreateRet(builder.CreateZExt(fits, builder.getInt32Ty()));
  return function;
}

} // namespace graphmill::host
