//===- AtenCreation.td - Tensors from sizes and numbers --------------------===//
#ifndef GRAPHMILL_ATEN_CREATION
#define GRAPHMILL_ATEN_CREATION

include "fx/Aten/AtenBase.td"

def Aten_FullOp : Aten_General<"full", (ins SymInts:$size, Scalar<Zero>:$fill_value, OptDtype:$dtype), OneResult,
    "full(r, op.getSize().getExprs(), op.getFillValue(), op.getDtype())",
    ["full.default", "zeros.default(fill_value:=0.0)", "ones.default(fill_value:=1.0)",
     "empty.memory_format(fill_value:=0.0)", "empty_strided.default(stride=, fill_value:=0.0)",
     "empty_permuted.default(physical_layout=, fill_value:=0.0)"]> {
  let summary = "One number everywhere. What `empty` leaves undefined is 0";
}
def Aten_FullLikeOp : Aten_General<"full_like", (ins Tensor:$self, Scalar<Zero>:$fill_value, OptDtype:$dtype), OneResult,
    "cast(r, op.getSelf(), op.getDtype())",
    ["full_like.default", "zeros_like.default(fill_value:=0)", "ones_like.default(fill_value:=1)", "empty_like.default(fill_value:=0)"]> {
  let summary = "One number everywhere, in self's shape and dtype";
}
def Aten_NewFullOp : Aten_General<"new_full", (ins Tensor:$self, SymInts:$size, Scalar<Zero>:$fill_value, OptDtype:$dtype), OneResult,
    "resized(r, op.getSelf(), op.getSize().getExprs(), op.getDtype())",
    ["new_full.default", "new_zeros.default(fill_value:=0)", "new_ones.default(fill_value:=1)", "new_empty.default(fill_value:=0)",
     "new_empty_strided.default(stride=, fill_value:=0)"]> {
  let summary = "One number everywhere, in self's dtype";
}
def Aten_ScalarTensorOp : Aten_General<"scalar_tensor", (ins Scalar<Zero>:$s, OptDtype:$dtype), OneResult,
    "typed(r, {}, op.getDtype(), Float32Type::get(r.context))"> {
  let summary = "A number as a 0-d tensor";
}
def Aten_ArangeOp : Aten_General<"arange",
    (ins Scalar<Zero>:$start, Scalar<Zero>:$end, Scalar<One>:$step, OptDtype:$dtype), OneResult,
    "arange(r, op.getStart(), op.getEnd(), op.getStep(), op.getDtype())",
    ["arange.default", "arange.start", "arange.start_step"]> {
  let summary = "start, start + step, … below end";
}
def Aten_LinspaceOp : Aten_General<"linspace",
    (ins Scalar<Zero>:$start, Scalar<Zero>:$end, Int<"0">:$steps, OptDtype:$dtype), OneResult,
    "typed(r, {constantDim(r.context, op.getSteps())}, op.getDtype(), Float32Type::get(r.context))"> {
  let summary = "`steps` numbers from start to end, both included";
}
def Aten_LogspaceOp : Aten_General<"logspace",
    (ins Scalar<Zero>:$start, Scalar<Zero>:$end, Int<"0">:$steps, Float<"10.0">:$base, OptDtype:$dtype), OneResult,
    "typed(r, {constantDim(r.context, op.getSteps())}, op.getDtype(), Float32Type::get(r.context))"> {
  let summary = "base to the power of `steps` numbers from start to end, both included";
}
def Aten_EyeOp : Aten_General<"eye", (ins SymInt:$n, OptSymInt:$m, OptDtype:$dtype), OneResult,
    "eye(r, op.getN().getExpr(), op.getM(), op.getDtype())", ["eye.default", "eye.m"]> {
  let summary = "Ones on the diagonal of a zero matrix";
}
foreach name = ["tril_indices", "triu_indices"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1, 3) # IndicesOp : Aten_General<name,
      (ins Int<"0">:$row, Int<"0">:$col, Int<"0">:$offset, OptDtype:$dtype), OneResult,
      "triangleIndices(r, op.getRow(), op.getCol(), op.getOffset(), op.getDtype(), " #
      !if(!eq(name, "tril_indices"), "true)", "false)")> {
    let summary = "Row and column indices of a triangle";
  }
}
def Aten_OneHotOp : Aten_General<"one_hot", (ins Tensor:$self, Int<"-1">:$num_classes), OneResult,
    "oneHot(r, op.getSelf(), op.getNumClasses())"> {
  let summary = "1 at each index, 0 elsewhere, along a new last dim";
}
foreach name = ["hann_window", "hamming_window"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1, 3) # WindowOp : Aten_General<name,
      (ins Int<"0">:$window_length, Bool<"true">:$periodic, OptDtype:$dtype), OneResult,
      "typed(r, {constantDim(r.context, op.getWindowLength())}, op.getDtype(), Float32Type::get(r.context))",
      [name # ".default", name # ".periodic"]> {
    let summary = "A raised cosine";
  }
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

