//===- AtenShape.td - Views, rearrangement, dtype changes ------------------===//
#ifndef GRAPHMILL_ATEN_SHAPE
#define GRAPHMILL_ATEN_SHAPE

include "fx/Aten/AtenBase.td"

/// What in-place ops are imported as. `--aten-functionalize` replaces all of them.
def Aten_Copy_Op : Aten_AnyOp<"copy_", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Writes src, converted and broadcast, into self";
  let description = [{
    The result is self after the write. All of self's views and what it is a view of
    change with it: only `--aten-functionalize` may move or remove this op.
  }];
  let arguments = (ins Tensor:$self, Tensor:$src);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$self `,` $src attr-dict `:` functional-type(operands, results)";
  let overloads = ["copy_.default"];
}

//===----------------------------------------------------------------------===//
// The same elements in the same order
//===----------------------------------------------------------------------===//

def Aten_ViewOp : Aten_General<"view", (ins Tensor:$self, SymInts:$size), OneResult,
    "view(r, op.getSelf(), op.getSize().getExprs())",
    ["view.default", "reshape.default(shape=size)", "_unsafe_view.default", "view_copy.default",
     "view_as.default(other=size)", "reshape_as.default(other=size)", "_reshape_alias.default(stride=)"]> {
  let summary = "Another shape, -1 for one size that follows from the others";
}
def Aten_FlattenOp : Aten_General<"flatten", (ins Tensor:$self, Int<"0">:$start_dim, Int<"-1">:$end_dim), OneResult,
    "flatten(r, op.getSelf(), op.getStartDim(), op.getEndDim())", ["flatten.using_ints", "ravel.default"]> {
  let summary = "Dims start_dim to end_dim merged into one";
}
def Aten_UnflattenOp : Aten_General<"unflatten", (ins Tensor:$self, Int<"0">:$dim, SymInts:$sizes), OneResult,
    "unflatten(r, op.getSelf(), op.getDim(), op.getSizes().getExprs())", ["unflatten.int"]> {
  let summary = "`dim` split into dims of the sizes given";
}
def Aten_UnsqueezeOp : Aten_General<"unsqueeze", (ins Tensor:$self, Int<"0">:$dim), OneResult,
    "unsqueeze(r, op.getSelf(), op.getDim())", ["unsqueeze.default", "unsqueeze_.default", "unsqueeze_copy.default"]> {
  let summary = "A dim of size 1 added at `dim`";
}
def Aten_SqueezeOp : Aten_General<"squeeze", (ins Tensor:$self, OptInts:$dim), OneResult,
    "squeeze(r, op.getSelf(), op.getDim())",
    ["squeeze.default", "squeeze.dim", "squeeze.dims", "squeeze_.default", "squeeze_.dim", "squeeze_.dims",
     "squeeze_copy.default", "squeeze_copy.dim", "squeeze_copy.dims"]> {
  let summary = "Dims of size 1 removed: those given, or all";
}
def Aten_AtLeastOp : Aten_General<"atleast", (ins Tensor:$self, Int<"1">:$rank), OneResult,
    "atLeast(r, op.getSelf(), op.getRank())",
    ["atleast_1d.default(rank:=1)", "atleast_2d.default(rank:=2)", "atleast_3d.default(rank:=3)"]> {
  let summary = "Dims of size 1 added up to `rank`, where NumPy adds them";
}
def Aten_ToOp : Aten_General<"to", (ins Tensor:$self, OptDtype:$dtype, Bool<"false">:$copy), OneResult,
    "cast(r, op.getSelf(), op.getDtype())",
    ["to.dtype", "to.device", "to.dtype_layout", "to.other(other=dtype)", "type_as.default(other=dtype)",
     "contiguous.default", "alias.default", "detach.default", "detach_.default", "positive.default",
     "resolve_conj.default", "resolve_neg.default", "lift_fresh.default", "lift.default"]> {
  let summary = "Another dtype, or self";
}
def Aten_CloneOp : Aten_General<"clone", (ins Tensor:$self, OptDtype:$dtype), OneResult,
    "cast(r, op.getSelf(), op.getDtype())",
    ["clone.default", "_to_copy.default", "lift_fresh_copy.default", "alias_copy.default", "detach_copy.default"]> {
  let summary = "A copy, maybe of another dtype";
}
def Aten_ResizeOp : Aten_General<"resize", (ins Tensor:$self, SymInts:$size), OneResult,
    "resized(r, op.getSelf(), op.getSize().getExprs())", ["resize_.default"]> {
  let summary = "Another shape for the first elements. What was left undefined is 0";
  let description = [{
    In place in PyTorch: the tensor has the new shape from then on. The importer gives its
    name to the result; tensors that share its memory don't see later writes.
  }];
}
def Aten_ViewDtypeOp : Aten_General<"view_dtype", (ins Tensor:$self, Dtype:$dtype), OneResult,
    "bitcast(r, op.getSelf(), op.getDtype())", ["view.dtype"]> {
  let summary = "The same bits as another dtype of the same width";
}

