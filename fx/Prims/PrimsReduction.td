//===- PrimsReduction.td - Reductions, windows, scans, sorting -------------===//
#ifndef GRAPHMILL_PRIMS_REDUCTION
#define GRAPHMILL_PRIMS_REDUCTION

include "fx/Prims/PrimsBase.td"

def Prims_Reducer : Prims_Enum<"Reducer", "how elements combine",
                               ["sum", "prod", "max", "min", "and", "or"]>;
def Prims_ReducerAttr : EnumAttr<Prims_Dialect, Prims_Reducer, "reducer">;

def Prims_ReduceOp : Prims_Op<"reduce"> {
  let hasFolder = 1;
  let summary = "Combine all elements along `dims`, which disappear";
  let description = [{
    Accumulates float16 and bfloat16 in float32. `max` and `min` give NaN if any
    element is. Over nothing: the reducer's identity.
    reduce.c1: dims are in range, sorted, distinct; reduce.c2: the result has the rank
    that is left.
  }];
  let arguments = (ins Prims_ReducerAttr:$reducer, Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$reducer $operand `dims` `=` $dims attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}
def Prims_ArgReduceOp : Prims_Op<"arg_reduce", [DimOfOperand]> {
  let summary = "Index along `dim` of the first largest (`max`) or smallest (`min`) element; the first NaN wins";
  let arguments = (ins Prims_ReducerAttr:$reducer, Tensor:$operand, I64Attr:$dim);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$reducer $operand `dim` `=` $dim attr-dict `:` type($operand) `->` type($result)";
}
def Prims_ReduceWindowOp : Prims_Op<"reduce_window"> {
  let summary = "Combine the elements under a window that slides over the last dims";
  let description = [{
    Elements outside (padding) count as the reducer's identity. The number of
    windows comes from the result's type. window.c1: `window`, `strides`, `padding` and
    `dilation` have one number for each of the last dims, strides and dilations at least 1;
    window.c2: the result has the operand's rank.
  }];
  let hasVerifier = 1;
  let arguments = (ins Prims_ReducerAttr:$reducer, Tensor:$operand, DenseI64ArrayAttr:$window,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
                       DenseI64ArrayAttr:$dilation);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$reducer $operand `window` `=` $window `strides` `=` $strides `padding` `=` $padding `dilation` `=` $dilation attr-dict `:` type($operand) `->` type($result)";
}
def Prims_ArgReduceWindowOp : Prims_Op<"arg_reduce_window"> {
  let summary = "As `reduce_window`, but the flat index, over the last dims, of the element taken";
  let hasVerifier = 1;
  let arguments = (ins Prims_ReducerAttr:$reducer, Tensor:$operand, DenseI64ArrayAttr:$window,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
                       DenseI64ArrayAttr:$dilation);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$reducer $operand `window` `=` $window `strides` `=` $strides `padding` `=` $padding `dilation` `=` $dilation attr-dict `:` type($operand) `->` type($result)";
}
def Prims_ScanOp : Prims_Op<"scan", [SameOperandsAndResultType, DimOfOperand]> {
  let summary = "result[…, i] combines operand[…, 0] to operand[…, i] along `dim`";
  let arguments = (ins Prims_ReducerAttr:$reducer, Tensor:$operand, I64Attr:$dim);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$reducer $operand `dim` `=` $dim attr-dict `:` type($result)";
}
def Prims_ArgScanOp : Prims_Op<"arg_scan", [DimOfOperand]> {
  let summary = "As `scan` with `max` or `min`, but the index of the last element taken";
  let arguments = (ins Prims_ReducerAttr:$reducer, Tensor:$operand, I64Attr:$dim);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$reducer $operand `dim` `=` $dim attr-dict `:` type($operand) `->` type($result)";
}
def Prims_SortOp : Prims_Op<"sort", [DimOfOperand]> {
  let summary = "Stable sort along `dim`: values and where they came from; NaN counts as the largest";
  let arguments = (ins Tensor:$operand, I64Attr:$dim, BoolAttr:$descending);
  let results = (outs Tensor:$values, Tensor:$indices);
  let assemblyFormat = "$operand `dim` `=` $dim `descending` `=` $descending attr-dict `:` type($operand) `->` type($values) `,` type($indices)";
}

#endif // GRAPHMILL_PRIMS_REDUCTION
