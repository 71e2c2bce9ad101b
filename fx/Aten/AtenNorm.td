//===- AtenNorm.td - Normalizations, softmax, reductions -------------------===//
#ifndef GRAPHMILL_ATEN_NORM
#define GRAPHMILL_ATEN_NORM

include "fx/Aten/AtenBase.td"

def Aten_MeanOp : Aten_General<"mean", (ins Tensor:$self, OptInts:$dim, Bool<"false">:$keepdim, OptDtype:$dtype),
    OneResult, "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), op.getDtype(), Accumulate::Float)",
    ["mean.default", "mean.dim"]>;
def Aten_SumOp : Aten_General<"sum", (ins Tensor:$self, OptInts:$dim, Bool<"false">:$keepdim, OptDtype:$dtype),
    OneResult, "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), op.getDtype(), Accumulate::WideInt)",
    ["sum.default", "sum.dim_IntList"]>;
def Aten_SoftmaxOp : Aten_General<"softmax", (ins Tensor:$self, Int<"-1">:$dim, OptDtype:$dtype), OneResult,
    "softmax(r, op.getSelf(), op.getDim(), op.getDtype())", ["softmax.int", "_softmax.default"]>;
def Aten_LogSoftmaxOp : Aten_General<"log_softmax", (ins Tensor:$self, Int<"-1">:$dim, OptDtype:$dtype), OneResult,
    "softmax(r, op.getSelf(), op.getDim(), op.getDtype())", ["log_softmax.int", "_log_softmax.default"]>;
def Aten_LayerNormOp : Aten_General<"layer_norm",
    (ins Tensor:$input, SymInts:$normalized_shape, OptTensor:$weight, OptTensor:$bias, Float<"1e-5">:$eps, Bool<"true">:$cudnn_enable),
    OneResult, "layerNorm(r, op.getInput(), op.getNormalizedShape().getExprs())", ["layer_norm.default"],
    [AttrSizedOperandSegments]>;
def Aten_BatchNormOp : Aten_General<"batch_norm",
    (ins Tensor:$input, OptTensor:$weight, OptTensor:$bias, OptTensor:$running_mean, OptTensor:$running_var,
         Bool<"false">:$training, Float<"0.1">:$momentum, Float<"1e-5">:$eps, Bool<"true">:$cudnn_enabled),
    OneResult, "pointwise(r, {op.getInput()})", ["batch_norm.default"], [AttrSizedOperandSegments]>;

#endif // GRAPHMILL_ATEN_NORM
