//===- Passes.td - Passes of aot_autograd ----------------------------------===//
include "mlir/Pass/PassBase.td"

def DecomposePass : Pass<"aten-decompose", "::mlir::ModuleOp"> {
  let summary = "Replace ATen ops by primitive ones";
  let description = [{
    ```mlir
    %y = aten.silu %x : (tensor<4xf32>) -> tensor<4xf32>
    ```
    becomes `neg`, `exp`, `add`, `div` and `mul`. One walk, one function an op; an op
    without a decomposition, or one that this graph uses in a way that has none, is
    an error at its location. All are reported, not just the first.
  }];
  let dependentDialects = ["::graphmill::prims::PrimsDialect"];
}
