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
    for (Dim dim : dimsOf(type)) {
      if (countSymbols(dim) > getSymbols().size()) { // graph.c3
        return emitOpError("input ") << name << " uses symbol s" << countSymbols(dim) - 1
                                     << ", but the graph has " << getSymbols().size();
      }
    }
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

LogicalResult TensorOp::verify() {
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
