#include "codegen/host/unittests/TinyLibrary.h"
#include <thread>

namespace graphmill::host {
namespace {

class LibraryTest : public testing::Test {
protected:
  std::string build(llvm::StringRef weightsFile = "") {
    std::string path = folder.file("scale.so");
    kernels.push_back(compileText(kScaleKernel, target));
    expectNoError(
        buildLibrary(scale.plan, kernels, target, {path, weightsFile.str()}));
    return path;
  }

  static float expected(float x, size_t i) {
    float w = float(10 * (i % 4 + 1));
    return (x * 2 + w) * 2 + w;
  }

  static void run(const Loaded &library, gm_context *context, int64_t n) {
    std::vector<float> x(n);
    for (int64_t i = 0; i < n; ++i) {
      x[i] = float(i % 1000) / 8;
    }
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

  ScratchFolder folder;
  ScalePlan scale;
  TargetSpec target = llvm::cantFail(TargetSpec::parse("native"));
  std::vector<ObjectFile> kernels;
};

TEST_F(LibraryTest, runsAtSeveralSizesWithOneLibrary) {
  Loaded library(build());
  ASSERT_TRUE(library);
  for (int threads : {1, 2, 3}) {
    gm_options options = {sizeof(gm_options), threads, 0, nullptr, 0, nullptr};
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
      gm_options options = {
          sizeof(gm_options), 1 + t % 2, 0, nullptr, 0, nullptr};
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

} // namespace
} // namespace graphmill::host
