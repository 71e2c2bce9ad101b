// The memory of a context.
#include "Context.h"
#include "ErrorText.h"
#include "Libc.h"

/// Larger than any machine's memory, and far from overflow when added up.
#define MAX_REGION_BYTES ((uint64_t)1 << 56)

gm_status layOutArena(const Shapes *shapes, int32_t numThreads,
                      ArenaLayout *layout) {
  const Plan *plan = shapes->plan;
  int64_t scratch = 0, arena = shapes->values[plan->arenaValue];
  for (uint32_t s = 0; s < plan->numSteps; ++s) {
    int64_t bytes = shapes->values[plan->steps[s].scratchValue];
    scratch = bytes > scratch ? bytes : scratch;
  }
  uint64_t total;
  if (arena < 0 || (uint64_t)arena > MAX_REGION_BYTES ||
      (uint64_t)scratch > MAX_REGION_BYTES ||
      __builtin_mul_overflow(alignUp((uint64_t)scratch), (uint64_t)numThreads,
                             &total) ||
      total > MAX_REGION_BYTES) {
    return failWith(GM_OUT_OF_MEMORY,
                    "these shapes need %lld bytes for intermediate results and "
                    "%lld a thread",
                    (long long)arena, (long long)scratch);
  }
  layout->scratchOffset = alignUp((uint64_t)arena);
  layout->scratchStride = alignUp((uint64_t)scratch);
  layout->totalBytes = layout->scratchOffset + total;
  return GM_OK;
}

gm_status growRegion(Region *region, uint64_t bytes, const char *what) {
  if (bytes <= region->sizeBytes) {
    return GM_OK;
  }
  if (region->isCallers) {
    return failWith(GM_OUT_OF_MEMORY,
                    "the caller's arena has %llu bytes, these shapes need %llu "
                    "(gm_arena_bytes "
                    "says so beforehand)",
                    (unsigned long long)region->sizeBytes,
                    (unsigned long long)bytes);
  }
  free(region->bytes);
  *region = (Region){0};
  if (bytes <= MAX_REGION_BYTES) {
    region->bytes = aligned_alloc(kRegionAlignment, alignUp(bytes));
  }
  if (!region->bytes) {
    return failWith(GM_OUT_OF_MEMORY, "no memory for %llu bytes of %s",
                    (unsigned long long)bytes, what);
  }
  region->sizeBytes = alignUp(bytes);
  return GM_OK;
}
