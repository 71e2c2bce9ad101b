//===- PrimsStructured.td - What has a template of its own -----------------===//
#ifndef GRAPHMILL_PRIMS_STRUCTURED
#define GRAPHMILL_PRIMS_STRUCTURED

include "fx/Prims/PrimsBase.td"

def Prims_MatmulOp : Prims_Op<"matmul"> {
  let summary = "[…, M, K] x […, K, N] -> […, M, N]";
  let description = [{
    Accumulates in float32 (float64 for float64, the dtype itself for integers).
    matmul.c1: batch dims are equal, or rhs has none: [K, N] serves all rows of lhs;
    matmul.c2: the inner sizes are equal.
  }];
  let arguments = (ins Tensor:$lhs, Tensor:$rhs);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}
def Prims_ConvolutionOp : Prims_Op<"convolution"> {
  let summary = "Convolution (cross-correlation) over any number of spatial dims";
  let description = [{
    input [N, C, D…], weight [O, C / groups, K…] (transposed: [C, O / groups, K…]).
    convolution.c1: these ranks; convolution.c2: one stride (at least 1), padding, dilation
    (at least 1) and output padding a spatial dim, at least one group.
  }];
  let hasVerifier = 1;
  let arguments = (ins Tensor:$input, Tensor:$weight, DenseI64ArrayAttr:$stride,
                       DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                       BoolAttr:$transposed, DenseI64ArrayAttr:$output_padding, I64Attr:$groups);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$input `,` $weight attr-dict `:` functional-type(operands, $result)";
}
def Prims_AttentionOp : Prims_Op<"attention"> {
  let summary = "softmax(query key^T * scale + mask) value";
  let description = [{
    query [B, H, S, D], key [B, G, T, D], value [B, G, T, E]; H is a multiple of G.
    `mask`, added to the scores, broadcasts to [B, H, S, T]. `causal`: position j of
    the keys is seen by i if j <= i. A row with no key gives 0. attention.c1: these ranks.
  }];
  let hasVerifier = 1;
  let arguments = (ins FloatTensor:$query, FloatTensor:$key, FloatTensor:$value, Optional<FloatTensor>:$mask,
                       F64Attr:$scale, BoolAttr:$causal);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$query `,` $key `,` $value (`mask` $mask^)? attr-dict `:` functional-type(operands, $result)";
}
def Prims_Cell : Prims_Enum<"Cell", "a recurrent cell", ["lstm", "gru", "rnn_tanh", "rnn_relu"]>;
def Prims_CellAttr : EnumAttr<Prims_Dialect, Prims_Cell, "cell">;
def Prims_RecurrentOp : Prims_Op<"recurrent", [AttrSizedOperandSegments]> {
  let summary = "One direction of one recurrent layer, the input's product hoisted";
  let description = [{
    `gates` [T, B, n * H] is input x weight_ih^T + bias_ih; `weight` [n * H, H] and
    `bias` [n * H] are the hidden ones; `hidden`, `cell` [B, H]. Gate order is
    PyTorch's. Results: all outputs [T, B, H], last hidden, last cell (lstm).
    recurrent.c1: these ranks; recurrent.c2: lstm alone has a cell, as operand and result.
  }];
  let hasVerifier = 1;
  let arguments = (ins Prims_CellAttr:$kind, FloatTensor:$gates, FloatTensor:$weight, Optional<FloatTensor>:$bias,
                       FloatTensor:$hidden, Optional<FloatTensor>:$cell, BoolAttr:$reverse);
  let results = (outs FloatTensor:$output, FloatTensor:$last_hidden, Optional<FloatTensor>:$last_cell);
  let assemblyFormat = "$kind $gates `,` $weight (`bias` $bias^)? `hidden` $hidden (`cell` $cell^)? attr-dict `:` functional-type(operands, results)";
}

#endif // GRAPHMILL_PRIMS_STRUCTURED
