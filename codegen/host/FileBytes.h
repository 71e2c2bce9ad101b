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

/// A new file beside `path` that takes its name when it is complete, and is
/// removed if it never gets so far, signals included. Links are followed, also to what isn't
/// there yet. Where `path` is a device or a pipe, which a new file must not replace, the bytes
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
  PendingFile(std::string path, std::string temporary, int file)
      : path(std::move(path)), temporary(std::move(temporary)), file(file) {}
  llvm::Error copyToPath();
  llvm::Error moveToPath();

  std::string path;
  std::string temporary; ///< empty: a memory file
  int file;
};

} // namespace graphmill::host
