#include "codegen/cpu/CpuTarget.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace graphmill::cpu {

llvm::Expected<CpuTarget> CpuTarget::of(const host::TargetSpec &spec) {
  CpuTarget target;
  target.spec = spec;
  if (spec.isAArch64()) {
    target.vectorBytes = 16;
    target.numVectorRegisters = 32;
    return target;
  }
  auto machine = spec.createMachine();
  if (!machine) {
    return machine.takeError();
  }
  const llvm::MCSubtargetInfo &info = *(*machine)->getMCSubtargetInfo();
  bool wide = info.checkFeatures("+avx512f,+avx512vl,+avx512bw,+avx512dq");
  target.vectorBytes = wide ? 64 : info.checkFeatures("+avx") ? 32 : 16;
  target.numVectorRegisters = wide ? 32 : 16;
  target.hasF16Convert = info.checkFeatures("+f16c");
  return target;
}

} // namespace graphmill::cpu
