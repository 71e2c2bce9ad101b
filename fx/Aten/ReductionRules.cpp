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

LogicalResult layerNorm(Rule &r, Value input, ArrayRef<Dim> normalized) {
  Dims dims = dimsOf(input);
  if (normalized.empty() || normalized.size() > dims.size()) {
    return r.error() << "normalized_shape " << toString(normalized)
                     << " doesn't fit an input of sizes " << toString(dims);
  }
  for (auto [want, have] : llvm::zip(llvm::reverse(normalized), llvm::reverse(dims))) {
    if (getStatic(want) && getStatic(have) && want != have) {
      return r.error() << "input's last sizes in " << toString(dims)
                       << " must be normalized_shape " << toString(normalized);
    }
  }
  return r.result(dims, getElement(input));
}

} // namespace graphmill::aten::rules
