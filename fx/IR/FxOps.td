//===- FxOps.td - Graphs and what they own ---------------------------------===//
#ifndef GRAPHMILL_FX_OPS
#define GRAPHMILL_FX_OPS

include "fx/IR/FxAttrs.td"
include "fx/IR/FxRoles.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Fx_GraphOp : Fx_Op<"graph", [IsolatedFromAbove, Symbol,
    SingleBlockImplicitTerminator<"::graphmill::fx::OutputOp">]> {
  let summary = "A graph with its signature";
  let description = [{
    ```mlir
    fx.graph @main(%x: tensor<?x24xf32, #fx.dims<[s0, 24]>>)
        inputs ["x"] outputs [#fx.role<result "y">]
        symbols [#fx.symbol<"batch", min = 1, max = 64>] {
      %w = fx.get @net.0.weight : tensor<32x24xf32>
      …
      fx.output %y : tensor<?x32xf32, #fx.dims<[s0, 32]>>
    }
    ```
    `inputs` names the block's arguments, `outputs` says what each operand of the
    `fx.output` is. `in_spec` and `out_spec` keep PyTorch's pytree strings, if any.

    Constraints: graph.c1 one input name an argument; graph.c2 one role an output;
    graph.c3 every symbol used in types, sizes and index maps is in the list; graph.c4
    input names differ; graph.c5 arguments have dtypes of PyTorch.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$inputs,
                       TypedArrayAttrBase<Fx_RoleAttr, "roles">:$outputs,
                       TypedArrayAttrBase<Fx_SymbolAttr, "symbols">:$symbols,
                       OptionalAttr<StrAttr>:$in_spec, OptionalAttr<StrAttr>:$out_spec);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::graphmill::fx::OutputOp getOutput();
  }];
}

def Fx_OutputOp : Fx_Op<"output", [Pure, ReturnLike, Terminator, HasParent<"GraphOp">]> {
  let summary = "What a graph returns";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

def Fx_TensorOp : Fx_Op<"tensor", [Symbol]> {
  let summary = "A tensor that the module owns: parameter, buffer or constant";
  let description = [{
    ```mlir
    fx.tensor parameter @net.0.weight = dense_resource<net_0_weight> : tensor<32x24xf32>
    ```
    Values are row-major. Large ones are resources that point into the archive's
    mapping: reading a graph copies no weight. With `packed`, kernels find the elements
    in that order, and the tensor has those sizes. tensor.c1: it has a dtype of PyTorch; tensor.c2: its
    bytes can be counted; tensor.c3: the value is dense or a resource; tensor.c4: a resource has as many bytes.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Fx_TensorKind:$kind, ElementsAttr:$value,
                       OptionalAttr<Fx_PackingAttr>:$packing);
  let assemblyFormat = "$kind $sym_name `=` $value (`packed` $packing^)? attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// As it is stored.
    ::mlir::RankedTensorType getTensorType();
    /// The value's bytes, row-major, little-endian, bool as one byte each; empty
    /// if the value is a resource that was not loaded.
    ::llvm::ArrayRef<char> getBytes();
  }];
}

def Fx_GetOp : Fx_Op<"get", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The value of an owned tensor";
  let description = [{
    Constraints: get.c1 the tensor exists; get.c2 its type is the result's.
  }];
  let arguments = (ins FlatSymbolRefAttr:$tensor);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$tensor attr-dict `:` type($result)";
}

def Fx_NumberOp : Fx_Op<"number", [Pure]> {
  let summary = "A Python number, or a size, where a tensor is taken";
  let description = [{
    ```mlir
    %two = fx.number 2.0 : f64 to tensor<f64, #fx.number>
    %n = fx.number #fx.dim<s0 * 2> to tensor<i64, #fx.number>
    %z = fx.number array<f64: 0.0, 1.0> to tensor<complex<f64>, #fx.number>
    ```
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs 0DTensorOf<[F64, I64, I1, Complex<F64>]>:$result);
  let assemblyFormat = "$value attr-dict `to` type($result)";
}

def Fx_BindSizeOp : Fx_Op<"bind_size", [MemoryEffects<[MemWrite]>]> {
  let summary = "From here on, a symbol is the size that a value says";
  let description = [{
    ```mlir
    fx.bind_size %count symbol = 2 below #fx.dim<s0 * 4> : tensor<i64>
    ```
    For sizes that only the data tells (`nonzero`). `value` is a 0-d int64 tensor, at least 0
    and at most `bound`. Ops whose types use the symbol come after it: it must not be moved.
    Memory is planned with the bound in the symbol's place. bind_size.c1: the value is such a
    tensor; bind_size.c2: the graph has that symbol.
  }];
  let hasVerifier = 1;
  let arguments = (ins AnyRankedTensor:$value, I64Attr:$symbol, Fx_DimAttr:$bound);
  let assemblyFormat = "$value `symbol` `=` $symbol `below` $bound attr-dict `:` type($value)";
}

def Fx_CallOp : Fx_Op<"call", [Pure]> {
  let summary = "An op that graphmill has no record of";
  let description = [{
    The importer writes one for each target it doesn't know, so that all are
    reported together. No stage after the importer accepts it.
  }];
  let arguments = (ins StrAttr:$target, Variadic<AnyRankedTensor>:$operands);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = "$target `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
}

#endif // GRAPHMILL_FX_OPS
