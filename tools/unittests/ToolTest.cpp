// The program's subcommands on a small library, and on files that are none.
#include "codegen/host/unittests/TinyLibrary.h"
#include "tools/Npy.h"
#include "tools/graphmill/Command.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace graphmill::tools {
namespace {

struct Result {
  int status;
  std::string out, err;
};

class ToolTest : public testing::Test {
protected:
  ToolTest() : path(folder.file("scale.so")) {
    std::vector<host::ObjectFile> kernels;
    kernels.push_back(host::compileText(host::kScaleKernel, target));
    host::expectNoError(
        host::buildLibrary(scale.plan, kernels, target, {path, ""}));
    writeFloats("x.npy", {1, 2, 3, 4, 5});
  }

  void writeFloats(const char *name, std::vector<float> values) {
    int64_t n = int64_t(values.size());
    host::expectNoError(
        writeNpy(folder.file(name), GM_F32, n,
                 llvm::ArrayRef(reinterpret_cast<const char *>(values.data()),
                                values.size() * sizeof(float))));
  }

  Result call(std::vector<std::string> arguments) {
    std::vector<const char *> argv = {"graphmill"};
    for (const std::string &argument : arguments) {
      argv.push_back(argument.c_str());
    }
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Result result;
    result.status = runTool(int(argv.size()), argv.data());
    result.out = testing::internal::GetCapturedStdout();
    result.err = testing::internal::GetCapturedStderr();
    return result;
  }

  /// The error of opening a file with these bytes.
  std::string inspectBytes(const std::string &bytes) {
    std::ofstream(folder.file("bad.so"), std::ios::binary) << bytes;
    Result result = call({"inspect", folder.file("bad.so")});
    EXPECT_EQ(result.status, 2);
    return result.err;
  }

  std::string file(const char *name) const { return folder.file(name); }

  host::ScratchFolder folder;
  host::ScalePlan scale;
  host::TargetSpec target = llvm::cantFail(host::TargetSpec::parse("native"));
  std::string path;
};

TEST_F(ToolTest, runWritesItsOutputs) {
  Result result =
      call({"run", path, "--in", file("x.npy"), "--out", file("o")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "output 0 'y': float32 [5]\n");
  auto array = readNpy(file("o/out0.npy"));
  ASSERT_TRUE(bool(array)) << host::textOf(array.takeError());
  std::vector<float> values(5);
  memcpy(values.data(), array->bytes().data(), 20);
  EXPECT_EQ(values, (std::vector<float>{34, 68, 102, 136, 50}));
  mode_t mask = umask(0);
  umask(mask);
  struct stat folder = {};
  ASSERT_EQ(stat(file("o").c_str(), &folder), 0);
  EXPECT_EQ(folder.st_mode & 0777, 0777 & ~mask);
}

TEST_F(ToolTest, runComparesWithWhatIsExpected) {
  mkdir(file("want").c_str(), 0700);
  writeFloats("want/out0.npy", {34, 68, 102, 136, 50});
  std::vector<std::string> line = {"run",         path,       "--in",
                                   file("x.npy"), "--expect", file("want")};
  Result result = call(line);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "output 0 'y': agrees, max abs error 0, max rel error "
                        "0, largest expected 136\n");
  writeFloats("want/out0.npy", {34, 68, 102, 128, 50});
  result = call(line);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out,
            "output 0 'y': DIFFERS, max abs error 8, max rel error 0.0625, "
            "largest expected 128; worst at [3]: 136, expected 128; 1 of 5 "
            "elements outside atol 0.0128, rtol 0.0001\n");
  line.insert(line.end(), {"--atol", "7", "--rtol", "0.01"});
  EXPECT_EQ(call(line).status, 0);
  writeFloats("want/out0.npy", {34});
  result = call(line);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "output 0 'y': is float32 [5], expected float32 [1]\n");
}

TEST_F(ToolTest, runPassesOnTheLibrarysWords) {
  Result result = call({"run", path});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "graphmill run: error: 0 inputs given, 'scale' takes 1\n");
}

