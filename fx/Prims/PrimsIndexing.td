//===- PrimsIndexing.td - Indexed reads and writes, random numbers ---------===//
#ifndef GRAPHMILL_PRIMS_INDEXING
#define GRAPHMILL_PRIMS_INDEXING

include "fx/Prims/PrimsBase.td"

def Prims_Combiner : Prims_Enum<"Combiner", "how written elements meet what is there",
                                ["set", "add", "mul", "max", "min"]>;
def Prims_CombinerAttr : EnumAttr<Prims_Dialect, Prims_Combiner, "combiner">;

def Prims_IndexOp : Prims_Op<"index"> {
  let hasVerifier = 1;
  let summary = "Rows picked by index tensors";
  let description = [{
    All `indices` are int64 tensors of one shape S; the k-th indexes operand's dim
    `dims[k]`. The result's shape is S followed by operand's other dims in order.
    index.c1: `dims` are distinct dims of the operand, one an index; index.c2: indices are
    integers of one rank. Indices are in [0, size). Those of users may not be: with `checked`, one that isn't is
    an error of the run.
  }];
  let arguments = (ins Tensor:$operand, Variadic<Tensor>:$indices, DenseI64ArrayAttr:$dims,
                       UnitAttr:$checked);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$operand `[` $indices `]` `dims` `=` $dims (`checked` $checked^)? attr-dict `:` functional-type(operands, $result)";
}
def Prims_IndexPutOp : Prims_Op<"index_put"> {
  let hasVerifier = 1;
  let summary = "Operand with the elements that `prims.index` would read replaced";
  let description = [{
    `values` has the shape of that read. With `set` and the same place twice, the
    last wins.
  }];
  let arguments = (ins Prims_CombinerAttr:$combiner, Tensor:$operand, Tensor:$values,
                       Variadic<Tensor>:$indices, DenseI64ArrayAttr:$dims,
                       UnitAttr:$checked);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$combiner $operand `,` $values `[` $indices `]` `dims` `=` $dims (`checked` $checked^)? attr-dict `:` functional-type(operands, $result)";
}
def Prims_GatherOp : Prims_Op<"gather", [DimOfOperand]> {
  let summary = "result[i…] = operand[i… with index[i…] at `dim`]";
  let description = [{ gather.c1: operand, index and result have one rank. }];
  let hasVerifier = 1;
  let arguments = (ins Tensor:$operand, IntegerTensor:$index, I64Attr:$dim, UnitAttr:$checked);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$operand `,` $index `dim` `=` $dim (`checked` $checked^)? attr-dict `:` functional-type(operands, $result)";
}
def Prims_ScatterOp : Prims_Op<"scatter", [DimOfOperand]> {
  let summary = "operand[i… with index[i…] at `dim`] combined with values[i…]";
  let description = [{
    Goes over all i… of `index`; `values` is at least as large in each dim.
    scatter.c1: operand, index and values have one rank.
  }];
  let hasVerifier = 1;
  let arguments = (ins Prims_CombinerAttr:$combiner, Tensor:$operand, IntegerTensor:$index,
                       Tensor:$values, I64Attr:$dim, UnitAttr:$checked);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$combiner $operand `,` $index `,` $values `dim` `=` $dim (`checked` $checked^)? attr-dict `:` functional-type(operands, $result)";
}
def Prims_Distribution : Prims_Enum<"Distribution", "a distribution", ["uniform", "normal", "bits"]>;
def Prims_DistributionAttr : EnumAttr<Prims_Dialect, Prims_Distribution, "distribution">;
def Prims_RandomOp : Prims_Op<"random"> {
  let summary = "Philox 4x32-10 numbers: uniform in [0, 1), standard normal, or 63 random bits";
  let description = [{
    Element i of stream `stream` is a function of the context's seed, its run
    number, `stream` and i: the same at any thread count. Philox's key is the seed; its
    counter {i's lower half, `stream` + 2^16 * i's upper half, the run's lower half, its
    upper half}. uniform: the first word's upper 24 bits / 2^24 (float64: 53 of the first
    two). normal: sqrt(-2 log(u + 2^-24)) cos(2 pi v), with u of the first, v of the second
    word. bits: the first two words without the highest bit.
  }];
  let arguments = (ins Prims_DistributionAttr:$distribution, I64Attr:$stream);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$distribution `stream` `=` $stream attr-dict `:` type($result)";
}

#endif // GRAPHMILL_PRIMS_INDEXING