//===----------------------------------------------------------------------===//
// Dims in another order
//===----------------------------------------------------------------------===//

def Aten_PermuteOp : Aten_General<"permute", (ins Tensor:$self, Ints<"{}">:$dims), OneResult,
    "permute(r, op.getSelf(), op.getDims())", ["permute.default", "permute_copy.default"]> {
  let summary = "Result's dim i is self's dim dims[i]";
}
def Aten_TransposeOp : Aten_General<"transpose", (ins Tensor:$self, Int<"0">:$dim0, Int<"1">:$dim1), OneResult,
    "transpose(r, op.getSelf(), op.getDim0(), op.getDim1())",
    ["transpose.int", "transpose_.default", "transpose_copy.int", "swapdims.default", "swapdims_.default",
     "swapaxes.default(axis0=dim0, axis1=dim1)", "swapaxes_.default(axis0=dim0, axis1=dim1)",
     "mT.default(dim0:=-2, dim1:=-1)"]> {
  let summary = "Dims dim0 and dim1 swapped";
}
def Aten_TOp : Aten_General<"t", (ins Tensor:$self), OneResult, "reverseDims(r, op.getSelf())",
    ["t.default", "t_.default", "t_copy.default", "numpy_T.default"]> {
  let summary = "All dims in the reverse order";
}
def Aten_MovedimOp : Aten_General<"movedim", (ins Tensor:$self, Ints<"{}">:$source, Ints<"{}">:$destination), OneResult,
    "movedim(r, op.getSelf(), op.getSource(), op.getDestination())",
    ["movedim.int", "movedim.intlist", "moveaxis.int", "moveaxis.intlist"]> {
  let summary = "Dims `source` moved to `destination`, the others in their order";
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

def Aten_SelectOp : Aten_General<"select", (ins Tensor:$self, Int<"0">:$dim, SymInt:$index), OneResult,
    "select(r, op.getSelf(), op.getDim())", ["select.int", "select_copy.int"]> {
  let summary = "The slice at `index` along `dim`, which disappears";
}
def Aten_SliceOp : Aten_General<"slice",
    (ins Tensor:$self, Int<"0">:$dim, OptSymInt:$start, OptSymInt:$end, Int<"1">:$step), OneResult,
    "slice(r, op.getSelf(), op.getDim(), op.getStart(), op.getEnd(), op.getStep())", ["slice.Tensor", "slice_copy.Tensor"]> {
  let summary = "self[start:end:step] along `dim`, by Python's rules";
}
def Aten_NarrowOp : Aten_General<"narrow", (ins Tensor:$self, Int<"0">:$dim, SymInt:$start, SymInt:$length), OneResult,
    "narrow(r, op.getSelf(), op.getDim(), op.getLength().getExpr())", ["narrow.default", "narrow_copy.default"]> {
  let summary = "`length` elements from `start` along `dim`";
}
def Aten_SplitOp : Aten_General<"split", (ins Tensor:$self, SymInt:$split_size, Int<"0">:$dim), ManyResults,
    "split(r, op.getSelf(), op.getSplitSize().getExpr(), op.getDim())",
    ["split.Tensor", "unsafe_split.Tensor", "split_copy.Tensor"]> {
  let summary = "Pieces of split_size along `dim`, the last may be smaller";
}
def Aten_SplitWithSizesOp : Aten_General<"split_with_sizes", (ins Tensor:$self, SymInts:$split_sizes, Int<"0">:$dim), ManyResults,
    "splitWithSizes(r, op.getSelf(), op.getSplitSizes().getExprs(), op.getDim())",
    ["split_with_sizes.default", "split.sizes(split_size=split_sizes)", "split.default", "unsafe_split_with_sizes.default",
     "split_with_sizes_copy.default"]> {
  let summary = "Pieces of the sizes given along `dim`";
}
def Aten_ChunkOp : Aten_General<"chunk", (ins Tensor:$self, Int<"1">:$chunks, Int<"0">:$dim), ManyResults,
    "chunk(r, op.getSelf(), op.getChunks(), op.getDim())", ["chunk.default", "unsafe_chunk.default"]> {
  let summary = "At most `chunks` pieces of one size along `dim`, the last may be smaller";
}
def Aten_TensorSplitOp : Aten_General<"tensor_split", (ins Tensor:$self, OptInt:$sections, OptSymInts:$indices, Int<"0">:$dim), ManyResults,
    "tensorSplit(r, op.getSelf(), op.getSections(), op.getIndices(), op.getDim())",
    ["tensor_split.sections", "tensor_split.indices"]> {
  let summary = "`sections` pieces of nearly one size along `dim`, or pieces that end at `indices`";
}
def Aten_UnbindOp : Aten_General<"unbind", (ins Tensor:$self, Int<"0">:$dim), ManyResults,
    "unbind(r, op.getSelf(), op.getDim())", ["unbind.int", "unbind_copy.int"]> {
  let summary = "All slices along `dim`, which disappears";
}
def Aten_DiagonalOp : Aten_General<"diagonal", (ins Tensor:$self, Int<"0">:$offset, Int<"0">:$dim1, Int<"1">:$dim2), OneResult,
    "diagonal(r, op.getSelf(), op.getOffset(), op.getDim1(), op.getDim2())",
    ["diagonal.default", "diagonal_copy.default", "linalg_diagonal.default(A=self)"]> {
  let summary = "Elements with index dim2 - dim1 = offset, as a last dim";
}
def Aten_UnfoldOp : Aten_General<"unfold", (ins Tensor:$self, Int<"0">:$dimension, Int<"1">:$size, Int<"1">:$step), OneResult,
    "unfold(r, op.getSelf(), op.getDimension(), op.getSize(), op.getStep())", ["unfold.default", "unfold_copy.default"]> {
  let summary = "Windows of `size` along `dimension`, `step` apart, as a last dim";
}
def Aten_AsStridedOp : Aten_General<"as_strided",
    (ins Tensor:$self, SymInts:$size, SymInts:$stride, OptSymInt:$storage_offset), OneResult,
    "resized(r, op.getSelf(), op.getSize().getExprs())", ["as_strided.default", "as_strided_copy.default"]> {
  let summary = "Elements of self, seen as a row-major list, at offset + index * stride";
}

//===----------------------------------------------------------------------===//
// More or other elements
//===----------------------------------------------------------------------===//

def Aten_ExpandOp : Aten_General<"expand", (ins Tensor:$self, SymInts:$size, Bool<"false">:$implicit), OneResult,
    "expand(r, op.getSelf(), op.getSize().getExprs())",
    ["expand.default", "expand_copy.default", "expand_as.default(other=size)", "broadcast_to.default"]> {
  let summary = "Dims of size 1 repeated without a copy; -1 keeps a size";
}
def Aten_BroadcastTensorsOp : Aten_General<"broadcast_tensors", (ins Tensors:$tensors), ManyResults,
    "broadcastTensors(r, op.getTensors())"> {
  let summary = "All tensors expanded to their common shape";
}
def Aten_RepeatOp : Aten_General<"repeat", (ins Tensor:$self, SymInts:$repeats), OneResult,
    "repeat(r, op.getSelf(), op.getRepeats().getExprs())", ["repeat.default", "tile.default(dims=repeats)"]> {
  let summary = "self repeated along each dim, dims added in front";
}
def Aten_RepeatInterleaveOp : Aten_General<"repeat_interleave", (ins Tensor:$self, SymInt:$repeats, OptInt:$dim), OneResult,
    "repeatInterleave(r, op.getSelf(), op.getRepeats().getExpr(), op.getDim())",
    ["repeat_interleave.self_int(output_size=)"]> {
  let summary = "Each element `repeats` times in a row along `dim` (flattened if there is none)";
}
def Aten_CatOp : Aten_General<"cat", (ins Tensors:$tensors, Int<"0">:$dim), OneResult, "cat(r, op.getTensors(), op.getDim())",
    ["cat.default", "concat.default", "concatenate.default"]> {
  let summary = "Tensors one after the other along `dim`";
}
def Aten_StackOp : Aten_General<"stack", (ins Tensors:$tensors, Int<"0">:$dim), OneResult, "stack(r, op.getTensors(), op.getDim())"> {
  let summary = "Tensors as slices of a new dim";
}
foreach name = ["hstack", "vstack", "dstack"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_General<name, (ins Tensors:$tensors), OneResult,
      name # "(r, op.getTensors())"> {
    let summary = "cat along NumPy's dim for " # name;
  }
}
def Aten_FlipOp : Aten_General<"flip", (ins Tensor:$self, Ints<"{}">:$dims), OneResult, "pointwise(r, {op.getSelf()})",
    ["flip.default", "fliplr.default(dims:=1)", "flipud.default(dims:=0)"]> {
  let summary = "The order along `dims` turned around";
}
def Aten_RollOp : Aten_General<"roll", (ins Tensor:$self, SymInts:$shifts, Ints<"{}">:$dims), OneResult,
    "roll(r, op.getSelf(), op.getShifts().getExprs(), op.getDims())"> {
  let summary = "Elements moved on by `shifts` along `dims`, those at the end to the start";
}
def Aten_Rot90Op : Aten_General<"rot90", (ins Tensor:$self, Int<"1">:$k, Ints<"{0, 1}">:$dims), OneResult,
    "rot90(r, op.getSelf(), op.getK(), op.getDims())"> {
  let summary = "Turned by k * 90 degrees from dims[0] towards dims[1]";
}
foreach name = ["tril", "triu"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_General<name,
      (ins Tensor:$self, Int<"0">:$diagonal), OneResult, "pointwise(r, {op.getSelf()})", [name # ".default", name # "_.default"]> {
    let summary = !if(!eq(name, "tril"), "Zero above the diagonal", "Zero below the diagonal");
  }
}
def Aten_DiagEmbedOp : Aten_General<"diag_embed", (ins Tensor:$self, Int<"0">:$offset, Int<"-2">:$dim1, Int<"-1">:$dim2), OneResult,
    "diagEmbed(r, op.getSelf(), op.getOffset(), op.getDim1(), op.getDim2())"> {
  let summary = "The last dim as a diagonal of a zero matrix";
}
def Aten_DiagOp : Aten_General<"diag", (ins Tensor:$self, Int<"0">:$diagonal), OneResult, "diag(r, op.getSelf(), op.getDiagonal())"> {
  let summary = "A vector's matrix, or a matrix's diagonal";
}
def Aten_MeshgridOp : Aten_General<"meshgrid", (ins Tensors:$tensors, Str<"ij">:$indexing), ManyResults,
    "meshgrid(r, op.getTensors(), op.getIndexing())", ["meshgrid.default", "meshgrid.indexing"]> {
  let summary = "Each vector expanded over the grid of all";
}
def Aten_PixelShuffleOp : Aten_General<"pixel_shuffle", (ins Tensor:$self, Int<"1">:$upscale_factor), OneResult,
    "pixelShuffle(r, op.getSelf(), op.getUpscaleFactor())"> {
  let summary = "[…, C r r, H, W] to [C, H r, W r]";
}
def Aten_PixelUnshuffleOp : Aten_General<"pixel_unshuffle", (ins Tensor:$self, Int<"1">:$downscale_factor), OneResult,
    "pixelUnshuffle(r, op.getSelf(), op.getDownscaleFactor())"> {
  let summary = "[…, C, H r, W r] to [C r r, H, W]";
}
def Aten_ChannelShuffleOp : Aten_General<"channel_shuffle", (ins Tensor:$self, Int<"1">:$groups), OneResult,
    "pointwise(r, {op.getSelf()})", ["channel_shuffle.default", "native_channel_shuffle.default"]> {
  let summary = "Channels of the groups interleaved";
}

