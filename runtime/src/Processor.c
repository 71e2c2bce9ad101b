// Compares what a library needs with the processor it is on.
#include "Processor.h"
#include "ErrorText.h"
#include "runtime/ProcessorFeatures.h"
#include <stdbool.h>

#if defined(__x86_64__)
#include <cpuid.h>

typedef struct Feature {
  const char *name;
  uint32_t leaf, subleaf, reg, bit;
  uint32_t systemState;
} Feature;

#define ROW(name, leaf, subleaf, reg, bit, state)                              \
  {name, leaf, subleaf, reg, bit, state},
static const Feature kFeatures[] = {GM_PROCESSOR_FEATURES(ROW)};
#undef ROW

/// Registers that the system saves when it switches threads.
static uint32_t readSystemState(void) {
  uint32_t regs[4];
  if (!__get_cpuid(1, &regs[0], &regs[1], &regs[2], &regs[3]) ||
      !(regs[2] >> 27 & 1)) {
    return 0;
  }
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static bool hasFeature(const Feature *feature, uint32_t systemState) {
  uint32_t regs[4];
  return (feature->systemState & ~systemState) == 0 &&
         __get_cpuid_count(feature->leaf, feature->subleaf, &regs[0], &regs[1],
                           &regs[2], &regs[3]) &&
         (regs[feature->reg] >> feature->bit & 1);
}

gm_status checkProcessor(uint64_t features, const char *modelName) {
  uint32_t systemState = readSystemState();
  for (uint32_t f = 0; f < sizeof(kFeatures) / sizeof(kFeatures[0]); ++f) {
    if ((features >> f & 1) && !hasFeature(&kFeatures[f], systemState)) {
      return failWith(GM_WRONG_PROCESSOR,
                      "'%s' was compiled for processors with %s, which this "
                      "one lacks; compile it with another --target",
                      modelName, kFeatures[f].name);
    }
  }
  return GM_OK;
}
#else
gm_status checkProcessor(uint64_t features, const char *modelName) {
  (void)features, (void)modelName;
  return GM_OK;
}
#endif
