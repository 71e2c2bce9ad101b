//===- PrimsPointwise.td - Elementwise primitives --------------------------===//
#ifndef GRAPHMILL_PRIMS_POINTWISE
#define GRAPHMILL_PRIMS_POINTWISE

include "fx/Prims/PrimsBase.td"

// Float only, elementwise, the function of the same name in C's libm.
foreach name = ["exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "sqrt",
                "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
                "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "lgamma",
                "ceil", "floor", "trunc"] in {
  def Prims_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Prims_Unary<name, FloatTensor>;
}
def Prims_RsqrtOp : Prims_Unary<"rsqrt", FloatTensor> { let summary = "1 / sqrt(x)"; }
def Prims_RoundOp : Prims_Unary<"round", FloatTensor> { let summary = "To the nearest integer, halves to even"; }
def Prims_ErfinvOp : Prims_Unary<"erfinv", FloatTensor> { let summary = "The inverse of erf"; }
def Prims_DigammaOp : Prims_Unary<"digamma", FloatTensor> { let summary = "The derivative of lgamma"; }
def Prims_I0Op : Prims_Unary<"i0", FloatTensor> { let summary = "Modified Bessel function of the first kind, order 0"; }

// Any numeric dtype; integers wrap around.
def Prims_AbsOp : Prims_Unary<"abs"> { let hasFolder = 1; }
def Prims_NegOp : Prims_Unary<"neg"> { let hasFolder = 1; }
def Prims_SignOp : Prims_Unary<"sign"> { let summary = "-1, 0 or 1; NaN gives 0, as in eager"; }
def Prims_NotOp : Prims_Unary<"not", IntegerTensor> { let summary = "Bitwise not; logical for bool"; let hasFolder = 1; }

def Prims_AddOp : Prims_Binary<"add"> { let summary = "Sum; or for bool"; let hasFolder = 1; }
def Prims_SubOp : Prims_Binary<"sub"> { let hasFolder = 1; }
def Prims_MulOp : Prims_Binary<"mul"> { let summary = "Product; and for bool"; let hasFolder = 1; }
def Prims_DivOp : Prims_Binary<"div"> {
  let hasFolder = 1;
  let summary = "Quotient; integers truncate towards zero, by zero is undefined";
}
def Prims_FmodOp : Prims_Binary<"fmod"> { let summary = "Remainder with the dividend's sign"; }
def Prims_PowOp : Prims_Binary<"pow"> { let hasCanonicalizer = 1; }
def Prims_Atan2Op : Prims_Binary<"atan2", FloatTensor>;
def Prims_CopysignOp : Prims_Binary<"copysign", FloatTensor>;
def Prims_NextafterOp : Prims_Binary<"nextafter", FloatTensor>;
def Prims_MaximumOp : Prims_Binary<"maximum"> { let summary = "The larger; NaN if either is"; let hasFolder = 1; }
def Prims_MinimumOp : Prims_Binary<"minimum"> { let summary = "The smaller; NaN if either is"; let hasFolder = 1; }
def Prims_AndOp : Prims_Binary<"and", IntegerTensor> { let hasFolder = 1; }
def Prims_OrOp : Prims_Binary<"or", IntegerTensor> { let hasFolder = 1; }
def Prims_XorOp : Prims_Binary<"xor", IntegerTensor>;
def Prims_ShlOp : Prims_Binary<"shl", IntegerTensor> { let summary = "Left shift; 0 if the count is not below the width"; }
def Prims_ShrOp : Prims_Binary<"shr", IntegerTensor> { let summary = "Arithmetic right shift; the count saturates"; }

def Prims_Predicate : Prims_Enum<"Predicate", "a comparison", ["eq", "ne", "lt", "le", "gt", "ge"]>;
def Prims_PredicateAttr : EnumAttr<Prims_Dialect, Prims_Predicate, "predicate">;

def Prims_CompareOp : Prims_Op<"compare", [Elementwise, SameTypeOperands]> {
  let summary = "Elementwise comparison; with NaN only `ne` is true";
  let arguments = (ins Prims_PredicateAttr:$predicate, Tensor:$lhs, Tensor:$rhs);
  let results = (outs BoolTensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}
def Prims_SelectOp : Prims_Op<"select", [Elementwise, AllTypesMatch<["on_true", "on_false", "result"]>]> {
  let hasFolder = 1;
  let summary = "pred[i] ? on_true[i] : on_false[i]";
  let arguments = (ins BoolTensor:$pred, Tensor:$on_true, Tensor:$on_false);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$pred `,` $on_true `,` $on_false attr-dict `:` type($pred) `,` type($result)";
}
def Prims_ConvertOp : Prims_Reshaping<"convert"> {
  let hasFolder = 1;
  let summary = "Elementwise dtype conversion, by C's rules";
  let description = [{
    Float to integer truncates towards zero; to bool is `!= 0`; float to a
    narrower float rounds to nearest even.
  }];
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}
def Prims_BitcastOp : Prims_Reshaping<"bitcast"> {
  let summary = "The same bits as another dtype of the same width";
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

#endif // GRAPHMILL_PRIMS_POINTWISE
