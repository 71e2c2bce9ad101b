// The tables are in the order of PlanAbi.h, field by field; TableWriter checks
// the sizes.
#include "codegen/host/EmitPlan.h"
#include "codegen/host/Checksum.h"
#include "codegen/host/SizeTable.h"
#include "codegen/host/SolveSymbols.h"
#include "codegen/host/TableWriter.h"
#include "codegen/host/Version.h"
#include "runtime/PlanAbi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
namespace graphmill::host {
namespace {

class PlanEmitter {
public:
  PlanEmitter(const Plan &plan, const WeightImage &weights,
              llvm::Module &module, llvm::ArrayRef<SymbolSource> sources)
      : plan(plan), weights(weights), module(module), tables(module),
        sizes(plan, module), sources(sources) {
    for (const Symbol &symbol : plan.symbols) {
      symbolNames.push_back(symbol.name);
    }
  }

  void emit(const WeightsFileHeader *weightsFile, const TargetSpec &target);

private:
  llvm::Constant *symbolTable();
  llvm::Constant *tensorTable(llvm::ArrayRef<TensorSpec> tensors);
  llvm::Constant *weightTable();
  llvm::Constant *bufferTable();
  llvm::Constant *stepTable();
  llvm::Constant *stateTable();
  llvm::Constant *copyTable();
  llvm::Constant *weightsBase(const WeightsFileHeader *weightsFile);
  llvm::Constant *sizeIndex(AffineExpr expr) {
    return tables.i32(sizes.indexOf(expr));
  }

  const Plan &plan;
  const WeightImage &weights;
  llvm::Module &module;
  TableWriter tables;
  SizeTable sizes;
  llvm::ArrayRef<SymbolSource> sources;
  llvm::SmallVector<llvm::StringRef> symbolNames;
  uint64_t stateBytes = 0;
};

llvm::Constant *PlanEmitter::symbolTable() {
  std::vector<llvm::Constant *> rows(plan.symbols.size());
  for (const SymbolSource &source : sources) {
    const Symbol &symbol = plan.symbols[source.symbol];
    rows[source.symbol] =
        tables.record({tables.text(symbol.name), tables.i64(symbol.min),
                       tables.i64(symbol.max), tables.i64(symbol.divisor),
                       tables.i32(source.input), tables.i32(source.dim),
                       tables.i64(source.isBare)},
                      sizeof(PlanSymbol));
  }
  return tables.array(rows);
}

llvm::Constant *PlanEmitter::tensorTable(llvm::ArrayRef<TensorSpec> tensors) {
  std::vector<llvm::Constant *> rows;
  for (const TensorSpec &tensor : tensors) {
    std::vector<llvm::Constant *> dims, texts, values;
    bool dependsOnData = false;
    for (AffineExpr dim : tensor.dims) {
      for (auto [s, symbol] : llvm::enumerate(plan.symbols)) {
        dependsOnData |= symbol.bound && dim.isFunctionOfSymbol(s);
      }
      auto constant = llvm::dyn_cast<AffineConstantExpr>(dim);
      dims.push_back(tables.i64(constant ? constant.getValue() : -1));
      texts.push_back(tables.text(printDim(dim, symbolNames)));
      values.push_back(sizeIndex(dim));
    }
    rows.push_back(tables.record(
        {tables.text(tensor.name), tables.i32(int32_t(tensor.dtype)),
         tables.i32(tensor.dims.size()), tables.array(dims),
         tables.array(texts), tables.array(values), tables.i64(dependsOnData)},
        sizeof(PlanTensor)));
  }
  return tables.array(rows);
}

llvm::Constant *PlanEmitter::weightTable() {
  std::vector<llvm::Constant *> rows;
  for (auto [weight, offset] :
       llvm::zip_equal(plan.weights, weights.offsetsBytes)) {
    rows.push_back(tables.record({tables.text(weight.name), tables.i64(offset),
                                  tables.i64(weight.sizeBytes())},
                                 sizeof(PlanWeight)));
  }
  return tables.array(rows);
}

llvm::Constant *PlanEmitter::bufferTable() {
  std::vector<llvm::Constant *> rows;
  for (const Buffer &buffer : plan.buffers) {
    rows.push_back(
        tables.record({tables.i32(int32_t(buffer.kind)),
                       tables.i32(buffer.index), sizeIndex(buffer.offsetBytes)},
                      sizeof(PlanBuffer)));
  }
  return tables.array(rows);
}

llvm::Constant *PlanEmitter::stepTable() {
  auto *pointer = llvm::PointerType::get(module.getContext(), 0);
  auto *i64 = llvm::Type::getInt64Ty(module.getContext());
  auto *kernelType =
      llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()),
                              {pointer, pointer, i64, i64, pointer}, false);
  std::vector<llvm::Constant *> rows;
  for (const Step &step : plan.steps) {
    llvm::Constant *kernel = tables.null();
    if (step.symbol < 0) {
      auto *function = llvm::cast<llvm::Function>(
          module.getOrInsertFunction(step.kernel, kernelType).getCallee());
      function->setVisibility(llvm::GlobalValue::HiddenVisibility);
      kernel = function;
    }
    std::vector<llvm::Constant *> buffers;
    for (unsigned buffer : step.buffers) {
      buffers.push_back(tables.i32(buffer));
    }
    rows.push_back(
        tables.record({kernel, tables.text(step.kernel), tables.text(step.name),
                       tables.text(step.location), tables.array(buffers),
                       tables.i32(buffers.size()), sizeIndex(step.grid),
                       sizeIndex(step.phases),
                       sizeIndex(step.scratchBytes), sizeIndex(step.flops),
                       sizeIndex(step.bytesMoved), tables.i32(step.symbol)},
                      sizeof(PlanStep)));
  }
  return tables.array(rows);
}

