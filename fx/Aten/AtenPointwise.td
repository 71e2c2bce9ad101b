//===- AtenPointwise.td - Elementwise ops ----------------------------------===//
#ifndef GRAPHMILL_ATEN_POINTWISE
#define GRAPHMILL_ATEN_POINTWISE

include "fx/Aten/AtenBase.td"

foreach name = ["exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "sqrt", "rsqrt",
                "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
                "asinh", "acosh", "atanh", "erf", "erfc", "erfinv", "lgamma", "digamma",
                "sigmoid", "reciprocal"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_UnaryFloat<name>;
}
foreach name = ["abs", "neg", "sign", "ceil", "floor", "trunc", "relu", "silu", "square"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_UnarySame<name>;
}
foreach name = ["isnan", "isinf"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_UnaryBool<name> {
    let overloads = [name # ".default"];
  }
}
def Aten_LogicalNotOp : Aten_UnaryBool<"logical_not">;
def Aten_BitwiseNotOp : Aten_UnarySame<"bitwise_not">;

def Aten_AddOp : Aten_BinarySame<"add"> {
  let summary = "self + alpha * other";
  let arguments = (ins Tensor:$self, Tensor:$other, Scalar<"$_builder.getI64IntegerAttr(1)">:$alpha);
}
def Aten_SubOp : Aten_BinarySame<"sub"> {
  let summary = "self - alpha * other";
  let arguments = (ins Tensor:$self, Tensor:$other, Scalar<"$_builder.getI64IntegerAttr(1)">:$alpha);
}
def Aten_MulOp : Aten_BinarySame<"mul">;
def Aten_DivOp : Aten_Op<"div"> {
  let summary = "self / other; with `rounding_mode` \"trunc\" or \"floor\" integers stay integers";
  let arguments = (ins Tensor:$self, Tensor:$other, OptStr:$rounding_mode);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$self `,` $other attr-dict `:` functional-type(operands, results)";
  let overloads = ["div.Tensor", "div_.Tensor", "div.Scalar", "div_.Scalar", "div.Tensor_mode",
                   "div_.Tensor_mode", "div.Scalar_mode", "div_.Scalar_mode"];
  let rule = "division(r, op.getSelf(), op.getOther(), op.getRoundingMode())";
}
def Aten_PowOp : Aten_Op<"pow"> {
  let arguments = (ins Tensor:$self, Tensor:$exponent);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$self `,` $exponent attr-dict `:` functional-type(operands, results)";
  let overloads = ["pow.Tensor_Tensor", "pow.Tensor_Scalar", "pow.Scalar", "pow_.Tensor", "pow_.Scalar"];
  let rule = "pointwise(r, {op.getSelf(), op.getExponent()})";
}
foreach name = ["remainder", "fmod"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_BinarySame<name>;
}
def Aten_MaximumOp : Aten_BinarySame<"maximum"> { let overloads = ["maximum.default", "max.other"]; }
def Aten_MinimumOp : Aten_BinarySame<"minimum"> { let overloads = ["minimum.default", "min.other"]; }
def Aten_Atan2Op : Aten_BinaryFloat<"atan2"> { let overloads = ["atan2.default", "atan2_.default"]; }
foreach name = ["eq", "ne", "lt", "le", "gt", "ge"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_BinaryBool<name>;
}
def Aten_BitwiseAndOp : Aten_BinarySame<"bitwise_and"> {
  let overloads = ["bitwise_and.Tensor", "bitwise_and.Scalar", "bitwise_and_.Tensor", "__and__.Tensor", "__and__.Scalar"];
}
def Aten_BitwiseOrOp : Aten_BinarySame<"bitwise_or"> {
  let overloads = ["bitwise_or.Tensor", "bitwise_or.Scalar", "bitwise_or_.Tensor", "__or__.Tensor", "__or__.Scalar"];
}
def Aten_BitwiseXorOp : Aten_BinarySame<"bitwise_xor"> {
  let overloads = ["bitwise_xor.Tensor", "bitwise_xor.Scalar", "bitwise_xor_.Tensor", "__xor__.Tensor", "__xor__.Scalar"];
}
foreach name = ["and", "or", "xor"] in {
  def Aten_Logical # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_BinaryBool<"logical_" # name> {
    let overloads = ["logical_" # name # ".default", "logical_" # name # "_.default"];
  }
}
def Aten_GeluOp : Aten_UnarySame<"gelu"> {
  let arguments = (ins Tensor:$self, Str<"none">:$approximate);
}
def Aten_HardtanhOp : Aten_UnarySame<"hardtanh"> {
  let arguments = (ins Tensor:$self, Scalar<"$_builder.getI64IntegerAttr(-1)">:$min_val,
                       Scalar<"$_builder.getI64IntegerAttr(1)">:$max_val);
}
def Aten_WhereOp : Aten_General<"where", (ins Tensor:$condition, Tensor:$self, Tensor:$other), OneResult,
    "pointwise(r, {op.getSelf(), op.getOther()}, {op.getCondition()})",
    ["where.self", "where.ScalarOther", "where.ScalarSelf", "where.Scalar"]>;
def Aten_DropoutOp : Aten_General<"dropout", (ins Tensor:$input, Float<"0.5">:$p, Bool<"true">:$train), OneResult,
    "pointwise(r, {op.getInput()})", ["dropout.default", "dropout_.default"]>;

#endif // GRAPHMILL_ATEN_POINTWISE
