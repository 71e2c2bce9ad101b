//===- LoopOps.td - Kernels and what is in them ----------------------------===//
#ifndef GRAPHMILL_LOOP_OPS
#define GRAPHMILL_LOOP_OPS

include "inductor/IR/LoopBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Loop_KernelOp : Loop_Op<"kernel", [IsolatedFromAbove, Pure,
    SingleBlockImplicitTerminator<"::graphmill::loop::EndOp">]> {
  let summary = "One compiled function: parallel axes around a scalar body";
  let description = [{
    ```mlir
    %y = loop.kernel axes [s0, 768] (%x) {
    ^bb0(%in: tensor<?x768xf32, …>, %out: tensor<?x768xf32, …>):
      %0 = loop.load %in[affine_map<(d0, d1) -> (d0, d1)>] : f32
      %1 = math.tanh %0 : f32
      loop.store %1, %out[affine_map<(d0, d1) -> (d0, d1)>] : f32
    } : (tensor<?x768xf32, …>) -> tensor<?x768xf32, …>
    ```
    The block's arguments are the operands, then the results. The first `inits`
    results start as copies of the last `inits` operands (scatters write into them),
    the others are written completely. With `sequential`, iterations run in order:
    they may write the same place.

    kernel.c1: one argument an operand and a result, of the same type; kernel.c2: no more
    `inits` than operands or results.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, Fx_DimsAttr:$axes,
                       DefaultValuedAttr<I64Attr, "0">:$inits, UnitAttr:$sequential,
                       DefaultValuedAttr<Loop_TemplateAttr, "Template::None">:$form);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `axes` `=` $axes (`inits` `=` $inits^)? (`sequential` $sequential^)? (`form` `=` $form^)?
    `(` $inputs `)` attr-dict-with-keyword $body `:` functional-type($inputs, $results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::BlockArgument getInputArg(unsigned i) { return getBlock().getArgument(i); }
    ::mlir::BlockArgument getOutputArg(unsigned i) { return getBlock().getArgument(getInputs().size() + i); }
    unsigned getNumAxes() { return getAxes().getExprs().size(); }
  }];
}