TEST_F(ToolTest, benchPrintsLatencyAndKernels) {
  Result result = call({"bench", path, "--seconds", "0.01", "--sizes",
                        "batch=5000", "--threads", "1"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(llvm::StringRef(result.out).starts_with("batch = 5000\nmedian "));
  EXPECT_TRUE(llvm::StringRef(result.out).contains("scale_0  model.py:10"));
  result = call({"bench", path, "--seconds", "0.01", "--sizes", "batch=64", "--peak"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(llvm::Regex("this machine: [1-9][0-9.]* GFLOP/s of fused multiply-adds, [1-9][0-9.]* GB/s").match(result.out));
  EXPECT_TRUE(llvm::Regex("[0-9]+% (sums|memory) +scale_0").match(result.out)) << result.out;
  result = call({"bench", path, "--sizes", "seq=4"});
  EXPECT_EQ(result.err, "graphmill bench: error: --sizes: the library has no "
                        "size 'seq'; its sizes are: batch\n");
  result = call({"bench", path, "--sizes", "batch=65000"});
  EXPECT_EQ(result.err, "graphmill bench: error: symbol 'batch' is 65000, "
                        "allowed are 1 to 64000\n");
}

TEST_F(ToolTest, inspectDescribesALibrary) {
  Result result = call({"inspect", path, "--steps"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char *line :
       {"model     scale\n", "weights   1 in 16 bytes, embedded\n",
        "steps     2, of 1 kernels\n", "size      batch: 1 to 64000\n",
        "input     0 'x': float32 [batch]\n",
        "step      1 'scale_1' by scale model.py:11\n"}) {
    EXPECT_TRUE(llvm::StringRef(result.out).contains(line))
        << line << result.out;
  }
}

TEST_F(ToolTest, refusesWhatIsNoLibrary) {
  const std::string start =
      "graphmill inspect: error: '" + file("bad.so") + "' ";
  EXPECT_EQ(inspectBytes(""),
            start + "is not a graphmill library: it is no ELF file; `graphmill compile` makes libraries of models\n");
  EXPECT_EQ(inspectBytes("\x7f"
                         "ELF\1\1\1"),
            start + "is not a graphmill library: it is no 64-bit little-endian "
                    "ELF file\n");
  auto library = llvm::MemoryBuffer::getFile(path);
  std::string bytes = (*library)->getBuffer().str();
  EXPECT_EQ(inspectBytes(bytes.substr(0, bytes.size() - 1)),
            start + "is not a graphmill library: it is cut short\n");
  std::string damaged = bytes;
  damaged[bytes.find("model.py:10")] = 'M';
  EXPECT_EQ(inspectBytes(damaged), start + "is damaged: its checksum is wrong; compile the model again\n");
  std::string otherMachine = bytes;
  otherMachine[18] = '\xf3';
  EXPECT_EQ(inspectBytes(otherMachine).substr(0, start.size() + 31),
            start + "is for another processor, this ");
  Result result = call({"run", file("none.so")});
  EXPECT_EQ(result.err, "graphmill run: error: can't read '" + file("none.so") +
                            "': No such file or directory\n");
}

TEST_F(ToolTest, saysWhatIsNoModel) {
  for (const char *name : {"x.pt2", "x.so", "x.txt"}) {
    std::ofstream(file(name)) << "hello\n";
  }
  const std::string start = "graphmill compile: error: ";
  EXPECT_EQ(call({"compile", file("x.pt2")}).err,
            start + file("x.pt2") + ": isn't a zip archive: no end-of-directory record\n  help: the file is truncated or "
                                    "damaged; copy it again or export the model again with torch.export.save\n");
  EXPECT_EQ(call({"compile", path}).err,
            start + "'" + path + "' is a library, not a model: those are .pt2 archives, and graphs as MLIR\n");
  EXPECT_EQ(call({"compile", file("x.so")}).err,
            start + "'" + file("x.so") + "' is named as a library, but models are .pt2 archives, and graphs as MLIR\n");
  EXPECT_EQ(call({"compile", file("x.txt")}).err,
            start + file("x.txt") + ", no .pt2 archive and so read as MLIR, is refused:\n  " + file("x.txt") +
                ":1: custom op 'hello' is unknown (tried 'builtin.hello' as well)\n");
}

TEST_F(ToolTest, saysWhatItMayNotRead) {
  std::string locked = file("locked.pt2");
  std::ofstream(locked) << "PK";
  chmod(locked.c_str(), 0);
  chmod(file(".").c_str(), 0711);
  bool isRoot = geteuid() == 0;
  ASSERT_EQ(isRoot ? seteuid(65534) : 0, 0);
  for (const char *command : {"compile", "inspect", "run"}) {
    EXPECT_EQ(call({command, locked}).err,
              "graphmill " + std::string(command) + ": error: can't read '" + locked + "': Permission denied\n");
  }
  ASSERT_EQ(isRoot ? seteuid(0) : 0, 0);
}

TEST_F(ToolTest, refusesLibrariesOfOthers) {
  // A library, but none of ours.
  for (const char *name : {"/lib/x86_64-linux-gnu/libm.so.6",
                           "/lib/aarch64-linux-gnu/libm.so.6"}) {
    if (access(name, R_OK) == 0) {
      EXPECT_EQ(call({"inspect", name}).err,
                "graphmill inspect: error: '" + std::string(name) +
                    "' is not a graphmill library: it has no checksum of graphmill's\n");
    }
  }
}

TEST_F(ToolTest, explainsItself) {
  EXPECT_EQ(call({"--help"}).status, 0);
  EXPECT_EQ(call({"--version"}).out, "graphmill 0.1.0\n");
  Result result = call({"frobnicate"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "graphmill: error: there is no subcommand 'frobnicate'; --help lists them\n");
  for (const char *seconds : {"nan", "inf", "-1", "0", "abc"}) {
    result = call({"bench", path, "--seconds", seconds});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(llvm::StringRef(result.err).starts_with("--seconds: '" + std::string(seconds) + "' is not a number above 0\n"))
        << result.err;
  }
}

TEST_F(ToolTest, readsNoDevices) {
  for (const char *command : {"compile", "inspect", "run"}) {
    EXPECT_EQ(call({command, "/dev/zero"}).err,
              "graphmill " + std::string(command) + ": error: can't read '/dev/zero': it is a device, not a file\n");
  }
  EXPECT_EQ(call({"run", path, "--in", "/dev/zero"}).err,
            "graphmill run: error: can't read '/dev/zero': it is a device, not a file\n");
  EXPECT_EQ(call({"compile", file("none.pt2")}).err,
            "graphmill compile: error: can't read '" + file("none.pt2") + "': No such file or directory\n");
  EXPECT_EQ(call({"inspect", "/"}).err, "graphmill inspect: error: can't read '/': Is a directory\n");
}

TEST_F(ToolTest, saysThatStandardOutputIsFull) {
  int standard = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  dup2(full, STDOUT_FILENO);
  testing::internal::CaptureStderr();
  const char *line[] = {"graphmill", "inspect", path.c_str()};
  int status = runTool(3, line);
  std::string errors = testing::internal::GetCapturedStderr();
  dup2(standard, STDOUT_FILENO);
  close(standard);
  close(full);
  EXPECT_EQ(status, 2);
  EXPECT_EQ(errors, "graphmill: error: can't write to standard output: No space left on device\n");
}

TEST_F(ToolTest, keepsTheModelItCompiles) {
  std::string model = file("model.mlir");
  std::ofstream(model) << "fx.graph @f(%x: tensor<3xf32>) inputs [\"x\"] outputs [#fx.role<result \"y\">] symbols [] {\n"
                          "  fx.output %x : tensor<3xf32>\n}\n";
  for (std::vector<std::string> line : {std::vector<std::string>{"compile", "-q", model, "-o", file("./model.mlir")},
                                        {"compile", "-q", model, "-o", file("m.so"), "--weights", "model.mlir"}}) {
    Result result = call(line);
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(llvm::StringRef(result.err).contains("is the model itself")) << result.err;
  }
  Result result = call({"compile", "-q", model, "-o", file("m.so"), "--weights", "m.so"});
  EXPECT_EQ(result.err, "graphmill compile: error: the library and its weights file have one name, 'm.so'\n");
  EXPECT_EQ(call({"compile", "-q", model, "-o", file("m.so")}).status, 0);
}

/// Rows of a table, doubled, by indices; the table is too large to be printed.
constexpr const char *kTable = R"(
fx.tensor parameter @w = dense<[[1., 2.], [3., 4.], [5., 6.], [7., 8.], [9., 0.], [1., 2.], [3., 4.], [5., 6.], [7., 8.]]> : tensor<9x2xf32>
fx.graph @main(%i: tensor<64xi64>) inputs ["i"] outputs [#fx.role<result "y">] symbols [] {
  %w = fx.get @w : tensor<9x2xf32>
  %rows = aten.embedding %w, %i : (tensor<9x2xf32>, tensor<64xi64>) -> tensor<64x2xf32> loc("rows"("model.py":6:0))
  %y = aten.exp %rows : (tensor<64x2xf32>) -> tensor<64x2xf32> loc("powers"("model.py":7:0))
  fx.output %y : tensor<64x2xf32>
}
)";

TEST_F(ToolTest, compileReadsAPipe) {
  std::string pipe = file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << kTable; });
  EXPECT_EQ(call({"compile", pipe, "-q", "-o", file("m.so")}).err, "");
  writer.join();
}

TEST_F(ToolTest, emitWritesItsFile) {
  std::string model = file("model.mlir");
  std::ofstream(model) << kTable;
  for (const char *stage : {"fx", "aten", "prims", "loop", "llvm", "asm"}) {
    Result printed = call({"compile", model, "--emit", stage});
    EXPECT_EQ(printed.status, 0) << printed.err;
    Result written = call({"compile", model, "--emit", stage, "-o", file(stage)});
    EXPECT_EQ(written.status, 0) << written.err;
    EXPECT_EQ(written.out, "");
    auto text = llvm::MemoryBuffer::getFile(file(stage));
    ASSERT_TRUE(bool(text));
    EXPECT_EQ((*text)->getBuffer(), printed.out);
  }
  EXPECT_EQ(call({"compile", model, "--emit", "fx", "-o", file("none/fx")}).err,
            "graphmill compile: error: can't write '" + file("none/fx") + "': No such file or directory\n");
  EXPECT_EQ(call({"compile", model, "--emit", "fx", "-o", file("model.mlir")}).status, 2);
}

TEST_F(ToolTest, saysThatAPrintedGraphHasNoWeights) {
  std::string model = file("model.mlir"), printed = file("printed.mlir");
  std::ofstream(model) << kTable;
  ASSERT_EQ(call({"compile", model, "--emit", "fx", "-o", printed}).status, 0);
  EXPECT_EQ(call({"compile", printed, "--emit", "loop"}).status, 0);
  EXPECT_EQ(call({"compile", printed, "-q", "-o", file("m.so")}).err,
            "graphmill compile: error: '" + printed + "' was printed without its weights ('__elided__' has no bytes); "
            "compile the model that it was printed from\n");
}

TEST_F(ToolTest, remarksAreALineEach) {
  std::string model = file("model.mlir");
  std::ofstream(model) << kTable;
  Result result = call({"compile", model, "-q", "--remarks", "-o", file("m.so")});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "model.py:7: fused: rows, powers are exp 64x2\n");
  EXPECT_EQ(call({"compile", model, "-q", "-o", file("m.so")}).err, "");
}

TEST_F(ToolTest, reportsTimesIfAsked) {
  std::string model = file("model.mlir");
  std::ofstream(model) << kTable;
  std::vector<std::string> line = {"compile", "-q", model, "-o", file("m.so")};
  EXPECT_EQ(call(line).err, "");
  line.push_back("--time-report");
  Result result = call(line);
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char *stage : {"read", "decompose", "Decompose", "schedule", "LowerPrims", "plan", "generate", "tables", "link", "Total"}) {
    EXPECT_TRUE(llvm::StringRef(result.err).contains(stage)) << stage << " isn't in\n" << result.err;
  }
  EXPECT_TRUE(llvm::StringRef(result.err).contains("%  exp 64x2  model.py:7")) << result.err;
}

TEST_F(ToolTest, verifyComparesWithTheEvaluator) {
  std::string model = file("model.mlir");
  std::ofstream(model) << kTable;
  Result result = call({"verify", model});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(llvm::StringRef(result.out).starts_with("output 0 'y': agrees, max abs error ")) << result.out;
  // No two computations of an exponential agree in all bits.
  result = call({"verify", model, "--atol", "0", "--rtol", "0"});
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(llvm::StringRef(result.out).contains("the first kernel that differs is 0 of 1, 'exp 64x2' at model.py:7\n"))
      << result.out;
  EXPECT_TRUE(llvm::StringRef(result.out).ends_with("  made of 'rows' model.py:6: prims.index\n"
                                                    "  made of 'powers' model.py:7: prims.exp\n"))
      << result.out;
  EXPECT_EQ(call({"verify", model, "--in", file("x.npy")}).err,
            "graphmill verify: error: input 0 'i': dtype is float32, must be int64\n");
}

TEST_F(ToolTest, reduceShrinksForAsLongAsTheTestPasses) {
  std::string model = file("model.mlir"), small = file("small.mlir");
  std::ofstream(model) << kTable;
  Result result = call({"reduce", model, "-o", small, "--test", "grep -q aten.exp \"$1\""});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(llvm::StringRef(result.out).starts_with(small + ": 1 of 2 ops are left, after ")) << result.out;
  EXPECT_EQ(call({"compile", small, "-q", "-o", file("m.so")}).err, "");
  EXPECT_EQ(call({"verify", small}).status, 0);
  EXPECT_EQ(call({"reduce", model, "--test", "false"}).err,
            "graphmill reduce: error: the test fails for '" + model +
                "' itself: it must end with status 0 for a graph to keep\n");
}

TEST_F(ToolTest, benchSpreadsIntegersAsFarAsTheModelTakesThem) {
  std::ofstream(file("model.mlir")) << kTable;
  ASSERT_EQ(call({"compile", file("model.mlir"), "-q", "-o", file("m.so")}).status, 0);
  Result result = call({"bench", file("m.so"), "--seconds", "0.01"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(llvm::StringRef(result.out).starts_with("'i': integers below 8\nmedian ")) << result.out;
  result = call({"bench", file("m.so"), "--seconds", "0.01", "--int-limit", "1000"});
  EXPECT_TRUE(llvm::StringRef(result.err).contains("is out of range for a dim of size 9")) << result.err;
}

} // namespace
} // namespace graphmill::tools
