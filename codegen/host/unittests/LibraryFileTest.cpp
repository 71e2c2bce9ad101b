// The library as a file: what is in it, how it gets there, how it is mapped.
#include "codegen/host/unittests/TinyLibrary.h"
#include "codegen/host/Checksum.h"
#include "codegen/host/FileBytes.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace graphmill::host {
namespace {

class LibraryFileTest : public testing::Test {
protected:
  llvm::Error buildAt(const std::string &path) {
    std::vector<ObjectFile> kernels;
    kernels.push_back(compileText(kScaleKernel, target));
    return buildLibrary(scale.plan, kernels, target, {path, ""});
  }

  std::string build(llvm::StringRef name = "scale.so") {
    std::string path = folder.file(name);
    expectNoError(buildAt(path));
    return path;
  }

  ScratchFolder folder;
  ScalePlan scale;
  TargetSpec target = llvm::cantFail(TargetSpec::parse("native"));
};

TEST_F(LibraryFileTest, isReproducible) {
  auto first = llvm::MemoryBuffer::getFile(build());
  std::string before = (*first)->getBuffer().str();
  auto second = llvm::MemoryBuffer::getFile(build());
  EXPECT_TRUE(before == (*second)->getBuffer());
}

TEST_F(LibraryFileTest, leavesNothingWhenItCannotBeBuilt) {
  std::string path = folder.file("scale.so");
  std::string message =
      textOf(buildLibrary(scale.plan, {}, target, {path, "scale.safetensors"}));
  EXPECT_TRUE(
      llvm::StringRef(message).contains("undefined hidden symbol: scale"))
      << message;
  EXPECT_TRUE(folder.list().empty());
  message = textOf(
      buildLibrary(scale.plan, {}, target, {folder.file("none/scale.so"), ""}));
  EXPECT_EQ(message, "can't write '" + folder.file("none/scale.so") +
                         "': No such file or directory");
}

/// Mounts of this process alone; who isn't root becomes it in a namespace of users.
static bool enterOwnMounts() {
  std::string uid = "0 " + std::to_string(getuid()) + " 1", gid = "0 " + std::to_string(getgid()) + " 1";
  if (geteuid() == 0) {
    return unshare(CLONE_NEWNS) == 0;
  }
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
    return false;
  }
  std::ofstream("/proc/self/uid_map") << uid;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/gid_map") << gid;
  return geteuid() == 0;
}

/// Runs `work` where files may take `bytes` in all; false if the system grants no such folder.
static bool onSmallDisk(const std::string &folder, const char *bytes, llvm::function_ref<void()> work) {
  pid_t child = fork();
  if (child == 0) {
    if (!enterOwnMounts() || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", folder.c_str(), "tmpfs", 0, (std::string("size=") + bytes).c_str()) != 0) {
      _exit(77);
    }
    work();
    _exit(testing::Test::HasFailure());
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
    return false;
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  return true;
}

TEST_F(LibraryFileTest, saysThatTheDiskIsFull) {
  bool couldTry = onSmallDisk(folder.file("."), "16k", [&] {
    std::vector<ObjectFile> kernels;
    kernels.push_back(compileText(kScaleKernel, target));
    std::string path = folder.file("scale.so");
    std::string expected = "can't write '" + path + "': No space left on device";
    EXPECT_EQ(textOf(buildLibrary(scale.plan, kernels, target, {path, ""})), expected);
    EXPECT_EQ(textOf(buildLibrary(scale.plan, kernels, target, {path, "scale.safetensors"})), expected);
    EXPECT_TRUE(folder.list().empty());
    // An earlier library stays as it is.
    std::ofstream(path) << "earlier";
    EXPECT_EQ(textOf(buildLibrary(scale.plan, kernels, target, {path, ""})), expected);
    EXPECT_EQ(folder.list(), std::vector<std::string>{"scale.so"});
    EXPECT_EQ((*llvm::MemoryBuffer::getFile(path))->getBuffer(), "earlier");
  });
  if (!couldTry) {
    GTEST_SKIP() << "no small disk can be mounted here";
  }
}

TEST_F(LibraryFileTest, tellsWhichByteIsDamaged) {
  std::string good = (*llvm::MemoryBuffer::getFile(build()))->getBuffer().str();
  EXPECT_EQ(llvm::cantFail(verifyChecksum(good)), ChecksumState::Right);
  auto elf = llvm::cantFail(llvm::object::ELF64LEFile::create(good));
  size_t damaged = 0;
  for (const auto &segment : llvm::cantFail(elf.program_headers())) {
    if (segment.p_type != llvm::ELF::PT_LOAD) {
      continue;
    }
    size_t first = std::max<size_t>(segment.p_offset, 64); // the ELF header has its own test
    for (size_t i = first; i < segment.p_offset + segment.p_filesz; ++i, ++damaged) {
      std::string bad = good;
      bad[i] ^= 1;
      llvm::Expected<ChecksumState> state = verifyChecksum(bad);
      bool isOffset = state && *state == ChecksumState::Right;
      llvm::consumeError(state.takeError());
      // Offsets of segments without contents say nothing.
      EXPECT_TRUE(!isOffset || i < 64 + 56 * elf.getHeader().e_phnum) << "byte " << i;
    }
  }
  EXPECT_GT(damaged, 10000u);
}

TEST_F(LibraryFileTest, hasNoNameUntilItIsComplete) {
  for (const char *contents : {"first", "second"}) {
    std::vector<std::string> before = folder.list();
    auto file = PendingFile::create(folder.file("f"));
    ASSERT_TRUE(bool(file));
    expectNoError(writeBytes(file->descriptor(), llvm::ArrayRef(contents, strlen(contents)), "f"));
    EXPECT_EQ(folder.list(), before);
    expectNoError(file->commit(/*executable=*/false));
    EXPECT_EQ((*llvm::MemoryBuffer::getFile(folder.file("f")))->getBuffer(), contents);
  }
  EXPECT_EQ(folder.list(), std::vector<std::string>{"f"});
}

TEST_F(LibraryFileTest, writesIntoAPipeAndLeavesItThere) {
  std::string pipe = folder.file("pipe"), bytes;
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(textOf(buildAt(pipe)), "can't write '" + pipe + "': it is a pipe that nobody reads");
  pollfd end = {open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC), POLLIN, 0};
  std::thread reader([&] {
    poll(&end, 1, -1);
    fcntl(end.fd, F_SETFL, O_RDONLY);
    auto file = llvm::MemoryBuffer::getOpenFile(end.fd, pipe, /*FileSize=*/-1, /*RequiresNullTerminator=*/false);
    bytes = file ? (*file)->getBuffer().str() : "";
  });
  build("pipe");
  reader.join();
  close(end.fd);
  EXPECT_EQ(folder.list(), std::vector<std::string>{"pipe"});
  EXPECT_TRUE(llvm::StringRef(bytes).starts_with("\177ELF"));
  auto file = llvm::MemoryBuffer::getFile(build());
  EXPECT_EQ(bytes.size(), (*file)->getBufferSize());
}

