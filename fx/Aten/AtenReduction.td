//===- AtenReduction.td - Reductions, scans, sorting, distances ------------===//
#ifndef GRAPHMILL_ATEN_REDUCTION
#define GRAPHMILL_ATEN_REDUCTION

include "fx/Aten/AtenBase.td"

defvar ValuesAndIndices = (outs Tensor:$values, Tensor:$indices);

def Aten_SumOp : Aten_General<"sum", (ins Tensor:$self, OptInts:$dim, Bool<"false">:$keepdim, OptDtype:$dtype),
    OneResult, "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), op.getDtype(), Accumulate::WideInt)",
    ["sum.default", "sum.dim_IntList"]> {
  let summary = "Sum over `dim`, or over all";
}
def Aten_NansumOp : Aten_General<"nansum", (ins Tensor:$self, OptInts:$dim, Bool<"false">:$keepdim, OptDtype:$dtype),
    OneResult, "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), op.getDtype(), Accumulate::WideInt)"> {
  let summary = "Sum of what isn't NaN";
}
def Aten_MeanOp : Aten_General<"mean", (ins Tensor:$self, OptInts:$dim, Bool<"false">:$keepdim, OptDtype:$dtype),
    OneResult, "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), op.getDtype(), Accumulate::Float)",
    ["mean.default", "mean.dim"]> {
  let summary = "Mean over `dim`, or over all";
}
def Aten_NanmeanOp : Aten_General<"nanmean", (ins Tensor:$self, OptInts:$dim, Bool<"false">:$keepdim, OptDtype:$dtype),
    OneResult, "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), op.getDtype(), Accumulate::Float)"> {
  let summary = "Mean of what isn't NaN";
}
def Aten_ProdOp : Aten_General<"prod", (ins Tensor:$self, OptInts:$dim, Bool<"false">:$keepdim, OptDtype:$dtype),
    OneResult, "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), op.getDtype(), Accumulate::WideInt)",
    ["prod.default", "prod.dim_int"]> {
  let summary = "Product over `dim`, or over all";
}
foreach name = ["amax", "amin"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_General<name,
      (ins Tensor:$self, OptInts:$dim, Bool<"false">:$keepdim), OneResult,
      "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), std::nullopt, Accumulate::Same)",
      [name # ".default", !substr(name, 1) # ".default"]> {
    let summary = !if(!eq(name, "amax"), "Largest", "Smallest") # " element over `dim`, or over all; NaN if any is";
  }
}
def Aten_AminmaxOp : Aten_General<"aminmax", (ins Tensor:$self, OptInt:$dim, Bool<"false">:$keepdim),
    (outs Tensor:$min, Tensor:$max), "aminmax(r, op.getSelf(), op.getDim(), op.getKeepdim())"> {
  let summary = "Smallest and largest element over `dim`, or over all";
}
foreach name = ["max", "min"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # DimOp : Aten_General<name # "_dim",
      (ins Tensor:$self, Int<"0">:$dim, Bool<"false">:$keepdim), ValuesAndIndices,
      "valuesAndIndices(r, op.getSelf(), op.getDim(), op.getKeepdim())", [name # ".dim"]> {
    let summary = "Extreme along `dim` and the index of the first such";
  }
  def Aten_Arg # name # Op : Aten_General<"arg" # name,
      (ins Tensor:$self, OptInt:$dim, Bool<"false">:$keepdim), OneResult, "argReduction(r, op.getSelf(), op.getDim(), op.getKeepdim())"> {
    let summary = "Index of the first extreme along `dim`, or among all elements";
  }
  def Aten_Cum # name # Op : Aten_General<"cum" # name, (ins Tensor:$self, Int<"0">:$dim), ValuesAndIndices,
      "sorted(r, op.getSelf(), op.getDim())"> {
    let summary = "Extreme so far along `dim` and the index of the last such";
  }
}
foreach name = ["any", "all"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_General<name,
      (ins Tensor:$self, OptInts:$dim, Bool<"false">:$keepdim), OneResult,
      "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), truthType(op.getSelf()), Accumulate::Same)",
      [name # ".default", name # ".dim", name # ".dims", "_is_" # name # "_true.default"]> {
    let summary = "Whether " # name # " elements aren't 0 (uint8 stays uint8)";
  }
}
foreach name = ["var", "std"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_General<name,
      (ins Tensor:$self, OptInts:$dim, Scalar<One>:$correction, Bool<"false">:$keepdim), OneResult,
      "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), std::nullopt, Accumulate::Float)",
      [name # ".default(unbiased=correction)", name # ".dim(unbiased=correction)", name # ".correction"]> {
    let summary = !if(!eq(name, "var"), "Variance", "Standard deviation") # ": divides by n - correction";
  }
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # MeanOp : Aten_General<name # "_mean",
      (ins Tensor:$self, OptInts:$dim, Scalar<One>:$correction, Bool<"false">:$keepdim), (outs Tensor:$spread, Tensor:$mean),
      "reductionTwice(r, op.getSelf(), op.getDim(), op.getKeepdim(), Accumulate::Float)",
      [name # "_mean.default(unbiased=correction)", name # "_mean.dim(unbiased=correction)", name # "_mean.correction"]> {
    let summary = !if(!eq(name, "var"), "Variance", "Standard deviation") # " and mean";
  }
}
def Aten_NormOp : Aten_General<"norm",
    (ins Tensor:$self, Scalar<"$_builder.getI64IntegerAttr(2)">:$ord, OptInts:$dim, Bool<"false">:$keepdim, OptDtype:$dtype), OneResult,
    "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), op.getDtype(), Accumulate::Float)",
    ["linalg_vector_norm.default", "norm.Scalar(p=ord)", "norm.ScalarOpt_dim(p=ord)", "norm.ScalarOpt_dim_dtype(p=ord)",
     "norm.ScalarOpt_dtype(p=ord)", "frobenius_norm.dim"]> {
  let summary = "Vector norm of any order: sum(|x|^ord)^(1/ord), extremes for infinities, count for 0";
}
def Aten_LinalgNormOp : Aten_General<"linalg_norm",
    (ins Tensor:$self, OptScalar:$ord, OptInts:$dim, Bool<"false">:$keepdim, OptDtype:$dtype), OneResult,
    "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), op.getDtype(), Accumulate::Float)"> {
  let summary = "Norm of a vector, or of all elements if no order is given";
}
def Aten_LogsumexpOp : Aten_General<"logsumexp", (ins Tensor:$self, OptInts:$dim, Bool<"false">:$keepdim), OneResult,
    "reduction(r, op.getSelf(), op.getDim(), op.getKeepdim(), floatOf(op.getSelf()), Accumulate::Same)",
    ["logsumexp.default", "special_logsumexp.default"]> {
  let summary = "log(sum(exp(self))), without overflow";
}
def Aten_CountNonzeroOp : Aten_General<"count_nonzero", (ins Tensor:$self, OptInts:$dim), OneResult,
    "reduction(r, op.getSelf(), op.getDim(), false, IntegerType::get(r.context, 64), Accumulate::Same)",
    ["count_nonzero.default", "count_nonzero.dim_IntList"]> {
  let summary = "How many elements aren't 0";
}
def Aten_TraceOp : Aten_General<"trace", (ins Tensor:$self), OneResult, "trace(r, op.getSelf())"> {
  let summary = "Sum of a matrix's diagonal";
}
def Aten_SoftmaxOp : Aten_General<"softmax", (ins Tensor:$self, Int<"-1">:$dim, OptDtype:$dtype), OneResult,
    "softmax(r, op.getSelf(), op.getDim(), op.getDtype())",
    ["softmax.int", "_softmax.default(half_to_float=)", "_safe_softmax.default", "special_softmax.int"]> {
  let summary = "exp(self) / sum(exp(self)) along `dim`";
}
def Aten_LogSoftmaxOp : Aten_General<"log_softmax", (ins Tensor:$self, Int<"-1">:$dim, OptDtype:$dtype), OneResult,
    "softmax(r, op.getSelf(), op.getDim(), op.getDtype())",
    ["log_softmax.int", "_log_softmax.default(half_to_float=)", "special_log_softmax.int"]> {
  let summary = "log(softmax(self)) along `dim`";
}

