//===- PrimsShape.td - Creation and views ----------------------------------===//
#ifndef GRAPHMILL_PRIMS_SHAPE
#define GRAPHMILL_PRIMS_SHAPE

include "fx/Prims/PrimsBase.td"

def Prims_ConstantOp : Prims_Op<"constant", [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "A small constant";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}
def Prims_SizeOp : Prims_Op<"size"> {
  let summary = "A size as a 0-d int64 tensor";
  let arguments = (ins Fx_DimAttr:$value);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}
def Prims_IotaOp : Prims_Op<"iota"> {
  let summary = "result[i] = i, 1-d, integer";
  let description = [{ iota.c1: the result is 1-d. }];
  let hasVerifier = 1;
  let arguments = (ins);
  let results = (outs IntegerTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def Prims_BroadcastOp : Prims_Reshaping<"broadcast", (ins DenseI64ArrayAttr:$dims)> {
  let summary = "Operand's dim i becomes result's dim dims[i]; sizes 1 are repeated";
  let description = [{
    `dims` increases strictly. broadcast.c1: each operand's size is 1 or the
    result's; broadcast.c2: one entry a dim of the operand, increasing.
  }];
  let assemblyFormat = "$operand `dims` `=` $dims attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def Prims_ReshapeOp : Prims_Reshaping<"reshape"> {
  let summary = "The same elements in row-major order under another shape";
  let description = [{ reshape.c1: as many elements, as far as that is known. }];
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def Prims_TransposeOp : Prims_Reshaping<"transpose", (ins DenseI64ArrayAttr:$perm)> {
  let summary = "Result's dim i is operand's dim perm[i]";
  let description = [{
    transpose.c1: `perm` is a permutation; transpose.c2: the result's sizes are permuted by it.
  }];
  let assemblyFormat = "$operand `perm` `=` $perm attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def Prims_SliceOp : Prims_Reshaping<"slice", (ins Fx_DimsAttr:$starts, DenseI64ArrayAttr:$steps)> {
  let summary = "result[i…] = operand[starts + i * steps]";
  let description = [{
    Sizes come from the result's type. slice.c1: one start and one step a dim of the
    operand; slice.c2: steps are positive.
  }];
  let assemblyFormat = "$operand `starts` `=` $starts `steps` `=` $steps attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def Prims_PadOp : Prims_Reshaping<"pad", (ins Tensor:$value, Fx_DimsAttr:$low)> {
  let hasFolder = 1;
  let summary = "Operand placed at `low` in a result filled with `value`";
  let description = [{
    `value` is 0-d. `low` may be negative (the operand is cropped). pad.c1: `low` has one
    number a dim of the operand, and the result has as many dims.
  }];
  let hasVerifier = 1;
  let assemblyFormat = "$operand `,` $value `low` `=` $low attr-dict `:` type($operand) `,` type($value) `->` type($result)";
}
def Prims_ConcatenateOp : Prims_Op<"concatenate", [DimOfOperand]> {
  let hasFolder = 1;
  let summary = "Operands one after the other along `dim`";
  let arguments = (ins Variadic<Tensor>:$operands, I64Attr:$dim);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$operands `dim` `=` $dim attr-dict `:` functional-type($operands, $result)";
}
def Prims_ReverseOp : Prims_Op<"reverse", [SameOperandsAndResultType]> {
  let hasFolder = 1;
  let arguments = (ins Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Tensor:$result);
  let summary = "Operand with the order along `dims` turned around";
  let description = [{ reverse.c1: `dims` are dims of the operand. }];
  let hasVerifier = 1;
  let assemblyFormat = "$operand `dims` `=` $dims attr-dict `:` type($result)";
}
def Prims_AsStridedOp : Prims_Reshaping<"as_strided", (ins Fx_DimsAttr:$strides, Fx_DimAttr:$offset)> {
  let summary = "result[i…] = flat(operand)[offset + sum of i * stride]";
  let description = [{ as_strided.c1: one stride a dim of the result. }];
  let hasVerifier = 1;
  let assemblyFormat = "$operand `strides` `=` $strides `offset` `=` $offset attr-dict `:` type($operand) `->` type($result)";
}

def Prims_ViewAsRealOp : Prims_Reshaping<"view_as_real"> {
  let summary = "The bytes of complex numbers as real and imaginary parts, along a new last dim";
  let description = [{
    This and `view_as_complex` stand where complex numbers come from and go to the user:
    no other op of this dialect that is compiled takes or gives any.
  }];
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}
def Prims_ViewAsComplexOp : Prims_Reshaping<"view_as_complex"> {
  let summary = "The bytes of pairs along the last dim as complex numbers";
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

#endif // GRAPHMILL_PRIMS_SHAPE
