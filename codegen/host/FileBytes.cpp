#include "codegen/host/FileBytes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
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

/// What `path` names behind links, whether it is there or not.
static std::filesystem::path followLinks(llvm::StringRef path) {
  std::filesystem::path real = path.str();
  std::error_code code;
  while (std::filesystem::is_symlink(real, code)) {
    real = real.parent_path() / std::filesystem::read_symlink(real, code);
  }
  return real;
}

static std::string folderOf(const std::string &path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// A name that is free, in all likelihood. Short, for the file's own name may be as long as names can be.
static std::string temporaryBeside(const std::string &path) {
  llvm::SmallString<128> name;
  llvm::sys::fs::createUniquePath(".graphmill-%%%%%%%%%%%%", name, /*MakeAbsolute=*/false);
  return (std::filesystem::path(path).parent_path() / name.str().str()).string();
}

llvm::Expected<PendingFile> PendingFile::create(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  std::error_code code = llvm::sys::fs::status(path, status);
  if (code && code != std::errc::no_such_file_or_directory) { // links in a circle, too
    return llvm::createStringError(code, "can't write '" + path + "': " + code.message());
  }
  if (!code && !llvm::sys::fs::is_regular_file(status)) {
    errno = EISDIR;
    int file = llvm::sys::fs::is_directory(status) ? -1 : memfd_create("output", MFD_CLOEXEC);
    if (file < 0) {
      return lastError("can't write '" + path + "'");
    }
    return PendingFile(Kind::InMemory, path.str(), file);
  }
  std::string real = followLinks(path).string();
  int file = open(folderOf(real).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) {
    return PendingFile(Kind::Nameless, std::move(real), file);
  }
  // Not every file system has nameless files; what else is wrong is wrong here, too.
  std::string temporary = temporaryBeside(real);
  file = open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) {
    return lastError("can't write '" + path + "'");
  }
  PendingFile pending(Kind::Named, std::move(real), file);
  pending.nameTemporary(std::move(temporary));
  return pending;
}

void PendingFile::nameTemporary(std::string name) {
  temporary = std::move(name);
  llvm::sys::RemoveFileOnSignal(temporary);
}

PendingFile::PendingFile(PendingFile &&other) noexcept
    : kind(other.kind), path(std::move(other.path)), temporary(std::move(other.temporary)),
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
  // Without O_NONBLOCK a pipe that nobody reads would wait for ever.
  int to = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (to < 0) {
    return errno == ENXIO ? llvm::createStringError("can't write '" + path + "': it is a pipe that nobody reads")
                          : lastError("can't write '" + path + "'");
  }
  fcntl(to, F_SETFL, O_WRONLY);
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

/// Gives a nameless file its name, or a temporary one if there is a file of that name.
llvm::Error PendingFile::linkToPath() {
  std::string self = "/proc/self/fd/" + std::to_string(file);
  auto link = [&](const std::string &name) {
    return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (link(path)) {
    return llvm::Error::success();
  }
  std::string name = temporaryBeside(path);
  if (errno != EEXIST || !link(name)) {
    return lastError("can't write '" + path + "'");
  }
  nameTemporary(std::move(name));
  return moveToPath();
}

llvm::Error PendingFile::moveToPath() {
  // Where there is a file, the two change places and the old one is removed at once: for a
  // rename over a file, ext4 first writes all of the new one to the disk.
  if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) {
    unlink(temporary.c_str());
  } else if (rename(temporary.c_str(), path.c_str()) != 0) {
    return lastError("can't write '" + path + "'");
  }
  llvm::sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
  return llvm::Error::success();
}

llvm::Error PendingFile::commit(bool executable) {
  if (kind == Kind::InMemory) {
    return copyToPath();
  }
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(file, (executable ? 0777 : 0666) & ~mask) != 0) {
    return lastError("can't write '" + path + "'");
  }
  return kind == Kind::Nameless ? linkToPath() : moveToPath();
}

} // namespace graphmill::host
