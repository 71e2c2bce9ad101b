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

def SplitComplexPass : Pass<"aten-split-complex", "::mlir::ModuleOp"> {
  let summary = "Make pairs of real tensors of complex ones";
  let description = [{
    ```mlir
    %z = aten.mul %x, %y : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    ```
    becomes four products of the parts, a difference and a sum. Views and sums are done on
    each part. Fourier transforms become matrix products. Complex numbers are left at the
    borders only: inputs, owned tensors and outputs, through `prims.view_as_real` and
    `prims.view_as_complex`.
  }];
  let dependentDialects = ["::graphmill::prims::PrimsDialect"];
}

def FunctionalizePass : Pass<"aten-functionalize", "::mlir::ModuleOp"> {
  let summary = "Replace writes in place by new values";
  let description = [{
    ```mlir
    %row = aten.select %x {dim = 0 : i64, index = #fx.dim<2>} : …
    %new = aten.copy_ %row, %src : …
    %y = aten.relu %x : …
    ```
    becomes `aten.select_scatter %x, %src` and a relu of that. Each tensor is a view of a
    root through a chain of view ops. A write makes a new root value by undoing the chain;
    views made before the write are made again where they are next used. Roots that are
    inputs or owned tensors get an output that says so (`mutates_input`,
    `mutates_tensor`), unless the archive's signature has it already.

    Must run before anything that moves or merges ops. Declines writes through
    overlapping views (`expand`, `unfold`, `as_strided`), as PyTorch does.
  }];
}
