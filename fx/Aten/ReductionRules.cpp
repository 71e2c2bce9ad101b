#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

FailureOr<SmallVector<int64_t>> reducedDims(Rule &r, Value self,
                                            std::optional<ArrayRef<int64_t>> dims) {
  int64_t rank = dimsOf(self).size();
  SmallVector<int64_t> result;
  if (!dims || dims->empty()) {
    llvm::append_range(result, llvm::seq<int64_t>(0, rank));
    return result;
  }
  for (int64_t dim : *dims) {
    FailureOr<int64_t> d = normalizeDim(r, dim, rank);
    if (failed(d)) {
      return failure();
    }
    if (llvm::is_contained(result, *d)) {
      return r.error() << "dim " << dim << " appears twice in the list of dims";
    }
    result.push_back(*d);
  }
  if (rank == 0) {
    result.clear();
  }
  llvm::sort(result);
  return result;
}

LogicalResult reduction(Rule &r, Value self, std::optional<ArrayRef<int64_t>> dims, bool keepdim,
                        std::optional<Type> dtype, Accumulate accumulate) {
  FailureOr<SmallVector<int64_t>> reduced = reducedDims(r, self, dims);
  if (failed(reduced)) {
    return failure();
  }
  Type element = dtype.value_or(getElement(self));
  if (!dtype && accumulate == Accumulate::WideInt && categoryOf(element) <= Category::Integer) {
    element = IntegerType::get(r.context, 64);
  }
  if (accumulate == Accumulate::Float && categoryOf(element) < Category::Float) {
    return r.error() << "needs a floating point or complex dtype, got " << dtypeName(element);
  }
  Dims result;
  for (auto [i, dim] : llvm::enumerate(dimsOf(self))) {
    if (!llvm::is_contained(*reduced, static_cast<int64_t>(i))) {
      result.push_back(dim);
    } else if (keepdim) {
      result.push_back(constantDim(r.context, 1));
    }
  }
  return r.result(result, element);
}

LogicalResult softmax(Rule &r, Value self, int64_t dim, std::optional<Type> dtype) {
  if (failed(normalizeDim(r, dim, dimsOf(self).size()))) {
    return failure();
  }
  Type element = dtype.value_or(getElement(self));
  if (!isFloat(element)) {
    return r.error() << "is not implemented for " << dtypeName(element) << ", expected a float dtype";
  }
  return r.result(dimsOf(self), element);
}

LogicalResult reductionTwice(Rule &r, Value self, OptionalDims dims, bool keepdim, Accumulate accumulate) {
  return success(succeeded(reduction(r, self, dims, keepdim, std::nullopt, accumulate)) &&
                 succeeded(reduction(r, self, dims, keepdim, std::nullopt, accumulate)));
}

Type truthType(Value self) {
  Type element = getElement(self);
  return element.isUnsignedInteger(8) ? element : Type(IntegerType::get(self.getContext(), 1));
}

Type floatOf(Value self) {
  return categoryOf(getElement(self)) >= Category::Float ? getElement(self) : Type(Float32Type::get(self.getContext()));
}

LogicalResult aminmax(Rule &r, Value self, std::optional<int64_t> dim, bool keepdim) {
  SmallVector<int64_t> dims;
  if (dim) {
    dims.push_back(*dim);
  }
  return reductionTwice(r, self, ArrayRef<int64_t>(dims), keepdim, Accumulate::Same);
}

LogicalResult valuesAndIndices(Rule &r, Value self, int64_t dim, bool keepdim) {
  Type i64 = IntegerType::get(r.context, 64);
  return success(succeeded(reduction(r, self, ArrayRef(dim), keepdim, std::nullopt, Accumulate::Same)) &&
                 succeeded(reduction(r, self, ArrayRef(dim), keepdim, i64, Accumulate::Same)));
}

LogicalResult argReduction(Rule &r, Value self, std::optional<int64_t> dim, bool keepdim) {
  Type i64 = IntegerType::get(r.context, 64);
  return dim ? reduction(r, self, ArrayRef(*dim), keepdim, i64, Accumulate::Same)
             : reduction(r, self, std::nullopt, keepdim, i64, Accumulate::Same);
}

LogicalResult trace(Rule &r, Value self) {
  if (dimsOf(self).size() != 2) {
    return r.error() << "self is " << toString(dimsOf(self)) << ", expected a matrix";
  }
  return reduction(r, self, std::nullopt, false, std::nullopt, Accumulate::WideInt);
}

