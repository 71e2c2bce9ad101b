//===- Printable.h - Text of others, made fit for terminals ----------------===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace graphmill {

/// `text` with what is no character to be seen in its place as "\1B" or "\u{202E}": controls, line
/// breaks, direction overrides, bytes that aren't UTF-8. Names in a file could else write what they
/// like on the user's screen.
std::string printable(llvm::StringRef text);

/// The same, but lines and tabs stay.
std::string printableLines(llvm::StringRef text);

/// Writes printable lines to another stream, which outlives it.
class PrintableStream : public llvm::raw_ostream {
public:
  explicit PrintableStream(llvm::raw_ostream &to) : raw_ostream(/*unbuffered=*/true), to(to) {}

private:
  void write_impl(const char *text, size_t size) override { to << printableLines({text, size}); }
  uint64_t current_pos() const override { return to.tell(); }

  llvm::raw_ostream &to;
};

} // namespace graphmill
