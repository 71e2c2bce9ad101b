//===- MachinePeak.h - The most that this machine can do -------------------===//
#pragma once

namespace graphmill::tools {

/// Measured with as many threads at once; kernels are held against it.
struct MachinePeak {
  double gflops;         ///< GFLOP/s: float32 fused multiply-adds in registers, two operations each
  double gigabytes;      ///< GB/s: reading memory that no cache holds
};

/// Takes about half a second and 256 MiB. 0 threads: one a physical core.
MachinePeak measurePeak(int threads);

} // namespace graphmill::tools
