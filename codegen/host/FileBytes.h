//===- FileBytes.h - Writing files that appear whole or not at all
//---------===//
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace graphmill::host {

/// Writes all bytes at the file's position; `name` is for the message.
llvm::Error writeBytes(int file, llvm::ArrayRef<char> bytes,
                       llvm::StringRef name);

/// The same at `offset`, without moving the file's position.
llvm::Error writeBytesAt(int file, uint64_t offset, llvm::ArrayRef<char> bytes,
                         llvm::StringRef name);

/// A new file that gets the name `path` when it is complete, and has none before: whatever ends the
/// process, nothing is left. Where the file system has no nameless files, it is beside `path` under another
/// name until then, and only SIGKILL leaves it there. Links are followed, also to what isn't there yet. Where `path` is a device or a pipe, which a new file must not replace, the bytes
/// are collected in memory and written to it in the end.
class PendingFile {
public:
  static llvm::Expected<PendingFile> create(llvm::StringRef path);
  PendingFile(PendingFile &&other) noexcept;
  PendingFile &operator=(PendingFile &&) = delete;
  ~PendingFile();

  int descriptor() const { return file; }
  /// Gives the file the permissions of a new file or library and its name.
  llvm::Error commit(bool executable);

private:
  enum class Kind { InMemory, Nameless, Named };
  PendingFile(Kind kind, std::string path, int file) : kind(kind), path(std::move(path)), file(file) {}
  void nameTemporary(std::string name);
  llvm::Error copyToPath();
  llvm::Error linkToPath();
  llvm::Error moveToPath();

  Kind kind;
  std::string path;
  std::string temporary; ///< to be removed, if not empty
  int file;
};

} // namespace graphmill::host
