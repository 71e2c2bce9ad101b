/*===- Libc.h - The few functions of libc that the runtime calls
------------===*\
|*
|* Declared here rather than through libc's own headers, because graphmill
compiles
|* the runtime for each target when it is itself built, where no headers or
libraries
|* of a foreign target exist. Only functions with the same ABI in every Linux
libc;
|* libcStub in runtime/CMakeLists.txt lists them for the linker.
|*
\*===----------------------------------------------------------------------===*/
#ifndef GRAPHMILL_RUNTIME_LIBC_H
#define GRAPHMILL_RUNTIME_LIBC_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

void *aligned_alloc(size_t alignment, size_t bytes);
void *calloc(size_t count, size_t bytes);
void free(void *pointer);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int snprintf(char *restrict to, size_t bytes, const char *restrict format, ...)
    __attribute__((format(printf, 3, 4)));
int vsnprintf(char *restrict to, size_t bytes, const char *restrict format,
              va_list arguments);

// Constants below are Linux's, the same on x86-64 and aarch64.
enum {
  kOpenReadCloexec = 02000000,
  kSeekEnd = 2,
  kProtRead = 1,
  kMapPrivate = 2
};
int open(const char *path, int flags, ...);
int close(int file);
long read(int file, void *to, size_t bytes);
int64_t lseek(int file, int64_t offset, int whence);
void *mmap(void *at, size_t bytes, int protection, int flags, int file,
           int64_t offset);
int munmap(void *at, size_t bytes);

struct timespec {
  int64_t seconds, nanoseconds;
};
enum { kClockMonotonic = 1 };
int clock_gettime(int clock, struct timespec *time);

typedef struct DlInfo {
  const char *path;
  void *base;
  const char *symbol;
  void *address;
} DlInfo;
int dladdr(const void *address, DlInfo *info);

typedef unsigned long Thread;
typedef struct SignalSet {
  unsigned char bits[128];
} SignalSet;
enum { kSignalSetMask = 2 };
int pthread_create(Thread *thread, const void *attributes,
                   void *(*main)(void *), void *argument);
int pthread_join(Thread thread, void **result);
int pthread_sigmask(int how, const SignalSet *set, SignalSet *old);

long syscall(long number, ...);
#if defined(__x86_64__)
enum { kSysFutex = 202, kSysSchedGetaffinity = 204 };
#elif defined(__aarch64__)
enum { kSysFutex = 98, kSysSchedGetaffinity = 123 };
#else
#error "the runtime knows no system call numbers for this target"
#endif

#endif
