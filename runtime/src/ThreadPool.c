#include "ThreadPool.h"
#include "Libc.h"
#include <stdbool.h>

enum { kFutexWaitPrivate = 128, kFutexWakePrivate = 129 };

/// Chunks handed out per thread: enough to even out threads of unequal speed,
/// few enough that a kernel's set-up per call doesn't show. 4: a guess,
/// unmeasured.
enum { kChunksPerThread = 4 };

/// Turns of the wait loop before a thread sleeps in the kernel: some 20 us,
/// which is longer than the gap between two steps of one run.
enum { kSpins = 1000 };

/// A job's state in one word, so that "is it still open" and "I am in" are one
/// operation.
#define STATE_CLOSED ((uint64_t)1 << 31)
#define STATE_ENTERED_MASK (STATE_CLOSED - 1)
#define STATE_JOB_SHIFT 32

typedef struct Worker {
  ThreadPool *pool;
  Thread thread;
  int32_t index;
} Worker;

struct ThreadPool {
  // Written by the caller before it opens a job, read by those who have entered
  // it.
  TileFunction function;
  void *argument;
  int64_t grid, chunk;
  int32_t numWorkers;
  bool stop;
  // Each on a line of its own: all threads write them.
  _Alignas(64) uint64_t state; ///< job number, closed bit, workers that entered
  _Alignas(64) int64_t nextTile;
  _Alignas(64) uint32_t numLeft; ///< workers that entered and are done; a futex
  uint32_t callerSleeps;
  _Alignas(64) uint32_t wakeWord; ///< changes with each job; a futex
  uint32_t numSleepers;
  _Alignas(64) Worker workers[];
};

static inline void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  __asm__ volatile("yield");
#endif
}

static void futexWait(uint32_t *word, uint32_t expected) {
  syscall(kSysFutex, word, kFutexWaitPrivate, expected, NULL);
}

static void futexWake(uint32_t *word, int count) {
  syscall(kSysFutex, word, kFutexWakePrivate, count);
}

static void takeChunks(ThreadPool *pool, int32_t thread) {
  while (true) {
    int64_t begin =
        __atomic_fetch_add(&pool->nextTile, pool->chunk, __ATOMIC_RELAXED);
    if (begin >= pool->grid) {
      return;
    }
    int64_t end =
        pool->grid - begin < pool->chunk ? pool->grid : begin + pool->chunk;
    pool->function(pool->argument, thread, begin, end);
  }
}

/// Waits for a job other than `lastJob` and returns its state, or a closed one
/// when another thread has been faster.
static uint64_t awaitJob(ThreadPool *pool, uint64_t lastJob) {
  for (int spin = 0;; ++spin) {
    uint32_t word = __atomic_load_n(&pool->wakeWord, __ATOMIC_SEQ_CST);
    uint64_t state = __atomic_load_n(&pool->state, __ATOMIC_ACQUIRE);
    if (state >> STATE_JOB_SHIFT != lastJob) {
      return state;
    }
    if (spin < kSpins) {
      relax();
      continue;
    }
    __atomic_fetch_add(&pool->numSleepers, 1, __ATOMIC_SEQ_CST);
    futexWait(&pool->wakeWord, word);
    __atomic_fetch_sub(&pool->numSleepers, 1, __ATOMIC_SEQ_CST);
  }
}

static void *workerMain(void *argument) {
  Worker *worker = argument;
  ThreadPool *pool = worker->pool;
  uint64_t lastJob = 0;
  while (true) {
    uint64_t state = awaitJob(pool, lastJob);
    lastJob = state >> STATE_JOB_SHIFT;
    bool entered = false;
    while (!entered && !(state & STATE_CLOSED) &&
           state >> STATE_JOB_SHIFT == lastJob) {
      entered =
          __atomic_compare_exchange_n(&pool->state, &state, state + 1, false,
                                      __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);
    }
    if (!entered) {
      continue;
    }
    bool stop = pool->stop;
    if (!stop) {
      takeChunks(pool, worker->index);
    }
    __atomic_fetch_add(&pool->numLeft, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&pool->callerSleeps, __ATOMIC_SEQ_CST)) {
      futexWake(&pool->numLeft, 1);
    }
    if (stop) {
      return NULL;
    }
  }
}

