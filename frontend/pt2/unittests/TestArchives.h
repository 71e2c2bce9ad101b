#pragma once
#include "frontend/pt2/Reader.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <gtest/gtest.h>

namespace graphmill::pt2 {

/// An archive of unittests/data, made by tools/examples/make_test_archives.py.
std::string example(llvm::StringRef name);

/// A file of these bytes, removed when the test ends.
class TempFile {
public:
  explicit TempFile(llvm::StringRef bytes);
  ~TempFile();
  llvm::StringRef getPath() const { return path; }

private:
  std::string path;
};

/// A member to write. What a sound writer would derive from `data` can be set
/// apart.
struct RawMember {
  std::string name, data;
  std::optional<uint32_t> crc = std::nullopt;
  std::optional<uint32_t> unpackedBytes = std::nullopt;
  uint16_t flags = 0, method = 0;
};

/// The bytes of a zip file with these members, in its simplest form, or with all
/// sizes and offsets in zip64 fields, as if they needed them.
std::string zipOf(llvm::ArrayRef<RawMember> members, bool zip64 = false);

/// The members of an example, one of them changed.
std::string editMember(llvm::StringRef example, llvm::StringRef member,
                       llvm::function_ref<void(std::string &)> edit);

/// An example whose `member` has the first `from` replaced by `to`.
std::string replaceIn(llvm::StringRef example, llvm::StringRef member,
                      llvm::StringRef from, llvm::StringRef to);

/// Reads the archive, which must succeed.
ExportedProgram readGood(llvm::StringRef path);

/// The message of reading an archive of these bytes, which must fail; the
/// file's path is left out.
std::string readBad(llvm::StringRef bytes);

} // namespace graphmill::pt2
