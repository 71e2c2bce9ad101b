#include "frontend/pt2/Archive.h"
#include "frontend/pt2/ReadError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CRC.h"
#include <new>
#include <zip.h>

namespace graphmill::pt2 {
namespace {

constexpr uint16_t kStored = 0, kDeflated = 8;

// Deflate can't do better than 1032:1, which only zeros reach; text in archives
// packs 30:1. Below 64 MiB unpacked, a bomb does no harm.
constexpr uint64_t kMaxExpansion = 200;
constexpr uint64_t kHarmlessBytes = uint64_t(64) << 20;

/// Of the largest element type, complex128; `new` aligns as much.
constexpr size_t kElementAlign = 16;
static_assert(kElementAlign <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

/// Names are only looked up here, never written to disk, but a tool that
/// unpacks the archive would follow such a name out of its folder.
bool isSafeName(llvm::StringRef name) {
  // Names may be UTF-8: the top-level folder is named after the user's file.
  auto isBad = [](unsigned char c) {
    return c == '\\' || c < 0x20 || c == 0x7f;
  };
  if (name.empty() || llvm::any_of(name, isBad)) {
    return false;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  name.split(parts, '/');
  return llvm::none_of(parts, [](llvm::StringRef part) {
    return part.empty() || part == "." || part == "..";
  });
}

/// Names may have 64 KiB.
llvm::StringRef shorten(llvm::StringRef name) { return name.take_front(200); }

} // namespace

Archive::Archive(llvm::StringRef path,
                 std::unique_ptr<llvm::MemoryBuffer> buffer)
    : path(path), buffer(std::move(buffer)), handle(nullptr, zip_discard) {}

Archive::~Archive() = default;

llvm::ArrayRef<uint8_t> Archive::bytes() const {
  return {reinterpret_cast<const uint8_t *>(buffer->getBufferStart()),
          buffer->getBufferSize()};
}

llvm::Expected<std::unique_ptr<Archive>> Archive::open(llvm::StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return readError(path, "", "can't be read: " + buffer.getError().message());
  }
  std::unique_ptr<Archive> archive(new Archive(path, std::move(*buffer)));
  llvm::Expected<std::vector<ZipMember>> members =
      scanZipDirectory(archive->bytes(), path);
  if (!members) {
    return members.takeError();
  }
  archive->members = std::move(*members);
  archive->inflated.resize(archive->members.size());
  if (llvm::Error error = archive->openZip()) {
    return error;
  }
  if (llvm::Error error = archive->indexMembers()) {
    return error;
  }
  return archive;
}

llvm::Error Archive::openZip() {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *source = zip_source_buffer_create(
      buffer->getBufferStart(), buffer->getBufferSize(), /*freep=*/0, &error);
  if (source) {
    handle.reset(
        zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error));
    if (!handle) {
      zip_source_free(source);
    }
  }
  std::string reason = zip_error_strerror(&error);
  zip_error_fini(&error);
  if (!handle) {
    return readError(path, "", "isn't a sound zip archive: " + reason,
                     "export the model again with torch.export.save");
  }
  return llvm::Error::success();
}

/// What libzip reads and what the scan found must be one and the same: a file
/// that two readers understand differently is not one to trust.
llvm::Error Archive::checkMember(const ZipMember &member,
                                 size_t position) const {
  llvm::StringRef name = shorten(member.name);
  if (!isSafeName(member.name)) {
    return readError(path, name, "has a name that leaves the archive's folder");
  }
  if (member.isEncrypted()) {
    return readError(path, name, "is encrypted",
                     "save the archive without a password");
  }
  if (member.method != kStored && member.method != kDeflated) {
    return readError(path, name,
                     "is packed by zip method " + llvm::Twine(member.method) +
                         ", expected stored or deflated",
                     "pack the archive again with `zip -0`");
  }
  if (member.method == kStored && member.packedBytes != member.unpackedBytes) {
    return readError(path, name,
                     "is stored in " + llvm::Twine(member.packedBytes) +
                         " bytes, but its size is given as " +
                         llvm::Twine(member.unpackedBytes));
  }
  if (member.unpackedBytes > kHarmlessBytes &&
      member.unpackedBytes / kMaxExpansion > member.packedBytes) {
    return readError(path, name,
                     llvm::Twine(member.packedBytes) + " bytes unpack to " +
                         llvm::Twine(member.unpackedBytes) + ", more than " +
                         llvm::Twine(kMaxExpansion) + " times as many");
  }
  zip_stat_t stat;
  if (zip_stat_index(handle.get(), position, ZIP_FL_ENC_RAW, &stat) != 0 ||
      member.name != stat.name || member.unpackedBytes != stat.size ||
      member.packedBytes != stat.comp_size ||
      member.method != stat.comp_method) {
    return readError(path, name, "two zip readers disagree about it",
                     "export the model again with torch.export.save");
  }
  return llvm::Error::success();
}

llvm::Error Archive::indexMembers() {
  if (zip_get_num_entries(handle.get(), 0) != int64_t(members.size())) {
    return readError(path, "",
                     "two zip readers disagree on the number of members");
  }
  std::string folder;
  for (const auto &[position, member] : llvm::enumerate(members)) {
    llvm::StringRef name = member.name;
    // Other zip tools list folders too, as empty members.
    if (name.ends_with("/") && member.unpackedBytes == 0) {
      continue;
    }
    if (llvm::Error error = checkMember(member, position)) {
      return error;
    }
    if (folder.empty()) {
      size_t slash = name.find('/');
      folder = slash == llvm::StringRef::npos
                   ? "/"
                   : name.take_front(slash + 1).str();
    }
    // "/" stands for no folder: old archives have none.
    if (folder != "/" && !name.consume_front(folder)) {
      return readError(path, shorten(member.name),
                       "is outside the archive's folder " + folder);
    }
    if (!index.try_emplace(name, position).second) {
      return readError(path, shorten(name), "occurs twice in the archive");
    }
  }
  return llvm::Error::success();
}

std::vector<llvm::StringRef> Archive::getMembers() const {
  std::vector<std::pair<size_t, llvm::StringRef>> order;
  for (const auto &entry : index) {
    order.emplace_back(entry.second, entry.first());
  }
  llvm::sort(order);
  std::vector<llvm::StringRef> names;
  for (const auto &[position, name] : order) {
    names.push_back(name);
  }
  return names;
}

llvm::Expected<llvm::ArrayRef<uint8_t>> Archive::read(llvm::StringRef name) {
  auto found = index.find(name);
  if (found == index.end()) {
    return readError(path, name, "is missing from the archive",
                     "is this an archive of torch.export.save?");
  }
  const ZipMember &member = members[found->second];
  if (member.method != kStored) {
    return inflate(found->second);
  }
  llvm::ArrayRef<uint8_t> stored = bytes().slice(member.dataOffset, member.packedBytes);
  bool isAligned = reinterpret_cast<uintptr_t>(stored.data()) % kElementAlign == 0;
  return isAligned ? stored : align(found->second, stored);
}

/// torch aligns members to 64 bytes; what other zip tools have written is copied.
llvm::ArrayRef<uint8_t> Archive::align(size_t position, llvm::ArrayRef<uint8_t> stored) {
  std::unique_ptr<uint8_t[]> &data = inflated[position];
  if (!data) {
    data.reset(new uint8_t[stored.size()]);
    llvm::copy(stored, data.get());
  }
  return {data.get(), stored.size()};
}

llvm::Expected<llvm::ArrayRef<uint8_t>> Archive::inflate(size_t position) {
  const ZipMember &member = members[position];
  std::unique_ptr<uint8_t[]> &data = inflated[position];
  if (!data) {
    std::unique_ptr<uint8_t[]> room(new (std::nothrow)
                                        uint8_t[member.unpackedBytes + 1]);
    std::unique_ptr<zip_file_t, int (*)(zip_file_t *)> file(
        zip_fopen_index(handle.get(), position, 0), zip_fclose);
    if (!room || !file) {
      return readError(path, member.name, "can't be unpacked");
    }
    // One byte more than promised is asked for, so that libzip reaches the
    // member's end and verifies its checksum.
    uint64_t done = 0;
    int64_t got = 0;
    do {
      got = zip_fread(file.get(), room.get() + done,
                      member.unpackedBytes + 1 - done);
      done += got > 0 ? got : 0;
    } while (got > 0 && done <= member.unpackedBytes);
    if (got < 0 || done != member.unpackedBytes) {
      return readError(path, member.name,
                       "doesn't unpack to the size it promises",
                       "the file is damaged; copy or export it again");
    }
    data = std::move(room);
  }
  return llvm::ArrayRef<uint8_t>(data.get(), member.unpackedBytes);
}

llvm::Expected<llvm::StringRef> Archive::readText(llvm::StringRef name) {
  llvm::Expected<llvm::ArrayRef<uint8_t>> data = read(name);
  if (!data) {
    return data.takeError();
  }
  if (llvm::crc32(*data) != members[index.lookup(name)].crc) {
    return readError(path, name, "its checksum is wrong",
                     "the file is damaged; copy or export it again");
  }
  return llvm::StringRef(reinterpret_cast<const char *>(data->data()),
                         data->size());
}

} // namespace graphmill::pt2