/// Opens the job whose fields the caller has just written.
static void openJob(ThreadPool *pool, int maxHelpers) {
  pool->numLeft = 0;
  pool->nextTile = 0;
  uint64_t state = __atomic_load_n(&pool->state, __ATOMIC_RELAXED);
  uint64_t job = (state >> STATE_JOB_SHIFT) + 1;
  // Job 0 is what a new worker believes to have seen.
  job = (uint32_t)job ? (uint32_t)job : 1;
  __atomic_store_n(&pool->state, job << STATE_JOB_SHIFT, __ATOMIC_RELEASE);
  __atomic_fetch_add(&pool->wakeWord, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&pool->numSleepers, __ATOMIC_SEQ_CST)) {
    futexWake(&pool->wakeWord, maxHelpers);
  }
}

/// Lets no more workers in and waits for those who are.
static void closeJob(ThreadPool *pool) {
  uint64_t state =
      __atomic_fetch_or(&pool->state, STATE_CLOSED, __ATOMIC_ACQ_REL);
  uint32_t entered = (uint32_t)(state & STATE_ENTERED_MASK);
  for (int spin = 0;; ++spin) {
    uint32_t left = __atomic_load_n(&pool->numLeft, __ATOMIC_ACQUIRE);
    if (left == entered) {
      __atomic_store_n(&pool->callerSleeps, 0, __ATOMIC_RELAXED);
      return;
    }
    if (spin < kSpins) {
      relax();
    } else {
      __atomic_store_n(&pool->callerSleeps, 1, __ATOMIC_SEQ_CST);
      futexWait(&pool->numLeft, left);
    }
  }
}

void runTiles(ThreadPool *pool, TileFunction function, void *argument,
              int64_t grid) {
  if (grid <= 0) {
    return;
  }
  if (!pool->numWorkers || grid == 1) {
    function(argument, 0, 0, grid);
    return;
  }
  pool->function = function;
  pool->argument = argument;
  pool->grid = grid;
  int64_t numChunks = ((int64_t)pool->numWorkers + 1) * kChunksPerThread;
  pool->chunk = grid / numChunks + (grid % numChunks != 0);
  int64_t helpers = grid - 1 < pool->numWorkers ? grid - 1 : pool->numWorkers;
  openJob(pool, (int)helpers);
  takeChunks(pool, 0);
  closeJob(pool);
}

ThreadPool *createThreadPool(int32_t numThreads) {
  size_t bytes = sizeof(ThreadPool) + (size_t)numThreads * sizeof(Worker);
  bytes = (bytes + 63) & ~(size_t)63;
  ThreadPool *pool = aligned_alloc(64, bytes);
  if (!pool) {
    return NULL;
  }
  memset(pool, 0, bytes);
  // Signals are for the application's own threads.
  SignalSet all, old;
  memset(&all, 0xff, sizeof(all));
  pthread_sigmask(kSignalSetMask, &all, &old);
  for (int32_t i = 0; i + 1 < numThreads; ++i) {
    Worker *worker = &pool->workers[i];
    *worker = (Worker){.pool = pool, .index = i + 1};
    if (pthread_create(&worker->thread, NULL, workerMain, worker) != 0) {
      break;
    }
    ++pool->numWorkers;
  }
  pthread_sigmask(kSignalSetMask, &old, NULL);
  return pool;
}

void destroyThreadPool(ThreadPool *pool) {
  if (!pool) {
    return;
  }
  pool->stop = true;
  openJob(pool, pool->numWorkers);
  for (int32_t i = 0; i < pool->numWorkers; ++i) {
    pthread_join(pool->workers[i].thread, NULL);
  }
  free(pool);
}
