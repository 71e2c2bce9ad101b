#include "fx/Support/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"
#include <fmt/format.h>
#include <optional>

namespace graphmill {

/// Takes the character that `text` starts with; nothing if that is no UTF-8.
static std::optional<llvm::UTF32> takeCharacter(llvm::StringRef &text) {
  const llvm::UTF8 *at = text.bytes_begin();
  llvm::UTF32 character = 0;
  if (llvm::convertUTF8Sequence(&at, text.bytes_end(), &character, llvm::strictConversion) != llvm::conversionOK) {
    return std::nullopt;
  }
  text = text.drop_front(size_t(at - text.bytes_begin()));
  return character;
}

static std::string escape(llvm::StringRef text, bool keepLines) {
  std::string result;
  while (!text.empty()) {
    llvm::StringRef before = text;
    std::optional<llvm::UTF32> character = takeCharacter(text);
    if (!character) {
      result += fmt::format("\\{:02X}", uint8_t(text.front()));
      text = text.drop_front();
    } else if (llvm::sys::unicode::isPrintable(int(*character)) ||
               (keepLines && (*character == '\n' || *character == '\t'))) {
      result += before.drop_back(text.size());
    } else if (*character < 0x80) {
      result += fmt::format("\\{:02X}", *character);
    } else {
      result += fmt::format("\\u{{{:04X}}}", *character);
    }
  }
  return result;
}

std::string printable(llvm::StringRef text) { return escape(text, /*keepLines=*/false); }

std::string printableLines(llvm::StringRef text) { return escape(text, /*keepLines=*/true); }

} // namespace graphmill
