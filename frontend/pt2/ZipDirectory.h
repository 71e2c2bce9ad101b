#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace graphmill::pt2 {

/// One member of a zip file, as its central directory describes it.
struct ZipMember {
  std::string name;
  uint16_t flags = 0;
  /// 0 is stored, 8 is deflated.
  uint16_t method = 0;
  uint32_t crc = 0;
  uint64_t packedBytes = 0;
  uint64_t unpackedBytes = 0;
  /// Where the member's local header starts, counted from the file's start.
  uint64_t headerOffset = 0;
  /// Where its (packed) bytes start.
  uint64_t dataOffset = 0;

  bool isEncrypted() const { return flags & 1; }
};

/// Lists the members of the zip file in `bytes`, in directory order. libzip
/// doesn't say where a member's bytes lie, and weights are used where they lie
/// in the mapped file; hence this scan. Every offset and size is checked
/// against `bytes`, and members may not overlap, so that the spans they name
/// can be used without another look. Zip64 is understood; split archives
/// aren't.
llvm::Expected<std::vector<ZipMember>>
scanZipDirectory(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef file);

} // namespace graphmill::pt2
