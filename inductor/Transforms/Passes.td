//===- Passes.td - Passes of inductor --------------------------------------===//
include "mlir/Pass/PassBase.td"

def LowerPrimsPass : Pass<"prims-to-loop", "::mlir::ModuleOp"> {
  let summary = "Turn each primitive op into a kernel of its own";
  let description = [{
    Views become kernels that only read through an index map; splat constants become
    kernels without inputs. Fusion merges both into whoever reads them.
  }];
  let dependentDialects = ["::graphmill::loop::LoopDialect"];
}