//===----------------------------------------------------------------------===//
// Padding and writing parts
//===----------------------------------------------------------------------===//

def Aten_PadOp : Aten_General<"pad", (ins Tensor:$self, SymInts:$pad, Str<"constant">:$mode, OptScalar:$value), OneResult,
    "pad(r, op.getSelf(), op.getPad().getExprs())",
    ["pad.default", "constant_pad_nd.default"] #
    !foreach(n, ["1d", "2d", "3d"], "reflection_pad" # n # ".default(padding=pad, mode:=reflect)") #
    !foreach(n, ["1d", "2d", "3d"], "replication_pad" # n # ".default(padding=pad, mode:=replicate)") #
    ["_pad_circular.default(mode:=circular)"]> {
  let summary = "Elements added (or, with negative numbers, removed) at the ends of the last dims";
  let description = [{
    `pad` goes from the last dim to the front, two numbers each. `mode` is constant,
    reflect, replicate or circular.
  }];
}
def Aten_SelectScatterOp : Aten_General<"select_scatter", (ins Tensor:$self, Tensor:$src, Int<"0">:$dim, SymInt:$index), OneResult,
    "cast(r, op.getSelf(), std::nullopt)"> {
  let summary = "self with the slice at `index` replaced";
}
def Aten_SliceScatterOp : Aten_General<"slice_scatter",
    (ins Tensor:$self, Tensor:$src, Int<"0">:$dim, OptSymInt:$start, OptSymInt:$end, Int<"1">:$step), OneResult,
    "cast(r, op.getSelf(), std::nullopt)"> {
  let summary = "self with self[start:end:step] along `dim` replaced";
}
def Aten_DiagonalScatterOp : Aten_General<"diagonal_scatter",
    (ins Tensor:$self, Tensor:$src, Int<"0">:$offset, Int<"0">:$dim1, Int<"1">:$dim2), OneResult,
    "cast(r, op.getSelf(), std::nullopt)"> {
  let summary = "self with a diagonal replaced";
}
def Aten_CopyOp : Aten_General<"copy", (ins Tensor:$self, Tensor:$src), OneResult, "cast(r, op.getSelf(), std::nullopt)",
    ["copy.default", "fill.Scalar(value=src)", "fill_.Scalar(value=src)", "fill.Tensor(value=src)", "fill_.Tensor(value=src)",
     "zero_.default(src:=0)", "zero.default(src:=0)"]> {
  let summary = "src in self's dtype and shape";
}
def Aten_Im2colOp : Aten_General<"im2col",
    (ins Tensor:$self, Ints<"{1}">:$kernel_size, Ints<"{1}">:$dilation, Ints<"{0}">:$padding, Ints<"{1}">:$stride), OneResult,
    "im2col(r, op.getSelf(), op.getKernelSize(), op.getDilation(), op.getPadding(), op.getStride())"> {
  let summary = "The patches that a convolution would see, as columns";
}
def Aten_Col2imOp : Aten_General<"col2im",
    (ins Tensor:$self, Ints<"{1}">:$output_size, Ints<"{1}">:$kernel_size, Ints<"{1}">:$dilation, Ints<"{0}">:$padding,
         Ints<"{1}">:$stride), OneResult,
    "col2im(r, op.getSelf(), op.getOutputSize(), op.getKernelSize())"> {
  let summary = "Patches added up in the places they came from";
}

#endif // GRAPHMILL_ATEN_SHAPE
