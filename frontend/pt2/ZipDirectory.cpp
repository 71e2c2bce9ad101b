#include "frontend/pt2/ZipDirectory.h"
#include "frontend/pt2/ReadError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include <optional>

namespace graphmill::pt2 {
namespace {

// Record signatures and fixed sizes: PKWARE's APPNOTE.TXT 6.3, sections 4.3.7
// to 4.3.16.
constexpr uint32_t kLocalSignature = 0x04034b50;
constexpr uint32_t kCentralSignature = 0x02014b50;
constexpr uint32_t kEndSignature = 0x06054b50;
constexpr uint32_t kEnd64Signature = 0x06064b50;
constexpr uint32_t kLocatorSignature = 0x07064b50;
constexpr uint64_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22;
constexpr uint64_t kEnd64Bytes = 56, kLocatorBytes = 20;
constexpr uint64_t kMaxCommentBytes = 0xffff;
constexpr uint16_t kZip64Extra = 0x0001;
constexpr uint32_t kIn64 = 0xffffffff;

/// Where the central directory lies and how many members it lists.
struct DirectoryExtent {
  uint64_t offset, sizeBytes, count;
};

class Scanner {
public:
  Scanner(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef file)
      : bytes(bytes), file(file) {}

  llvm::Expected<std::vector<ZipMember>> scan();

private:
  bool fits(uint64_t offset, uint64_t size) const {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  }
  uint16_t u16(uint64_t at) const {
    return llvm::support::endian::read16le(bytes.data() + at);
  }
  uint32_t u32(uint64_t at) const {
    return llvm::support::endian::read32le(bytes.data() + at);
  }
  uint64_t u64(uint64_t at) const {
    return llvm::support::endian::read64le(bytes.data() + at);
  }
  llvm::Error damaged(llvm::StringRef where, const llvm::Twine &what) const {
    return readError(
        file, where, what,
        "the file is truncated or damaged; copy it again or export "
        "the model again with torch.export.save");
  }

  std::optional<uint64_t> findEndRecord() const;
  llvm::Expected<DirectoryExtent> findDirectory() const;
  llvm::Expected<ZipMember> readMember(uint64_t &cursor, uint64_t end) const;
  llvm::Error readZip64Extra(ZipMember &member, uint64_t extra,
                             uint64_t extraEnd) const;
  llvm::Error locateData(ZipMember &member, uint64_t directoryOffset) const;
  llvm::Error checkDisjoint(llvm::ArrayRef<ZipMember> members) const;

