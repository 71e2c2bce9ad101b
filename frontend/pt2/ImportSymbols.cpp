#include "frontend/pt2/ImportSymbols.h"
#include <cmath>

using namespace mlir;

namespace graphmill::pt2 {

ImportSymbols::ImportSymbols(MLIRContext *context, const ExportedProgram &program)
    : context(context), program(program) {}

void ImportSymbols::define(const SymInt &size) {
  if (size.expr) {
    defineIn(*size.expr);
  }
}

static bool hasSymbol(const SymExpr &expr, llvm::function_ref<bool(StringRef)> test) {
  return (expr.op == SymOp::Symbol && test(expr.name)) ||
         llvm::any_of(expr.operands, [&](const SymExpr &operand) { return hasSymbol(operand, test); });
}

bool ImportSymbols::comesFromData(const SymInt &size) const {
  return size.expr && hasSymbol(*size.expr, [&](StringRef name) {
           auto found = index.find(name);
           return found == index.end() || symbols[found->second].isFromData;
         });
}

void ImportSymbols::defineFromData(const SymInt &size) {
  size_t before = symbols.size();
  define(size);
  for (size_t i = before; i < symbols.size(); ++i) {
    symbols[i].isFromData = true;
  }
}

std::optional<int64_t> ImportSymbols::upperBound(StringRef name) const {
  // More elements than any machine has memory for.
  constexpr int64_t kLargest = int64_t(1) << 40;
  for (const auto &[own, range] : program.rangeConstraints) {
    if (own == name && range.min.value_or(-1) >= 0 && range.max && *range.max <= kLargest) {
      return *range.max;
    }
  }
  return std::nullopt;
}

void ImportSymbols::defineIn(const SymExpr &expr) {
  if (expr.op == SymOp::Symbol && !index.contains(expr.name)) {
    Symbol symbol{expr.name};
    for (const auto &[name, range] : program.rangeConstraints) {
      if (name == expr.name) {
        // As torch reads it: 2 says that export took the size for neither 0 nor 1, and where that matters
        // a guard says so.
        symbol.min = range.min.value_or(0) > 2 ? *range.min : 0;
        symbol.max = range.max.value_or(INT64_MAX);
      }
    }
    index[expr.name] = symbols.size();
    symbols.push_back(symbol);
  }
  for (const SymExpr &operand : expr.operands) {
    defineIn(operand);
  }
}

SmallVector<Attribute> ImportSymbols::attributes() const {
  SmallVector<Attribute> list;
  for (const Symbol &symbol : symbols) {
    list.push_back(fx::SymbolAttr::get(context, symbol.name, symbol.min, symbol.max, /*divisor=*/1));
  }
  return list;
}

llvm::Expected<Dim> ImportSymbols::convert(const SymInt &size) const {
  if (!size.expr) {
    return constantDim(context, size.constant);
  }
  std::string problem;
  std::optional<Fraction> fraction = lower(*size.expr, problem);
  if (fraction && fraction->denominator == 1) {
    return simplify(fraction->numerator);
  }
  if (problem.empty()) {
    problem = "it isn't a whole number";
  }
  return llvm::createStringError("size " + size.expr->str() + " can't be used: " + problem);
}

std::optional<double> ImportSymbols::evaluate(const SymExpr &expr) const {
  if (expr.op == SymOp::Float) {
    return expr.number;
  }
  if (expr.op == SymOp::Infinity) {
    return expr.value * std::numeric_limits<double>::infinity();
  }
  std::string problem;
  std::optional<Fraction> fraction = lower(expr, problem);
  std::optional<int64_t> whole = fraction ? getStatic(simplify(fraction->numerator)) : std::nullopt;
  if (!whole) {
    return std::nullopt;
  }
  return static_cast<double>(*whole) / fraction->denominator;
}

//===----------------------------------------------------------------------===//
// Bounds: what decides Max, Min and conditions
//===----------------------------------------------------------------------===//

ImportSymbols::Interval ImportSymbols::boundsOf(Dim dim) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (auto constant = dyn_cast<AffineConstantExpr>(dim)) {
    double value = constant.getValue();
    return {value, value};
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(dim)) {
    const Symbol &s = symbols[symbol.getPosition()];
    return {double(s.min), s.max == INT64_MAX ? kInfinity : double(s.max)};
  }
  auto binary = cast<AffineBinaryOpExpr>(dim);
  Interval a = boundsOf(binary.getLHS()), b = boundsOf(binary.getRHS());
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return {a.low + b.low, a.high + b.high};
  case AffineExprKind::Mul: {
    Interval result{kInfinity, -kInfinity};
    for (double x : {a.low, a.high}) {
      for (double y : {b.low, b.high}) {
        double product = x == 0 || y == 0 ? 0 : x * y;
        result = {std::min(result.low, product), std::max(result.high, product)};
      }
    }
    return result;
  }
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    if (b.low >= 1 && a.low >= 0) {
      auto round = [&](double x) { return dim.getKind() == AffineExprKind::FloorDiv ? std::floor(x) : std::ceil(x); };
      return {std::isinf(b.high) ? 0 : round(a.low / b.high), round(a.high / b.low)};
    }
    return {-kInfinity, kInfinity};
  case AffineExprKind::Mod:
    return {0, std::min(b.high - 1, a.low >= 0 ? a.high : kInfinity)};
  default:
    return {-kInfinity, kInfinity};
  }
}