TEST_F(LibraryFileTest, hasANameAsLongAsNamesCanBe) {
  EXPECT_TRUE(Loaded(build(std::string(252, 'n') + ".so")));
  std::string path = folder.file(std::string(253, 'n') + ".so");
  EXPECT_EQ(textOf(buildAt(path)), "can't write '" + path + "': File name too long");
}

TEST_F(LibraryFileTest, isWrittenWhereLinksLead) {
  std::string link = folder.file("link.so"), next = folder.file("next.so");
  ASSERT_EQ(symlink("next.so", link.c_str()), 0);
  ASSERT_EQ(symlink(folder.file("scale.so").c_str(), next.c_str()), 0);
  // The second time there is a file already.
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(Loaded(build("link.so")));
    EXPECT_EQ(folder.list(), (std::vector<std::string>{"link.so", "next.so", "scale.so"}));
    EXPECT_TRUE(std::filesystem::is_symlink(link) && std::filesystem::is_symlink(next));
  }
  std::string circle = folder.file("circle.so");
  ASSERT_EQ(symlink("circle.so", circle.c_str()), 0);
  EXPECT_EQ(textOf(buildAt(circle)), "can't write '" + circle + "': Too many levels of symbolic links");
}

TEST_F(LibraryFileTest, linksForAArch64) {
  target = llvm::cantFail(TargetSpec::parse("aarch64"));
  auto binary = llvm::object::createBinary(build());
  ASSERT_TRUE(bool(binary));
  auto *elf =
      llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(binary->getBinary());
  ASSERT_TRUE(elf);
  EXPECT_EQ(elf->getELFFile().getHeader().e_machine, llvm::ELF::EM_AARCH64);
}

TEST_F(LibraryFileTest, exportsOnlyThePublicInterface) {
  auto binary = llvm::object::createBinary(build());
  ASSERT_TRUE(bool(binary));
  auto *elf = llvm::cast<llvm::object::ELF64LEObjectFile>(binary->getBinary());
  unsigned numExported = 0;
  for (const llvm::object::ELFSymbolRef symbol :
       elf->getDynamicSymbolIterators()) {
    uint32_t flags = llvm::cantFail(symbol.getFlags());
    if (!(flags & llvm::object::SymbolRef::SF_Undefined)) {
      llvm::StringRef name = llvm::cantFail(symbol.getName());
      EXPECT_TRUE(name.starts_with("gm_")) << name.str();
      ++numExported;
    }
  }
  EXPECT_EQ(numExported, 18u);
  std::vector<std::string> needed;
  llvm::StringRef strings;
  for (const auto &entry : llvm::cantFail(elf->getELFFile().dynamicEntries())) {
    if (entry.getTag() == llvm::ELF::DT_STRTAB) {
      strings = reinterpret_cast<const char *>(
          llvm::cantFail(elf->getELFFile().toMappedAddr(entry.getPtr())));
    }
  }
  for (const auto &entry : llvm::cantFail(elf->getELFFile().dynamicEntries())) {
    if (entry.getTag() == llvm::ELF::DT_NEEDED) {
      needed.push_back(strings.data() + entry.getVal());
    }
  }
  EXPECT_EQ(needed, std::vector<std::string>{"libc.so.6"});
}