foreach name = ["rand", "randn"] in {
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_General<name,
      (ins SymInts:$size, OptDtype:$dtype), OneResult,
      "typed(r, op.getSize().getExprs(), op.getDtype(), Float32Type::get(r.context))",
      [name # ".default", name # ".generator"]> {
    let summary = !if(!eq(name, "rand"), "Uniform in [0, 1)", "Standard normal");
  }
  def Aten_ # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # LikeOp : Aten_General<name # "_like",
      (ins Tensor:$self, OptDtype:$dtype), OneResult, "cast(r, op.getSelf(), op.getDtype())"> {
    let summary = !if(!eq(name, "rand"), "Uniform in [0, 1), in self's shape", "Standard normal, in self's shape");
  }
}
def Aten_RandintOp : Aten_General<"randint", (ins Int<"0">:$low, Int<"1">:$high, SymInts:$size, OptDtype:$dtype), OneResult,
    "typed(r, op.getSize().getExprs(), op.getDtype(), IntegerType::get(r.context, 64))", ["randint.default", "randint.low", "randint.generator", "randint.low_generator"]> {
  let summary = "Uniform integers in [low, high)";
}
def Aten_RandintLikeOp : Aten_General<"randint_like", (ins Tensor:$self, Int<"0">:$low, Int<"1">:$high, OptDtype:$dtype), OneResult,
    "cast(r, op.getSelf(), op.getDtype())", ["randint_like.default", "randint_like.low_dtype"]> {
  let summary = "Uniform integers in [low, high), in self's shape";
}
def Aten_RandpermOp : Aten_General<"randperm", (ins SymInt:$n, OptDtype:$dtype), OneResult,
    "typed(r, {op.getN().getExpr()}, op.getDtype(), IntegerType::get(r.context, 64))"> {
  let summary = "A random order of 0 to n - 1";
}
def Aten_BernoulliOp : Aten_General<"bernoulli", (ins Tensor:$self, OptTensor:$p), OneResult, "pointwise(r, {op.getSelf()})",
    ["bernoulli.default", "bernoulli.p", "bernoulli_.float", "bernoulli_.Tensor"]> {
  let summary = "1 with probability p (self, if there is none), else 0";
}
def Aten_UniformOp : Aten_General<"uniform", (ins Tensor:$self, Float<"0.0">:$from, Float<"1.0">:$to), OneResult,
    "pointwise(r, {op.getSelf()})", ["uniform.default", "uniform_.default"]> {
  let summary = "Uniform in [from, to), in self's shape";
}
def Aten_NormalOp : Aten_General<"normal", (ins Tensor:$self, Float<"0.0">:$mean, Float<"1.0">:$std), OneResult,
    "pointwise(r, {op.getSelf()})", ["normal_functional.default", "normal_.default"]> {
  let summary = "Normal with that mean and deviation, in self's shape";
}

def Aten_ExponentialOp : Aten_General<"exponential", (ins Tensor:$self, Float<"1.0">:$lambd), OneResult,
    "pointwise(r, {op.getSelf()})", ["exponential.default", "exponential_.default"]> {
  let summary = "Exponential with rate lambd, in self's shape";
}
def Aten_MultinomialOp : Aten_General<"multinomial", (ins Tensor:$self, Int<"1">:$num_samples, Bool<"false">:$replacement), OneResult,
    "multinomial(r, op.getSelf(), op.getNumSamples())"> {
  let summary = "Places along the last dim, drawn with self as weights";
}

#endif // GRAPHMILL_ATEN_CREATION