  llvm::ArrayRef<uint8_t> bytes;
  llvm::StringRef file;
};

/// The end record closes the file, but for a comment that it gives the length
/// of.
std::optional<uint64_t> Scanner::findEndRecord() const {
  if (bytes.size() < kEndBytes) {
    return std::nullopt;
  }
  uint64_t last = bytes.size() - kEndBytes;
  uint64_t first = last > kMaxCommentBytes ? last - kMaxCommentBytes : 0;
  for (uint64_t at = last + 1; at-- > first;) {
    if (u32(at) == kEndSignature &&
        at + kEndBytes + u16(at + 20) == bytes.size()) {
      return at;
    }
  }
  return std::nullopt;
}

llvm::Expected<DirectoryExtent> Scanner::findDirectory() const {
  std::optional<uint64_t> end = findEndRecord();
  if (!end) {
    return damaged("", "isn't a zip archive: no end-of-directory record");
  }
  DirectoryExtent extent{u32(*end + 16), u32(*end + 12), u16(*end + 10)};
  bool needs64 = extent.offset == kIn64 || extent.sizeBytes == kIn64 ||
                 extent.count == 0xffff;
  uint64_t directoryLimit = *end;
  if (needs64 && *end >= kLocatorBytes &&
      u32(*end - kLocatorBytes) == kLocatorSignature) {
    uint64_t at = u64(*end - kLocatorBytes + 8);
    if (!fits(at, kEnd64Bytes) || u32(at) != kEnd64Signature) {
      return damaged("", "the zip64 end record isn't where its locator points");
    }
    extent = {u64(at + 48), u64(at + 40), u64(at + 32)};
    directoryLimit = at;
  }
  if (extent.offset > directoryLimit ||
      extent.sizeBytes > directoryLimit - extent.offset) {
    return damaged("", "the zip directory (" + llvm::Twine(extent.sizeBytes) +
                           " bytes at " + llvm::Twine(extent.offset) +
                           ") reaches out of the file of " +
                           llvm::Twine(bytes.size()) + " bytes");
  }
  // Checked before anything is allocated by it.
  if (extent.count > extent.sizeBytes / kCentralBytes) {
    return damaged("", "the zip directory claims " + llvm::Twine(extent.count) +
                           " members in " + llvm::Twine(extent.sizeBytes) +
                           " bytes");
  }
  return extent;
}

/// Sizes and offsets that don't fit 32 bits are in the zip64 extra field, in
/// this order, and only those.
llvm::Error Scanner::readZip64Extra(ZipMember &member, uint64_t extra,
                                    uint64_t extraEnd) const {
  if (member.unpackedBytes != kIn64 && member.packedBytes != kIn64 &&
      member.headerOffset != kIn64) {
    return llvm::Error::success();
  }
  while (extraEnd - extra >= 4) {
    uint16_t id = u16(extra), size = u16(extra + 2);
    extra += 4;
    if (size > extraEnd - extra) {
      break;
    }
    if (id == kZip64Extra) {
      uint64_t fieldEnd = extra + size;
      for (uint64_t *value :
           {&member.unpackedBytes, &member.packedBytes, &member.headerOffset}) {
        if (*value != kIn64) {
          continue;
        }
        if (fieldEnd - extra < 8) {
          return damaged(member.name, "its zip64 sizes are cut short");
        }
        *value = u64(extra);
        extra += 8;
      }
      return llvm::Error::success();
    }
    extra += size;
  }
  return damaged(member.name, "its size needs zip64 fields, but it has none");
}

llvm::Expected<ZipMember> Scanner::readMember(uint64_t &cursor,
                                              uint64_t end) const {
  if (end - cursor < kCentralBytes || u32(cursor) != kCentralSignature) {
    return damaged("", "the zip directory has no record at byte " +
                           llvm::Twine(cursor));
  }
  uint64_t nameBytes = u16(cursor + 28), extraBytes = u16(cursor + 30);
  uint64_t totalBytes =
      kCentralBytes + nameBytes + extraBytes + u16(cursor + 32);
  if (totalBytes > end - cursor) {
    return damaged("", "the zip directory's record at byte " +
                           llvm::Twine(cursor) + " reaches out of it");
  }
  ZipMember member;
  member.name.assign(
      reinterpret_cast<const char *>(bytes.data() + cursor + kCentralBytes),
      nameBytes);
  member.flags = u16(cursor + 8);
  member.method = u16(cursor + 10);
  member.crc = u32(cursor + 16);
  member.packedBytes = u32(cursor + 20);
  member.unpackedBytes = u32(cursor + 24);
  member.headerOffset = u32(cursor + 42);
  uint64_t extra = cursor + kCentralBytes + nameBytes;
  if (llvm::Error error = readZip64Extra(member, extra, extra + extraBytes)) {
    return error;
  }
  cursor += totalBytes;
  return member;
}

/// The local header repeats the name and has an extra field of its own length
/// (torch pads with it to align the bytes to 64), so it must be read as well.
llvm::Error Scanner::locateData(ZipMember &member,
                                uint64_t directoryOffset) const {
  uint64_t at = member.headerOffset;
  if (at > directoryOffset || directoryOffset - at < kLocalBytes ||
      u32(at) != kLocalSignature) {
    return damaged(member.name,
                   "has no local header at byte " + llvm::Twine(at));
  }
  uint64_t room = directoryOffset - at - kLocalBytes;
  uint64_t nameBytes = u16(at + 26), extraBytes = u16(at + 28);
  if (nameBytes + extraBytes > room ||
      member.packedBytes > room - nameBytes - extraBytes) {
    return damaged(member.name, llvm::Twine(member.packedBytes) +
                                    " bytes reach out of the file");
  }
  llvm::StringRef localName(
      reinterpret_cast<const char *>(bytes.data() + at + kLocalBytes),
      nameBytes);
  if (localName != member.name) {
    return damaged(member.name, "its local header has another name");
  }
  member.dataOffset = at + kLocalBytes + nameBytes + extraBytes;
  return llvm::Error::success();
}

llvm::Error Scanner::checkDisjoint(llvm::ArrayRef<ZipMember> members) const {
  std::vector<const ZipMember *> order;
  for (const ZipMember &member : members) {
    order.push_back(&member);
  }
  llvm::sort(order, [](const ZipMember *a, const ZipMember *b) {
    return a->headerOffset < b->headerOffset;
  });
  for (size_t i = 1; i < order.size(); ++i) {
    const ZipMember &before = *order[i - 1];
    if (before.dataOffset + before.packedBytes > order[i]->headerOffset) {
      return damaged(order[i]->name, "overlaps member " + before.name);
    }
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<ZipMember>> Scanner::scan() {
  llvm::Expected<DirectoryExtent> extent = findDirectory();
  if (!extent) {
    return extent.takeError();
  }
  std::vector<ZipMember> members;
  members.reserve(extent->count);
  uint64_t cursor = extent->offset;
  for (uint64_t i = 0; i < extent->count; ++i) {
    llvm::Expected<ZipMember> member =
        readMember(cursor, extent->offset + extent->sizeBytes);
    if (!member) {
      return member.takeError();
    }
    if (llvm::Error error = locateData(*member, extent->offset)) {
      return error;
    }
    members.push_back(std::move(*member));
  }
  if (llvm::Error error = checkDisjoint(members)) {
    return error;
  }
  return members;
}

} // namespace

llvm::Expected<std::vector<ZipMember>>
scanZipDirectory(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef file) {
  return Scanner(bytes, file).scan();
}

} // namespace graphmill::pt2
