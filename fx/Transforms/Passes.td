//===- Passes.td - Passes on graphs of prims -------------------------------===//
include "mlir/Pass/PassBase.td"

def FoldConstantsPass : Pass<"prims-fold-constants", "::mlir::ModuleOp"> {
  let summary = "Compute now what depends on owned tensors and constants only";
  let description = [{
    ```mlir
    %w = fx.get @w : tensor<4xf32>
    %0 = prims.neg %w : tensor<4xf32>
    ```
    becomes an `fx.get` of a new `fx.tensor` with the negated values. Tensors that the
    graph's outputs write back are no constants. Views of owned tensors stay views, which
    inductor reads through; a result that has more than `max-growth` bytes more than what
    it is computed from stays computed. Tensors and ops that nothing uses any more go.
  }];
  let options = [Option<"maxGrowth", "max-growth", "int64_t", "65536",
                        "Bytes that a result may have more than its operands">];
  let statistics = [Statistic<"numFolded", "folded", "Ops computed">,
                    Statistic<"numTensors", "tensors", "Tensors made">];
}

def FoldScalesPass : Pass<"prims-fold-scales", "::mlir::ModuleOp"> {
  let summary = "Move a constant factor of each output channel into the weight";
  let description = [{
    ```mlir
    %y = prims.convolution %x, %w …
    %z = prims.mul %y, %s            // %s: a constant, one value a channel
    ```
    becomes the convolution of `%x` with `%w * %s`, which `prims-fold-constants` computes.
    So does a division, and a matmul with constant right side. An addition of a constant
    between (a bias) is scaled too, and joined with one that follows: what is left of a
    batch norm is one addition. Declines if anything else reads the unscaled product.
  }];
  let statistics = [Statistic<"numFolded", "folded", "Factors moved">];
}
