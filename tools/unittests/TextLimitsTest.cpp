#include "tools/graphmill/TextLimits.h"
#include <gtest/gtest.h>

namespace graphmill::tools {
namespace {

std::string check(const std::string &text) { return llvm::toString(checkText(text, "g.mlir")); }

std::string times(size_t count, const std::string &piece) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += piece;
  }
  return text;
}

TEST(TextLimits, RefusesWhatIsNestedTooDeep) {
  for (const char *bracket : {"(", "[", "{", "a<", "() -> ("}) {
    EXPECT_EQ(check("x\n" + times(5000, bracket)), "g.mlir:2: brackets are nested more than 200 deep") << bracket;
  }
  EXPECT_EQ(check(times(5000, "(a -> b) [<x>] {y >= 0}\n")), "");
  EXPECT_EQ(check("\"" + times(5000, "(") + "\\\"" + times(5000, "(") + "\" // " + times(5000, "(")), "");
}

TEST(TextLimits, RefusesLongExpressions) {
  for (const char *part : {"-", " + s0", " mod 2", " floordiv s1"}) {
    EXPECT_EQ(check("<s0" + times(5000, part)), "g.mlir:1: an expression has more than 400 operators") << part;
  }
  EXPECT_EQ(check("[" + times(5000, "-1, ") + "]"), "");
}

TEST(TextLimits, RefusesLongNumbersButNotBytes) {
  EXPECT_EQ(check(times(1001, "7")), "g.mlir:1: a number has more than 1000 digits");
  EXPECT_EQ(check("\"0x" + times(5000, "00") + "\" 0x" + times(5000, "00")), "");
}

TEST(TextLimits, RefusesListsWithoutAWidth) {
  EXPECT_EQ(check("array< index: 0>"), "g.mlir:1: 'array<index' is no list that a graph has");
  EXPECT_EQ(check("array<i64: 0>, index"), "");
}

} // namespace
} // namespace graphmill::tools
