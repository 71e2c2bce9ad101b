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

def InlineProducersPass : Pass<"loop-inline-producers", "::mlir::ModuleOp"> {
  let summary = "Let readers compute what pointwise kernels would have stored";
  let description = [{
    ```mlir
    %a = loop.kernel … { load %x, exp, store }
    %b = loop.kernel … (%a) { load %a, mul, store }
    ```
    becomes one kernel: load, exp, mul, store. Index maps compose. Views and constants
    are always merged; computation is if nobody else reads its result, or if it is cheap
    (four operations, three reads). Not into the operands of a contraction, whose inner
    loop must stay a product of two strided reads.
  }];
  let dependentDialects = ["::graphmill::loop::LoopDialect"];
  let options = [Option<"maxReads", "max-reads", "unsigned", "64", "Reads that one kernel may hold">];
  let statistics = [Statistic<"numInlined", "inlined", "Producers merged into a reader">];
}

def FuseConsumersPass : Pass<"loop-fuse-consumers", "::mlir::ModuleOp"> {
  let summary = "Merge readers into the reductions and contractions they read from";
  let description = [{
    The pointwise reader of a contraction becomes its epilogue. Readers that need only the
    row that a reduction has just worked on join it: softmax is one kernel with four inner
    loops. Declines if another kernel reads the result earlier, or if there are too few rows
    to keep threads busy.
  }];
  let dependentDialects = ["::graphmill::loop::LoopDialect"];
  let options = [
    Option<"minRows", "min-rows", "unsigned", "16", "Fewer rows than this are fused only if small">,
    Option<"smallElements", "small-elements", "unsigned", "65536", "Elements that aren't worth a second thread">];
  let statistics = [Statistic<"numFused", "fused", "Readers merged into a producer">];
}
