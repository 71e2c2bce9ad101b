//===- build_graph.cpp - A graph in C++, compiled and run ------------------===//
//
// Builds a small classifier op by op, shows what a mistake looks like, compiles the graph to a
// library and runs it at two batch sizes.
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <graphmill/Compiler.h>
#include <graphmill/Graph.h>
#include <graphmill/runtime.h>
#include <vector>

using namespace graphmill;

constexpr int64_t kIn = 8, kHidden = 16, kOut = 3;

/// softmax(relu(x w1^T + b1) w2^T), in plain loops.
static std::vector<float> reference(const std::vector<float> &x, const std::vector<float> &w1,
                                    const std::vector<float> &b1, const std::vector<float> &w2, int64_t batch) {
  std::vector<float> y(batch * kOut);
  for (int64_t n = 0; n < batch; ++n) {
    float hidden[kHidden], total = 0;
    for (int64_t j = 0; j < kHidden; ++j) {
      hidden[j] = b1[j];
      for (int64_t k = 0; k < kIn; ++k) {
        hidden[j] += x[n * kIn + k] * w1[j * kIn + k];
      }
      hidden[j] = std::fmax(hidden[j], 0.0f);
    }
    for (int64_t j = 0; j < kOut; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < kHidden; ++k) {
        sum += hidden[k] * w2[j * kHidden + k];
      }
      total += y[n * kOut + j] = std::exp(sum);
    }
    for (int64_t j = 0; j < kOut; ++j) {
      y[n * kOut + j] /= total;
    }
  }
  return y;
}

static std::vector<float> numbers(size_t count, unsigned seed) {
  std::vector<float> result(count);
  for (float &value : result) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(seed >> 8) / (1 << 24) - 0.5f;
  }
  return result;
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "./build_graph_model.so";
  std::vector<float> w1 = numbers(kHidden * kIn, 1), b1 = numbers(kHidden, 2), w2 = numbers(kOut * kHidden, 3);

  Graph wrong;
  wrong.linear(wrong.input("x", {4, 5}), wrong.parameter("w", {kHidden, kIn}, Dtype::Float32, w1.data()));
  if (wrong.errors().size() != 1) {
    std::puts("a mistake went unnoticed");
    return 1;
  }
  std::printf("a mistake reads: %s\n", wrong.errors()[0].c_str());

  Graph g;
  Size batch = g.symbol("batch", 1, 64);
  Tensor x = g.input("x", {batch, kIn});
  Tensor hidden = g.linear(x, g.parameter("w1", {kHidden, kIn}, Dtype::Float32, w1.data()),
                           g.parameter("b1", {kHidden}, Dtype::Float32, b1.data()));
  Tensor y = g.linear(g.relu(hidden), g.parameter("w2", {kOut, kHidden}, Dtype::Float32, w2.data()));
  g.output(g.softmax(y, -1), "probabilities");
  if (std::string error = compile(g, path); !error.empty()) {
    std::puts(error.c_str());
    return 1;
  }

  // A name without a slash would be searched for among the system's libraries.
  void *library = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::puts(dlerror());
    return 1;
  }
  auto getApi = reinterpret_cast<const gm_api *(*)(uint32_t)>(dlsym(library, "gm_get_api"));
  const gm_api *gm = getApi ? getApi(GM_ABI_VERSION) : nullptr;
  gm_context *context = nullptr;
  if (!gm) {
    std::printf("%s is not a graphmill library of this version\n", path);
    return 1;
  }
  if (gm->context_create(nullptr, &context) != GM_OK) {
    std::puts(gm->error_text());
    return 1;
  }
  for (int64_t size : {1, 7}) {
    std::vector<float> input = numbers(size * kIn, 4), expected = reference(input, w1, b1, w2, size);
    int64_t shape[] = {size, kIn};
    gm_tensor in = {input.data(), GM_F32, 2, shape, nullptr}, out = {};
    if (gm->run(context, &in, 1, &out, 1) != GM_OK) {
      std::puts(gm->error_text());
      return 1;
    }
    float error = 0;
    for (int64_t i = 0; i < size * kOut; ++i) {
      error = std::fmax(error, std::fabs(static_cast<float *>(out.data)[i] - expected[i]));
    }
    std::printf("batch %lld: max error %.2g\n", static_cast<long long>(size), error);
    if (!(error < 1e-5f)) {
      return 1;
    }
  }
  gm->context_destroy(context);
}
