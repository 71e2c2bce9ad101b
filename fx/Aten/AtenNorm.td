//===- AtenNorm.td - Normalizations ----------------------------------------===//
#ifndef GRAPHMILL_ATEN_NORM
#define GRAPHMILL_ATEN_NORM

include "fx/Aten/AtenBase.td"

defvar NormAndStatistics = (outs Tensor:$output, Tensor:$mean, Tensor:$rstd);

def Aten_LayerNormOp : Aten_General<"layer_norm",
    (ins Tensor:$input, SymInts:$normalized_shape, OptTensor:$weight, OptTensor:$bias, Float<"1e-5">:$eps, Bool<"true">:$cudnn_enable),
    OneResult, "layerNorm(r, op.getInput(), op.getNormalizedShape().getExprs())", ["layer_norm.default"],
    [AttrSizedOperandSegments]> {
  let summary = "(input - mean) / sqrt(var + eps) * weight + bias over the last dims";
}
def Aten_NativeLayerNormOp : Aten_General<"native_layer_norm",
    (ins Tensor:$input, SymInts:$normalized_shape, OptTensor:$weight, OptTensor:$bias, Float<"1e-5">:$eps),
    NormAndStatistics, "nativeLayerNorm(r, op.getInput(), op.getNormalizedShape().getExprs())", ["native_layer_norm.default"],
    [AttrSizedOperandSegments]> {
  let summary = "layer_norm with mean and 1 / sqrt(var + eps)";
}
def Aten_RmsNormOp : Aten_General<"rms_norm",
    (ins Tensor:$input, SymInts:$normalized_shape, OptTensor:$weight, OptFloat:$eps), OneResult,
    "layerNorm(r, op.getInput(), op.getNormalizedShape().getExprs())"> {
  let summary = "input / sqrt(mean(input^2) + eps) * weight over the last dims";
}
def Aten_GroupNormOp : Aten_General<"group_norm",
    (ins Tensor:$input, Int<"1">:$num_groups, OptTensor:$weight, OptTensor:$bias, Float<"1e-5">:$eps, Bool<"true">:$cudnn_enabled),
    OneResult, "groupNorm(r, op.getInput(), op.getNumGroups())", ["group_norm.default"], [AttrSizedOperandSegments]> {
  let summary = "Normalization over groups of channels and all spatial dims";
}
def Aten_NativeGroupNormOp : Aten_General<"native_group_norm",
    (ins Tensor:$input, OptTensor:$weight, OptTensor:$bias, SymInt:$N, SymInt:$C, SymInt:$HxW, Int<"1">:$group, Float<"1e-5">:$eps),
    NormAndStatistics, "nativeGroupNorm(r, op.getInput(), op.getN().getExpr(), op.getGroup())", ["native_group_norm.default"],
    [AttrSizedOperandSegments]> {
  let summary = "group_norm with mean and 1 / sqrt(var + eps) of each group";
}
def Aten_BatchNormOp : Aten_General<"batch_norm",
    (ins Tensor:$input, OptTensor:$weight, OptTensor:$bias, OptTensor:$running_mean, OptTensor:$running_var,
         Bool<"false">:$training, Float<"0.1">:$momentum, Float<"1e-5">:$eps, Bool<"true">:$cudnn_enabled),
    OneResult, "pointwiseFloats(r, {op.getInput()})", ["batch_norm.default"], [AttrSizedOperandSegments]> {
  let summary = "Normalization of each channel by running statistics, or the batch's";
}
def Aten_NativeBatchNormOp : Aten_General<"native_batch_norm",
    (ins Tensor:$input, OptTensor:$weight, OptTensor:$bias, OptTensor:$running_mean, OptTensor:$running_var,
         Bool<"false">:$training, Float<"0.1">:$momentum, Float<"1e-5">:$eps),
    NormAndStatistics, "nativeBatchNorm(r, op.getInput(), op.getTraining())",
    ["native_batch_norm.default", "_native_batch_norm_legit.default", "_native_batch_norm_legit.no_stats",
     "_native_batch_norm_legit_no_training.default(training:=false)"],
    [AttrSizedOperandSegments]> {
  let summary = "batch_norm with the batch's mean and 1 / sqrt(var + eps); those are empty in eval mode";
}
def Aten_InstanceNormOp : Aten_General<"instance_norm",
    (ins Tensor:$input, OptTensor:$weight, OptTensor:$bias, OptTensor:$running_mean, OptTensor:$running_var,
         Bool<"true">:$use_input_stats, Float<"0.1">:$momentum, Float<"1e-5">:$eps, Bool<"true">:$cudnn_enabled),
    OneResult, "pointwiseFloats(r, {op.getInput()})", ["instance_norm.default"], [AttrSizedOperandSegments]> {
  let summary = "Normalization of each channel of each sample";
}
def Aten_WeightNormOp : Aten_General<"_weight_norm", (ins Tensor:$v, Tensor:$g, Int<"0">:$dim), OneResult,
    "pointwiseFloats(r, {op.getV()})"> {
  let summary = "v * g / norm(v), the norm over all dims but `dim`";
}
def Aten_WeightNormInterfaceOp : Aten_General<"_weight_norm_interface", (ins Tensor:$v, Tensor:$g, Int<"0">:$dim),
    (outs Tensor:$w, Tensor:$norms), "weightNorm(r, op.getV(), op.getG())"> {
  let summary = "_weight_norm and the norms";
}

#endif // GRAPHMILL_ATEN_NORM