//===----------------------------------------------------------------------===//
// Scans and sorting
//===----------------------------------------------------------------------===//

foreach name = ["cumsum", "cumprod"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_General<name,
      (ins Tensor:$self, Int<"0">:$dim, OptDtype:$dtype), OneResult, "cumulative(r, op.getSelf(), op.getDim(), op.getDtype())",
      [name # ".default", name # "_.default"]> {
    let summary = !if(!eq(name, "cumsum"), "Sum", "Product") # " of the elements so far along `dim`";
  }
}
def Aten_LogcumsumexpOp : Aten_General<"logcumsumexp", (ins Tensor:$self, Int<"0">:$dim), OneResult,
    "pointwise(r, {op.getSelf()})"> {
  let summary = "log of the sum of exponentials so far";
}
def Aten_SortOp : Aten_General<"sort", (ins Tensor:$self, Int<"-1">:$dim, Bool<"false">:$descending), ValuesAndIndices,
    "sorted(r, op.getSelf(), op.getDim())", ["sort.default", "sort.stable(stable=)"]> {
  let summary = "Sorted along `dim`, and where elements came from; stable";
}
def Aten_ArgsortOp : Aten_General<"argsort", (ins Tensor:$self, Int<"-1">:$dim, Bool<"false">:$descending), OneResult,
    "argsorted(r, op.getSelf(), op.getDim())", ["argsort.default", "argsort.stable(stable=)"]> {
  let summary = "Where the elements of sort come from";
}
def Aten_TopkOp : Aten_General<"topk",
    (ins Tensor:$self, SymInt:$k, Int<"-1">:$dim, Bool<"true">:$largest, Bool<"true">:$sorted), ValuesAndIndices,
    "topk(r, op.getSelf(), op.getK().getExpr(), op.getDim())"> {
  let summary = "The k largest (smallest) along `dim`, in order";
}
def Aten_KthvalueOp : Aten_General<"kthvalue", (ins Tensor:$self, Int<"1">:$k, Int<"-1">:$dim, Bool<"false">:$keepdim), ValuesAndIndices,
    "valuesAndIndices(r, op.getSelf(), op.getDim(), op.getKeepdim())"> {
  let summary = "The k-th smallest along `dim`";
}
def Aten_MedianOp : Aten_General<"median", (ins Tensor:$self), OneResult,
    "reduction(r, op.getSelf(), std::nullopt, false, std::nullopt, Accumulate::Same)"> {
  let summary = "The middle element, the lower of two; NaN if any is";
}
def Aten_MedianDimOp : Aten_General<"median_dim", (ins Tensor:$self, Int<"0">:$dim, Bool<"false">:$keepdim), ValuesAndIndices,
    "valuesAndIndices(r, op.getSelf(), op.getDim(), op.getKeepdim())", ["median.dim"]> {
  let summary = "The middle element along `dim`, and its index";
}
def Aten_SearchsortedOp : Aten_General<"searchsorted",
    (ins Tensor:$sorted_sequence, Tensor:$self, Bool<"false">:$out_int32, Bool<"false">:$right, OptStr:$side, OptTensor:$sorter), OneResult,
    "searchsorted(r, op.getSelf(), op.getOutInt32())",
    ["searchsorted.Tensor", "searchsorted.Scalar",
     "bucketize.Tensor(boundaries=sorted_sequence)", "bucketize.Scalar(boundaries=sorted_sequence)"]> {
  let summary = "Where each element would be inserted to keep the order";
}
def Aten_HistcOp : Aten_General<"histc", (ins Tensor:$self, Int<"100">:$bins, Scalar<Zero>:$min, Scalar<Zero>:$max), OneResult,
    "histc(r, op.getSelf(), op.getBins())"> {
  let summary = "Counts in equal bins between min and max";
}
def Aten_DiffOp : Aten_General<"diff",
    (ins Tensor:$self, Int<"1">:$n, Int<"-1">:$dim, OptTensor:$prepend, OptTensor:$append), OneResult,
    "diff(r, op.getSelf(), op.getN(), op.getDim(), op.getPrepend(), op.getAppend())", ["diff.default"], [AttrSizedOperandSegments]> {
  let summary = "Differences of neighbours along `dim`, n times";
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

def Aten_CosineSimilarityOp : Aten_General<"cosine_similarity", (ins Tensor:$x1, Tensor:$x2, Int<"1">:$dim, Float<"1e-8">:$eps), OneResult,
    "pairReduction(r, op.getX1(), op.getX2(), op.getDim(), false)"> {
  let summary = "Cosine of the angle between vectors along `dim`";
}
def Aten_PairwiseDistanceOp : Aten_General<"pairwise_distance",
    (ins Tensor:$x1, Tensor:$x2, Float<"2.0">:$p, Float<"1e-6">:$eps, Bool<"false">:$keepdim), OneResult,
    "pairReduction(r, op.getX1(), op.getX2(), -1, op.getKeepdim())"> {
  let summary = "p-norm of x1 - x2 + eps along the last dim";
}
def Aten_CdistOp : Aten_General<"cdist", (ins Tensor:$x1, Tensor:$x2, Float<"2.0">:$p, OptInt:$compute_mode), OneResult,
    "cdist(r, op.getX1(), op.getX2())", ["cdist.default", "_cdist_forward.default", "_euclidean_dist.default"]> {
  let summary = "p-norm distance of each row of x1 and each of x2";
}
def Aten_PdistOp : Aten_General<"pdist", (ins Tensor:$self, Float<"2.0">:$p), OneResult, "pdist(r, op.getSelf())",
    ["_pdist_forward.default", "pdist.default"]> {
  let summary = "p-norm distance of each pair of rows";
}
def Aten_CrossOp : Aten_General<"cross", (ins Tensor:$self, Tensor:$other, OptInt:$dim), OneResult,
    "pointwise(r, {op.getSelf(), op.getOther()})", ["cross.default", "linalg_cross.default"]> {
  let summary = "Cross product of 3-vectors along `dim`";
}

#endif // GRAPHMILL_ATEN_REDUCTION
