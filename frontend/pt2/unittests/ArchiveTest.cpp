#include "frontend/pt2/Archive.h"
#include "frontend/pt2/unittests/TestArchives.h"

using namespace graphmill::pt2;

namespace {

std::string openError(llvm::StringRef bytes) {
  TempFile file(bytes);
  auto archive = Archive::open(file.getPath());
  return archive ? "" : llvm::toString(archive.takeError());
}

#define EXPECT_HAS(text, part)                                                 \
  EXPECT_NE((text).find(part), std::string::npos) << "in: " << (text)

TEST(Archive, NamesMembersWithoutTheirFolder) {
  TempFile file(zipOf({{"stem/a", "1"}, {"stem/deep/b", "22"}}));
  auto archive = llvm::cantFail(Archive::open(file.getPath()));
  EXPECT_EQ(archive->getMembers(),
            (std::vector<llvm::StringRef>{"a", "deep/b"}));
  EXPECT_EQ(llvm::cantFail(archive->readText("deep/b")), "22");
}

TEST(Archive, ReadsZip64) {
  std::string zip = zipOf({{"t/a", "1"}, {"t/b", "22"}}, /*zip64=*/true);
  TempFile file(zip);
  auto archive = llvm::cantFail(Archive::open(file.getPath()));
  EXPECT_EQ(llvm::cantFail(archive->readText("b")), "22");
  // Where the locator points, where the directory is, and a member's extra
  // field.
  for (auto [record, offset] : {std::pair(llvm::StringRef("PK\x06\x07"), 8),
                                std::pair(llvm::StringRef("PK\x06\x06"), 48)}) {
    std::string copy = zip;
    copy[copy.find(record.str()) + offset] ^= 1;
    EXPECT_NE(openError(copy), "");
  }
  std::string copy = zip;
  copy[copy.rfind("t/b") + 3] = 2;
  EXPECT_HAS(openError(copy), "t/b: its size needs zip64 fields");
}

TEST(Archive, AlignsEveryMember) {
  TempFile file(zipOf({{"t/a", "1"}, {"t/bc", "22"}, {"t/def", "333"}}));
  auto archive = llvm::cantFail(Archive::open(file.getPath()));
  for (llvm::StringRef name : {"a", "bc", "def", "a"}) {
    llvm::ArrayRef<uint8_t> data = llvm::cantFail(archive->read(name));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data.data()) % 16, 0u) << name.str();
    EXPECT_EQ(data.size(), name.size());
    EXPECT_EQ(data[0], '0' + name.size());
  }
}

TEST(Archive, StoredMembersAreSpansOfTheMapping) {
  auto archive = llvm::cantFail(Archive::open(example("strided")));
  llvm::ArrayRef<uint8_t> once =
      llvm::cantFail(archive->read("data/weights/weight_0"));
  llvm::ArrayRef<uint8_t> twice =
      llvm::cantFail(archive->read("data/weights/weight_0"));
  EXPECT_EQ(once.size(), 24 * sizeof(float));
  EXPECT_EQ(once.data(), twice.data());
  EXPECT_EQ(uintptr_t(once.data()) % 16, 0u);
}

TEST(Archive, InflatesPackedMembersOnce) {
  auto archive = llvm::cantFail(Archive::open(example("mixed_dtypes")));
  llvm::ArrayRef<uint8_t> once =
      llvm::cantFail(archive->read("models/model.json"));
  EXPECT_EQ(once.front(), '{');
  EXPECT_EQ(once.back(), '}');
  EXPECT_EQ(once.data(),
            llvm::cantFail(archive->read("models/model.json")).data());
}

TEST(Archive, SaysWhichFileOrMemberIsMissing) {
  auto none = Archive::open("/nowhere/model.pt2");
  EXPECT_EQ(llvm::toString(none.takeError()),
            "/nowhere/model.pt2: can't be read: No such file or directory");
  TempFile file(zipOf({{"stem/a", "1"}}));
  auto archive = llvm::cantFail(Archive::open(file.getPath()));
  EXPECT_HAS(llvm::toString(archive->read("b").takeError()), "b: is missing");
}

TEST(Archive, RefusesWhatIsNoZip) {
  EXPECT_HAS(openError(""), "isn't a zip archive");
  EXPECT_HAS(openError(std::string(100000, 'x')), "isn't a zip archive");
}

TEST(Archive, RefusesUnsafeNames) {
  for (const char *name :
       {"../a", "t/../a", "/a", "t//a", "t/./a", "t\\a", "t/\n"}) {
    EXPECT_HAS(openError(zipOf({{name, "1"}})), "leaves the archive's folder");
  }
  EXPECT_EQ(openError(zipOf({{"mod\xc3\xa8le/a", "1"}})), "");
}

TEST(Archive, RefusesDuplicatesAndStrayMembers) {
  // libzip finds the duplicate first in some versions; either message will do.
  EXPECT_NE(openError(zipOf({{"t/a", "1"}, {"t/a", "2"}})), "");
  EXPECT_HAS(openError(zipOf({{"t/a", "1"}, {"u/a", "2"}})),
             "outside the archive's folder");
}

TEST(Archive, RefusesEncryptionAndUnknownPacking) {
  EXPECT_HAS(openError(zipOf({{"t/a", "1", {}, {}, /*flags=*/1}})),
             "is encrypted");
  EXPECT_HAS(openError(zipOf({{"t/a", "1", {}, {}, 0, /*method=*/12}})),
             "zip method 12");
}

TEST(Archive, RefusesBombs) {
  RawMember bomb{"t/a", std::string(1000, 'x'), {}, 0x7fffffffu, 0, 8};
  EXPECT_HAS(openError(zipOf({bomb})), "more than 200 times");
}

TEST(Archive, RefusesWrongSizes) {
  EXPECT_NE(openError(zipOf({{"t/a", "1", {}, 5u}})), "");
  // Garbage that claims to be deflated.
  TempFile file(zipOf({{"t/a", "garbage", {}, 100u, 0, 8}}));
  auto archive = llvm::cantFail(Archive::open(file.getPath()));
  EXPECT_HAS(llvm::toString(archive->read("a").takeError()), "doesn't unpack");
}

TEST(Archive, RefusesMembersOutOfBoundsAndOverlaps) {
  std::string zip =
      zipOf({{"t/a", std::string(100, 'a')}, {"t/b", std::string(100, 'b')}});
  size_t second = zip.find("t/b", zip.find("PK\x01\x02")) - 46;
  auto patched = [&](size_t at, uint32_t value) {
    std::string copy = zip;
    for (int i = 0; i < 4; ++i) {
      copy[at + i] = char(value >> (8 * i));
    }
    return copy;
  };
  // The second member's sizes, then its header's offset.
  std::string large = patched(second + 20, 5000);
  EXPECT_HAS(openError(large), "reach out of the file");
  EXPECT_HAS(openError(patched(second + 42, 0xfffffff0)), "no local header");
  EXPECT_HAS(openError(patched(second + 42, 0)), "another name");
  EXPECT_HAS(openError(patched(second + 20, 0xffffffff)), "zip64");
  size_t first = zip.find("PK\x01\x02");
  EXPECT_HAS(openError(patched(first + 20, 150)), "overlaps member t/a");
}

TEST(Archive, VerifiesTheChecksumOfText) {
  TempFile file(zipOf({{"t/a", "text", /*crc=*/1u}}));
  auto archive = llvm::cantFail(Archive::open(file.getPath()));
  EXPECT_HAS(llvm::toString(archive->readText("a").takeError()), "checksum");
}

} // namespace
