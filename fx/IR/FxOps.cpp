#include "fx/IR/FxDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"

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
