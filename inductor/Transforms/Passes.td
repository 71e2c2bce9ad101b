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
  let options = [Option<"maxReads", "max-reads", "unsigned", "64", "Reads that one kernel may hold">,
                 Option<"maxOps", "max-ops", "unsigned", "128", "Ops that one kernel may hold: each merge copies them">];
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
    Option<"maxOps", "max-ops", "unsigned", "512", "Ops that one kernel may hold: each merge copies them">,
    Option<"minRows", "min-rows", "unsigned", "16", "Fewer rows than this are fused only if small">,
    Option<"smallElements", "small-elements", "unsigned", "65536", "Elements that aren't worth a second thread">];
  let statistics = [Statistic<"numFused", "fused", "Readers merged into a producer">];
}

def AssignLayoutsPass : Pass<"loop-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "Choose the order in which each tensor's dims are stored";
  let description = [{
    Sets `orders` on kernels: for each operand and result a permutation of its dims,
    outermost first, or [] for the order of the type. Convolutions want channels last;
    others take the order of what they read. Copies are added where the user's own
    tensors are concerned: inputs of convolutions, outputs in another order, outputs that
    are inputs or owned tensors or given twice.
  }];
  let dependentDialects = ["::graphmill::loop::LoopDialect"];
}

def PackWeightsPass : Pass<"loop-pack-weights", "::mlir::ModuleOp"> {
  let summary = "Store constant operands of contractions in panels";
  let description = [{
    A weight that only one contraction reads becomes [N / panel, K…, panel], padded with
    zeros; the load's map changes with it. The bytes are computed here, once.
  }];
  let dependentDialects = ["::graphmill::loop::LoopDialect"];
  let options = [Option<"panel", "panel", "int64_t", "16", "Columns in a panel: two vector registers">];
  let statistics = [Statistic<"numPacked", "packed", "Tensors stored in panels">];
}

def TransformConvolutionsPass : Pass<"loop-transform-convolutions", "::mlir::ModuleOp"> {
  let summary = "Make 3x3 convolutions of step 1 from fewer products, by Winograd's transforms";
  let description = [{
    The sum over taps and channels becomes three: of the input's tile over its places, of the
    products over channels, of the products' tile over its places (inductor/Analysis/Winograd.h);
    the weight is stored transformed. The tile is 4 x 4 or 2 x 2 outputs, whichever is estimated
    to take less time; declines if a direct sum takes about as little. Results differ from a
    direct sum's by rounding, and infinities spread over a tile as NaN.
  }];
  let dependentDialects = ["::graphmill::loop::LoopDialect"];
  let options = [Option<"panel", "panel", "int64_t", "16", "Columns in a panel: two vector registers">];
  let statistics = [Statistic<"numTransformed", "transformed", "Convolutions made of fewer products">];
}

def ReportFusionPass : Pass<"loop-report-fusion", "::mlir::ModuleOp"> {
  let summary = "Say in remarks which ops each kernel came to hold";
  let description = [{
    One remark for each kernel of several ops, at its last op's place: `fused: conv2d, relu are
    contraction_relu 2x8x16x16`. Nothing is changed, and nothing done if no one listens.
  }];
}
