#include "frontend/pt2/unittests/TestArchives.h"
#include "frontend/pt2/Archive.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace graphmill::pt2 {
namespace {

/// Appends little-endian integers to a string.
class ByteWriter {
public:
  ByteWriter &u16(uint16_t value) { return integer(value, 2); }
  ByteWriter &u32(uint32_t value) { return integer(value, 4); }
  ByteWriter &u64(uint32_t value) { return integer(value, 4).integer(0, 4); }
  ByteWriter &text(llvm::StringRef value) {
    bytes += value;
    return *this;
  }
  std::string bytes;

private:
  ByteWriter &integer(uint32_t value, int count) {
    for (int i = 0; i < count; ++i) {
      bytes += char(value >> (8 * i));
    }
    return *this;
  }
};

constexpr uint32_t kIn64 = 0xffffffff;

/// The fields that local and central headers share, version needed to sizes.
void writeCommon(ByteWriter &out, const RawMember &member, bool zip64) {
  llvm::ArrayRef<uint8_t> data(
      reinterpret_cast<const uint8_t *>(member.data.data()),
      member.data.size());
  uint32_t unpackedBytes = member.unpackedBytes.value_or(data.size());
  out.u16(zip64 ? 45 : 20).u16(member.flags).u16(member.method).u32(0);
  out.u32(member.crc.value_or(llvm::crc32(data)));
  out.u32(zip64 ? kIn64 : data.size()).u32(zip64 ? kIn64 : unpackedBytes);
  out.u16(member.name.size());
}

void writeZip64End(ByteWriter &out, size_t count, uint32_t directoryBytes,
                   uint32_t directoryOffset) {
  uint32_t at = out.bytes.size();
  out.u32(0x06064b50).u64(44).u16(45).u16(45).u32(0).u32(0);
  out.u64(count).u64(count).u64(directoryBytes).u64(directoryOffset);
  out.u32(0x07064b50).u32(0).u64(at).u32(1);
}

} // namespace

std::string example(llvm::StringRef name) {
  return (llvm::StringRef(PT2_TEST_DATA) + "/" + name + ".pt2").str();
}

TempFile::TempFile(llvm::StringRef bytes) {
  llvm::SmallString<128> name;
  int descriptor = -1;
  EXPECT_FALSE(
      llvm::sys::fs::createTemporaryFile("pt2test", "pt2", descriptor, name));
  path = std::string(name);
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << bytes;
}

TempFile::~TempFile() { llvm::sys::fs::remove(path); }

std::string zipOf(llvm::ArrayRef<RawMember> members, bool zip64) {
  ByteWriter out, directory;
  for (const RawMember &member : members) {
    uint32_t headerOffset = out.bytes.size();
    out.u32(0x04034b50);
    writeCommon(out, member, zip64);
    out.u16(zip64 ? 20 : 0).text(member.name);
    directory.u32(0x02014b50).u16(45);
    writeCommon(directory, member, zip64);
    directory.u16(zip64 ? 28 : 0).u16(0).u16(0).u16(0).u32(0);
    directory.u32(zip64 ? kIn64 : headerOffset).text(member.name);
    if (zip64) {
      out.u16(1).u16(16).u64(member.data.size()).u64(member.data.size());
      directory.u16(1).u16(24).u64(member.data.size());
      directory.u64(member.data.size()).u64(headerOffset);
    }
    out.text(member.data);
  }
  uint32_t offset = out.bytes.size();
  out.text(directory.bytes);
  if (zip64) {
    writeZip64End(out, members.size(), directory.bytes.size(), offset);
  }
  out.u32(0x06054b50).u32(0).u16(members.size()).u16(members.size());
  out.u32(directory.bytes.size()).u32(zip64 ? kIn64 : offset).u16(0);
  return out.bytes;
}

std::string editMember(llvm::StringRef name, llvm::StringRef edited,
                       llvm::function_ref<void(std::string &)> edit) {
  auto archive = llvm::cantFail(Archive::open(example(name)));
  std::vector<RawMember> members;
  for (llvm::StringRef member : archive->getMembers()) {
    llvm::ArrayRef<uint8_t> data = llvm::cantFail(archive->read(member));
    members.push_back(
        {("top/" + member).str(), std::string(data.begin(), data.end())});
    if (member == edited) {
      edit(members.back().data);
      edited = "";
    }
  }
  EXPECT_EQ(edited, "") << "no such member";
  return zipOf(members);
}

std::string replaceIn(llvm::StringRef name, llvm::StringRef member,
                      llvm::StringRef from, llvm::StringRef to) {
  return editMember(name, member, [&](std::string &text) {
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from.str();
    text.replace(at, from.size(), to);
  });
}

ExportedProgram readGood(llvm::StringRef path) {
  llvm::Expected<ExportedProgram> program = readArchive(path);
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  return std::move(*program);
}

std::string readBad(llvm::StringRef bytes) {
  TempFile file(bytes);
  llvm::Expected<ExportedProgram> program = readArchive(file.getPath());
  if (program) {
    ADD_FAILURE() << "was read";
    return "";
  }
  std::string message = llvm::toString(program.takeError());
  EXPECT_TRUE(llvm::StringRef(message).starts_with(file.getPath())) << message;
  return message.substr(file.getPath().size() + 2);
}

} // namespace graphmill::pt2
