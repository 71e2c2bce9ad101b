#include "fx/Check/CheckDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace graphmill;
using namespace graphmill::check;

#include "fx/Check/CheckDialect.cpp.inc"
#define GET_OP_CLASSES
#include "fx/Check/CheckOps.cpp.inc"

void CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "fx/Check/CheckOps.cpp.inc"
      >();
}

/// The literal's type, or the one after `as`.
static ParseResult parseSeenType(OpAsmParser &parser, ElementsAttr literal, Type &type) {
  type = literal.getType();
  return succeeded(parser.parseOptionalKeyword("as")) ? parser.parseType(type) : success();
}

static void printSeenType(OpAsmPrinter &printer, ElementsAttr literal, Type type) {
  printer << literal;
  if (type != literal.getType()) {
    printer << " as " << type;
  }
}

ParseResult InputOp::parse(OpAsmParser &parser, OperationState &result) {
  ElementsAttr value;
  Type type;
  if (parser.parseAttribute(value, "value", result.attributes) || parseSeenType(parser, value, type)) {
    return failure();
  }
  result.addTypes(type);
  return parser.parseOptionalAttrDict(result.attributes);
}

void InputOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printSeenType(printer, getValue(), getType());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
}

ParseResult CloseOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand value;
  ElementsAttr expected;
  Type type;
  Builder &builder = parser.getBuilder();
  if (parser.parseOperand(value) || parser.parseComma() ||
      parser.parseAttribute(expected, "expected", result.attributes) || parseSeenType(parser, expected, type)) {
    return failure();
  }
  int64_t ulp = 0;
  double abs = 0;
  if (succeeded(parser.parseOptionalKeyword("ulp"))) {
    if (parser.parseInteger(ulp)) {
      return failure();
    }
    result.addAttribute("ulp", builder.getI64IntegerAttr(ulp));
  }
  if (succeeded(parser.parseOptionalKeyword("abs"))) {
    if (parser.parseFloat(abs)) {
      return failure();
    }
    result.addAttribute("abs", builder.getF64FloatAttr(abs));
  }
  return failure(parser.parseOptionalAttrDict(result.attributes) ||
                 parser.resolveOperand(value, type, result.operands));
}

void CloseOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getValue() << ", ";
  printSeenType(printer, getExpected(), getValue().getType());
  if (getUlp()) {
    printer << " ulp " << getUlp();
  }
  if (!getAbs().isZero()) {
    printer << " abs " << getAbs();
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"expected", "ulp", "abs"});
}
