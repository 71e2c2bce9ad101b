#include "gtest/gtest.h"
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern "C" {
#include "runtime/src/ThreadPool.h"
}

namespace {

struct Job {
  explicit Job(int64_t grid) : seen(grid) {}

  static void run(void *argument, int32_t thread, int64_t begin, int64_t end) {
    Job &job = *static_cast<Job *>(argument);
    EXPECT_EQ(job.busy[thread].exchange(true), false) << "thread number shared";
    for (int64_t tile = begin; tile < end; ++tile) {
      job.seen[tile].fetch_add(1);
    }
    job.meet(thread);
    job.busy[thread] = false;
  }

  /// Waits for `numExpected` threads to take part, which ends only if they do.
  void meet(int32_t thread) {
    std::unique_lock<std::mutex> lock(mutex);
    threads.insert(thread);
    arrived.notify_all();
    arrived.wait(lock, [&] { return threads.size() >= numExpected; });
  }

  void expectEachTileOnce() const {
    for (size_t tile = 0; tile < seen.size(); ++tile) {
      ASSERT_EQ(seen[tile].load(), 1) << tile << " of " << seen.size();
    }
  }

  std::vector<std::atomic<int>> seen;
  std::atomic<bool> busy[64] = {};
  std::mutex mutex;
  std::set<int32_t> threads;
  std::condition_variable arrived;
  size_t numExpected = 0;
};

TEST(ThreadPool, doesEachTileOnce) {
  for (int32_t numThreads : {1, 2, 3, 8}) {
    ThreadPool *pool = createThreadPool(numThreads);
    for (int64_t grid : {0, 1, 2, 3, 7, 8, 31, 32, 33, 1000, 12345}) {
      for (int repeat = 0; repeat < 20; ++repeat) {
        Job job(grid);
        runTiles(pool, Job::run, &job, grid);
        job.expectEachTileOnce();
      }
    }
    destroyThreadPool(pool);
  }
}

TEST(ThreadPool, runsOneThreadInline) {
  ThreadPool *pool = createThreadPool(1);
  std::thread::id caller = std::this_thread::get_id(), seen;
  struct Capture {
    std::thread::id *seen;
  } capture{&seen};
  runTiles(
      pool,
      [](void *argument, int32_t, int64_t, int64_t) {
        *static_cast<Capture *>(argument)->seen = std::this_thread::get_id();
      },
      &capture, 100);
  EXPECT_EQ(seen, caller);
  destroyThreadPool(pool);
}

/// Waits until all other threads of the process sleep in the kernel.
void awaitSleep() {
  bool allSleep = false;
  while (!allSleep) {
    allSleep = true;
    std::string self = std::to_string(gettid());
    for (const auto &task :
         std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream file(task.path() / "stat");
      std::string stat((std::istreambuf_iterator<char>(file)), {});
      // "12 (name) S ..."
      size_t state = stat.rfind(") ");
      allSleep &= task.path().filename() == self ||
                  state == std::string::npos || stat[state + 2] == 'S';
    }
  }
}

TEST(ThreadPool, usesAllThreadsAndWakesThoseThatSleep) {
  ThreadPool *pool = createThreadPool(3);
  for (int repeat = 0; repeat < 5; ++repeat) {
    awaitSleep();
    Job job(12);
    job.numExpected = 3;
    runTiles(pool, Job::run, &job, 12);
    job.expectEachTileOnce();
  }
  destroyThreadPool(pool);
}

TEST(ThreadPool, worksInAForkedProcessWithoutItsWorkers) {
  ThreadPool *pool = createThreadPool(4);
  Job before(100);
  runTiles(pool, Job::run, &before, 100);
  pid_t child = fork();
  if (child == 0) {
    Job job(100);
    runTiles(pool, Job::run, &job, 100);
    bool all = true;
    for (const std::atomic<int> &count : job.seen) {
      all &= count == 1;
    }
    _exit(all ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  destroyThreadPool(pool);
}

TEST(ThreadPool, countsCoresOfTheAffinityMask) {
  EXPECT_GE(defaultThreadCount(), 1);
  EXPECT_LE(unsigned(defaultThreadCount()),
            std::thread::hardware_concurrency());
}

} // namespace
