#include "tools/graphmill/TextLimits.h"
#include "fx/Support/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
namespace graphmill::tools {
namespace {

// No writer nests weights, types or locations a tenth as deep.
constexpr size_t kMaxDepth = 200;
constexpr size_t kMaxOperators = 400;
// A float64 has at most 767 digits that matter.
constexpr size_t kMaxDigits = 1000;

class TextScanner {
public:
  TextScanner(StringRef text, StringRef file) : rest(text), file(file) {}
  Error scan();

private:
  Error fail(const Twine &what) const { return createStringError(printable(file) + ":" + Twine(line) + ": " + what); }
  void skipString();
  Error takeWord();
  Error takeSign(char sign);

  StringRef rest, file;
  size_t line = 1, depth = 0;
  size_t operators = 0; ///< since the last bracket or comma
  StringRef before;     ///< the last two words, to know `array<index`
  bool afterArray = false;
};

void TextScanner::skipString() {
  while (!rest.empty() && rest.front() != '"' && rest.front() != '\n') {
    rest = rest.drop_front(rest.front() == '\\' && rest.size() > 1 ? 2 : 1);
  }
  rest.consume_front("\"");
}

/// Words and numbers; hexadecimal ones are the bytes of weights.
Error TextScanner::takeWord() {
  StringRef word = rest.take_while([](char c) { return isAlnum(c) || c == '_' || c == '.' || c == '$'; });
  rest = rest.drop_front(word.size());
  if (afterArray && word == "index") {
    return fail("'array<index' is no list that a graph has");
  }
  afterArray = false;
  before = word;
  if (!word.starts_with("0x") && word.take_while(isDigit).size() > kMaxDigits) {
    return fail("a number has more than " + Twine(kMaxDigits) + " digits");
  }
  bool isOperator = word == "mod" || word == "floordiv" || word == "ceildiv";
  if (isOperator && ++operators > kMaxOperators) {
    return fail("an expression has more than " + Twine(kMaxOperators) + " operators");
  }
  return Error::success();
}

Error TextScanner::takeSign(char sign) {
  afterArray = sign == '<' && before == "array";
  before = "";
  switch (sign) {
  case '(':
  case '[':
  case '{':
  case '<':
    operators = 0;
    if (++depth > kMaxDepth) {
      return fail("brackets are nested more than " + Twine(kMaxDepth) + " deep");
    }
    break;
  case ')':
  case ']':
  case '}':
  case '>':
    depth -= depth > 0;
    [[fallthrough]];
  case ',':
  case ':':
  case '=':
    operators = 0;
    break;
  case '+':
  case '-':
  case '*':
    if (++operators > kMaxOperators) {
      return fail("an expression has more than " + Twine(kMaxOperators) + " operators");
    }
    break;
  case '\n':
    ++line;
    break;
  }
  return Error::success();
}

Error TextScanner::scan() {
  while (!rest.empty()) {
    if (rest.consume_front("//")) {
      rest = rest.drop_until([](char c) { return c == '\n'; });
    } else if (rest.consume_front("->") || rest.consume_front("<=") || rest.consume_front(">=")) {
      operators = 0; // no brackets
    } else if (rest.consume_front("\"")) {
      skipString();
    } else if (isSpace(rest.front()) && rest.front() != '\n') {
      rest = rest.drop_front();
    } else if (isAlnum(rest.front()) || rest.front() == '_') {
      if (Error error = takeWord()) {
        return error;
      }
    } else {
      char sign = rest.front();
      rest = rest.drop_front();
      if (Error error = takeSign(sign)) {
        return error;
      }
    }
  }
  return Error::success();
}

} // namespace

Error checkText(StringRef text, StringRef file) { return TextScanner(text, file).scan(); }

} // namespace graphmill::tools
