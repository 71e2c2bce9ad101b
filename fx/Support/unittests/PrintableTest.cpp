#include "fx/Support/Printable.h"
#include <gtest/gtest.h>

namespace graphmill {
namespace {

TEST(Printable, KeepsWhatCanBeSeen) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("layer1.0 \\ \"é\" 層"), "layer1.0 \\ \"é\" 層");
  EXPECT_EQ(printableLines("a\n\tb"), "a\n\tb");
}

TEST(Printable, EscapesWhatMovesTheCursorOrTheText) {
  EXPECT_EQ(printable("\x1b[31mred\a\n\x7f"), "\\1B[31mred\\07\\0A\\7F");
  EXPECT_EQ(printable(llvm::StringRef("a\0b", 3)), "a\\00b");
  EXPECT_EQ(printable("\u202eright \u0085"), "\\u{202E}right \\u{0085}");
  EXPECT_EQ(printableLines("a\r\x1b"), "a\\0D\\1B");
}

TEST(Printable, EscapesBytesThatAreNoText) {
  EXPECT_EQ(printable("\xff\xfe"), "\\FF\\FE");
  EXPECT_EQ(printable("\xe5\xb1"), "\\E5\\B1");    // cut short
  EXPECT_EQ(printable("\xc0\x9b["), "\\C0\\9B[");  // ESC in two bytes
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\ED\\A0\\80");
}

TEST(Printable, StreamsLines) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  PrintableStream(stream) << "name \x1b\n" << 3;
  EXPECT_EQ(text, "name \\1B\n3");
}

} // namespace
} // namespace graphmill
