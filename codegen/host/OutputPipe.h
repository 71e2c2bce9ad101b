//===- OutputPipe.h - A path whose writer's bytes end in memory ------------===//
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>
#include <thread>

namespace graphmill::host {

/// What lld can write its output to. It maps a file that it writes, and the first page that a
/// full disk has no room for would kill the process; into a pipe it only writes.
class OutputPipe {
public:
  OutputPipe() = default;
  OutputPipe(const OutputPipe &) = delete;
  OutputPipe &operator=(const OutputPipe &) = delete;
  ~OutputPipe();

  llvm::Error open();

  /// For this process only.
  std::string path() const { return "/proc/self/fd/" + std::to_string(writeEnd); }

  /// All that was written, when the writer is done.
  llvm::SmallVector<char, 0> take();

private:
  void readAll();

  int readEnd = -1, writeEnd = -1;
  std::thread reader;
  llvm::SmallVector<char, 0> bytes;
};

} // namespace graphmill::host
