#include "tools/graphmill/MachinePeak.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Threading.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace graphmill::tools {
namespace {

/// Sums that don't wait for each other: more than any core's latency times its units.
constexpr int kSums = 12;

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float multiplyAddWide(int64_t turns, float x) {
  __m512 sums[kSums], factor = _mm512_set1_ps(x);
  std::fill(sums, sums + kSums, factor);
  for (int64_t i = 0; i < turns; ++i) {
    for (__m512 &sum : sums) {
      sum = _mm512_fmadd_ps(sum, factor, factor);
    }
  }
  for (int i = 1; i < kSums; ++i) {
    sums[0] = _mm512_add_ps(sums[0], sums[i]);
  }
  return _mm512_cvtss_f32(sums[0]);
}

__attribute__((target("avx2,fma"))) float multiplyAdd(int64_t turns, float x) {
  __m256 sums[kSums], factor = _mm256_set1_ps(x);
  std::fill(sums, sums + kSums, factor);
  for (int64_t i = 0; i < turns; ++i) {
    for (__m256 &sum : sums) {
      sum = _mm256_fmadd_ps(sum, factor, factor);
    }
  }
  for (int i = 1; i < kSums; ++i) {
    sums[0] = _mm256_add_ps(sums[0], sums[i]);
  }
  return _mm256_cvtss_f32(sums[0]);
}

bool hasWide() { return __builtin_cpu_supports("avx512f"); }
constexpr int kLanes = 8, kWideLanes = 16;
#else
float multiplyAdd(int64_t turns, float x) {
  using Vector = float __attribute__((vector_size(16)));
  Vector sums[kSums], factor = Vector{} + x;
  std::fill(sums, sums + kSums, factor);
  for (int64_t i = 0; i < turns; ++i) {
    for (Vector &sum : sums) {
#if defined(__aarch64__)
      sum = vfmaq_f32(factor, sum, factor);
#else
      sum = sum * factor + factor;
#endif
    }
  }
  for (int i = 1; i < kSums; ++i) {
    sums[0] += sums[i];
  }
  return sums[0][0];
}

float multiplyAddWide(int64_t turns, float x) { return multiplyAdd(turns, x); }
bool hasWide() { return false; }
constexpr int kLanes = 4, kWideLanes = 4;
#endif

uint64_t readAll(llvm::ArrayRef<uint64_t> words) {
  uint64_t sums[8] = {};
  for (size_t i = 0; i + 8 <= words.size(); i += 8) {
    for (int j = 0; j < 8; ++j) {
      sums[j] += words[i + j];
    }
  }
  return sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
}

/// Seconds that `work` takes in all threads at once; the best of `tries`.
double bestSeconds(int threads, int tries, llvm::function_ref<void(int)> work) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int i = 0; i < tries; ++i) {
    std::vector<std::thread> pool;
    Clock::time_point start = Clock::now();
    for (int thread = 1; thread < threads; ++thread) {
      pool.emplace_back([&, thread] { work(thread); });
    }
    work(0);
    for (std::thread &thread : pool) {
      thread.join();
    }
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}
} // namespace

MachinePeak measurePeak(int threads) {
  if (threads <= 0) {
    threads = std::max(1, llvm::get_physical_cores());
  }
  std::atomic<uint64_t> used = 0; // what is measured must not be left out
  constexpr int64_t kTurns = 2'000'000;
  int lanes = hasWide() ? kWideLanes : kLanes;
  double seconds = bestSeconds(threads, 5, [&](int) {
    float sum = hasWide() ? multiplyAddWide(kTurns, 1e-3f) : multiplyAdd(kTurns, 1e-3f);
    used += static_cast<uint64_t>(sum);
  });
  MachinePeak peak{2.0 * kSums * lanes * kTurns * threads / seconds / 1e9, 0};
  constexpr size_t kWords = size_t(256) << 17; // 256 MiB
  std::vector<uint64_t> words(kWords, 1);
  size_t share = kWords / threads;
  seconds = bestSeconds(threads, 5, [&](int thread) { used += readAll(llvm::ArrayRef(words).slice(thread * share, share)); });
  peak.gigabytes = double(share * threads * 8) / seconds / 1e9;
  return peak;
}

} // namespace graphmill::tools
