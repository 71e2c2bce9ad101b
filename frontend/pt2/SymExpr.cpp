#include "frontend/pt2/SymFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <fmt/format.h>

namespace graphmill::pt2 {
namespace {

constexpr unsigned kAnyCount = ~0u;

/// The first name of an op is the one printed.
constexpr SymFunction kFunctions[] = {
    {"Add", SymOp::Add, 1, kAnyCount},
    {"Mul", SymOp::Mul, 1, kAnyCount},
    {"Pow", SymOp::Pow, 2, 2},
    {"PowByNatural", SymOp::Pow, 2, 2},
    {"FloatPow", SymOp::Pow, 2, 2},
    {"Abs", SymOp::Abs, 1, 1},
    {"Max", SymOp::Max, 1, kAnyCount},
    {"Min", SymOp::Min, 1, kAnyCount},
    {"FloorDiv", SymOp::FloorDiv, 2, 2},
    {"CleanDiv", SymOp::FloorDiv, 2, 2},
    {"CeilDiv", SymOp::CeilDiv, 2, 2},
    {"TrueDiv", SymOp::TrueDiv, 2, 2},
    {"IntTrueDiv", SymOp::TrueDiv, 2, 2},
    {"FloatTrueDiv", SymOp::TrueDiv, 2, 2},
    {"Mod", SymOp::Mod, 2, 2},
    {"PythonMod", SymOp::PythonMod, 2, 2},
    {"ModularIndexing", SymOp::ModularIndexing, 3, 3},
    {"LShift", SymOp::ShiftLeft, 2, 2},
    {"RShift", SymOp::ShiftRight, 2, 2},
    {"ToFloat", SymOp::ToFloat, 1, 1},
    {"floor", SymOp::Floor, 1, 1},
    {"FloorToInt", SymOp::Floor, 1, 1},
    {"ceiling", SymOp::Ceil, 1, 1},
    {"CeilToInt", SymOp::Ceil, 1, 1},
    {"TruncToInt", SymOp::Trunc, 1, 1},
    {"TruncToFloat", SymOp::Trunc, 1, 1},
    {"RoundToInt", SymOp::Round, 1, 1},
    {"sqrt", SymOp::Sqrt, 1, 1},
    {"OpaqueUnaryFn_sqrt", SymOp::Sqrt, 1, 1},
    {"Eq", SymOp::Eq, 2, 2},
    {"Equality", SymOp::Eq, 2, 2},
    {"Ne", SymOp::Ne, 2, 2},
    {"Unequality", SymOp::Ne, 2, 2},
    {"Lt", SymOp::Lt, 2, 2},
    {"StrictLessThan", SymOp::Lt, 2, 2},
    {"Le", SymOp::Le, 2, 2},
    {"LessThan", SymOp::Le, 2, 2},
    {"Gt", SymOp::Gt, 2, 2},
    {"StrictGreaterThan", SymOp::Gt, 2, 2},
    {"Ge", SymOp::Ge, 2, 2},
    {"GreaterThan", SymOp::Ge, 2, 2},
    {"And", SymOp::And, 1, kAnyCount},
    {"Or", SymOp::Or, 1, kAnyCount},
    {"Not", SymOp::Not, 1, 1},
    {"Where", SymOp::Where, 3, 3},
    {"Piecewise", SymOp::Piecewise, 1, kAnyCount},
    {"ExprCondPair", SymOp::Pair, 2, 2},
};

void print(const SymExpr &expr, llvm::raw_ostream &out) {
  switch (expr.op) {
  case SymOp::Integer:
    out << expr.value;
    return;
  case SymOp::Rational:
    out << expr.value << '/' << expr.denominator;
    return;
  case SymOp::Float:
    out << fmt::format("{}", expr.number);
    return;
  case SymOp::Boolean:
    out << (expr.value ? "True" : "False");
    return;
  case SymOp::Infinity:
    out << (expr.value < 0 ? "-oo" : "oo");
    return;
  case SymOp::Symbol:
    out << expr.name;
    return;
  default:
    break;
  }
  const SymFunction *function = llvm::find_if(
      kFunctions, [&](const SymFunction &f) { return f.op == expr.op; });
  out << (function == std::end(kFunctions) ? llvm::StringRef(expr.name)
                                           : llvm::StringRef(function->name))
      << '(';
  llvm::interleaveComma(expr.operands, out,
                        [&](const SymExpr &operand) { print(operand, out); });
  out << ')';
}

} // namespace

const SymFunction *findSymFunction(llvm::StringRef name) {
  const SymFunction *function = llvm::find_if(
      kFunctions, [&](const SymFunction &f) { return f.name == name; });
  return function == std::end(kFunctions) ? nullptr : function;
}

std::string SymExpr::str() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(*this, stream);
  return text;
}

} // namespace graphmill::pt2