TEST_F(LibraryFileTest, takesMoreKernelsThanAProcessMayOpenFiles) {
  std::vector<ObjectFile> kernels;
  scale.plan.steps.resize(1);
  for (int k = 0; k < 60; ++k) {
    std::string name = "scale" + std::to_string(k);
    std::string text = kScaleKernel;
    text.replace(text.find("scale"), 5, name);
    kernels.push_back(compileText(text, target));
    scale.plan.steps.push_back(scale.plan.steps[0]);
    scale.plan.steps.back().kernel = name;
  }
  scale.plan.steps.erase(scale.plan.steps.begin());
  rlimit before, few;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  few = {40, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  expectNoError(
      buildLibrary(scale.plan, kernels, target, {folder.file("many.so"), ""}));
  EXPECT_TRUE(Loaded(folder.file("many.so")));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST_F(LibraryFileTest, isBuiltByManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      ScalePlan plan;
      std::vector<ObjectFile> kernels;
      kernels.push_back(compileText(kScaleKernel, target));
      expectNoError(
          buildLibrary(plan.plan, kernels, target,
                       {folder.file("scale" + std::to_string(t) + ".so"), ""}));
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  for (int t = 0; t < 4; ++t) {
    EXPECT_TRUE(Loaded(folder.file("scale" + std::to_string(t) + ".so")));
  }
}

/// The lines that /proc/self/smaps has on the largest mapping of a file.
std::map<std::string, long> readLargestMapping(llvm::StringRef path) {
  auto smaps = llvm::MemoryBuffer::getFileAsStream("/proc/self/smaps");
  std::map<std::string, long> largest, current;
  bool isOurs = false;
  for (llvm::line_iterator line(**smaps); !line.is_at_end(); ++line) {
    auto [key, value] = line->split(':');
    if (key.contains(' ')) {
      isOurs = line->ends_with(path);
      current.clear();
    } else if (isOurs) {
      long number = 0;
      value.trim().consumeInteger(10, number);
      current[key.str()] = number;
      if (current["Size"] >= largest["Size"]) {
        largest = current;
      }
    }
  }
  return largest;
}

TEST_F(LibraryFileTest, mapsItsWeightsFromTheFile) {
  scale.weights.assign(1 << 20, 10.0f);
  scale.plan.weights[0].bytes = {
      reinterpret_cast<const char *>(scale.weights.data()), 4 << 20};
  Loaded library(build());
  gm_context *context = nullptr;
  ASSERT_EQ(library->context_create(nullptr, &context), GM_OK);
  int64_t n = 1;
  float x = 1;
  gm_tensor input = {&x, GM_F32, 1, &n, nullptr}, output = {};
  ASSERT_EQ(library->run(context, &input, 1, &output, 1), GM_OK);
  EXPECT_EQ(*static_cast<float *>(output.data), 34);
  library->context_destroy(context);
  auto mapping = readLargestMapping("/scale.so");
  EXPECT_EQ(mapping["Size"], 4096);
  EXPECT_GT(mapping["Rss"], 0);
  EXPECT_EQ(mapping["Anonymous"], 0) << "pages of its own, not the file's";
}

TEST_F(LibraryFileTest, sharesTiedWeights) {
  scale.plan.weights.push_back(scale.plan.weights[0]);
  scale.plan.weights[1].name = "tied";
  Loaded library(build());
  gm_library_info info = {};
  info.struct_size = sizeof(info);
  ASSERT_EQ(library->get_library_info(&info), GM_OK);
  EXPECT_EQ(info.num_weights, 2u);
  EXPECT_EQ(info.weight_bytes, 16u);
}

TEST(TargetSpec, namesWhatItExpects) {
  EXPECT_EQ(llvm::cantFail(TargetSpec::parse("x86-64-v3")).describe(),
            "x86_64 x86-64-v3");
  EXPECT_TRUE(llvm::cantFail(TargetSpec::parse("neoverse-v1")).isAArch64());
  EXPECT_EQ(textOf(TargetSpec::parse("pentium-vii").takeError()),
            "unknown target 'pentium-vii'; expected native, x86-64-v3, "
            "x86-64-v4, aarch64 or the name that LLVM gives an x86-64 or "
            "AArch64 CPU");
}

} // namespace
} // namespace graphmill::host
