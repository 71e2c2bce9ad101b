//===- AtenStructured.td - Matmul, convolution, attention, lookups ---------===//
#ifndef GRAPHMILL_ATEN_STRUCTURED
#define GRAPHMILL_ATEN_STRUCTURED

include "fx/Aten/AtenBase.td"

def Aten_LinearOp : Aten_General<"linear", (ins Tensor:$input, Tensor:$weight, OptTensor:$bias), OneResult,
    "linear(r, op.getInput(), op.getWeight(), op.getBias())"> {
  let summary = "input weight^T + bias";
  let description = [{
    linear.c1: weight is [out, in]; linear.c2: input's last dim is `in`; linear.c3: bias is [out].
  }];
}
def Aten_ConvolutionOp : Aten_General<"convolution",
    (ins Tensor:$input, Tensor:$weight, OptTensor:$bias, Ints<"{1}">:$stride, Ints<"{0}">:$padding,
         Ints<"{1}">:$dilation, Bool<"false">:$transposed, Ints<"{0}">:$output_padding, Int<"1">:$groups),
    OneResult, "convolution(r, {op.getInput(), op.getWeight(), op.getStride(), op.getPadding(), op.getDilation(), op.getOutputPadding(), op.getTransposed(), static_cast<int64_t>(op.getGroups())})",
    ["convolution.default", "conv1d.default", "conv2d.default", "conv3d.default"]>;
def Aten_MaxPoolOp : Aten_General<"max_pool",
    (ins Tensor:$self, Ints<"{}">:$kernel_size, Ints<"{}">:$stride, Ints<"{0}">:$padding, Ints<"{1}">:$dilation,
         Bool<"false">:$ceil_mode),
    OneResult, "pooling(r, op.getSelf(), op.getKernelSize(), op.getStride(), op.getPadding(), op.getDilation(), op.getCeilMode())",
    ["max_pool1d.default", "max_pool2d.default", "max_pool3d.default"]>;
def Aten_AdaptiveAvgPoolOp : Aten_General<"adaptive_avg_pool", (ins Tensor:$self, SymInts:$output_size), OneResult,
    "adaptivePool(r, op.getSelf(), op.getOutputSize().getExprs())",
    ["adaptive_avg_pool1d.default", "adaptive_avg_pool2d.default", "adaptive_avg_pool3d.default",
     "_adaptive_avg_pool2d.default", "_adaptive_avg_pool3d.default"]>;

#endif // GRAPHMILL_ATEN_STRUCTURED