LogicalResult cumulative(Rule &r, Value self, int64_t dim, std::optional<Type> dtype) {
  if (failed(normalizeDim(r, dim, dimsOf(self).size()))) {
    return failure();
  }
  Type element = dtype.value_or(getElement(self));
  if (!dtype && categoryOf(element) <= Category::Integer) {
    element = IntegerType::get(r.context, 64);
  }
  return r.result(dimsOf(self), element);
}

LogicalResult sorted(Rule &r, Value self, int64_t dim) {
  if (failed(normalizeDim(r, dim, dimsOf(self).size()))) {
    return failure();
  }
  (void)r.result(dimsOf(self), getElement(self));
  return r.result(dimsOf(self), IntegerType::get(r.context, 64));
}

LogicalResult argsorted(Rule &r, Value self, int64_t dim) {
  if (failed(normalizeDim(r, dim, dimsOf(self).size()))) {
    return failure();
  }
  return r.result(dimsOf(self), IntegerType::get(r.context, 64));
}

LogicalResult topk(Rule &r, Value self, Dim k, int64_t dim) {
  Dims dims = dimsOf(self);
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size());
  if (failed(at)) {
    return failure();
  }
  if (!dims.empty()) {
    if (getStatic(k) && getStatic(dims[*at]) && *getStatic(k) > *getStatic(dims[*at])) {
      return r.error() << "k is " << toString(k) << ", dim " << dim << " has " << toString(dims[*at]) << " elements";
    }
    dims[*at] = k;
  }
  (void)r.result(dims, getElement(self));
  return r.result(dims, IntegerType::get(r.context, 64));
}

LogicalResult searchsorted(Rule &r, Value self, bool int32) {
  return r.result(dimsOf(self), IntegerType::get(r.context, int32 ? 32 : 64));
}

LogicalResult histc(Rule &r, Value self, int64_t bins) {
  if (bins < 1) {
    return r.error() << "bins is " << bins << ", expected at least 1";
  }
  return r.result({constantDim(r.context, bins)}, getElement(self));
}

LogicalResult diff(Rule &r, Value self, int64_t n, int64_t dim, Value prepend, Value append) {
  Dims dims = dimsOf(self);
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size());
  if (failed(at) || dims.empty()) {
    return failure();
  }
  for (Value more : {prepend, append}) {
    if (more) {
      dims[*at] = dims[*at] + dimsOf(more)[*at];
    }
  }
  dims[*at] = simplify(dims[*at] - n);
  if (getStatic(dims[*at]) && *getStatic(dims[*at]) < 0) {
    dims[*at] = constantDim(r.context, 0);
  }
  return r.result(dims, getElement(self));
}

LogicalResult pairReduction(Rule &r, Value x1, Value x2, int64_t dim, bool keepdim) {
  FailureOr<Dims> dims = broadcast(r, {dimsOf(x1), dimsOf(x2)});
  if (failed(dims)) {
    return failure();
  }
  FailureOr<int64_t> at = normalizeDim(r, dim, dims->size());
  if (failed(at)) {
    return failure();
  }
  if (!dims->empty()) {
    if (keepdim) {
      (*dims)[*at] = constantDim(r.context, 1);
    } else {
      dims->erase(dims->begin() + *at);
    }
  }
  return r.result(*dims, floatResultType({x1, x2}));
}

LogicalResult cdist(Rule &r, Value x1, Value x2) {
  Dims a = dimsOf(x1), b = dimsOf(x2);
  if (a.size() < 2 || b.size() < 2) {
    return r.error() << "x1 is " << toString(a) << ", x2 is " << toString(b) << ", expected […, rows, size]";
  }
  FailureOr<Dims> batch = broadcast(r, {Dims(ArrayRef(a).drop_back(2)), Dims(ArrayRef(b).drop_back(2))});
  if (failed(batch)) {
    return failure();
  }
  batch->push_back(a[a.size() - 2]);
  batch->push_back(b[b.size() - 2]);
  return r.result(*batch, getElement(x1));
}

LogicalResult pdist(Rule &r, Value self) {
  Dims dims = dimsOf(self);
  std::optional<int64_t> n = dims.size() == 2 ? getStatic(dims[0]) : std::nullopt;
  if (!n) {
    return r.error() << "self is " << toString(dims) << ", expected a matrix with a known number of rows";
  }
  return r.result({constantDim(r.context, *n * (*n - 1) / 2)}, getElement(self));
}

} // namespace graphmill::aten::rules
