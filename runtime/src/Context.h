#ifndef GRAPHMILL_RUNTIME_CONTEXT_H
#define GRAPHMILL_RUNTIME_CONTEXT_H

#include "Shapes.h"
#include "ThreadPool.h"
#include "Weights.h"

/// Memory that grows and forgets what it held.
typedef struct Region {
  char *bytes;
  uint64_t sizeBytes;
  bool isCallers; ///< then it can't grow and isn't freed
} Region;

typedef struct StepCost {
  uint64_t calls, nanoseconds, flops, bytes;
} StepCost;

struct gm_context {
  const Plan *plan;
  ThreadPool *pool;
  int32_t numThreads;
  Shapes shapes;
  Weights weights;
  Region states;      ///< tensors that runs change
  Region arena;       ///< intermediate results, then each thread's scratch
  Region inputCopies; ///< inputs that kernels can't read as they lie
  Region outputs;     ///< outputs for which the caller gave no memory
  char **addresses;   ///< of inputs, then outputs, in this run
  char **buffers;     ///< of each of the plan's buffers in this run
  char *
      *arguments;  ///< those of all steps, end to end, as the kernels take them
  StepCost *costs; ///< NULL unless profiling
  uint64_t randomState[2]; ///< the seed; the number of the run
  /// A flag, the index and the size that it isn't below: written by kernels.
  int64_t faults[3];
};

/// The tables that this library was linked with.
extern const Plan graphmillPlan __attribute__((visibility("hidden")));

/// Sizes are rounded up to this, and every region starts at a multiple of it.
enum { kRegionAlignment = 64 };

static inline uint64_t alignUp(uint64_t bytes) {
  return (bytes + kRegionAlignment - 1) & ~(uint64_t)(kRegionAlignment - 1);
}

/// What the arena holds for the current shapes: intermediate results and
/// scratch.
typedef struct ArenaLayout {
  uint64_t scratchOffset, scratchStride, totalBytes;
} ArenaLayout;
gm_status layOutArena(const Shapes *shapes, int32_t numThreads,
                      ArenaLayout *layout);

/// Makes the region at least so large.
gm_status growRegion(Region *region, uint64_t bytes, const char *what);

#endif
