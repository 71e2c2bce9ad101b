#include "frontend/pt2/SymFunctions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <numeric>
#include <optional>

namespace graphmill::pt2 {
namespace {

/// Deeper than any size expression seen (9), shallow enough for the stack.
constexpr unsigned kMaxDepth = 200;

SymExpr leaf(SymOp op, int64_t value) {
  SymExpr expr;
  expr.op = op;
  expr.value = value;
  return expr;
}

SymExpr node(SymOp op, SymExpr a, SymExpr b) {
  SymExpr expr;
  expr.op = op;
  expr.operands.push_back(std::move(a));
  expr.operands.push_back(std::move(b));
  return expr;
}

/// -INT64_MIN isn't an int64; it stays a product.
SymExpr negate(SymExpr expr) {
  bool isNumber = expr.op == SymOp::Integer || expr.op == SymOp::Rational ||
                  expr.op == SymOp::Infinity;
  if (isNumber && expr.value != INT64_MIN) {
    expr.value = -expr.value;
    return expr;
  }
  if (expr.op == SymOp::Float) {
    expr.number = -expr.number;
    return expr;
  }
  return node(SymOp::Mul, leaf(SymOp::Integer, -1), std::move(expr));
}

bool isAssociative(SymOp op) {
  return op == SymOp::Add || op == SymOp::Mul || op == SymOp::And ||
         op == SymOp::Or;
}

/// Python's infix operators, loosest first.
struct Infix {
  llvm::StringLiteral text;
  int level;
  SymOp op;
};
constexpr int kNotLevel = 3, kUnaryLevel = 10, kPowerLevel = 11;
/// Longer ones stand before their prefixes.
constexpr Infix kInfix[] = {
    {"or", 1, SymOp::Or},
    {"and", 2, SymOp::And},
    {"==", 4, SymOp::Eq},
    {"!=", 4, SymOp::Ne},
    {"<=", 4, SymOp::Le},
    {">=", 4, SymOp::Ge},
    {"<<", 7, SymOp::ShiftLeft},
    {">>", 7, SymOp::ShiftRight},
    {"<", 4, SymOp::Lt},
    {">", 4, SymOp::Gt},
    {"|", 5, SymOp::Or},
    {"&", 6, SymOp::And},
    {"+", 8, SymOp::Add},
    {"-", 8, SymOp::Add},
    {"**", kPowerLevel, SymOp::Pow},
    {"*", 9, SymOp::Mul},
    {"//", 9, SymOp::FloorDiv},
    {"/", 9, SymOp::TrueDiv},
    {"%", 9, SymOp::PythonMod},
};

class Parser {
public:
  explicit Parser(llvm::StringRef text) : text(text), rest(text) {}

  llvm::Expected<SymExpr> parse() {
    std::optional<SymExpr> expr = parseLevel(1);
    skipSpace();
    if (expr && !rest.empty()) {
      fail("unexpected '" + rest.take_front(8) + "'");
    }
    if (!message.empty()) {
      return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
    }
    return std::move(*expr);
  }

private:
  using Result = std::optional<SymExpr>;

  std::nullopt_t fail(const llvm::Twine &what) {
    if (message.empty()) {
      message = ("symbolic expression '" + text.take_front(120) + "', column " +
                 llvm::Twine(text.size() - rest.size() + 1) + ": " + what)
                    .str();
    }
    return std::nullopt;
  }
  void skipSpace() { rest = rest.ltrim(); }
  bool consume(llvm::StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }
  static bool isNameChar(char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  }

  const Infix *peekInfix();
  Result parseLevel(int level);
  Result parseOperand(int level);
  Result parseNumber();
  Result parseName();
  Result parseGroup();
  std::optional<std::string> parseQuoted();
  std::optional<std::vector<SymExpr>> parseArguments();
  bool skipKeyword();
  Result parseSymbol();
  Result parseFloatCall();
  Result parseRationalCall();
  Result parseCall(llvm::StringRef name);

