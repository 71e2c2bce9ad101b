#include "codegen/host/FileBytes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace graphmill::host {

static llvm::Error lastError(const llvm::Twine &what) {
  std::error_code code(errno, std::generic_category());
  return llvm::createStringError(code, what + ": " + code.message());
}

llvm::Error writeBytes(int file, llvm::ArrayRef<char> bytes,
                       llvm::StringRef name) {
  while (!bytes.empty()) {
    ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return lastError("can't write '" + name + "'");
    }
    bytes = bytes.drop_front(size_t(written));
  }
  return llvm::Error::success();
}

llvm::Error writeBytesAt(int file, uint64_t offset, llvm::ArrayRef<char> bytes,
                         llvm::StringRef name) {
  while (!bytes.empty()) {
    ssize_t written = pwrite(file, bytes.data(), bytes.size(), off_t(offset));
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return lastError("can't write '" + name + "'");
    }
    offset += size_t(written);
    bytes = bytes.drop_front(size_t(written));
  }
  return llvm::Error::success();
}

llvm::Expected<PendingFile> PendingFile::create(llvm::StringRef path) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  llvm::SmallString<256> temporary(folder.empty() ? "." : folder);
  llvm::sys::path::append(temporary,
                          "." + llvm::sys::path::filename(path) + ".XXXXXX");
  temporary.c_str(); // ends it with a zero
  int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) {
    return lastError("can't write '" + path + "'");
  }
  return PendingFile(path.str(), temporary.str().str(), file);
}

PendingFile::PendingFile(PendingFile &&other) noexcept
    : path(std::move(other.path)), temporary(std::move(other.temporary)),
      file(other.file) {
  other.file = -1;
  other.temporary.clear();
}

PendingFile::~PendingFile() {
  if (file >= 0) {
    close(file);
  }
  if (!temporary.empty()) {
    unlink(temporary.c_str());
  }
}

llvm::Error PendingFile::reopen() {
  close(file);
  file = open(temporary.c_str(), O_RDWR | O_CLOEXEC);
  return file < 0 ? lastError("can't open '" + temporary + "'")
                  : llvm::Error::success();
}

llvm::Error PendingFile::commit(bool executable) {
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(file, (executable ? 0777 : 0666) & ~mask) != 0 ||
      rename(temporary.c_str(), path.c_str()) != 0) {
    return lastError("can't write '" + path + "'");
  }
  temporary.clear();
  return llvm::Error::success();
}

} // namespace graphmill::host