ImportSymbols::Interval ImportSymbols::boundsOfDifference(const Fraction &a, const Fraction &b) const {
  return boundsOf(simplify(a.numerator * b.denominator - b.numerator * a.denominator));
}

std::optional<bool> ImportSymbols::decide(const SymExpr &condition) const {
  switch (condition.op) {
  case SymOp::Boolean:
    return condition.value != 0;
  case SymOp::Not: {
    std::optional<bool> x = decide(condition.operands[0]);
    return x ? std::optional<bool>(!*x) : std::nullopt;
  }
  case SymOp::And:
  case SymOp::Or: {
    bool stopper = condition.op == SymOp::Or, allKnown = true;
    for (const SymExpr &operand : condition.operands) {
      std::optional<bool> x = decide(operand);
      if (x == stopper) {
        return stopper;
      }
      allKnown &= x.has_value();
    }
    return allKnown ? std::optional<bool>(!stopper) : std::nullopt;
  }
  case SymOp::Eq:
  case SymOp::Ne:
  case SymOp::Lt:
  case SymOp::Le:
  case SymOp::Gt:
  case SymOp::Ge:
    break;
  default:
    return std::nullopt;
  }
  std::string problem;
  std::optional<Fraction> a = lower(condition.operands[0], problem), b = lower(condition.operands[1], problem);
  if (!a || !b) {
    return std::nullopt;
  }
  Interval d = boundsOfDifference(*a, *b);
  auto known = [](bool yes, bool no) { return yes ? std::optional<bool>(true) : no ? std::optional<bool>(false) : std::nullopt; };
  bool isZero = d.low == 0 && d.high == 0, isNonzero = d.low > 0 || d.high < 0;
  switch (condition.op) {
  case SymOp::Eq:
    return known(isZero, isNonzero);
  case SymOp::Ne:
    return known(isNonzero, isZero);
  case SymOp::Lt:
    return known(d.high < 0, d.low >= 0);
  case SymOp::Le:
    return known(d.high <= 0, d.low > 0);
  case SymOp::Gt:
    return known(d.low > 0, d.high <= 0);
  default:
    return known(d.low >= 0, d.high < 0);
  }
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

std::optional<ImportSymbols::Fraction> ImportSymbols::choose(const SymExpr &expr, std::string &problem) const {
  // Where(condition, then, else) and Piecewise(Pair(value, condition), …).
  if (expr.op == SymOp::Where) {
    if (std::optional<bool> yes = decide(expr.operands[0])) {
      return lower(expr.operands[*yes ? 1 : 2], problem);
    }
  } else {
    for (const SymExpr &pair : expr.operands) {
      std::optional<bool> yes = pair.operands.size() == 2 ? decide(pair.operands[1]) : std::nullopt;
      if (!yes) {
        break;
      }
      if (*yes) {
        return lower(pair.operands[0], problem);
      }
    }
  }
  problem = expr.str() + " depends on a condition that the symbols' ranges don't decide";
  return std::nullopt;
}

std::optional<ImportSymbols::Fraction> ImportSymbols::lowerPower(const Fraction &base, const SymExpr &exponent) const {
  // Eight factors: more than any shape has dims.
  if (exponent.op != SymOp::Integer || std::abs(exponent.value) > 8) {
    return std::nullopt;
  }
  if (exponent.value < 0) {
    std::optional<int64_t> whole = getStatic(base.numerator);
    if (exponent.value != -1 || !whole || *whole <= 0) {
      return std::nullopt;
    }
    return Fraction{constantDim(context, base.denominator), *whole};
  }
  Fraction result{constantDim(context, 1), 1};
  for (int64_t i = 0; i < exponent.value; ++i) {
    result = {result.numerator * base.numerator, result.denominator * base.denominator};
  }
  return result;
}

std::optional<ImportSymbols::Fraction> ImportSymbols::lower(const SymExpr &expr, std::string &problem) const {
  switch (expr.op) {
  case SymOp::Integer:
    return Fraction{constantDim(context, expr.value), 1};
  case SymOp::Rational:
    return Fraction{constantDim(context, expr.value), expr.denominator};
  case SymOp::Float:
    if (expr.number == std::floor(expr.number) && std::abs(expr.number) < 0x1p53) {
      return Fraction{constantDim(context, static_cast<int64_t>(expr.number)), 1};
    }
    break;
  case SymOp::Symbol:
    if (auto found = index.find(expr.name); found != index.end()) {
      return Fraction{getAffineSymbolExpr(found->second, context), 1};
    }
    problem = expr.name + " isn't a size of an input: it comes from data, or from a number given as input. Say how large it can be "
                          "with torch._check(0 <= n) and torch._check(n <= …)";
    return std::nullopt;
  case SymOp::Where:
  case SymOp::Piecewise:
    return choose(expr, problem);
  case SymOp::Floor:
    // floor(a / b) with a symbolic b has an affine form, a / b alone has none.
    if (expr.operands[0].op == SymOp::TrueDiv) {
      SymExpr whole = expr.operands[0];
      whole.op = SymOp::FloorDiv;
      return lower(whole, problem);
    }
    break;
  default:
    break;
  }
  SmallVector<Fraction> operands;
  for (const SymExpr &operand : expr.operands) {
    std::optional<Fraction> x = lower(operand, problem);
    if (!x) {
      return std::nullopt;
    }
    operands.push_back(*x);
  }
  std::optional<Fraction> result = lowerOperation(expr, operands, problem);
  if (!result && problem.empty()) {
    problem = expr.str() + " has no affine form";
  }
  return result;
}

std::optional<ImportSymbols::Fraction>
ImportSymbols::lowerOperation(const SymExpr &expr, ArrayRef<Fraction> x, std::string &problem) const {
  auto whole = [](Dim dim) { return Fraction{simplify(dim), 1}; };
  auto isPositive = [&](Dim dim) { return boundsOf(dim).low > 0; };
  switch (expr.op) {
  case SymOp::Add:
  case SymOp::Mul: {
    Fraction result = x[0];
    for (const Fraction &y : x.drop_front()) {
      if (expr.op == SymOp::Mul) {
        result = {result.numerator * y.numerator, result.denominator * y.denominator};
      } else {
        result = {result.numerator * y.denominator + y.numerator * result.denominator,
                  result.denominator * y.denominator};
      }
    }
    result.numerator = simplify(result.numerator);
    // 2 * (s0 / 2) is s0 again.
    Dim quotient = simplify(result.numerator.floorDiv(result.denominator));
    if (result.denominator > 1 && equal(quotient * result.denominator, result.numerator)) {
      return whole(quotient);
    }
    return result;
  }
  case SymOp::Pow:
    return lowerPower(x[0], expr.operands[1]);
  case SymOp::TrueDiv: {
    std::optional<int64_t> by = getStatic(x[1].numerator);
    if (!by || *by <= 0) {
      return std::nullopt;
    }
    return Fraction{x[0].numerator * x[1].denominator, x[0].denominator * *by};
  }
  case SymOp::FloorDiv:
  case SymOp::CeilDiv: {
    Dim over = simplify(x[0].numerator * x[1].denominator), under = simplify(x[1].numerator * x[0].denominator);
    if (!isPositive(under)) {
      return std::nullopt;
    }
    return whole(expr.op == SymOp::FloorDiv ? over.floorDiv(under) : over.ceilDiv(under));
  }
  case SymOp::Mod:
  case SymOp::PythonMod:
    if (x[0].denominator != 1 || x[1].denominator != 1 || !isPositive(x[1].numerator)) {
      return std::nullopt;
    }
    return whole(x[0].numerator % x[1].numerator);
  case SymOp::ModularIndexing:
    if (!isPositive(x[1].numerator) || !isPositive(x[2].numerator)) {
      return std::nullopt;
    }
    return whole(x[0].numerator.floorDiv(x[1].numerator) % x[2].numerator);
  case SymOp::ShiftLeft:
  case SymOp::ShiftRight: {
    std::optional<int64_t> by = getStatic(x[1].numerator);
    if (!by || *by < 0 || *by > 62) {
      return std::nullopt;
    }
    int64_t factor = int64_t(1) << *by;
    return whole(expr.op == SymOp::ShiftLeft ? x[0].numerator * factor : x[0].numerator.floorDiv(factor));
  }
  case SymOp::ToFloat:
    return x[0];
  case SymOp::Floor:
    return whole(x[0].numerator.floorDiv(x[0].denominator));
  case SymOp::Ceil:
    return whole(x[0].numerator.ceilDiv(x[0].denominator));
  case SymOp::Trunc:
    if (boundsOf(x[0].numerator).low < 0 && x[0].denominator != 1) {
      return std::nullopt;
    }
    return whole(x[0].numerator.floorDiv(x[0].denominator));
  case SymOp::Round:
    return x[0].denominator == 1 ? std::optional<Fraction>(x[0]) : std::nullopt;
  case SymOp::Abs:
    if (boundsOf(x[0].numerator).low >= 0) {
      return x[0];
    }
    return std::nullopt;
  case SymOp::Max:
  case SymOp::Min: {
    Fraction result = x[0];
    for (const Fraction &y : x.drop_front()) {
      Interval difference = boundsOfDifference(result, y);
      if (difference.low < 0 && difference.high > 0) {
        problem = expr.str() + " isn't decided by the symbols' ranges";
        return std::nullopt;
      }
      bool keepsFirst = (difference.low >= 0) == (expr.op == SymOp::Max);
      result = keepsFirst || (difference.low == 0 && difference.high == 0) ? result : y;
    }
    return result;
  }
  default:
    return std::nullopt;
  }
}

} // namespace graphmill::pt2
