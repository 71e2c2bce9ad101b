#include "codegen/host/Target.h"
#include "runtime/ProcessorFeatures.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include <algorithm>

using namespace llvm;

// Only the two CPU targets, named one by one: LLVM's InitializeAll… would pull
// in GPUs' too.
extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
void LLVMInitializeX86AsmParser();
void LLVMInitializeAArch64TargetInfo();
void LLVMInitializeAArch64Target();
void LLVMInitializeAArch64TargetMC();
void LLVMInitializeAArch64AsmPrinter();
void LLVMInitializeAArch64AsmParser();
}

namespace graphmill::host {
namespace {

constexpr const char *kX86Triple = "x86_64-unknown-linux-gnu";
constexpr const char *kAArch64Triple = "aarch64-unknown-linux-gnu";
// Their conversions to bfloat16 make zeros of subnormal numbers; eager keeps them.
constexpr const char *kX86Excluded = "-avx512bf16,-avxneconvert";

void initializeTargets() {
  static const bool done = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
    return true;
  }();
  (void)done;
}

std::unique_ptr<MCSubtargetInfo> describeCpu(const TargetSpec &spec) {
  std::string error;
  const Target *target =
      TargetRegistry::lookupTarget(Triple(spec.triple), error);
  return std::unique_ptr<MCSubtargetInfo>(
      target ? target->createMCSubtargetInfo(Triple(spec.triple), spec.cpu,
                                             spec.features)
             : nullptr);
}

StringSet<> enabledFeatures(const TargetSpec &spec) {
  StringSet<> names;
  if (std::unique_ptr<MCSubtargetInfo> info = describeCpu(spec)) {
    for (const SubtargetFeatureKV &feature :
         info->getEnabledProcessorFeatures()) {
      names.insert(feature.Key);
    }
  }
  return names;
}

TargetSpec detectNative() {
  TargetSpec spec;
  spec.triple =
      Triple(sys::getProcessTriple()).isAArch64() ? kAArch64Triple : kX86Triple;
  spec.cpu = sys::getHostCPUName().str();
  // A virtual machine may hide features that the CPU's name stands for. Only
  // what differs is said: LLVM reads the list again for each kernel.
  StringSet<> known = enabledFeatures(spec);
  std::vector<std::string> features;
  for (const auto &feature : sys::getHostCPUFeatures()) {
    if (feature.second != known.contains(feature.first())) {
      features.push_back((feature.second ? "+" : "-") + feature.first().str());
    }
  }
  std::sort(features.begin(), features.end());
  if (!spec.isAArch64()) {
    features.push_back(kX86Excluded);
  }
  spec.features = join(features, ",");
  return spec;
}

bool isCpuOf(const char *triple, StringRef cpu) {
  std::unique_ptr<MCSubtargetInfo> info = describeCpu({triple, "", ""});
  return info && info->isCPUStringValid(cpu);
}

} // namespace

Expected<TargetSpec> TargetSpec::parse(StringRef name) {
  initializeTargets();
  if (name == "native") {
    return detectNative();
  }
  if (name == "aarch64") {
    return TargetSpec{kAArch64Triple, "generic", ""};
  }
  if (name != "generic") {
    for (const char *triple : {kX86Triple, kAArch64Triple}) {
      if (isCpuOf(triple, name)) {
        return TargetSpec{triple, name.str(), triple == kX86Triple ? kX86Excluded : ""};
      }
    }
  }
  return createStringError(
      "unknown target '" + name +
      "'; expected native, x86-64-v3, x86-64-v4, aarch64 or the name that "
      "LLVM gives an x86-64 or AArch64 CPU");
}

std::string TargetSpec::describe() const {
  return (isAArch64() ? "aarch64 " : "x86_64 ") + cpu;
}

uint64_t TargetSpec::processorFeatures() const {
  if (isAArch64()) {
    return 0;
  }
  initializeTargets();
  StringSet<> enabled = enabledFeatures(*this);
  uint64_t mask = 0;
  unsigned bit = 0;
#define ROW(name, leaf, subleaf, reg, position, state)                         \
  mask |= uint64_t(enabled.contains(name)) << bit++;
  GM_PROCESSOR_FEATURES(ROW)
#undef ROW
  return mask;
}

Expected<std::unique_ptr<TargetMachine>> TargetSpec::createMachine() const {
  initializeTargets();
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(Triple(triple), error);
  if (!target) {
    return createStringError("no code generator for " + triple + ": " + error);
  }
  TargetOptions options;
  options.FunctionSections = true;
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      Triple(triple), cpu, features, options, Reloc::PIC_, CodeModel::Small,
      CodeGenOptLevel::Default));
  if (!machine) {
    return createStringError("LLVM makes no code for " + describe());
  }
  return std::move(machine);
}

void TargetSpec::applyTo(Module &module) const {
  module.setTargetTriple(Triple(triple));
  module.setDataLayout(Triple(triple).computeDataLayout());
  module.setPICLevel(PICLevel::BigPIC);
}

} // namespace graphmill::host
