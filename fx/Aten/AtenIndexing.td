//===- AtenIndexing.td - Reads and writes at indices from tensors ----------===//
#ifndef GRAPHMILL_ATEN_INDEXING
#define GRAPHMILL_ATEN_INDEXING

include "fx/Aten/AtenBase.td"

def Aten_IndexOp : Aten_General<"index", (ins Tensor:$self, OptTensors:$indices, Places:$indices_dims, OptSymInt:$count), OneResult,
    "index(r, op.getSelf(), op.getIndices(), op.getIndicesDims(), op.getCount())",
    ["index.Tensor", "_unsafe_index.Tensor"]> {
  let summary = "NumPy's advanced indexing";
  let description = [{
    `indices_dims` says which entries of the list are there. A mask of bools stands for the
    places where it is true: `count` many. index.c1: indices are integers or bools; with
    bools there is a count.
  }];
}
def Aten_IndexPutOp : Aten_General<"index_put",
    (ins Tensor:$self, OptTensors:$indices, Places:$indices_dims, Tensor:$values, Bool<"false">:$accumulate), OneResult,
    "indexPut(r, op.getSelf(), op.getIndices(), op.getIndicesDims(), op.getValues())",
    ["index_put.default", "index_put_.default", "_unsafe_index_put.default", "_index_put_impl_.default(unsafe=)"]> {
  let summary = "self with the elements that index reads replaced, or added to";
}
def Aten_IndexSelectOp : Aten_General<"index_select", (ins Tensor:$self, Int<"0">:$dim, Tensor:$index), OneResult,
    "indexSelect(r, op.getSelf(), op.getDim(), op.getIndex())", ["index_select.default"]> {
  let summary = "Slices along `dim` at the indices given";
}
def Aten_IndexAddOp : Aten_General<"index_add",
    (ins Tensor:$self, Int<"0">:$dim, Tensor:$index, Tensor:$source, Scalar<One>:$alpha), OneResult,
    "indexedSlices(r, op.getSelf(), op.getDim(), op.getIndex())", ["index_add.default", "index_add_.default"]> {
  let summary = "self with alpha * source added to the slices at the indices";
}
def Aten_IndexCopyOp : Aten_General<"index_copy", (ins Tensor:$self, Int<"0">:$dim, Tensor:$index, Tensor:$source), OneResult,
    "indexedSlices(r, op.getSelf(), op.getDim(), op.getIndex())", ["index_copy.default", "index_copy_.default"]> {
  let summary = "self with the slices at the indices replaced";
}
def Aten_IndexFillOp : Aten_General<"index_fill", (ins Tensor:$self, Int<"0">:$dim, Tensor:$index, Tensor:$value), OneResult,
    "indexedSlices(r, op.getSelf(), op.getDim(), op.getIndex())",
    ["index_fill.int_Scalar", "index_fill_.int_Scalar", "index_fill.int_Tensor", "index_fill_.int_Tensor"]> {
  let summary = "self with the slices at the indices filled with a number";
}
def Aten_GatherOp : Aten_General<"gather", (ins Tensor:$self, Int<"0">:$dim, Tensor:$index, Bool<"false">:$sparse_grad), OneResult,
    "gather(r, op.getSelf(), op.getDim(), op.getIndex())"> {
  let summary = "result[i…] = self[i… with index[i…] at `dim`]";
}
def Aten_TakeOp : Aten_General<"take", (ins Tensor:$self, Tensor:$index), OneResult, "take(r, op.getSelf(), op.getIndex())"> {
  let summary = "Elements of flattened self at the indices";
}
def Aten_TakeAlongDimOp : Aten_General<"take_along_dim", (ins Tensor:$self, Tensor:$indices, OptInt:$dim), OneResult,
    "takeAlongDim(r, op.getSelf(), op.getIndices(), op.getDim())"> {
  let summary = "gather, after broadcasting; over flattened self without `dim`";
}
def Aten_ScatterOp : Aten_General<"scatter", (ins Tensor:$self, Int<"0">:$dim, Tensor:$index, Tensor:$src, OptStr:$reduce), OneResult,
    "scatter(r, op.getSelf(), op.getDim(), op.getIndex(), op.getSrc())",
    ["scatter.src", "scatter_.src", "scatter.value(value=src)", "scatter_.value(value=src)", "scatter.reduce", "scatter_.reduce",
     "scatter.value_reduce(value=src)", "scatter_.value_reduce(value=src)"]> {
  let summary = "self[i… with index[i…] at `dim`] = src[i…]; or `reduce` \"add\", \"multiply\"";
}
def Aten_ScatterAddOp : Aten_General<"scatter_add", (ins Tensor:$self, Int<"0">:$dim, Tensor:$index, Tensor:$src), OneResult,
    "scatter(r, op.getSelf(), op.getDim(), op.getIndex(), op.getSrc())", ["scatter_add.default", "scatter_add_.default"]> {
  let summary = "self[i… with index[i…] at `dim`] += src[i…]";
}
def Aten_ScatterReduceOp : Aten_General<"scatter_reduce",
    (ins Tensor:$self, Int<"0">:$dim, Tensor:$index, Tensor:$src, Str<"sum">:$reduce, Bool<"true">:$include_self), OneResult,
    "scatter(r, op.getSelf(), op.getDim(), op.getIndex(), op.getSrc())", ["scatter_reduce.two", "scatter_reduce_.two"]> {
  let summary = "scatter with sum, prod, mean, amax or amin; with or without what was there";
}
def Aten_MaskedScatterOp : Aten_General<"masked_scatter", (ins Tensor:$self, Tensor:$mask, Tensor:$source), OneResult,
    "likeFirst(r, {op.getSelf(), op.getMask()})", ["masked_scatter.default", "masked_scatter_.default"]> {
  let summary = "self with the masked elements replaced by source's first ones, in order";
}
def Aten_EmbeddingOp : Aten_General<"embedding",
    (ins Tensor:$weight, Tensor:$indices, Int<"-1">:$padding_idx, Bool<"false">:$scale_grad_by_freq, Bool<"false">:$sparse), OneResult,
    "embedding(r, op.getWeight(), op.getIndices())"> {
  let summary = "Rows of weight";
}
def Aten_EmbeddingBagOp : Aten_General<"embedding_bag",
    (ins Tensor:$weight, Tensor:$indices, Tensor:$offsets, Bool<"false">:$scale_grad_by_freq, Int<"0">:$mode, Bool<"false">:$sparse,
         OptTensor:$per_sample_weights, Bool<"false">:$include_last_offset, Int<"-1">:$padding_idx),
    (outs Tensor:$output, Tensor:$offset2bag, Tensor:$bag_size, Tensor:$max_indices),
    "embeddingBag(r, op.getWeight(), op.getIndices(), op.getOffsets(), op.getMode(), op.getIncludeLastOffset(), op.getPaddingIdx())",
    ["embedding_bag.default", "embedding_bag.padding_idx", "_embedding_bag.default", "_embedding_bag_forward_only.default"]> {
  let summary = "Rows of weight summed (mode 0), averaged (1) or maximized (2) over bags of indices";
}


