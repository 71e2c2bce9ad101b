#include "codegen/host/FileBytes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
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
  // Links are followed: /dev/stdout is one.
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(path, real)) {
    real = path;
  }
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) && !llvm::sys::fs::is_regular_file(status)) {
    errno = EISDIR;
    int file = llvm::sys::fs::is_directory(status) ? -1 : memfd_create("output", MFD_CLOEXEC);
    if (file < 0) {
      return lastError("can't write '" + path + "'");
    }
    return PendingFile(path.str(), "", file);
  }
  llvm::SmallString<256> temporary(llvm::sys::path::parent_path(real));
  llvm::sys::path::append(temporary,
                          "." + llvm::sys::path::filename(real) + ".XXXXXX");
  temporary.c_str(); // ends it with a zero
  int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) {
    return lastError("can't write '" + path + "'");
  }
  llvm::sys::RemoveFileOnSignal(temporary);
  return PendingFile(real.str().str(), temporary.str().str(), file);
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
    llvm::sys::DontRemoveFileOnSignal(temporary);
  }
}

llvm::Error PendingFile::copyToPath() {
  int to = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (to < 0) {
    return lastError("can't write '" + path + "'");
  }
  llvm::SmallVector<char, 0> chunk(1 << 16);
  llvm::Error error = llvm::Error::success();
  ssize_t count = 0;
  for (off_t at = 0; !error && (count = pread(file, chunk.data(), chunk.size(), at)) > 0; at += count) {
    error = writeBytes(to, llvm::ArrayRef(chunk.data(), size_t(count)), path);
  }
  if (!error && count < 0) {
    error = lastError("can't write '" + path + "'");
  }
  close(to);
  return error;
}

llvm::Error PendingFile::moveToPath() {
  // Where there is a file, the two change places and the destructor removes the old one: for a
  // rename over a file, ext4 first writes all of the new one to the disk.
  if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) {
    return llvm::Error::success();
  }
  if (rename(temporary.c_str(), path.c_str()) != 0) {
    return lastError("can't write '" + path + "'");
  }
  llvm::sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
  return llvm::Error::success();
}

llvm::Error PendingFile::commit(bool executable) {
  if (temporary.empty()) {
    return copyToPath();
  }
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(file, (executable ? 0777 : 0666) & ~mask) != 0) {
    return lastError("can't write '" + path + "'");
  }
  return moveToPath();
}

} // namespace graphmill::host
