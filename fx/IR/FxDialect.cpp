#include "fx/IR/FxDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace graphmill;
using namespace graphmill::fx;

#include "fx/IR/FxDialect.cpp.inc"
#include "fx/IR/FxEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "fx/IR/FxAttrs.cpp.inc"

void FxDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fx/IR/FxAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fx/IR/FxOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Dims: printed as affine expressions over s0, s1, …
//===----------------------------------------------------------------------===//

// Symbols are parsed by name; a graph with more than this many isn't writable as text.
constexpr unsigned kMaxSymbols = 256;

static ParseResult parseDim(AsmParser &parser, AffineExpr &expr) {
  SmallVector<std::pair<StringRef, AffineExpr>> names;
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> all;
    for (unsigned i = 0; i < kMaxSymbols; ++i) {
      all.push_back("s" + std::to_string(i));
    }
    return all;
  }();
  for (auto [i, name] : llvm::enumerate(kNames)) {
    names.emplace_back(name, getAffineSymbolExpr(i, parser.getContext()));
  }
  return parser.parseAffineExpr(names, expr);
}

Attribute DimsAttr::parse(AsmParser &parser, Type) {
  SmallVector<AffineExpr> exprs;
  auto parseOne = [&] { return parseDim(parser, exprs.emplace_back()); };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne) ||
      parser.parseGreater()) {
    return {};
  }
  for (AffineExpr &expr : exprs) {
    expr = simplify(expr);
  }
  return get(parser.getContext(), exprs);
}

void DimsAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getExprs(), printer, [&](AffineExpr e) { printer << e; });
  printer << "]>";
}

LogicalResult DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                       function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getExprs().size()) {
    return emitError() << "#fx.dims has " << getExprs().size() << " sizes, the tensor has rank "
                       << shape.size();
  }
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (graphmill::getStatic(getExprs()[i]).value_or(ShapedType::kDynamic) != size) {
      return emitError() << "#fx.dims and the shape differ at dim " << i;
    }
  }
  return success();
}

std::optional<SmallVector<int64_t>> DimsAttr::getStatic() const {
  SmallVector<int64_t> sizes;
  for (AffineExpr expr : getExprs()) {
    std::optional<int64_t> size = graphmill::getStatic(expr);
    if (!size) {
      return std::nullopt;
    }
    sizes.push_back(*size);
  }
  return sizes;
}

Attribute DimAttr::parse(AsmParser &parser, Type) {
  AffineExpr expr;
  if (parser.parseLess() || parseDim(parser, expr) || parser.parseGreater()) {
    return {};
  }
  return get(parser.getContext(), simplify(expr));
}

void DimAttr::print(AsmPrinter &printer) const { printer << '<' << getExpr() << '>'; }