/// States lie end to end, a cache line each at least.
llvm::Constant *PlanEmitter::stateTable() {
  std::vector<llvm::Constant *> rows;
  for (const State &state : plan.states) {
    rows.push_back(tables.record(
        {tables.i64(stateBytes), tables.i32(state.weight), tables.i32(0)},
        sizeof(PlanState)));
    stateBytes += llvm::alignTo(
        std::max<uint64_t>(plan.weights[state.weight].sizeBytes(), 1), 64);
  }
  return tables.array(rows);
}

llvm::Constant *PlanEmitter::copyTable() {
  std::vector<llvm::Constant *> rows;
  for (const Copy &copy : plan.copies) {
    rows.push_back(
        tables.record({tables.i32(copy.from), tables.i32(copy.to),
                       sizeIndex(copy.bytes), tables.i32(0)},
                      sizeof(PlanCopy)));
  }
  return tables.array(rows);
}

/// Embedded weights are a segment that Link.cpp defines under this name.
llvm::Constant *PlanEmitter::weightsBase(const WeightsFileHeader *weightsFile) {
  if (weightsFile || weights.sizeBytes == 0) {
    return tables.null();
  }
  auto *base = new llvm::GlobalVariable(
      module, llvm::Type::getInt8Ty(module.getContext()), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, /*Initializer=*/nullptr,
      kWeightsSymbol);
  base->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return base;
}

