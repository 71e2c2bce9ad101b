//===- ReportFusion.cpp - Which ops each kernel came to hold ---------------===//
//
// What is inside a kernel keeps the location of the op that it was made of.
//
//===----------------------------------------------------------------------===//
#include "inductor/Analysis/KernelInfo.h"
#include "inductor/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace graphmill {

#define GEN_PASS_DEF_REPORTFUSIONPASS
#include "inductor/Transforms/Passes.h.inc"

using namespace loop;

namespace {
struct ReportFusion : impl::ReportFusionPassBase<ReportFusion> {
  void runOnOperation() override {
    if (!getContext().getRemarkEngine()) {
      return;
    }
    for (auto graph : getOperation().getOps<fx::GraphOp>()) {
      for (auto kernel : graph.getBlock().getOps<KernelOp>()) {
        SmallVector<std::string> names = namesOf(kernel);
        if (names.size() > 1) {
          remark::passed(kernel.getLoc(), remark::RemarkOpts::name("kernel").category("fusion"))
              << "fused: " + llvm::join(names, ", ") + " are " + describe(kernel);
        }
      }
    }
  }

private:
  /// What the user calls the ops in it, in the order in which they run.
  static SmallVector<std::string> namesOf(KernelOp kernel) {
    SmallVector<std::string> names;
    kernel.getBody().walk([&](Operation *op) {
      std::string name = nameOf(op->getLoc());
      if (!name.empty() && !llvm::is_contained(names, name)) {
        names.push_back(name);
      }
    });
    return names;
  }

  /// Its node's name in PyTorch's graph; for other graphs the line that made it.
  static std::string nameOf(Location loc) {
    if (auto name = loc->findInstanceOf<NameLoc>()) {
      return name.getName().str();
    }
    auto line = loc->findInstanceOf<FileLineColLoc>();
    return line ? "line " + std::to_string(line.getLine()) : "";
  }
};
} // namespace
} // namespace graphmill
