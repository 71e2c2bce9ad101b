#include "tools/NpyHeader.h"

using namespace llvm;
namespace graphmill::tools {
namespace {

/// NumPy's own limit is 64.
constexpr size_t kMaxRank = 64;

/// A cursor over the literal; each function consumes what it says or returns
/// false.
class LiteralParser {
public:
  explicit LiteralParser(StringRef text) : rest(text) {}

  bool take(char expected) {
    rest = rest.ltrim(" \t\n\r");
    return rest.consume_front(StringRef(&expected, 1));
  }

  bool takeString(std::string &value) {
    char quote = take('\'') ? '\'' : take('"') ? '"' : '\0';
    size_t end = quote ? rest.find(quote) : StringRef::npos;
    if (end == StringRef::npos) {
      return false;
    }
    value = rest.take_front(end).str();
    rest = rest.drop_front(end + 1);
    return true;
  }

  bool takeBool(bool &value) {
    rest = rest.ltrim();
    value = rest.consume_front("True");
    return value || rest.consume_front("False");
  }

  bool takeShape(SmallVectorImpl<int64_t> &shape) {
    if (!take('(')) {
      return false;
    }
    while (!take(')')) {
      int64_t dim;
      rest = rest.ltrim();
      if (rest.consumeInteger(10, dim) || dim < 0 || shape.size() == kMaxRank) {
        return false;
      }
      rest.consume_front("L"); // Python 2 wrote long integers so
      shape.push_back(dim);
      if (!take(',')) {
        return take(')');
      }
    }
    return true;
  }

  bool atEnd() const { return rest.trim(" \t\n\r\0").empty(); }

private:
  StringRef rest;
};

} // namespace

Expected<NpyHeader> parseNpyHeader(StringRef text) {
  LiteralParser parser(text);
  NpyHeader header;
  bool hasDescr = false, hasOrder = false, hasShape = false;
  bool ok = parser.take('{');
  while (ok && !parser.take('}')) {
    std::string key;
    ok = parser.takeString(key) && parser.take(':');
    if (ok && key == "descr" && !hasDescr) {
      hasDescr = ok = parser.takeString(header.descr);
    } else if (ok && key == "fortran_order" && !hasOrder) {
      hasOrder = ok = parser.takeBool(header.fortranOrder);
    } else if (ok && key == "shape" && !hasShape) {
      hasShape = ok = parser.takeShape(header.shape);
    } else {
      ok = false;
    }
    if (ok && !parser.take(',')) {
      ok = parser.take('}');
      break;
    }
  }
  if (!ok || !parser.atEnd() || !hasDescr || !hasOrder || !hasShape) {
    return createStringError(
        "its header isn't a dictionary of a simple 'descr', "
        "'fortran_order' and 'shape'");
  }
  return header;
}

} // namespace graphmill::tools
