/*===- ThreadPool.h - Splits one kernel's tiles among threads
---------------===*\
|*
|* A pool belongs to a context. The thread that runs the context takes part, and
does
|* all the work itself if the workers are late: a job is closed when its tiles
are
|* handed out, not when every worker has woken up. So a step never waits for a
thread
|* that the system hasn't scheduled, and a pool inherited by fork() still works.
|*
\*===----------------------------------------------------------------------===*/
#ifndef GRAPHMILL_RUNTIME_THREADPOOL_H
#define GRAPHMILL_RUNTIME_THREADPOOL_H

#include <stddef.h>
#include <stdint.h>

typedef struct ThreadPool ThreadPool;

/// Does tiles [begin, end); `thread` is below the pool's size and no two calls
/// that run at once share it.
typedef void (*TileFunction)(void *argument, int32_t thread, int64_t begin,
                             int64_t end);

/// The number of physical cores that this process may run on.
int32_t defaultThreadCount(void);

/// Starts `numThreads` - 1 workers; fewer if the system gives no more. NULL: no
/// memory.
ThreadPool *createThreadPool(int32_t numThreads);
void destroyThreadPool(ThreadPool *pool);

/// Calls `function` until all of [0, grid) is done. Not for two threads at
/// once.
void runTiles(ThreadPool *pool, TileFunction function, void *argument,
              int64_t grid);

#endif
