/*===- ProcessorFeatures.h - Instructions a library may need
----------------===*\
|*
|* Shared by codegen/host, which notes in the plan what the target has, and the
|* runtime, which compares with the processor it is on: a clear message instead
|* of an illegal instruction in the middle of a run. Only x86-64, where builds
|* for different levels are common; bits are in the order of this list.
|*
\*===----------------------------------------------------------------------===*/
#ifndef GRAPHMILL_RUNTIME_PROCESSORFEATURES_H
#define GRAPHMILL_RUNTIME_PROCESSORFEATURES_H

/// X(name as LLVM spells it, CPUID leaf, subleaf, register of a/b/c/d, bit,
/// bits of XCR0 that the system must have set)
#define GM_PROCESSOR_FEATURES(X)                                               \
  X("sse4.2", 1, 0, 2, 20, 0)                                                  \
  X("avx", 1, 0, 2, 28, 0x6)                                                   \
  X("f16c", 1, 0, 2, 29, 0x6)                                                  \
  X("fma", 1, 0, 2, 12, 0x6)                                                   \
  X("avx2", 7, 0, 1, 5, 0x6)                                                   \
  X("bmi2", 7, 0, 1, 8, 0)                                                     \
  X("avxvnni", 7, 1, 0, 4, 0x6)                                                \
  X("avx512f", 7, 0, 1, 16, 0xe6)                                              \
  X("avx512bw", 7, 0, 1, 30, 0xe6)                                             \
  X("avx512dq", 7, 0, 1, 17, 0xe6)                                             \
  X("avx512vl", 7, 0, 1, 31, 0xe6)                                             \
  X("avx512vnni", 7, 0, 2, 11, 0xe6)                                           \
  X("avx512bf16", 7, 1, 0, 5, 0xe6)                                            \
  X("avx512fp16", 7, 0, 3, 23, 0xe6)                                           \
  X("amx-tile", 7, 0, 3, 24, 0x60000)                                          \
  X("amx-int8", 7, 0, 3, 25, 0x60000)                                          \
  X("amx-bf16", 7, 0, 3, 22, 0x60000)

#endif
