//===- AtenStructured.td - Products, convolutions, attention, recurrences --===//
#ifndef GRAPHMILL_ATEN_STRUCTURED
#define GRAPHMILL_ATEN_STRUCTURED

include "fx/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def Aten_LinearOp : Aten_General<"linear", (ins Tensor:$input, Tensor:$weight, OptTensor:$bias), OneResult,
    "linear(r, op.getInput(), op.getWeight(), op.getBias())"> {
  let summary = "input weight^T + bias";
  let description = [{
    linear.c1: weight is [out, in]; linear.c2: input's last dim is `in`; linear.c3: bias is [out].
  }];
}
def Aten_MatmulOp : Aten_General<"matmul", (ins Tensor:$self, Tensor:$other), OneResult, "matmul(r, op.getSelf(), op.getOther())",
    ["matmul.default", "mm.default(mat2=other)", "bmm.default(mat2=other)", "mv.default(vec=other)", "dot.default(tensor=other)",
     "linalg_matmul.default"]> {
  let summary = "Product of matrices (of batches of them, broadcast) and vectors";
  let description = [{ matmul.c1: the inner sizes are equal; matmul.c2: neither is 0-d. }];
}
def Aten_GroupedMmOp : Aten_General<"grouped_mm",
    (ins Tensor:$self, Tensor:$mat2, OptTensor:$offs, OptTensor:$bias, OptDtype:$out_dtype), OneResult,
    "groupedMm(r, op.getSelf(), op.getMat2(), op.getOffs(), op.getOutDtype())",
    ["_grouped_mm.default", "transformers.grouped_mm_fallback.default(input=self, weight=mat2)"], [AttrSizedOperandSegments]> {
  let summary = "Each row of self times the matrix of its group; group g ends before row offs[g]";
  let description = [{
    self [S, K], mat2 [G, K, N], offs [G], sorted; rows from offs[G - 1] on give 0. Without
    offs, batches of matrices. grouped_mm.c1: these ranks; grouped_mm.c2: one offset a
    group; grouped_mm.c3: the inner sizes are equal.
  }];
}
def Aten_AddmmOp : Aten_General<"addmm",
    (ins Tensor:$self, Tensor:$mat1, Tensor:$mat2, Scalar<One>:$beta, Scalar<One>:$alpha), OneResult,
    "addmm(r, op.getSelf(), op.getMat1(), op.getMat2())",
    ["addmm.default", "addmm_.default", "baddbmm.default(batch1=mat1, batch2=mat2)", "baddbmm_.default(batch1=mat1, batch2=mat2)",
     "addmv.default(mat=mat1, vec=mat2)", "addmv_.default(mat=mat1, vec=mat2)"]> {
  let summary = "beta * self + alpha * mat1 mat2";
}
def Aten_AddbmmOp : Aten_General<"addbmm",
    (ins Tensor:$self, Tensor:$batch1, Tensor:$batch2, Scalar<One>:$beta, Scalar<One>:$alpha), OneResult,
    "addbmm(r, op.getSelf(), op.getBatch1(), op.getBatch2())", ["addbmm.default", "addbmm_.default"]> {
  let summary = "beta * self + alpha * the sum over the batch of batch1 batch2";
}
def Aten_OuterOp : Aten_General<"outer", (ins Tensor:$self, Tensor:$vec2), OneResult, "outer(r, op.getSelf(), op.getVec2())",
    ["outer.default", "ger.default"]> {
  let summary = "Each element of self times each of vec2";
}
def Aten_AddrOp : Aten_General<"addr",
    (ins Tensor:$self, Tensor:$vec1, Tensor:$vec2, Scalar<One>:$beta, Scalar<One>:$alpha), OneResult,
    "outer(r, op.getVec1(), op.getVec2())", ["addr.default", "addr_.default"]> {
  let summary = "beta * self + alpha * outer(vec1, vec2)";
}
def Aten_InnerOp : Aten_General<"inner", (ins Tensor:$self, Tensor:$other), OneResult, "inner(r, op.getSelf(), op.getOther())"> {
  let summary = "Sums of products over both last dims";
}
def Aten_EinsumOp : Aten_General<"einsum", (ins Str<"">:$equation, Tensors:$tensors), OneResult,
    "einsum(r, op.getEquation(), op.getTensors())", ["einsum.default(path=)"]> {
  let summary = "Einstein's summation";
}
def Aten_TensordotOp : Aten_General<"tensordot", (ins Tensor:$self, Tensor:$other, Ints<"{}">:$dims_self, Ints<"{}">:$dims_other), OneResult,
    "tensordot(r, op.getSelf(), op.getOther(), op.getDimsSelf(), op.getDimsOther())"> {
  let summary = "Sums of products over the dims given";
}
def Aten_BilinearOp : Aten_General<"bilinear", (ins Tensor:$input1, Tensor:$input2, Tensor:$weight, OptTensor:$bias), OneResult,
    "bilinear(r, op.getInput1(), op.getWeight())"> {
  let summary = "input1^T weight[k] input2 + bias[k]";
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

def Aten_ConvolutionOp : Aten_General<"convolution",
    (ins Tensor:$input, Tensor:$weight, OptTensor:$bias, Ints<"{1}">:$stride, Ints<"{0}">:$padding,
         Ints<"{1}">:$dilation, Bool<"false">:$transposed, Ints<"{0}">:$output_padding, Int<"1">:$groups),
    OneResult, "convolution(r, {op.getInput(), op.getWeight(), op.getStride(), op.getPadding(), op.getDilation(), op.getOutputPadding(), op.getTransposed(), static_cast<int64_t>(op.getGroups())})",
    ["convolution.default", "conv1d.default", "conv2d.default", "conv3d.default",
     "_convolution.default(benchmark=, deterministic=, cudnn_enabled=, allow_tf32=)",
     "conv_transpose1d.default(transposed:=true)", "conv_transpose2d.input(transposed:=true)", "conv_transpose3d.input(transposed:=true)"]> {
  let summary = "Convolution (cross-correlation) or its transpose over 1 to 3 dims";
}
def Aten_ConvolutionPaddedOp : Aten_General<"convolution_padded",
    (ins Tensor:$input, Tensor:$weight, OptTensor:$bias, Ints<"{1}">:$stride, Str<"valid">:$padding, Ints<"{1}">:$dilation, Int<"1">:$groups),
    OneResult, "convolutionPadded(r, op.getInput(), op.getWeight(), op.getStride(), op.getPadding(), op.getDilation(), op.getGroups())",
    ["conv1d.padding", "conv2d.padding", "conv3d.padding"]> {
  let summary = "Convolution with padding \"valid\" or \"same\"";
}

//===----------------------------------------------------------------------===//
// Attention and recurrences
//===----------------------------------------------------------------------===//

def Aten_ScaledDotProductAttentionOp : Aten_General<"scaled_dot_product_attention",
    (ins Tensor:$query, Tensor:$key, Tensor:$value, OptTensor:$attn_mask, Float<"0.0">:$dropout_p, Bool<"false">:$is_causal,
         OptFloat:$scale, Bool<"false">:$enable_gqa),
    OneResult, "attention(r, op.getQuery(), op.getKey(), op.getValue())"> {
  let summary = "softmax(query key^T * scale + attn_mask) value";
  let description = [{
    attention.c1: query, key and value have one rank, at least 2; attention.c3: they are floats; attention.c2: query and
    key have one last size.
  }];
}
def Aten_FlashAttentionOp : Aten_General<"flash_attention",
    (ins Tensor:$query, Tensor:$key, Tensor:$value, Float<"0.0">:$dropout_p, Bool<"false">:$is_causal, OptTensor:$attn_mask, OptFloat:$scale),
    (outs Tensor:$output, Tensor:$logsumexp), "flashAttention(r, op.getQuery(), op.getKey(), op.getValue())",
    ["_scaled_dot_product_flash_attention_for_cpu.default"]> {
  let summary = "Attention and the log of each row's sum of exponentials";
}
def Aten_NativeMultiHeadAttentionOp : Aten_General<"native_multi_head_attention",
    (ins Tensor:$query, Tensor:$key, Tensor:$value, Int<"1">:$embed_dim, Int<"1">:$num_head, Tensor:$qkv_weight, Tensor:$qkv_bias,
         Tensor:$proj_weight, Tensor:$proj_bias, OptTensor:$mask, Bool<"true">:$need_weights, Bool<"true">:$average_attn_weights,
         OptInt:$mask_type),
    (outs Tensor:$output, Tensor:$weights),
    "attentionWithWeights(r, op.getQuery(), op.getKey(), op.getValue(), op.getNumHead(), op.getNeedWeights(), op.getAverageAttnWeights())",
    ["_native_multi_head_attention.default"]> {
  let summary = "nn.MultiheadAttention in eval mode, and the weights that it attends with";
  let description = [{
    multi_head_attention.c1: query, key and value are [batch, length, width];
    multi_head_attention.c2: num_head divides the width.
  }];
}
def Aten_TransformerEncoderLayerFwdOp : Aten_General<"transformer_encoder_layer_fwd",
    (ins Tensor:$src, Int<"1">:$embed_dim, Int<"1">:$num_heads, Tensor:$qkv_weight, Tensor:$qkv_bias, Tensor:$proj_weight,
         Tensor:$proj_bias, Bool<"false">:$use_gelu, Bool<"false">:$norm_first, Float<"1e-5">:$eps, Tensor:$norm_weight_1,
         Tensor:$norm_bias_1, Tensor:$norm_weight_2, Tensor:$norm_bias_2, Tensor:$ffn_weight_1, Tensor:$ffn_bias_1,
         Tensor:$ffn_weight_2, Tensor:$ffn_bias_2, OptTensor:$mask, OptInt:$mask_type),
    OneResult, "multiHeadAttention(r, op.getSrc(), op.getSrc(), op.getSrc(), op.getNumHeads())",
    ["_transformer_encoder_layer_fwd.default"]> {
  let summary = "nn.TransformerEncoderLayer in eval mode";
}
foreach name = ["gru", "rnn_tanh", "rnn_relu"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !subst("_", "", !substr(name, 1)) # Op : Aten_General<name,
      (ins Tensor:$input, Tensor:$hx, Tensors:$params, Bool<"true">:$has_biases, Int<"1">:$num_layers, Float<"0.0">:$dropout,
           Bool<"false">:$train, Bool<"false">:$bidirectional, Bool<"false">:$batch_first),
      (outs Tensor:$output, Tensor:$hidden),
      "recurrent(r, op.getInput(), {op.getHx()}, op.getBidirectional())", [name # ".input"]> {
    let summary = "A stack of recurrent layers";
  }
}
def Aten_LstmOp : Aten_General<"lstm",
    (ins Tensor:$input, Tensors:$hx, Tensors:$params, Bool<"true">:$has_biases, Int<"1">:$num_layers, Float<"0.0">:$dropout,
         Bool<"false">:$train, Bool<"false">:$bidirectional, Bool<"false">:$batch_first),
    (outs Tensor:$output, Tensor:$hidden, Tensor:$cell),
    "recurrent(r, op.getInput(), op.getHx(), op.getBidirectional())", ["lstm.input"], [AttrSizedOperandSegments]> {
  let summary = "A stack of LSTM layers";
}
def Aten_LstmCellOp : Aten_General<"lstm_cell",
    (ins Tensor:$input, Tensors:$hx, Tensor:$w_ih, Tensor:$w_hh, OptTensor:$b_ih, OptTensor:$b_hh),
    (outs Tensor:$hidden, Tensor:$cell), "cells(r, op.getHx())", ["lstm_cell.default"], [AttrSizedOperandSegments]> {
  let summary = "One step of an LSTM";
}
foreach name = ["gru", "rnn_tanh", "rnn_relu"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !subst("_", "", !substr(name, 1)) # CellOp : Aten_General<name # "_cell",
      (ins Tensor:$input, Tensor:$hx, Tensor:$w_ih, Tensor:$w_hh, OptTensor:$b_ih, OptTensor:$b_hh), OneResult,
      "cells(r, {op.getHx()})", [name # "_cell.default"], [AttrSizedOperandSegments]> {
    let summary = "One step of a recurrent layer";
  }
}

#endif // GRAPHMILL_ATEN_STRUCTURED
