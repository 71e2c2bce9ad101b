#include "codegen/host/unittests/TinyLibrary.h"
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace graphmill::host {
namespace {

class LibraryTest : public testing::Test {
protected:
  std::string build(llvm::StringRef weightsFile = "",
                    llvm::StringRef name = "scale.so") {
    std::string path = folder.file(name);
    std::vector<ObjectFile> kernels;
    kernels.push_back(compileText(kScaleKernel, target));
    expectNoError(
        buildLibrary(scale.plan, kernels, target, {path, weightsFile.str()}));
    return path;
  }

  static float expected(float x, size_t i) {
    float w = float(10 * (i % 4 + 1));
    return (x * 2 + w) * 2 + w;
  }

  static std::vector<float> makeInput(int64_t n) {
    std::vector<float> x(n);
    for (int64_t i = 0; i < n; ++i) {
      x[i] = float(i % 1000) / 8;
    }
    return x;
  }

  static void run(const Loaded &library, gm_context *context, int64_t n) {
    std::vector<float> x = makeInput(n);
    gm_tensor input = {x.data(), GM_F32, 1, &n, nullptr};
    gm_tensor output = {};
    ASSERT_EQ(library->run(context, &input, 1, &output, 1), GM_OK)
        << library->error_text();
    ASSERT_EQ(output.rank, 1);
    ASSERT_EQ(output.shape[0], n);
    const float *y = static_cast<const float *>(output.data);
    for (int64_t i = 0; i < n; ++i) {
      ASSERT_EQ(y[i], expected(x[i], i)) << i << " of " << n;
    }
  }

  static gm_options makeOptions(int32_t threads) {
    gm_options options = {};
    options.struct_size = sizeof(options);
    options.threads = threads;
    return options;
  }

  ScratchFolder folder;
  ScalePlan scale;
  TargetSpec target = llvm::cantFail(TargetSpec::parse("native"));
};

TEST_F(LibraryTest, runsAtSeveralSizesWithOneLibrary) {
  Loaded library(build());
  ASSERT_TRUE(library);
  for (int threads : {1, 2, 3}) {
    gm_options options = makeOptions(threads);
    gm_context *context = nullptr;
    ASSERT_EQ(library->context_create(&options, &context), GM_OK)
        << library->error_text();
    for (int64_t n : {1, 7, 16, 17, 64000, 3, 40000}) {
      run(library, context, n);
    }
    library->context_destroy(context);
  }
}

TEST_F(LibraryTest, runsContextsConcurrently) {
  Loaded library(build());
  ASSERT_TRUE(library);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      gm_options options = makeOptions(1 + t % 2);
      gm_context *context = nullptr;
      ASSERT_EQ(library->context_create(&options, &context), GM_OK);
      for (int64_t n = 1000; n < 20000; n += 977) {
        run(library, context, n + t);
      }
      library->context_destroy(context);
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
}

TEST_F(LibraryTest, saysWhatItIs) {
  Loaded library(build());
  gm_library_info info = {};
  info.struct_size = sizeof(info);
  ASSERT_EQ(library->get_library_info(&info), GM_OK);
  EXPECT_STREQ(info.model_name, "scale");
  EXPECT_EQ(info.num_steps, 2u);
  EXPECT_EQ(info.num_kernels, 1u);
  EXPECT_EQ(info.weight_bytes, 16u);
  EXPECT_EQ(info.weights_file, nullptr);
  gm_tensor_info input;
  ASSERT_EQ(library->get_input_info(0, &input), GM_OK);
  EXPECT_STREQ(input.name, "x");
  EXPECT_EQ(input.dims[0], -1);
  EXPECT_STREQ(input.dim_text[0], "batch");
  int64_t symbol = 7, dim = 0;
  ASSERT_EQ(library->input_dims(0, &symbol, 1, &dim, 1), GM_OK);
  EXPECT_EQ(dim, 7);
  symbol = 0;
  EXPECT_EQ(library->input_dims(0, &symbol, 1, &dim, 1), GM_SHAPE_MISMATCH);
  gm_step_info step;
  ASSERT_EQ(library->get_step_info(1, &step), GM_OK);
  EXPECT_STREQ(step.location, "model.py:11");
  EXPECT_EQ(library->get_step_info(2, &step), GM_INVALID_ARGUMENT);
  EXPECT_STREQ(library->error_text(), "there is no step 2, 'scale' has 2");
}

TEST_F(LibraryTest, seedsContexts) {
  Loaded library(build());
  gm_context *context = nullptr;
  ASSERT_EQ(library->context_create(nullptr, &context), GM_OK);
  EXPECT_EQ(library->context_seed(context, 7), GM_OK);
  library->context_destroy(context);
  EXPECT_EQ(library->context_seed(nullptr, 7), GM_INVALID_ARGUMENT);
}

TEST_F(LibraryTest, copiesStridedAndMisalignedInputs) {
  Loaded library(build());
  gm_context *context = nullptr;
  ASSERT_EQ(library->context_create(nullptr, &context), GM_OK);
  int64_t n = 100, stride = -2;
  std::vector<float> x = makeInput(2 * n);
  gm_tensor input = {&x[2 * n - 1], GM_F32, 1, &n, &stride}, output = {};
  ASSERT_EQ(library->run(context, &input, 1, &output, 1), GM_OK);
  for (int64_t i = 0; i < n; ++i) {
    EXPECT_EQ(static_cast<float *>(output.data)[i],
              expected(x[2 * n - 1 - 2 * i], i));
  }
  std::vector<char> bytes(n * 4 + 1);
  memcpy(&bytes[1], x.data(), n * 4);
  input = {&bytes[1], GM_F32, 1, &n, nullptr};
  output = {};
  ASSERT_EQ(library->run(context, &input, 1, &output, 1), GM_OK);
  EXPECT_EQ(static_cast<float *>(output.data)[99], expected(x[99], 99));
  library->context_destroy(context);
}

TEST_F(LibraryTest, writesToTheCallersOutputs) {
  Loaded library(build());
  gm_context *context = nullptr;
  ASSERT_EQ(library->context_create(nullptr, &context), GM_OK);
  int64_t n = 50, wrong = 51;
  std::vector<float> x = makeInput(n), y(n);
  gm_tensor input = {x.data(), GM_F32, 1, &n, nullptr};
  gm_tensor output = {y.data(), GM_F32, 1, &n, nullptr};
  ASSERT_EQ(library->run(context, &input, 1, &output, 1), GM_OK);
  EXPECT_EQ(y[49], expected(x[49], 49));
  output.shape = &wrong;
  EXPECT_EQ(library->run(context, &input, 1, &output, 1), GM_SHAPE_MISMATCH);
  EXPECT_STREQ(library->error_text(), "output 0 'y': dim 0 is 51, these inputs "
                                      "make it batch = 50");
  output = {x.data(), GM_F32, 1, &n, nullptr};
  EXPECT_EQ(library->run(context, &input, 1, &output, 1), GM_INVALID_ARGUMENT);
  EXPECT_STREQ(library->error_text(), "output 0 'y' overlaps input 0 'x'");
  input.dtype = GM_F64;
  EXPECT_EQ(library->run(context, &input, 1, &output, 1), GM_INVALID_ARGUMENT);
  EXPECT_STREQ(library->error_text(),
               "input 0 'x': dtype is float64, must be float32");
  library->context_destroy(context);
}

TEST_F(LibraryTest, worksInTheCallersArena) {
  Loaded library(build());
  int64_t n = 1000, larger = 1001;
  gm_tensor input = {nullptr, GM_F32, 1, &n, nullptr};
  uint64_t bytes = 0;
  ASSERT_EQ(library->arena_bytes(&input, 1, 2, &bytes), GM_OK);
  EXPECT_EQ(bytes, 64u * 64 + 2 * 64); // 4064 rounded up, scratch of 2 threads
  void *arena = aligned_alloc(64, bytes);
  gm_options options = makeOptions(2);
  options.arena = arena;
  options.arena_bytes = bytes;
  gm_context *context = nullptr;
  ASSERT_EQ(library->context_create(&options, &context), GM_OK);
  run(library, context, n);
  std::vector<float> x = makeInput(2000);
  larger = 2000;
  input = {x.data(), GM_F32, 1, &larger, nullptr};
  gm_tensor output = {};
  EXPECT_EQ(library->run(context, &input, 1, &output, 1), GM_OUT_OF_MEMORY);
  EXPECT_STREQ(library->error_text(),
               "the caller's arena has 4224 bytes, these shapes need 8192 "
               "(gm_arena_bytes says so beforehand)");
  run(library, context, n);
  library->context_destroy(context);
  options.arena = static_cast<char *>(arena) + 4;
  EXPECT_EQ(library->context_create(&options, &context), GM_INVALID_ARGUMENT);
  free(arena);
}

TEST_F(LibraryTest, profilesEachStep) {
  Loaded library(build());
  gm_options options = makeOptions(1);
  options.profile = 1;
  gm_context *context = nullptr;
  ASSERT_EQ(library->context_create(&options, &context), GM_OK);
  run(library, context, 1000);
  run(library, context, 1000);
  gm_step_profile steps[2];
  ASSERT_EQ(library->read_profile(context, steps, 2), GM_OK);
  EXPECT_STREQ(steps[1].step.name, "scale_1");
  EXPECT_EQ(steps[1].calls, 2u);
  EXPECT_EQ(steps[1].flops, 4000u);
  EXPECT_EQ(steps[1].bytes, 16000u);
  EXPECT_EQ(library->reset_profile(context), GM_OK);
  ASSERT_EQ(library->read_profile(context, steps, 2), GM_OK);
  EXPECT_EQ(steps[0].calls, 0u);
  library->context_destroy(context);
}

class WeightsFileTest : public LibraryTest {
protected:
  /// The error of making a context; empty if it works.
  std::string openContext(const Loaded &library, const char *path = nullptr) {
    gm_options options = makeOptions(1);
    options.weights_file = path;
    gm_context *context = nullptr;
    if (library->context_create(&options, &context) != GM_OK) {
      return library->error_text();
    }
    run(library, context, 100);
    library->context_destroy(context);
    return "";
  }

  void overwrite(const std::string &path, off_t at, char byte) {
    int file = open(path.c_str(), O_WRONLY);
    ASSERT_EQ(pwrite(file, &byte, 1, at), 1);
    close(file);
  }
};

TEST_F(WeightsFileTest, isFoundBesideTheLibraryOrWhereTheOptionsSay) {
  Loaded library(build("scale.safetensors"));
  EXPECT_EQ(folder.list(),
            (std::vector<std::string>{"scale.safetensors", "scale.so"}));
  EXPECT_EQ(openContext(library), "");
  std::string moved = folder.file("moved.safetensors");
  ASSERT_EQ(rename(folder.file("scale.safetensors").c_str(), moved.c_str()), 0);
  EXPECT_EQ(openContext(library), "can't open weights file '" +
                                      folder.file("scale.safetensors") + "'");
  EXPECT_EQ(openContext(library, moved.c_str()), "");
}

TEST_F(WeightsFileTest, refusesAFileThatIsNotItsOwn) {
  Loaded library(build("scale.safetensors"));
  std::string path = folder.file("scale.safetensors");
  scale.weights[2] = 31;
  build("other.safetensors", "other.so");
  std::string other = folder.file("other.safetensors");
  EXPECT_EQ(openContext(library, other.c_str()),
            "weights file '" + other +
                "' isn't the one that was written with this library ('scale')");
  EXPECT_EQ(openContext(library, folder.file("scale.so").c_str()),
            "weights file '" + folder.file("scale.so") +
                "' isn't the one that was written with this library ('scale')");
  ASSERT_EQ(truncate(path.c_str(), 4100), 0);
  EXPECT_EQ(openContext(library),
            "weights file '" + path + "' holds 4 bytes of data, must be 16");
  overwrite(path, 5, 'x'); // a header length beyond all bounds
  EXPECT_EQ(openContext(library),
            "weights file '" + path +
                "' isn't the one that was written with this library ('scale')");
  ASSERT_EQ(truncate(path.c_str(), 3), 0);
  EXPECT_EQ(openContext(library),
            "weights file '" + path + "' is cut short or isn't a file");
}

TEST_F(LibraryTest, refusesAProcessorThatLacksItsInstructions) {
  target = llvm::cantFail(TargetSpec::parse("sapphirerapids"));
  Loaded library(build());
  gm_context *context = nullptr;
  gm_status status = library->context_create(nullptr, &context);
  // Where the tests run on such a processor, there is nothing to refuse.
  if (status != GM_OK) {
    EXPECT_EQ(status, GM_WRONG_PROCESSOR);
    EXPECT_TRUE(llvm::StringRef(library->error_text())
                    .starts_with("'scale' was compiled for processors with "))
        << library->error_text();
  }
  library->context_destroy(context);
}

} // namespace
} // namespace graphmill::host
