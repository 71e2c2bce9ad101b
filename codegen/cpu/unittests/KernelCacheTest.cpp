// Entries of the cache come back as they were put in, or not at all.
#include "codegen/cpu/KernelCache.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace graphmill;
using namespace graphmill::cpu;

namespace {

class KernelCacheTest : public testing::Test {
protected:
  KernelCacheTest() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("graphmill-cache", folder));
    setenv("GRAPHMILL_CACHE", folder.c_str(), /*overwrite=*/1);
    const char object[] = "\177ELF and so on\n";
    entry.object.bytes.assign(object, object + sizeof(object));
    entry.emitted = {mlir::getAffineSymbolExpr(0, &context).ceilDiv(8), mlir::getAffineConstantExpr(64, &context),
                     mlir::getAffineConstantExpr(1, &context)};
    KernelCache::open().insert("0123456789abcdef", entry);
  }
  ~KernelCacheTest() override {
    unsetenv("GRAPHMILL_CACHE");
    llvm::sys::fs::remove_directories(folder);
  }

  std::string path() const { return (folder + "/0123456789abcdef").str(); }

  std::string readFile() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// Whether a file with these bytes counts as an entry.
  bool isFound(const std::string &bytes) {
    std::ofstream(path(), std::ios::binary) << bytes;
    return KernelCache::open().find("0123456789abcdef", &context).has_value();
  }

  mlir::MLIRContext context;
  llvm::SmallString<128> folder;
  KernelCache::Entry entry;
};

TEST_F(KernelCacheTest, givesBackWhatWasPutIn) {
  auto found = KernelCache::open().find("0123456789abcdef", &context);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->object.bytes == entry.object.bytes);
  EXPECT_EQ(found->emitted.grid, entry.emitted.grid);
  EXPECT_EQ(found->emitted.scratchBytes, entry.emitted.scratchBytes);
}

TEST_F(KernelCacheTest, spoiltEntriesAreAbsent) {
  std::string good = readFile();
  ASSERT_TRUE(isFound(good));
  for (size_t i = 0; i < good.size(); ++i) {
    std::string flipped = good;
    flipped[i] ^= 0x40;
    EXPECT_FALSE(isFound(flipped)) << "byte " << i;
    EXPECT_FALSE(isFound(good.substr(0, i))) << "cut to " << i;
  }
  EXPECT_FALSE(isFound(good + "x"));
}

} // namespace
