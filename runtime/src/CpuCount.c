// How many threads are useful: one a physical core that this process may run
// on.
#include "Libc.h"
#include "ThreadPool.h"
#include <stdbool.h>

enum { kMaxCpus = 4096, kBitsPerWord = 64 };

/// The number at the start of a small file under /sys, -1 if there is none.
static int64_t readLeadingNumber(const char *path) {
  int file = open(path, kOpenReadCloexec);
  if (file < 0) {
    return -1;
  }
  char text[32];
  long length = read(file, text, sizeof(text));
  close(file);
  int64_t number = -1;
  for (long i = 0; i < length && text[i] >= '0' && text[i] <= '9'; ++i) {
    number = (number < 0 ? 0 : number) * 10 + (text[i] - '0');
  }
  return number;
}

/// A core's hardware threads list each other in ascending order: the lowest one
/// that is in the mask stands for the core.
static bool isFirstOfCore(int cpu, const uint64_t *mask) {
  char path[96];
  snprintf(path, sizeof(path),
           "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
  int64_t first = readLeadingNumber(path);
  bool firstAllowed =
      first >= 0 && first < kMaxCpus &&
      (mask[first / kBitsPerWord] >> (first % kBitsPerWord) & 1);
  return !firstAllowed || first == cpu;
}

int32_t defaultThreadCount(void) {
  uint64_t mask[kMaxCpus / kBitsPerWord] = {0};
  if (syscall(kSysSchedGetaffinity, 0, sizeof(mask), mask) <= 0) {
    return 1;
  }
  int32_t count = 0;
  for (int cpu = 0; cpu < kMaxCpus; ++cpu) {
    if (mask[cpu / kBitsPerWord] >> (cpu % kBitsPerWord) & 1) {
      count += isFirstOfCore(cpu, mask);
    }
  }
  return count ? count : 1;
}
