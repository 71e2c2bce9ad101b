#include "tools/InputFile.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace graphmill::tools {

Error checkReadable(StringRef path) {
  using sys::fs::file_type;
  sys::fs::file_status status;
  std::error_code code = sys::fs::status(path, status);
  if (!code && status.type() == file_type::directory_file) {
    code = std::make_error_code(std::errc::is_a_directory);
  } else if (!code && faccessat(AT_FDCWD, path.str().c_str(), R_OK, AT_EACCESS) != 0) {
    code = std::error_code(errno, std::generic_category());
  }
  if (code) {
    return createStringError(code, "can't read '" + path + "': " + code.message());
  }
  if (status.type() != file_type::regular_file && status.type() != file_type::fifo_file) {
    return createStringError("can't read '" + path + "': it is a device, not a file");
  }
  return Error::success();
}

Expected<std::unique_ptr<MemoryBuffer>> readFile(StringRef path) {
  if (Error error = checkReadable(path)) {
    return std::move(error);
  }
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file) {
    return createStringError(file.getError(), "can't read '" + path + "': " + file.getError().message());
  }
  return std::move(*file);
}

} // namespace graphmill::tools
