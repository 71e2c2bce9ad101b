#include "tools/graphmill/KernelTable.h"
#include <fmt/format.h>
#include <map>

using namespace llvm;
namespace graphmill::tools {

/// "91% sums", "70% memory": of whichever the kernel uses more of. Bytes that come from a cache
/// can be more than memory gives.
static std::string shareOfPeak(const gm_step_profile &row, double nanoseconds, const MachinePeak &peak) {
  double sums = double(row.flops) / nanoseconds / peak.gflops, memory = double(row.bytes) / nanoseconds / peak.gigabytes;
  return fmt::format("{:.0f}% {}", 100 * std::max(sums, memory), sums >= memory ? "sums" : "memory");
}

void printKernelTable(raw_ostream &os, ArrayRef<gm_step_profile> steps,
                      uint64_t numRuns, bool eachStep, size_t maxRows,
                      std::optional<MachinePeak> peak) {
  std::vector<gm_step_profile> rows;
  std::map<std::string, size_t> rowOfKernel;
  uint64_t total = 0;
  for (const gm_step_profile &step : steps) {
    total += step.nanoseconds;
    auto [entry, isNew] =
        rowOfKernel.try_emplace(step.step.kernel, rows.size());
    if (eachStep || isNew) {
      rows.push_back(step);
      continue;
    }
    gm_step_profile &row = rows[entry->second];
    row.calls += step.calls;
    row.nanoseconds += step.nanoseconds;
    row.flops += step.flops;
    row.bytes += step.bytes;
  }
  llvm::sort(rows, [](const gm_step_profile &a, const gm_step_profile &b) {
    return a.nanoseconds > b.nanoseconds;
  });
  double runs = double(std::max<uint64_t>(numRuns, 1));
  if (peak) {
    os << fmt::format("this machine: {:.1f} GFLOP/s of fused multiply-adds, {:.1f} GB/s from memory\n",
                      peak->gflops, peak->gigabytes);
  }
  os << fmt::format("{:>7} {:>10} {:>6} {:>9} {:>8} {:>{}}  {}\n", "share", "us/run",
                    "calls", "GFLOP/s", "GB/s", peak ? "of peak" : "", peak ? 12 : 0, "step");
  for (const gm_step_profile &row : ArrayRef(rows).take_front(maxRows)) {
    // Below a nanosecond a call the clock says nothing.
    double nanoseconds = double(std::max(row.nanoseconds, row.calls));
    os << fmt::format(
        "{:>6.1f}% {:>10.1f} {:>6} {:>9.1f} {:>8.1f} {:>{}}  {}",
        100.0 * double(row.nanoseconds) / double(std::max<uint64_t>(total, 1)),
        double(row.nanoseconds) / runs / 1e3,
        uint64_t(double(row.calls) / runs), double(row.flops) / nanoseconds,
        double(row.bytes) / nanoseconds,
        peak ? shareOfPeak(row, nanoseconds, *peak) : "", peak ? 12 : 0, row.step.name);
    if (row.step.location[0]) {
      os << "  " << row.step.location;
    }
    os << "\n";
  }
  if (rows.size() > maxRows) {
    os << fmt::format("{:>7} {} more\n", "...", rows.size() - maxRows);
  }
}

} // namespace graphmill::tools
