#include "fx/Eval/Evaluate.h"
#include "fx/Eval/Call.h"

using namespace mlir;

namespace graphmill::eval {

HostTensor Call::allocate(unsigned result) const {
  return HostTensor::allocate(shapes[result], getElement(op->getResult(result)));
}

llvm::Error Call::error(const Twine &message) const {
  return llvm::createStringError(op->getName().getStringRef() + ": " + message);
}

llvm::Expected<Shape> Call::sizes(ArrayRef<Dim> dims) const {
  Shape result;
  for (Dim dim : dims) {
    std::optional<int64_t> size = evaluateDim(dim, symbols);
    if (!size) {
      return error("size " + toString(dim) + " has no value");
    }
    result.push_back(*size);
  }
  return result;
}

/// Shapes of results, refused if they are negative or can't be held in memory.
static llvm::Error computeShapes(Call &call) {
  // More elements than any machine we run on could hold.
  constexpr int64_t kMaxElements = int64_t(1) << 40;
  for (Value result : call.op->getResults()) {
    llvm::Expected<Shape> shape = call.sizes(dimsOf(result));
    if (!shape) {
      return shape.takeError();
    }
    int64_t elements = 1;
    for (int64_t size : *shape) {
      if (size < 0 || (size > 0 && elements > kMaxElements / size)) {
        return call.error("the result can't have size " + Twine(size));
      }
      elements *= std::max<int64_t>(size, 1);
    }
    if (byteWidth(getElement(result)) == 0) {
      return call.dtypeError();
    }
    call.shapes.push_back(std::move(*shape));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<HostTensor>> evaluateOp(Operation *op, ArrayRef<HostTensor> operands,
                                                   ArrayRef<int64_t> symbols, std::optional<RandomState> random) {
  Call call{op, operands, symbols, {}, random};
  if (!isa_and_nonnull<prims::PrimsDialect>(op->getDialect())) {
    return call.error("not a primitive op");
  }
  if (llvm::Error error = computeShapes(call)) {
    return std::move(error);
  }
  if (op->hasTrait<OpTrait::Elementwise>()) {
    return evaluatePointwise(call);
  }
  using namespace prims;
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case<ConvertOp, BitcastOp>([&](auto) { return evaluatePointwise(call); })
      .Case<ConstantOp, SizeOp, IotaOp, BroadcastOp, ReshapeOp, TransposeOp, SliceOp, PadOp, ConcatenateOp, ReverseOp,
            AsStridedOp, ViewAsRealOp, ViewAsComplexOp>([&](auto) { return evaluateShape(call); })
      .Case<ReduceOp, ArgReduceOp>([&](auto) { return evaluateReduce(call); })
      .Case<ReduceWindowOp, ArgReduceWindowOp>([&](auto) { return evaluateWindow(call); })
      .Case<ScanOp, ArgScanOp>([&](auto) { return evaluateScan(call); })
      .Case<SortOp>([&](auto) { return evaluateSort(call); })
      .Case<IndexOp, IndexPutOp, GatherOp, ScatterOp>([&](auto) { return evaluateIndexing(call); })
      .Case<RandomOp>([&](auto) { return evaluateRandom(call); })
      .Case<MatmulOp>([&](auto) { return evaluateMatmul(call); })
      .Case<ConvolutionOp>([&](auto) { return evaluateConvolution(call); })
      .Case<AttentionOp>([&](auto) { return evaluateAttention(call); })
      .Case<RecurrentOp>([&](auto) { return evaluateRecurrent(call); })
      .Default([&](Operation *) { return call.error("has no evaluation"); });
}

static llvm::Error checkInputs(fx::GraphOp graph, ArrayRef<HostTensor> inputs, ArrayRef<int64_t> symbols) {
  for (auto [i, argument] : llvm::enumerate(graph.getBlock().getArguments())) {
    const HostTensor &input = inputs[i];
    Dims dims = dimsOf(argument);
    bool fits = input.element == getElement(argument) && input.shape.size() == dims.size();
    for (size_t d = 0; fits && d < dims.size(); ++d) {
      fits = evaluateDim(dims[d], symbols) == input.shape[d];
    }
    if (!fits) {
      StringRef name = cast<StringAttr>(graph.getInputs()[i]).getValue();
      return llvm::createStringError("input '" + name + "' is not " + toString(dims) + " of the graph's dtype");
    }
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<HostTensor>> evaluate(fx::GraphOp graph, ArrayRef<HostTensor> inputs,
                                                 const EvaluateOptions &options) {
  Block &block = graph.getBlock();
  if (inputs.size() != block.getNumArguments()) {
    return llvm::createStringError("%zu inputs for a graph of %u", inputs.size(), block.getNumArguments());
  }
  for (auto [argument, input] : llvm::zip(block.getArguments(), inputs)) {
    if (input.shape.size() != dimsOf(argument).size()) {
      return llvm::createStringError("input %u has rank %zu, expected %zu", argument.getArgNumber(),
                                     input.shape.size(), dimsOf(argument).size());
    }
  }
  SmallVector<int64_t> symbols(options.symbols);
  if (symbols.empty() && !graph.getSymbols().empty()) {
    llvm::Expected<SmallVector<int64_t>> solved = solveSymbols(graph, inputs);
    if (!solved) {
      return solved.takeError();
    }
    symbols = std::move(*solved);
  }
  if (llvm::Error error = checkInputs(graph, inputs, symbols)) {
    return std::move(error);
  }

  llvm::DenseMap<Value, HostTensor> values;
  llvm::DenseMap<Value, unsigned> usesLeft;
  auto define = [&](Value value, HostTensor tensor) {
    usesLeft[value] = std::distance(value.use_begin(), value.use_end());
    values[value] = std::move(tensor);
  };
  for (auto [argument, input] : llvm::zip(block.getArguments(), inputs)) {
    define(argument, input);
  }
  unsigned done = 0, total = block.getOperations().size() - 1;
  for (Operation &op : block.without_terminator()) {
    options.onOp(done++, total);
    if (auto get = dyn_cast<fx::GetOp>(op)) {
      auto tensor = SymbolTable::lookupNearestSymbolFrom<fx::TensorOp>(get, get.getTensorAttr());
      llvm::Expected<HostTensor> value = HostTensor::of(tensor.getValue());
      if (!value) {
        return value.takeError();
      }
      define(get.getResult(), std::move(*value));
      continue;
    }
    if (auto size = dyn_cast<fx::BindSizeOp>(op)) {
      const HostTensor &value = values[size.getValue()];
      if (size.getSymbol() >= symbols.size() || value.rank() != 0 || value.dtype() != Dtype::I64) {
        return llvm::createStringError("fx.bind_size needs a symbol of the graph and a 0-d int64");
      }
      int64_t told = value.elements<int64_t>()[0];
      std::optional<int64_t> bound = evaluateDim(size.getBound().getExpr(), symbols);
      if (told < 0 || !bound || told > *bound) {
        return llvm::createStringError("fx.bind_size: %lld is out of range", static_cast<long long>(told));
      }
      symbols[size.getSymbol()] = told;
      continue;
    }
    std::vector<HostTensor> operands;
    for (Value operand : op.getOperands()) {
      operands.push_back(values[operand]);
    }
    Results results = evaluateOp(&op, operands, symbols, options.random);
    if (!results) {
      return results.takeError();
    }
    for (auto [result, tensor] : llvm::zip(op.getResults(), *results)) {
      define(result, std::move(tensor));
    }
    // Memory goes back as soon as nobody reads it.
    for (Value operand : op.getOperands()) {
      if (--usesLeft[operand] == 0) {
        values.erase(operand);
      }
    }
  }
  std::vector<HostTensor> outputs;
  for (Value value : graph.getOutput().getValues()) {
    outputs.push_back(values[value].contiguous());
  }
  return outputs;
}

} // namespace graphmill::eval
