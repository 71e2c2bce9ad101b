#include "tools/graphmill/KernelTimes.h"
#include "inductor/Analysis/KernelInfo.h"
#include "tools/graphmill/Origins.h"
#include <fmt/format.h>

using namespace llvm;
namespace graphmill::tools {

void printKernelTimes(raw_ostream &os, ArrayRef<cpu::KernelTime> times) {
  constexpr size_t kRows = 10;
  std::vector<cpu::KernelTime> rows(times);
  double total = 0;
  for (const cpu::KernelTime &row : rows) {
    total += row.seconds;
  }
  llvm::sort(rows, [](const cpu::KernelTime &a, const cpu::KernelTime &b) { return a.seconds > b.seconds; });
  os << fmt::format("generating {} distinct kernels took {:.3f} s, summed over threads\n", rows.size(), total);
  os << fmt::format("{:>9} {:>7}  {}\n", "seconds", "share", "kernel");
  for (const cpu::KernelTime &row : ArrayRef(rows).take_front(kRows)) {
    std::string name = loop::describe(row.kernel), place = placeOf(row.kernel->getLoc());
    os << fmt::format("{:>9.4f} {:>6.1f}%  {}{}{}{}\n", row.seconds, 100 * row.seconds / std::max(total, 1e-9), name,
                      place.empty() ? "" : "  ", place, row.isCached ? "  (from the cache)" : "");
  }
  if (rows.size() > kRows) {
    os << fmt::format("{:>9} {} more\n", "...", rows.size() - kRows);
  }
}

} // namespace graphmill::tools
