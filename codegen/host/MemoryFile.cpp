#include "codegen/host/MemoryFile.h"
#include "codegen/host/FileBytes.h"
#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

namespace graphmill::host {

llvm::Expected<MemoryFile> MemoryFile::create(llvm::StringRef name,
                                              llvm::ArrayRef<char> bytes) {
  int file = memfd_create(name.take_back(200).str().c_str(), MFD_CLOEXEC);
  if (file < 0) {
    return llvm::createStringError(
        std::error_code(errno, std::generic_category()),
        "can't make a memory file for '" + name + "'");
  }
  MemoryFile result(file);
  if (llvm::Error error = writeBytes(file, bytes, name)) {
    return std::move(error);
  }
  return std::move(result);
}

MemoryFile::~MemoryFile() {
  if (file >= 0) {
    close(file);
  }
}

std::string MemoryFile::path() const {
  return "/proc/self/fd/" + std::to_string(file);
}

} // namespace graphmill::host
