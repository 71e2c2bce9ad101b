#include "codegen/host/OutputPipe.h"
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace graphmill::host {

llvm::Error OutputPipe::open() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    std::error_code code(errno, std::generic_category());
    return llvm::createStringError(code, "can't make a pipe: " + code.message());
  }
  readEnd = ends[0];
  writeEnd = ends[1];
  reader = std::thread([this] { readAll(); });
  return llvm::Error::success();
}

/// A pipe holds 64 KiB: it has to be emptied while it is filled.
void OutputPipe::readAll() {
  constexpr size_t kChunkBytes = 65536;
  for (;;) {
    size_t before = bytes.size();
    bytes.resize_for_overwrite(before + kChunkBytes);
    ssize_t count = read(readEnd, bytes.data() + before, kChunkBytes);
    bytes.truncate(before + size_t(std::max<ssize_t>(count, 0)));
    if (count == 0 || (count < 0 && errno != EINTR)) {
      return;
    }
  }
}

llvm::SmallVector<char, 0> OutputPipe::take() {
  // The reader ends when no write end is left.
  close(writeEnd);
  writeEnd = -1;
  reader.join();
  return std::move(bytes);
}

OutputPipe::~OutputPipe() {
  if (writeEnd >= 0) {
    take();
  }
  if (readEnd >= 0) {
    close(readEnd);
  }
}

} // namespace graphmill::host
