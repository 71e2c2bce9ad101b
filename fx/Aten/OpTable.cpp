#include "fx/Aten/OpTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace graphmill::aten {

#include "fx/Aten/OpTable.inc"

llvm::ArrayRef<OverloadRecord> allOverloads() { return kOverloads; }

const OverloadRecord *findOverload(llvm::StringRef name) {
  static const llvm::StringMap<const OverloadRecord *> kByName = [] {
    llvm::StringMap<const OverloadRecord *> map;
    for (const OverloadRecord &record : kOverloads) {
      map[record.name] = &record;
    }
    return map;
  }();
  return kByName.lookup(name);
}

/// The operator, without the overload.
static llvm::StringRef baseOf(llvm::StringRef name) {
  return name.take_until([](char c) { return c == '.'; });
}

bool OverloadRecord::reshapesInPlace() const {
  static constexpr llvm::StringLiteral kNames[] = {"resize_", "squeeze_", "swapaxes_", "swapdims_",
                                                   "t_",      "transpose_", "unsqueeze_"};
  return llvm::is_contained(kNames, baseOf(name));
}

bool OverloadRecord::isInPlace() const {
  if (reshapesInPlace()) {
    return false;
  }
  llvm::StringRef base = baseOf(name);
  if (base.starts_with("__")) {
    // Python's `&=` and kin; no operator's own name begins with i.
    return base.starts_with("__i");
  }
  return base.ends_with("_");
}

const ArgumentRecord *OverloadRecord::findArgument(llvm::StringRef theirs, bool &isKnown) const {
  // Where and how the result lies in memory is the compiler's business.
  static constexpr llvm::StringLiteral kIgnored[] = {
      "device",     "layout", "pin_memory", "memory_format", "non_blocking", "generator",
      "requires_grad", "out"};
  llvm::StringRef ours = theirs;
  isKnown = true;
  for (const Rename &rename : renames) {
    if (rename.theirs == theirs) {
      ours = rename.ours;
    }
  }
  if (ours.empty()) {
    return nullptr;
  }
  for (const ArgumentRecord &argument : arguments) {
    if (argument.name == ours) {
      return &argument;
    }
  }
  isKnown = llvm::is_contained(kIgnored, theirs);
  return nullptr;
}

} // namespace graphmill::aten