void PlanEmitter::emit(const WeightsFileHeader *weightsFile,
                       const TargetSpec &target) {
  llvm::StringSet<> kernels;
  for (const Step &step : plan.steps) {
    if (step.symbol < 0) {
      kernels.insert(step.kernel);
    }
  }
  size_t numInputDims = 0;
  for (const TensorSpec &input : plan.inputs) {
    numInputDims += input.dims.size();
  }
  llvm::Constant *value = tables.record(
      {tables.text(plan.modelName),
       tables.text(target.describe()),
       tables.text(kCompilerVersion),
       symbolTable(),
       tensorTable(plan.inputs),
       tensorTable(plan.outputs),
       weightTable(),
       bufferTable(),
       stepTable(),
       stateTable(),
       copyTable(),
       sizes.emitConstants(tables),
       sizes.emitSolve(plan, sources),
       sizes.emitEval(plan),
       weightsBase(weightsFile),
       weightsFile ? tables.text(weightsFile->fileName) : tables.null(),
       tables.i64(weightsFile ? weightsFile->headerBytes : 0),
       tables.i64(weightsFile ? weightsFile->headerHash : 0),
       tables.i64(weights.sizeBytes),
       tables.i64(int64_t(target.processorFeatures())),
       tables.i32(plan.symbols.size()),
       tables.i32(plan.inputs.size()),
       tables.i32(plan.outputs.size()),
       tables.i32(plan.weights.size()),
       tables.i32(plan.buffers.size()),
       tables.i32(plan.steps.size()),
       tables.i32(kernels.size()),
       tables.i32(numInputDims),
       tables.i32(sizes.getNumConstants()),
       tables.i32(sizes.getNumValues()),
       sizeIndex(plan.arenaBytes),
       tables.i32(plan.states.size()),
       tables.i32(plan.copies.size()),
       tables.i32(0),
       tables.i64(stateBytes)},
      sizeof(::Plan));
  auto *global = new llvm::GlobalVariable(
      module, value->getType(), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, value, "graphmillPlan");
  global->setVisibility(llvm::GlobalValue::HiddenVisibility);
}

/// What the runtime relies on without a check.
llvm::Error checkPlan(const Plan &plan) {
  for (const Symbol &symbol : plan.symbols) {
    if (symbol.divisor < 1 || symbol.min > symbol.max) {
      return llvm::createStringError("plan of '" + plan.modelName +
                                     "': symbol '" + symbol.name +
                                     "' allows no value");
    }
  }
  for (const Buffer &buffer : plan.buffers) {
    size_t limit = buffer.kind == Buffer::Kind::Input    ? plan.inputs.size()
                   : buffer.kind == Buffer::Kind::Output ? plan.outputs.size()
                   : buffer.kind == Buffer::Kind::Weight ? plan.weights.size()
                   : buffer.kind == Buffer::Kind::State  ? plan.states.size()
                                                         : SIZE_MAX;
    if (buffer.index >= limit) {
      return llvm::createStringError(
          "plan of '" + plan.modelName + "': a buffer refers to number " +
          std::to_string(buffer.index) + " of " + std::to_string(limit));
    }
  }
  for (const Step &step : plan.steps) {
    if (!step.grid || !step.phases) {
      return llvm::createStringError("plan of '" + plan.modelName +
                                     "': step '" + step.name + "' has no grid");
    }
    for (unsigned buffer : step.buffers) {
      if (buffer >= plan.buffers.size()) {
        return llvm::createStringError(
            "plan of '" + plan.modelName + "': step '" + step.name +
            "' uses buffer " + std::to_string(buffer) + " of " +
            std::to_string(plan.buffers.size()));
      }
    }
  }
  for (const Copy &copy : plan.copies) {
    if (copy.from >= plan.buffers.size() || copy.to >= plan.buffers.size()) {
      return llvm::createStringError("plan of '" + plan.modelName +
                                     "': a copy uses a buffer that isn't there");
    }
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::unique_ptr<llvm::Module>>
emitPlan(const Plan &plan, const WeightImage &weights,
         const WeightsFileHeader *weightsFile, const TargetSpec &target,
         llvm::LLVMContext &context) {
  if (llvm::Error error = checkPlan(plan)) {
    return std::move(error);
  }
  llvm::Expected<std::vector<SymbolSource>> sources = solveSymbols(plan);
  if (!sources) {
    return sources.takeError();
  }
  auto module = std::make_unique<llvm::Module>("plan", context);
  target.applyTo(*module);
  PlanEmitter(plan, weights, *module, *sources).emit(weightsFile, target);
  emitChecksumNote(*module);
  return std::move(module);
}

} // namespace graphmill::host