  llvm::StringRef text, rest;
  std::string message;
  unsigned depth = 0;
};

const Infix *Parser::peekInfix() {
  skipSpace();
  for (const Infix &infix : kInfix) {
    if (!rest.starts_with(infix.text)) {
      continue;
    }
    bool isWord = llvm::isAlpha(infix.text.front());
    if (isWord && rest.size() > infix.text.size() &&
        isNameChar(rest[infix.text.size()])) {
      continue;
    }
    return &infix;
  }
  return nullptr;
}

/// Precedence climbing: an operand, then as many operators as bind at least as
/// tightly as `level`.
Parser::Result Parser::parseLevel(int level) {
  if (++depth > kMaxDepth) {
    return fail("nested more than " + llvm::Twine(kMaxDepth) + " deep");
  }
  Result left = parseOperand(level);
  unsigned numNested = 0;
  bool compared = false;
  while (left) {
    const Infix *infix = peekInfix();
    if (!infix || infix->level < level) {
      break;
    }
    if (infix->level == 4 && std::exchange(compared, true)) {
      return fail("chained comparisons aren't understood");
    }
    rest = rest.drop_front(infix->text.size());
    // ** binds to the right, and a sign after it belongs to the exponent.
    Result right = infix->level == kPowerLevel ? parseLevel(kUnaryLevel)
                                               : parseLevel(infix->level + 1);
    if (!right) {
      return std::nullopt;
    }
    if (infix->text == "-") {
      right = negate(std::move(*right));
    }
    // Sums and the like stay flat, however long; the rest nests.
    if (isAssociative(infix->op) && left->op == infix->op) {
      left->operands.push_back(std::move(*right));
      continue;
    }
    if (++numNested > kMaxDepth) {
      return fail("more than " + llvm::Twine(kMaxDepth) +
                  " operators in a row");
    }
    left = node(infix->op, std::move(*left), std::move(*right));
  }
  --depth;
  return left;
}

Parser::Result Parser::parseOperand(int level) {
  skipSpace();
  if (rest.empty()) {
    return fail("an operand is missing");
  }
  if (rest.starts_with("not ") || rest.starts_with("~")) {
    bool isWord = !consume("~") && consume("not");
    Result operand = parseLevel(isWord ? kNotLevel : kUnaryLevel);
    if (!operand) {
      return std::nullopt;
    }
    SymExpr expr = leaf(SymOp::Not, 0);
    expr.operands.push_back(std::move(*operand));
    return expr;
  }
  if (level <= kUnaryLevel && consume("-")) {
    Result operand = parseLevel(kUnaryLevel);
    return operand ? Result(negate(std::move(*operand))) : std::nullopt;
  }
  if (level <= kUnaryLevel && consume("+")) {
    return parseLevel(kUnaryLevel);
  }
  if (consume("(")) {
    return parseGroup();
  }
  return llvm::isDigit(rest.front()) ? parseNumber() : parseName();
}

/// After "(": an expression in parentheses, or a pair (value, condition).
Parser::Result Parser::parseGroup() {
  Result first = parseLevel(1);
  if (first && consume(",")) {
    Result second = parseLevel(1);
    if (!second) {
      return std::nullopt;
    }
    first = node(SymOp::Pair, std::move(*first), std::move(*second));
  }
  if (first && !consume(")")) {
    return fail("')' expected");
  }
  return first;
}

Parser::Result Parser::parseNumber() {
  llvm::StringRef digits = rest.take_while([](char c) {
    return llvm::isDigit(c) || c == '.' || c == 'e' || c == 'E';
  });
  bool signedExponent = digits.ends_with("e") || digits.ends_with("E");
  if (signedExponent && rest.size() > digits.size() &&
      (rest[digits.size()] == '-' || rest[digits.size()] == '+')) {
    size_t more = rest.drop_front(digits.size() + 1)
                      .take_while([](char c) { return llvm::isDigit(c); })
                      .size();
    digits = rest.take_front(digits.size() + 1 + more);
  }
  SymExpr expr = leaf(SymOp::Integer, 0);
  if (digits.find_first_of(".eE") == llvm::StringRef::npos) {
    if (digits.getAsInteger(10, expr.value)) {
      return fail("integer " + digits + " doesn't fit 64 bits");
    }
  } else {
    expr.op = SymOp::Float;
    if (llvm::isAlpha(digits.back()) || digits.getAsDouble(expr.number)) {
      return fail("'" + digits + "' isn't a number");
    }
  }
  rest = rest.drop_front(digits.size());
  return expr;
}

std::optional<std::string> Parser::parseQuoted() {
  skipSpace();
  char quote = rest.empty() ? '\0' : rest.front();
  size_t end = rest.find(quote, 1);
  if ((quote != '\'' && quote != '"') || end == llvm::StringRef::npos) {
    return fail("a quoted name is expected");
  }
  std::string content = rest.slice(1, end).str();
  rest = rest.drop_front(end + 1);
  return content;
}

/// `evaluate=False`, `positive=True` and the like don't change an expression's
/// value: they are read past.
bool Parser::skipKeyword() {
  skipSpace();
  llvm::StringRef name = rest.take_while(isNameChar);
  llvm::StringRef after = rest.drop_front(name.size()).ltrim();
  if (name.empty() || !after.starts_with("=") || after.starts_with("==")) {
    return false;
  }
  rest = after.drop_front().ltrim();
  rest = rest.drop_while(isNameChar);
  return true;
}

/// After "(": operands up to and with ")".
std::optional<std::vector<SymExpr>> Parser::parseArguments() {
  std::vector<SymExpr> arguments;
  if (consume(")")) {
    return arguments;
  }
  do {
    if (skipKeyword()) {
      continue;
    }
    Result argument = parseLevel(1);
    if (!argument) {
      return std::nullopt;
    }
    arguments.push_back(std::move(*argument));
  } while (consume(","));
  if (!consume(")")) {
    return fail("')' expected");
  }
  return arguments;
}

Parser::Result Parser::parseSymbol() {
  std::optional<std::string> name = parseQuoted();
  if (!name) {
    return std::nullopt;
  }
  if (consume(",")) {
    std::optional<std::vector<SymExpr>> others = parseArguments();
    if (!others || !others->empty()) {
      return fail("a symbol takes a name and assumptions");
    }
  } else if (!consume(")")) {
    return fail("')' expected");
  }
  SymExpr expr = leaf(SymOp::Symbol, 0);
  expr.name = std::move(*name);
  return expr;
}

Parser::Result Parser::parseFloatCall() {
  std::optional<std::string> digits = parseQuoted();
  if (!digits) {
    return std::nullopt;
  }
  SymExpr expr = leaf(SymOp::Float, 0);
  if (llvm::StringRef(*digits).getAsDouble(expr.number)) {
    return fail("'" + llvm::Twine(*digits) + "' isn't a number");
  }
  std::optional<std::vector<SymExpr>> others;
  if (!consume(")") && (!consume(",") || !(others = parseArguments()))) {
    return fail("')' expected");
  }
  return expr;
}

Parser::Result Parser::parseRationalCall() {
  std::optional<std::vector<SymExpr>> parts = parseArguments();
  if (!parts) {
    return std::nullopt;
  }
  if (parts->size() != 2 || (*parts)[0].op != SymOp::Integer ||
      (*parts)[1].op != SymOp::Integer || (*parts)[1].value <= 0 ||
      (*parts)[0].value == INT64_MIN) {
    return fail("Rational takes a numerator and a positive denominator");
  }
  SymExpr expr = leaf(SymOp::Rational, (*parts)[0].value);
  int64_t common = std::gcd(expr.value, (*parts)[1].value);
  expr.value /= common;
  expr.denominator = (*parts)[1].value / common;
  if (expr.denominator == 1) {
    expr.op = SymOp::Integer;
  }
  return expr;
}

Parser::Result Parser::parseCall(llvm::StringRef name) {
  std::optional<std::vector<SymExpr>> arguments = parseArguments();
  if (!arguments) {
    return std::nullopt;
  }
  // Integer(3) is 3, and Identity only keeps sympy from expanding its operand.
  if (name == "Integer" || name == "Identity") {
    if (arguments->size() != 1) {
      return fail(name + " takes one operand");
    }
    return std::move(arguments->front());
  }
  SymExpr expr = leaf(SymOp::Call, 0);
  expr.name = name.str();
  if (const SymFunction *function = findSymFunction(name)) {
    if (arguments->size() < function->minOperands ||
        arguments->size() > function->maxOperands) {
      return fail(name + " doesn't take " + llvm::Twine(arguments->size()) +
                  " operands");
    }
    expr.op = function->op;
    expr.name.clear();
  }
  expr.operands = std::move(*arguments);
  return expr;
}

Parser::Result Parser::parseName() {
  llvm::StringRef name = rest.take_while(isNameChar);
  if (name.empty()) {
    return fail("unexpected '" + rest.take_front(8) + "'");
  }
  rest = rest.drop_front(name.size());
  if (consume("(")) {
    if (name == "Symbol" || name == "Dummy") {
      return parseSymbol();
    }
    if (name == "Float") {
      return parseFloatCall();
    }
    return name == "Rational" ? parseRationalCall() : parseCall(name);
  }
  if (name == "oo" || name == "int_oo") {
    return leaf(SymOp::Infinity, 1);
  }
  if (name == "true" || name == "True" || name == "false" || name == "False") {
    return leaf(SymOp::Boolean, llvm::toLower(name.front()) == 't');
  }
  SymExpr expr = leaf(SymOp::Symbol, 0);
  expr.name = name.str();
  return expr;
}

} // namespace

llvm::Expected<SymExpr> parseSymExpr(llvm::StringRef text) {
  return Parser(text).parse();
}

} // namespace graphmill::pt2
