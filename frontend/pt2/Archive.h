#pragma once
#include "frontend/pt2/ZipDirectory.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

struct zip;

namespace graphmill::pt2 {

/// A `.pt2` file, mapped. Members are named without the top-level folder that
/// torch puts them in (the archive's stem, so it varies). Spans handed out live
/// as long as the Archive; stored members are spans of the mapping, so a weight
/// costs no memory until it's read. Not for use by several threads at once.
class Archive {
public:
  /// Maps the file and checks its directory: bounds, overlaps, names,
  /// encryption.
  static llvm::Expected<std::unique_ptr<Archive>> open(llvm::StringRef path);
  ~Archive();

  llvm::StringRef getPath() const { return path; }
  bool contains(llvm::StringRef member) const { return index.contains(member); }

  /// The members' names, in the archive's order.
  std::vector<llvm::StringRef> getMembers() const;

  /// A member's bytes, inflated (once) if packed, and aligned for any element type: torch's
  /// writer aligns them to 64, other zip tools don't, so theirs are copied.
  llvm::Expected<llvm::ArrayRef<uint8_t>> read(llvm::StringRef member);

  /// The same as text, its checksum verified: for what is parsed, not for
  /// weights.
  llvm::Expected<llvm::StringRef> readText(llvm::StringRef member);

private:
  Archive(llvm::StringRef path, std::unique_ptr<llvm::MemoryBuffer> buffer);
  llvm::ArrayRef<uint8_t> bytes() const;
  llvm::Error openZip();
  llvm::Error indexMembers();
  llvm::Error checkMember(const ZipMember &member, size_t position) const;
  llvm::Expected<llvm::ArrayRef<uint8_t>> inflate(size_t position);
  llvm::ArrayRef<uint8_t> align(size_t position, llvm::ArrayRef<uint8_t> stored);

  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::unique_ptr<zip, void (*)(zip *)> handle;
  std::vector<ZipMember> members;
  /// Name without the top-level folder -> position in `members`.
  llvm::StringMap<size_t> index;
  /// Position -> bytes of members that had to be inflated or moved.
  std::vector<std::unique_ptr<uint8_t[]>> inflated;
};

} // namespace graphmill::pt2
