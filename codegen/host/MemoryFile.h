//===- MemoryFile.h - Bytes under a path that only this process can open
//---===//
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace graphmill::host {

/// lld reads files, not memory. A memory file needs no folder, can't be seen or
/// raced by others, and is gone when the process is, however it ends.
class MemoryFile {
public:
  static llvm::Expected<MemoryFile> create(llvm::StringRef name,
                                           llvm::ArrayRef<char> bytes);
  MemoryFile(MemoryFile &&other) noexcept : file(other.file) {
    other.file = -1;
  }
  MemoryFile &operator=(MemoryFile &&) = delete;
  ~MemoryFile();

  std::string path() const;

private:
  explicit MemoryFile(int file) : file(file) {}

  int file;
};

} // namespace graphmill::host