def Loop_EndOp : Loop_Op<"end", [Terminator, Pure]> {
  let summary = "End of a body that gives no value";
  let assemblyFormat = "attr-dict";
}
def Loop_YieldOp : Loop_Op<"yield", [Terminator, Pure, ReturnLike, HasParent<"ReduceOp">]> {
  let summary = "The elements that a reduction combines";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def Loop_LoadOp : Loop_Op<"load", [MemoryEffects<[MemRead]>, AttrSizedOperandSegments]> {
  let summary = "One element";
  let description = [{
    The map's dims are the enclosing axes, then `indices` (values of type index). With
    `mask`, the element is read only where it is true, and is `other` elsewhere.
    load.c1: dims of the map are axes plus indices; load.c2: one result a dim of the
    tensor; load.c3: mask and other come together.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, Variadic<Index>:$indices, Optional<I1>:$mask,
                       Optional<AnyType>:$other, AffineMapAttr:$map);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $tensor `[` $map `]` (`(` $indices^ `)`)? (`mask` $mask^ `else` $other `:` type($other))? attr-dict
    `:` type($tensor) `->` type($result)
  }];
  let hasVerifier = 1;
}
def Loop_StoreOp : Loop_Op<"store", [MemoryEffects<[MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "Write one element, or combine it with what is there";
  let arguments = (ins AnyType:$value, AnyRankedTensor:$tensor, Variadic<Index>:$indices,
                       Optional<I1>:$mask, AffineMapAttr:$map,
                       DefaultValuedAttr<Loop_CombinerAttr, "Combiner::Set">:$combiner);
  let assemblyFormat = [{
    $value `,` $tensor `[` $map `]` (`(` $indices^ `)`)? (`mask` $mask^)? (`combiner` `=` $combiner^)? attr-dict
    `:` type($value) `,` type($tensor)
  }];
  let hasVerifier = 1;
}
def Loop_ApplyOp : Loop_Op<"apply", [Pure]> {
  let summary = "An index computed from the enclosing axes and `indices`";
  let arguments = (ins Variadic<Index>:$indices, AffineMapAttr:$map);
  let results = (outs Index:$result);
  let assemblyFormat = "$map (`(` $indices^ `)`)? attr-dict";
  let hasVerifier = 1;
}
def Loop_InsideOp : Loop_Op<"inside", [Pure]> {
  let summary = "Whether 0 <= map[i] < bounds[i] for all i";
  let description = [{
    Padding as a condition that codegen can reason about.
    Bounds are sizes: they depend on no axis.
  }];
  let arguments = (ins Variadic<Index>:$indices, AffineMapAttr:$map, Fx_DimsAttr:$bounds);
  let results = (outs I1:$result);
  let assemblyFormat = "$map (`(` $indices^ `)`)? `below` $bounds attr-dict";
  let hasVerifier = 1;
}
def Loop_ReduceOp : Loop_Op<"reduce", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "Combine elements over inner axes; several reductions at once";
  let description = [{
    ```mlir
    %max, %sum = loop.reduce [#loop.reducer<max>, #loop.reducer<sum>] axes = <[768]> {
      …
      loop.yield %a, %b : f32, f32
    } : f32, f32
    ```
    `argmax` and `argmin` give the flat index (index type) over the inner axes of the
    first extreme; NaN is the extreme. Order of combination is free.
    reduce.c1: as many reducers as yielded values and results.
  }];
  let arguments = (ins Loop_ReducersAttr:$reducers, Fx_DimsAttr:$axes);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$reducers `axes` `=` $axes attr-dict-with-keyword $body `:` type($results)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::graphmill::loop::YieldOp getYield();
    ::graphmill::loop::Reducer getReducer(unsigned i);
  }];
}
def Loop_SortOp : Loop_Op<"sort", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Sort one row, stably, and say where its elements came from";
  let description = [{
    The map gives an element's place, in all three tensors, from the enclosing axes and then
    its position in the row, in [0, length). NaN counts as the largest.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, AnyRankedTensor:$values, AnyRankedTensor:$places,
                       AffineMapAttr:$map, Fx_DimAttr:$length, BoolAttr:$descending);
  let assemblyFormat = [{
    $tensor `to` $values `,` $places `[` $map `]` `length` `=` $length `descending` `=` $descending attr-dict
    `:` type($tensor) `,` type($values) `,` type($places)
  }];
  let hasVerifier = 1;
}
def Loop_RandomStateOp : Loop_Op<"random_state", [Pure]> {
  let summary = "The context's seed and the number of the run, as two 64-bit integers";
  let description = [{ Not in a kernel but beside it: kernels that draw numbers load from it. }];
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def Loop_FaultsOp : Loop_Op<"faults", [Pure]> {
  let summary = "Where kernels report what is wrong with the data: a flag, the value, the limit";
  let description = [{ Beside kernels, like `random_state`; the launcher looks at the flag after each. }];
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def Loop_CheckIndexOp : Loop_Op<"check_index", [Pure]> {
  let summary = "The index if it is in [0, size), else the nearest one that is, and a report";
  let arguments = (ins Index:$index, AnyRankedTensor:$faults, Fx_DimAttr:$size);
  let results = (outs Index:$result);
  let assemblyFormat = "$index `below` $size `report` $faults attr-dict `:` type($faults)";
}
def Loop_ForOp : Loop_Op<"for", [SingleBlockImplicitTerminator<"::graphmill::loop::EndOp">, RecursiveMemoryEffects]> {
  let summary = "Inner axes around stores";
  let arguments = (ins Fx_DimsAttr:$axes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`axes` `=` $axes attr-dict-with-keyword $body";
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
  }];
}

#endif // GRAPHMILL_LOOP_OPS
