//===- AtenPointwise.td - Elementwise ops ----------------------------------===//
#ifndef GRAPHMILL_ATEN_POINTWISE
#define GRAPHMILL_ATEN_POINTWISE

include "fx/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// One tensor
//===----------------------------------------------------------------------===//

foreach name = ["exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "sqrt", "rsqrt",
                "sin", "cos", "tan", "sinh", "cosh", "tanh", "erf", "erfc", "erfinv",
                "digamma", "sigmoid", "reciprocal", "i0", "sinc", "deg2rad", "rad2deg"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_UnaryFloat<name> {
    let summary = name # "(self)";
    let overloads = [name # ".default", name # "_.default"] #
        !if(!or(!eq(name, "exp2"), !eq(name, "expm1"), !eq(name, "log1p"), !eq(name, "erf"), !eq(name, "erfc"),
                !eq(name, "erfinv"), !eq(name, "digamma"), !eq(name, "i0"), !eq(name, "sinc")),
            ["special_" # name # ".default"], []<string>);
  }
}
foreach name = ["asin", "acos", "atan", "asinh", "acosh", "atanh"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_UnaryFloat<name> {
    let summary = name # "(self)";
    let overloads = [name # ".default", name # "_.default", "arc" # !substr(name, 1) # ".default"];
  }
}
def Aten_LgammaOp : Aten_UnaryFloat<"lgamma"> {
  let summary = "log |gamma(self)|";
  let overloads = ["lgamma.default", "lgamma_.default", "special_gammaln.default"];
}
def Aten_SpecialEntrOp : Aten_UnaryFloat<"special_entr"> {
  let summary = "-self * log(self); 0 at 0, -inf below";
  let overloads = ["special_entr.default"];
}
foreach name = ["ceil", "floor"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_UnarySame<name> {
    let summary = name # "(self); integers stay as they are";
  }
}
def Aten_TruncOp : Aten_UnarySame<"trunc"> {
  let summary = "self without its fraction";
  let overloads = ["trunc.default", "trunc_.default", "fix.default"];
}
def Aten_FracOp : Aten_UnarySame<"frac"> { let summary = "self - trunc(self)"; }
def Aten_RoundOp : Aten_UnarySame<"round", (ins Int<"0">:$decimals)> {
  let summary = "To the nearest, halves to even; with `decimals` of 10^-decimals";
  let overloads = ["round.default", "round_.default", "round.decimals", "round_.decimals"];
}
def Aten_AbsOp : Aten_Unary<"abs", "magnitude(r, op.getSelf())"> {
  let summary = "|self|; real for complex numbers";
  let overloads = ["abs.default", "abs_.default", "absolute.default"];
}
def Aten_NegOp : Aten_UnarySame<"neg"> {
  let summary = "-self";
  let overloads = ["neg.default", "neg_.default", "negative.default"];
}
def Aten_SignOp : Aten_UnarySame<"sign"> {
  let summary = "-1, 0 or 1";
  let overloads = ["sign.default", "sign_.default", "sgn.default"];
}
def Aten_SquareOp : Aten_Unary<"square", "square(r, op.getSelf())"> { let summary = "self * self; int64 for bool"; }
def Aten_BitwiseNotOp : Aten_Unary<"bitwise_not", "bits(r, {op.getSelf()})"> { let summary = "~self; logical for bool"; }
def Aten_NanToNumOp : Aten_UnarySame<"nan_to_num", (ins OptFloat:$nan, OptFloat:$posinf, OptFloat:$neginf)> {
  let summary = "NaN and infinities replaced, by default by 0 and the dtype's extremes";
}

def Aten_ReluOp : Aten_UnarySame<"relu"> { let summary = "max(self, 0)"; }
def Aten_Relu6Op : Aten_UnarySame<"relu6"> { let summary = "min(max(self, 0), 6)"; }
def Aten_SiluOp : Aten_UnarySame<"silu"> { let summary = "self * sigmoid(self)"; }
def Aten_MishOp : Aten_UnarySame<"mish"> { let summary = "self * tanh(softplus(self))"; }
def Aten_SeluOp : Aten_UnarySame<"selu"> { let summary = "elu with the self-normalizing constants"; }
def Aten_HardswishOp : Aten_UnarySame<"hardswish"> { let summary = "self * relu6(self + 3) / 6"; }
def Aten_HardsigmoidOp : Aten_UnarySame<"hardsigmoid"> { let summary = "relu6(self + 3) / 6"; }
def Aten_LogSigmoidOp : Aten_UnarySame<"log_sigmoid"> {
  let summary = "log(sigmoid(self)), without overflow";
  let overloads = ["log_sigmoid.default"];
}
def Aten_GeluOp : Aten_UnarySame<"gelu", (ins Str<"none">:$approximate)> {
  let summary = "self * Phi(self); `approximate` \"tanh\" by the tanh formula";
}
def Aten_EluOp : Aten_UnarySame<"elu", (ins Scalar<One>:$alpha, Scalar<One>:$scale, Scalar<One>:$input_scale)> {
  let summary = "scale * (self if self > 0 else alpha * expm1(input_scale * self))";
}
def Aten_CeluOp : Aten_UnarySame<"celu", (ins Scalar<One>:$alpha)> {
  let summary = "self if self > 0 else alpha * expm1(self / alpha)";
}
def Aten_LeakyReluOp : Aten_UnarySame<"leaky_relu", (ins Scalar<"$_builder.getF64FloatAttr(0.01)">:$negative_slope)> {
  let summary = "self if self > 0 else negative_slope * self";
}
def Aten_SoftplusOp : Aten_UnarySame<"softplus", (ins Scalar<One>:$beta, Scalar<"$_builder.getI64IntegerAttr(20)">:$threshold)> {
  let summary = "log1p(exp(beta * self)) / beta; self where beta * self > threshold";
}
def Aten_HardtanhOp : Aten_UnarySame<"hardtanh", (ins Scalar<"$_builder.getI64IntegerAttr(-1)">:$min_val, Scalar<One>:$max_val)> {
  let summary = "min(max(self, min_val), max_val)";
}
def Aten_HardshrinkOp : Aten_UnarySame<"hardshrink", (ins Scalar<"$_builder.getF64FloatAttr(0.5)">:$lambd)> {
  let summary = "0 where |self| <= lambd, else self";
}
def Aten_SoftshrinkOp : Aten_UnarySame<"softshrink", (ins Scalar<"$_builder.getF64FloatAttr(0.5)">:$lambd)> {
  let summary = "self moved by lambd towards 0";
}
def Aten_ThresholdOp : Aten_UnarySame<"threshold", (ins Scalar<Zero>:$threshold, Scalar<Zero>:$value)> {
  let summary = "self where self > threshold, else value";
}
def Aten_LogitOp : Aten_UnaryFloat<"logit"> {
  let summary = "log(x / (1 - x)), self first clamped to [eps, 1 - eps]";
  let arguments = (ins Tensor:$self, OptFloat:$eps);
  let overloads = ["logit.default", "logit_.default", "special_logit.default"];
}

foreach name = ["isnan", "isinf", "isfinite", "isposinf", "isneginf", "signbit"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_UnaryBool<name> {
    let summary = name # "(self), as bool";
    let overloads = [name # ".default"];
  }
}
def Aten_LogicalNotOp : Aten_UnaryBool<"logical_not"> { let summary = "self == 0"; }

//===----------------------------------------------------------------------===//
// Two tensors
//===----------------------------------------------------------------------===//

def Aten_AddOp : Aten_BinarySame<"add"> {
  let summary = "self + alpha * other";
  let arguments = (ins Tensor:$self, Tensor:$other, Scalar<One>:$alpha);
}
def Aten_SubOp : Aten_BinarySame<"sub"> {
  let summary = "self - alpha * other; rsub the other way round";
  let arguments = (ins Tensor:$self, Tensor:$other, Scalar<One>:$alpha);
  let overloads = ["sub.Tensor", "sub_.Tensor", "sub.Scalar", "sub_.Scalar", "subtract.Tensor", "subtract.Scalar",
                   "rsub.Tensor(self=other, other=self)", "rsub.Scalar(self=other, other=self)"];
}
def Aten_MulOp : Aten_BinarySame<"mul"> {
  let summary = "self * other";
  let overloads = ["mul.Tensor", "mul_.Tensor", "mul.Scalar", "mul_.Scalar", "multiply.Tensor", "multiply.Scalar"];
}
def Aten_DivOp : Aten_Op<"div"> {
  let summary = "self / other; with `rounding_mode` \"trunc\" or \"floor\" integers stay integers";
  let arguments = (ins Tensor:$self, Tensor:$other, OptStr:$rounding_mode);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$self `,` $other attr-dict `:` functional-type(operands, results)";
  let overloads = ["div.Tensor", "div_.Tensor", "div.Scalar", "div_.Scalar", "div.Tensor_mode",
                   "div_.Tensor_mode", "div.Scalar_mode", "div_.Scalar_mode", "divide.Tensor", "divide.Scalar",
                   "true_divide.Tensor", "true_divide.Scalar",
                   "floor_divide.default(rounding_mode:=floor)", "floor_divide.Scalar(rounding_mode:=floor)",
                   "floor_divide_.Tensor(rounding_mode:=floor)", "floor_divide_.Scalar(rounding_mode:=floor)"];
  let rule = "division(r, op.getSelf(), op.getOther(), op.getRoundingMode())";
}
def Aten_PowOp : Aten_Op<"pow"> {
  let summary = "self to the power of exponent";
  let arguments = (ins Tensor:$self, Tensor:$exponent);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$self `,` $exponent attr-dict `:` functional-type(operands, results)";
  let overloads = ["pow.Tensor_Tensor", "pow.Tensor_Scalar", "pow.Scalar", "pow_.Tensor", "pow_.Scalar"];
  let rule = "pointwise(r, {op.getSelf(), op.getExponent()})";
}
def Aten_RemainderOp : Aten_BinarySame<"remainder"> {
  let summary = "Remainder with the divisor's sign, as Python's %";
  let overloads = ["remainder.Tensor", "remainder_.Tensor", "remainder.Scalar", "remainder_.Scalar", "remainder.Scalar_Tensor"];
}
def Aten_FmodOp : Aten_BinarySame<"fmod"> { let summary = "Remainder with the dividend's sign, as C's"; }
def Aten_MaximumOp : Aten_BinarySame<"maximum"> {
  let summary = "The larger; NaN if either is";
  let overloads = ["maximum.default", "max.other"];
}
def Aten_MinimumOp : Aten_BinarySame<"minimum"> {
  let summary = "The smaller; NaN if either is";
  let overloads = ["minimum.default", "min.other"];
}
def Aten_FmaxOp : Aten_BinarySame<"fmax"> {
  let summary = "The larger; the other if one is NaN";
  let overloads = ["fmax.default"];
}
def Aten_FminOp : Aten_BinarySame<"fmin"> {
  let summary = "The smaller; the other if one is NaN";
  let overloads = ["fmin.default"];
}
def Aten_Atan2Op : Aten_BinaryFloat<"atan2"> {
  let summary = "Angle of the point (other, self)";
  let overloads = ["atan2.default", "atan2_.default", "atan2.out", "arctan2.default"];
}
def Aten_HypotOp : Aten_BinarySame<"hypot"> {
  let summary = "sqrt(self^2 + other^2)";
  let overloads = ["hypot.default", "hypot_.default"];
}
def Aten_CopysignOp : Aten_BinaryFloat<"copysign"> {
  let summary = "self's magnitude with other's sign";
}
def Aten_NextafterOp : Aten_BinarySame<"nextafter"> {
  let summary = "The next float after self towards other";
  let overloads = ["nextafter.default", "nextafter_.default"];
}
foreach name = ["logaddexp", "logaddexp2"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_BinaryFloat<name> {
    let summary = "log of the sum of powers, without overflow";
    let overloads = [name # ".default"];
  }
}
def Aten_XlogyOp : Aten_BinaryFloat<"xlogy"> {
  let summary = "self * log(other); 0 where self is 0 and other isn't NaN";
  let overloads = ["xlogy.Tensor", "xlogy.Scalar_Other", "xlogy.Scalar_Self", "special_xlogy.default"];
}
def Aten_HeavisideOp : Aten_BinarySame<"heaviside"> {
  let summary = "0, values or 1 for self below, at and above 0";
  let arguments = (ins Tensor:$self, Tensor:$values);
  let assemblyFormat = "$self `,` $values attr-dict `:` functional-type(operands, results)";
  let overloads = ["heaviside.default"];
  let rule = "pointwise(r, {op.getSelf(), op.getValues()})";
}
def Aten_LdexpOp : Aten_BinaryFloat<"ldexp"> {
  let summary = "self * 2^other";
  let overloads = ["ldexp.Tensor"];
}
def Aten_EqOp : Aten_BinaryBool<"eq"> { let summary = "self == other"; }
def Aten_NeOp : Aten_BinaryBool<"ne"> {
  let summary = "self != other";
  let overloads = ["ne.Tensor", "ne_.Tensor", "ne.Scalar", "ne_.Scalar", "not_equal.Tensor", "not_equal.Scalar"];
}
def Aten_LtOp : Aten_BinaryBool<"lt"> {
  let summary = "self < other";
  let overloads = ["lt.Tensor", "lt_.Tensor", "lt.Scalar", "lt_.Scalar", "less.Tensor", "less.Scalar"];
}
def Aten_LeOp : Aten_BinaryBool<"le"> {
  let summary = "self <= other";
  let overloads = ["le.Tensor", "le_.Tensor", "le.Scalar", "le_.Scalar", "less_equal.Tensor", "less_equal.Scalar"];
}
def Aten_GtOp : Aten_BinaryBool<"gt"> {
  let summary = "self > other";
  let overloads = ["gt.Tensor", "gt_.Tensor", "gt.Scalar", "gt_.Scalar", "greater.Tensor", "greater.Scalar"];
}
def Aten_GeOp : Aten_BinaryBool<"ge"> {
  let summary = "self >= other";
  let overloads = ["ge.Tensor", "ge_.Tensor", "ge.Scalar", "ge_.Scalar", "greater_equal.Tensor", "greater_equal.Scalar"];
}
foreach name = ["and", "or", "xor"] in {
  def Aten_Bitwise # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_Binary<"bitwise_" # name, "bits(r, {op.getSelf(), op.getOther()})"> {
    let summary = "Bitwise " # name # "; logical for bool";
    let overloads = ["bitwise_" # name # ".Tensor", "bitwise_" # name # "_.Tensor", "bitwise_" # name # ".Scalar",
                     "bitwise_" # name # "_.Scalar", "bitwise_" # name # ".Scalar_Tensor",
                     "__" # name # "__.Tensor", "__" # name # "__.Scalar", "__i" # name # "__.Tensor", "__i" # name # "__.Scalar"];
  }
  def Aten_Logical # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_BinaryBool<"logical_" # name> {
    let summary = "Logical " # name # " of truths (not 0)";
    let overloads = ["logical_" # name # ".default", "logical_" # name # "_.default"];
  }
}
def Aten_LeftShiftOp : Aten_Binary<"bitwise_left_shift", "bits(r, {op.getSelf(), op.getOther()})"> {
  let summary = "self << other";
  let overloads = ["bitwise_left_shift.Tensor", "bitwise_left_shift.Tensor_Scalar", "bitwise_left_shift.Scalar_Tensor",
                   "__lshift__.Tensor", "__lshift__.Scalar"];
}
def Aten_RightShiftOp : Aten_Binary<"bitwise_right_shift", "bits(r, {op.getSelf(), op.getOther()})"> {
  let summary = "self >> other, arithmetic";
  let overloads = ["bitwise_right_shift.Tensor", "bitwise_right_shift.Tensor_Scalar", "bitwise_right_shift.Scalar_Tensor",
                   "__rshift__.Tensor", "__rshift__.Scalar"];
}
def Aten_IscloseOp : Aten_BinaryBool<"isclose"> {
  let summary = "|self - other| <= atol + rtol * |other|";
  let arguments = (ins Tensor:$self, Tensor:$other, Float<"1e-5">:$rtol, Float<"1e-8">:$atol, Bool<"false">:$equal_nan);
  let overloads = ["isclose.default"];
}

//===----------------------------------------------------------------------===//
// Three and more
//===----------------------------------------------------------------------===//

def Aten_ClampOp : Aten_General<"clamp", (ins Tensor:$self, OptTensor:$min, OptTensor:$max), OneResult,
    "pointwise(r, {op.getSelf(), op.getMin(), op.getMax()})",
    ["clamp.default", "clamp_.default", "clamp.Tensor", "clamp_.Tensor", "clip.default", "clip.Tensor",
     "clamp_min.default", "clamp_min_.default", "clamp_min.Tensor", "clamp_min_.Tensor",
     "clamp_max.default", "clamp_max_.default", "clamp_max.Tensor", "clamp_max_.Tensor"],
    [AttrSizedOperandSegments]> {
  let summary = "min(max(self, min), max)";
}
def Aten_WhereOp : Aten_General<"where", (ins Tensor:$condition, Tensor:$self, Tensor:$other), OneResult,
    "pointwise(r, {op.getSelf(), op.getOther()}, {op.getCondition()})",
    ["where.self", "where.ScalarOther", "where.ScalarSelf", "where.Scalar"]> {
  let summary = "condition ? self : other";
}
def Aten_MaskedFillOp : Aten_General<"masked_fill", (ins Tensor:$self, Tensor:$mask, Tensor:$value), OneResult,
    "likeFirst(r, {op.getSelf(), op.getMask()})",
    ["masked_fill.Scalar", "masked_fill_.Scalar", "masked_fill.Tensor", "masked_fill_.Tensor"]> {
  let summary = "value where mask, else self";
}
def Aten_LerpOp : Aten_General<"lerp", (ins Tensor:$self, Tensor:$end, Tensor:$weight), OneResult,
    "likeFirst(r, {op.getSelf(), op.getEnd(), op.getWeight()})",
    ["lerp.Scalar", "lerp_.Scalar", "lerp.Tensor", "lerp_.Tensor"]> {
  let summary = "self + weight * (end - self)";
}
def Aten_AddcmulOp : Aten_General<"addcmul", (ins Tensor:$self, Tensor:$tensor1, Tensor:$tensor2, Scalar<One>:$value), OneResult,
    "pointwise(r, {op.getSelf(), op.getTensor1(), op.getTensor2()})", ["addcmul.default", "addcmul_.default"]> {
  let summary = "self + value * tensor1 * tensor2";
}
def Aten_AddcdivOp : Aten_General<"addcdiv", (ins Tensor:$self, Tensor:$tensor1, Tensor:$tensor2, Scalar<One>:$value), OneResult,
    "pointwise(r, {op.getSelf(), op.getTensor1(), op.getTensor2()})", ["addcdiv.default", "addcdiv_.default"]> {
  let summary = "self + value * tensor1 / tensor2";
}
def Aten_PreluOp : Aten_General<"prelu", (ins Tensor:$self, Tensor:$weight), OneResult,
    "pointwise(r, {op.getSelf()})", ["prelu.default", "_prelu_kernel.default"]> {
  let summary = "self if self > 0 else weight * self; weight for each channel (dim 1) or one for all";
}
def Aten_GluOp : Aten_General<"glu", (ins Tensor:$self, Int<"-1">:$dim), OneResult, "glu(r, op.getSelf(), op.getDim())"> {
  let summary = "First half of `dim` times the sigmoid of the second";
}
def Aten_DropoutOp : Aten_General<"dropout", (ins Tensor:$input, Float<"0.5">:$p, Bool<"true">:$train), OneResult,
    "pointwise(r, {op.getInput()})",
    ["dropout.default", "dropout_.default(self=input)", "feature_dropout.default", "feature_dropout_.default(self=input)",
     "alpha_dropout.default", "alpha_dropout_.default(self=input)", "feature_alpha_dropout.default"]> {
  let summary = "In eval mode: input. In training mode: elements zeroed at random, others scaled";
}
def Aten_NativeDropoutOp : Aten_General<"native_dropout", (ins Tensor:$input, Float<"0.5">:$p, OptBool:$train),
    (outs Tensor:$output, Tensor:$mask), "nativeDropout(r, op.getInput())"> {
  let summary = "Dropout and the mask of what was kept";
}
def Aten_RreluOp : Aten_General<"rrelu",
    (ins Tensor:$self, Scalar<"$_builder.getF64FloatAttr(0.125)">:$lower, Scalar<"$_builder.getF64FloatAttr(1.0 / 3)">:$upper,
         Bool<"false">:$training), OneResult, "pointwise(r, {op.getSelf()})", ["rrelu.default", "rrelu_.default"]> {
  let summary = "In eval mode: leaky_relu with the mean of lower and upper";
}

#endif // GRAPHMILL_ATEN_POINTWISE