//===----------------------------------------------------------------------===//
// As many results as the data says: `count` is a symbol that no input has
//===----------------------------------------------------------------------===//

def Aten_NonzeroOp : Aten_General<"nonzero", (ins Tensor:$self, SymInt:$count), OneResult,
    "nonzero(r, op.getSelf(), op.getCount().getExpr())"> {
  let summary = "Indices of the elements that aren't 0, a row each";
}
def Aten_NonzeroNumpyOp : Aten_General<"nonzero_numpy", (ins Tensor:$self, SymInt:$count), ManyResults,
    "nonzeroColumns(r, op.getSelf(), op.getCount().getExpr())", ["nonzero_numpy.default", "where.default(condition=self)"]> {
  let summary = "The columns of nonzero";
}
def Aten_MaskedSelectOp : Aten_General<"masked_select", (ins Tensor:$self, Tensor:$mask, SymInt:$count), OneResult,
    "maskedSelect(r, op.getSelf(), op.getMask(), op.getCount().getExpr())"> {
  let summary = "The elements where mask is true, in order";
}
def Aten_UniqueOp : Aten_General<"_unique2",
    (ins Tensor:$self, Bool<"true">:$sorted, Bool<"false">:$return_inverse, Bool<"false">:$return_counts, SymInt:$count),
    (outs Tensor:$output, Tensor:$inverse, Tensor:$counts),
    "unique(r, op.getSelf(), op.getReturnInverse(), op.getReturnCounts(), op.getCount().getExpr())"> {
  let summary = "Distinct elements in order; which of them each is; how often each occurs";
}

#endif // GRAPHMILL_ATEN_INDEXING
