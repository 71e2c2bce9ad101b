#include "fx/IR/FxDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace graphmill;
using namespace graphmill::fx;

#define GET_OP_CLASSES
#include "fx/IR/FxOps.cpp.inc"

//===----------------------------------------------------------------------===//
// fx.graph
//===----------------------------------------------------------------------===//

OutputOp GraphOp::getOutput() { return cast<OutputOp>(getBlock().getTerminator()); }

ParseResult GraphOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  ArrayAttr inputs, outputs, symbols;
  if (parser.parseSymbolName(name, "sym_name", result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true) ||
      parser.parseKeyword("inputs") || parser.parseAttribute(inputs, "inputs", result.attributes) ||
      parser.parseKeyword("outputs") ||
      parser.parseAttribute(outputs, "outputs", result.attributes) ||
      parser.parseKeyword("symbols") ||
      parser.parseAttribute(symbols, "symbols", result.attributes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes)) {
    return failure();
  }
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments)) {
    return failure();
  }
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void GraphOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(getBlock().getArguments(), printer,
                        [&](BlockArgument arg) { printer.printRegionArgument(arg); });
  printer << ") inputs " << getInputs() << " outputs " << getOutputs() << " symbols "
          << getSymbols();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {"sym_name", "inputs", "outputs", "symbols"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult GraphOp::verify() {
  Block &block = getBlock();
  if (getInputs().size() != block.getNumArguments()) { // graph.c1
    return emitOpError("has ") << block.getNumArguments() << " arguments and "
                               << getInputs().size() << " input names";
  }
  auto output = dyn_cast<OutputOp>(block.getTerminator());
  if (output && getOutputs().size() != output.getValues().size()) { // graph.c2
    return emitOpError("returns ") << output.getValues().size() << " values and has "
                                   << getOutputs().size() << " roles for them";
  }
  llvm::StringSet<> names;
  for (auto [arg, name] : llvm::zip(block.getArguments(), getInputs())) {
    if (!names.insert(cast<StringAttr>(name).getValue()).second) { // graph.c4
      return emitOpError("has two inputs named ") << name;
    }
    auto type = dyn_cast<RankedTensorType>(arg.getType());
    if (!type) {
      return emitOpError("input ") << name << " is not a ranked tensor";
    }
    if (!isElement(type.getElementType())) { // graph.c5
      return emitOpError("input ") << name << " has elements of " << type.getElementType() << ", which is no dtype of PyTorch";
    }
    for (Dim dim : dimsOf(type)) {
      if (countSymbols(dim) > getSymbols().size()) { // graph.c3
        return emitOpError("input ") << name << " uses symbol s" << countSymbols(dim) - 1
                                     << ", but the graph has " << getSymbols().size();
      }
    }
  }
  return success();
}

/// The number of symbols that an op's types and attributes need.
static unsigned countSymbolsOf(Operation *op) {
  unsigned count = 0;
  auto add = [&](AffineExpr expr) { count = std::max(count, countSymbols(expr)); };
  AttrTypeWalker walker;
  walker.addWalk([&](DimsAttr dims) { llvm::for_each(dims.getExprs(), add); });
  walker.addWalk([&](DimAttr dim) { add(dim.getExpr()); });
  walker.addWalk([&](AffineMapAttr map) { llvm::for_each(map.getValue().getResults(), add); });
  for (Type type : op->getResultTypes()) {
    walker.walk(type);
  }
  walker.walk(op->getAttrDictionary());
  return count;
}

LogicalResult GraphOp::verifyRegions() {
  unsigned known = getSymbols().size();
  WalkResult result = getBody().walk([&](Operation *op) {
    unsigned needed = countSymbolsOf(op);
    if (needed > known) { // graph.c3
      op->emitOpError("uses symbol s") << needed - 1 << ", but the graph has " << known;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult BindSizeOp::verify() {
  auto type = cast<RankedTensorType>(getValue().getType());
  if (type.getRank() != 0 || !type.getElementType().isSignlessInteger(64)) { // bind_size.c1
    return emitOpError("takes the size from ") << type << ", expected tensor<i64>";
  }
  auto graph = (*this)->getParentOfType<GraphOp>();
  if (graph && getSymbol() >= graph.getSymbols().size()) { // bind_size.c2
    return emitOpError("binds symbol s") << getSymbol() << ", but the graph has " << graph.getSymbols().size();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// fx.tensor, fx.get
//===----------------------------------------------------------------------===//

RankedTensorType TensorOp::getTensorType() {
  auto type = cast<RankedTensorType>(getValue().getShapedType());
  return getPacking() ? RankedTensorType::get(getPacking()->getSizes(), type.getElementType()) : type;
}

/// Kernels and the evaluator read as many bytes as the type says.
static LogicalResult verifyBytes(TensorOp op, RankedTensorType type) {
  auto complex = dyn_cast<ComplexType>(type.getElementType());
  Type part = complex ? complex.getElementType() : type.getElementType();
  unsigned partBytes = std::max(1u, part.getIntOrFloatBitWidth() / 8);
  int64_t bytes = complex ? 2 * partBytes : partBytes;
  for (int64_t size : type.getShape()) {
    if (size < 0 || llvm::MulOverflow(bytes, size, bytes)) { // tensor.c2
      return op.emitOpError("has a type of no fixed size, or of more bytes than fit in 63 bits");
    }
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
  if (!resource && !isa<DenseElementsAttr>(op.getValue())) { // tensor.c3
    return op.emitOpError("has a value that is neither dense nor a resource");
  }
  AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  bool isAligned = !blob || reinterpret_cast<uintptr_t>(blob->getData().data()) % partBytes == 0;
  if (blob && (static_cast<int64_t>(blob->getData().size()) != bytes || !isAligned)) { // tensor.c4
    return op.emitOpError("has a resource of ") << blob->getData().size() << " bytes, expected " << bytes
                                                << (isAligned ? "" : ", aligned for its elements");
  }
  return success();
}

LogicalResult TensorOp::verify() {
  auto ranked = dyn_cast<RankedTensorType>(getValue().getShapedType());
  if (!ranked || !isElement(ranked.getElementType())) { // tensor.c1
    return emitOpError("is ") << getValue().getShapedType() << ", expected a tensor of a dtype of PyTorch";
  }
  if (failed(verifyBytes(*this, ranked))) {
    return failure();
  }
  if (!getPacking()) {
    return success();
  }
  PackingAttr packing = *getPacking();
  size_t rank = packing.getSizes().size();
  auto isNegative = [](int64_t value) { return value < 0; };
  if (packing.getStrides().size() != rank || packing.getColumns().size() != rank || rank == 0 || packing.getLimit() < 0 ||
      llvm::any_of(packing.getSizes(), isNegative) || llvm::any_of(packing.getColumns(), isNegative)) { // packing.c1
    return emitOpError("is packed with sizes, strides and columns of different numbers, or negative ones");
  }
  auto type = cast<RankedTensorType>(getValue().getShapedType());
  int64_t elements = type.getNumElements();
  if (int64_t outputs = packing.getWinograd()) {
    ArrayRef<int64_t> taps = type.getShape().take_back(std::min<int64_t>(type.getRank(), 2));
    bool isKnown = outputs == 2 || outputs == 4;
    if (!isKnown || !type.getElementType().isF32() || !llvm::equal(taps, ArrayRef<int64_t>{3, 3}) ||
        llvm::MulOverflow(elements / 9, (outputs + 2) * (outputs + 2), elements)) { // packing.c3
      return emitOpError("is transformed for Winograd's convolutions with outputs of ")
             << outputs << ", expected 2 or 4, and a float32 value whose last two dims are 3";
    }
  }
  // The first and the last element that are read.
  bool overflows = false, isEmpty = false;
  int64_t first = packing.getOffset(), last = first, columns = 0, stored = 1;
  auto add = [&](int64_t count, int64_t by) {
    int64_t reach = 0;
    int64_t &side = by < 0 ? first : last;
    overflows |= llvm::MulOverflow(count, by, reach) || llvm::AddOverflow(side, reach, side);
  };
  for (auto [size, stride, column] : llvm::zip(packing.getSizes(), packing.getStrides(), packing.getColumns())) {
    int64_t most = std::max<int64_t>(size, 1) - 1, reach = 0;
    isEmpty |= size == 0;
    add(most, stride);
    overflows |= llvm::MulOverflow(most, column, reach) || llvm::AddOverflow(columns, reach, columns) ||
                 llvm::MulOverflow(stored, size, stored);
  }
  add(std::min(columns, std::max<int64_t>(packing.getLimit(), 1) - 1), packing.getStep());
  if (overflows || (!isEmpty && (first < 0 || last >= elements))) { // packing.c2
    return emitOpError("is packed from elements beyond its value");
  }
  return success();
}

ArrayRef<char> TensorOp::getBytes() {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(getValue())) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob ? blob->getData() : ArrayRef<char>();
  }
  if (auto dense = dyn_cast<DenseElementsAttr>(getValue())) {
    return dense.getRawData();
  }
  return {};
}

LogicalResult GetOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto tensor = symbols.lookupNearestSymbolFrom<TensorOp>(*this, getTensorAttr());
  if (!tensor) { // get.c1
    return emitOpError("there is no fx.tensor ") << getTensorAttr();
  }
  if (tensor.getTensorType() != getResult().getType()) { // get.c2
    return emitOpError("result is ") << getResult().getType() << ", but " << getTensorAttr()
                                     << " is " << tensor.getTensorType();
  }
  return success();
}
