//===- AtenBackward.td - Gradients that ATen has ops for -------------------===//
#ifndef GRAPHMILL_ATEN_BACKWARD
#define GRAPHMILL_ATEN_BACKWARD

include "fx/Aten/AtenBase.td"

// Where ATen takes an `output_mask`, all gradients are given here: those that nobody
// reads are removed.

def Aten_ConvolutionBackwardOp : Aten_General<"convolution_backward",
    (ins Tensor:$grad_output, Tensor:$input, Tensor:$weight, Ints<"{1}">:$stride, Ints<"{0}">:$padding, Ints<"{1}">:$dilation,
         Bool<"false">:$transposed, Ints<"{0}">:$output_padding, Int<"1">:$groups),
    (outs Tensor:$grad_input, Tensor:$grad_weight, Tensor:$grad_bias),
    "convolutionBackward(r, op.getGradOutput(), op.getInput(), op.getWeight())",
    ["convolution_backward.default(bias_sizes=, output_mask=)"]> {
  let summary = "Gradients of convolution by its input, weight and bias";
}
def Aten_NativeLayerNormBackwardOp : Aten_General<"native_layer_norm_backward",
    (ins Tensor:$grad_out, Tensor:$input, SymInts:$normalized_shape, Tensor:$mean, Tensor:$rstd, OptTensor:$weight, OptTensor:$bias),
    (outs Tensor:$grad_input, Tensor:$grad_weight, Tensor:$grad_bias),
    "normBackward(r, op.getInput(), op.getNormalizedShape().getExprs())",
    ["native_layer_norm_backward.default(output_mask=)"], [AttrSizedOperandSegments]> {
  let summary = "Gradients of native_layer_norm by its input, weight and bias";
}
def Aten_NativeGroupNormBackwardOp : Aten_General<"native_group_norm_backward",
    (ins Tensor:$grad_out, Tensor:$input, Tensor:$mean, Tensor:$rstd, OptTensor:$weight, SymInt:$N, SymInt:$C, SymInt:$HxW, Int<"1">:$group),
    (outs Tensor:$grad_input, Tensor:$grad_weight, Tensor:$grad_bias),
    "normBackward(r, op.getInput(), {op.getC().getExpr()})", ["native_group_norm_backward.default(output_mask=)"]> {
  let summary = "Gradients of native_group_norm by its input, weight and bias";
}
def Aten_AvgPoolBackwardOp : Aten_General<"avg_pool_backward",
    (ins Tensor:$grad_output, Tensor:$self, Int<"2">:$spatial, Ints<"{}">:$kernel_size, Ints<"{}">:$stride, Ints<"{0}">:$padding,
         Bool<"false">:$ceil_mode, Bool<"true">:$count_include_pad, OptInt:$divisor_override),
    OneResult, "cast(r, op.getSelf(), std::nullopt)",
    ["avg_pool2d_backward.default(spatial:=2)", "avg_pool3d_backward.default(spatial:=3)"]> {
  let summary = "Gradient of avg_pool by its input";
}
def Aten_AdaptiveAvgPoolBackwardOp : Aten_General<"adaptive_avg_pool_backward", (ins Tensor:$grad_output, Tensor:$self, Int<"2">:$spatial),
    OneResult, "cast(r, op.getSelf(), std::nullopt)",
    ["_adaptive_avg_pool2d_backward.default(spatial:=2)", "_adaptive_avg_pool3d_backward.default(spatial:=3)"]> {
  let summary = "Gradient of adaptive_avg_pool by its input";
}
def Aten_MaxPoolWithIndicesBackwardOp : Aten_General<"max_pool_with_indices_backward",
    (ins Tensor:$grad_output, Tensor:$self, Int<"2">:$spatial, Tensor:$indices), OneResult, "cast(r, op.getSelf(), std::nullopt)",
    ["max_pool2d_with_indices_backward.default(kernel_size=, stride=, padding=, dilation=, ceil_mode=, spatial:=2)",
     "max_pool3d_with_indices_backward.default(kernel_size=, stride=, padding=, dilation=, ceil_mode=, spatial:=3)"]> {
  let summary = "Gradient of max_pool by its input: each goes to where the largest element was";
}
def Aten_EmbeddingDenseBackwardOp : Aten_General<"embedding_dense_backward",
    (ins Tensor:$grad_output, Tensor:$indices, SymInt:$num_weights, Int<"-1">:$padding_idx, Bool<"false">:$scale_grad_by_freq),
    OneResult, "embeddingBackward(r, op.getGradOutput(), op.getNumWeights().getExpr())"> {
  let summary = "Gradient of embedding by its weight";
}

#endif // GRAPHMILL_ATEN_BACKWARD
