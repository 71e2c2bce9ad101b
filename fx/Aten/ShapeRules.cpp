#include "fx/Aten/Rules.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace graphmill::aten::rules {

LogicalResult view(Rule &r, Value self, ArrayRef<Dim> size) {
  Dims result(size);
  int64_t unknown = -1;
  Dim rest = constantDim(r.context, 1);
  for (auto [i, dim] : llvm::enumerate(size)) {
    if (getStatic(dim) == -1) {
      if (unknown >= 0) {
        return r.error() << "only one size may be -1, got " << toString(size);
      }
      unknown = i;
    } else {
      rest = rest * dim;
    }
  }
  Dim total = product(r.context, dimsOf(self));
  if (unknown >= 0) {
    result[unknown] = simplify(total.floorDiv(rest));
  }
  Dim elements = product(r.context, result);
  if (getStatic(total) && getStatic(elements) && total != elements) {
    return r.error() << "a tensor of sizes " << toString(dimsOf(self)) << " can't be viewed as "
                     << toString(size);
  }
  return r.result(result, getElement(self));
}

LogicalResult flatten(Rule &r, Value self, int64_t start, int64_t end) {
  Dims dims = dimsOf(self);
  FailureOr<int64_t> from = normalizeDim(r, start, dims.size());
  FailureOr<int64_t> to = normalizeDim(r, end, dims.size());
  if (failed(from) || failed(to)) {
    return failure();
  }
  if (dims.empty()) {
    return r.result({constantDim(r.context, 1)}, getElement(self));
  }
  if (*from > *to) {
    return r.error() << "start_dim " << start << " comes after end_dim " << end;
  }
  Dims result(ArrayRef(dims).take_front(*from));
  result.push_back(product(r.context, ArrayRef(dims).slice(*from, *to - *from + 1)));
  result.append(dims.begin() + *to + 1, dims.end());
  return r.result(result, getElement(self));
}

LogicalResult permute(Rule &r, Value self, ArrayRef<int64_t> order) {
  Dims dims = dimsOf(self), result;
  SmallVector<int64_t> normalized;
  for (int64_t dim : order) {
    FailureOr<int64_t> d = normalizeDim(r, dim, dims.size());
    if (failed(d)) {
      return failure();
    }
    normalized.push_back(*d);
  }
  if (normalized.size() != dims.size() || !isPermutationVector(normalized)) {
    return r.error() << "dims is not a permutation of the " << dims.size() << " dims of self";
  }
  for (int64_t d : normalized) {
    result.push_back(dims[d]);
  }
  return r.result(result, getElement(self));
}

LogicalResult transpose(Rule &r, Value self, int64_t dim0, int64_t dim1) {
  Dims dims = dimsOf(self);
  FailureOr<int64_t> a = normalizeDim(r, dim0, dims.size());
  FailureOr<int64_t> b = normalizeDim(r, dim1, dims.size());
  if (failed(a) || failed(b)) {
    return failure();
  }
  if (!dims.empty()) {
    std::swap(dims[*a], dims[*b]);
  }
  return r.result(dims, getElement(self));
}

LogicalResult unflatten(Rule &r, Value self, int64_t dim, ArrayRef<Dim> sizes) {
  Dims dims = dimsOf(self), parts(sizes);
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size());
  if (failed(at) || dims.empty()) {
    return failure();
  }
  Dim known = constantDim(r.context, 1);
  for (Dim part : parts) {
    known = getStatic(part) == -1 ? known : known * part;
  }
  for (Dim &part : parts) {
    part = getStatic(part) == -1 ? simplify(dims[*at].floorDiv(known)) : part;
  }
  Dim total = product(r.context, parts);
  if (getStatic(total) && getStatic(dims[*at]) && total != dims[*at]) {
    return r.error() << "dim " << dim << " of size " << toString(dims[*at]) << " can't be split into " << toString(sizes);
  }
  dims.erase(dims.begin() + *at);
  dims.insert(dims.begin() + *at, parts.begin(), parts.end());
  return r.result(dims, getElement(self));
}

LogicalResult reverseDims(Rule &r, Value self) {
  Dims dims = dimsOf(self);
  std::reverse(dims.begin(), dims.end());
  return r.result(dims, getElement(self));
}

FailureOr<SmallVector<int64_t>> movedOrder(Rule &r, int64_t rank, ArrayRef<int64_t> source, ArrayRef<int64_t> destination) {
  SmallVector<int64_t> order(rank, -1), rest;
  llvm::SmallDenseSet<int64_t> moved;
  if (source.size() != destination.size()) {
    return r.error() << "source has " << source.size() << " dims, destination " << destination.size();
  }
  for (auto [from, to] : llvm::zip(source, destination)) {
    FailureOr<int64_t> f = normalizeDim(r, from, rank), t = normalizeDim(r, to, rank);
    if (failed(f) || failed(t)) {
      return failure();
    }
    if (rank == 0) {
      continue;
    }
    if (order[*t] >= 0 || !moved.insert(*f).second) {
      return r.error() << "a dim appears twice in source or destination";
    }
    order[*t] = *f;
  }
  int64_t next = 0;
  for (int64_t &dim : order) {
    while (dim < 0 && moved.contains(next)) {
      ++next;
    }
    dim = dim < 0 ? next++ : dim;
  }
  return order;
}

LogicalResult movedim(Rule &r, Value self, ArrayRef<int64_t> source, ArrayRef<int64_t> destination) {
  Dims dims = dimsOf(self), result;
  FailureOr<SmallVector<int64_t>> order = movedOrder(r, dims.size(), source, destination);
  if (failed(order)) {
    return failure();
  }
  for (int64_t dim : *order) {
    result.push_back(dims[dim]);
  }
  return r.result(result, getElement(self));
}

LogicalResult squeeze(Rule &r, Value self, OptionalDims dims) {
  Dims sizes = dimsOf(self), result;
  llvm::SmallDenseSet<int64_t> chosen;
  for (int64_t dim : dims.value_or(ArrayRef<int64_t>())) {
    FailureOr<int64_t> d = normalizeDim(r, dim, sizes.size());
    if (failed(d)) {
      return failure();
    }
    chosen.insert(*d);
  }
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (getStatic(size) != 1 || (dims && !chosen.contains(i))) {
      result.push_back(size);
    }
  }
  return r.result(result, getElement(self));
}

LogicalResult atLeast(Rule &r, Value self, int64_t rank) {
  Dims dims = dimsOf(self);
  Dim one = constantDim(r.context, 1);
  if (rank == 3 && dims.size() == 2) {
    dims.push_back(one);
  } else if (rank == 3 && dims.size() == 1) {
    dims = {one, dims[0], one};
  }
  while (static_cast<int64_t>(dims.size()) < rank) {
    dims.insert(dims.begin(), one);
  }
  return r.result(dims, getElement(self));
}

LogicalResult unsqueeze(Rule &r, Value self, int64_t dim) {
  Dims dims = dimsOf(self);
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size() + 1);
  if (failed(at)) {
    return failure();
  }
  dims.insert(dims.begin() + *at, constantDim(r.context, 1));
  return r.result(dims, getElement(self));
}

LogicalResult expand(Rule &r, Value self, ArrayRef<Dim> size) {
  Dims dims = dimsOf(self), result(size);
  if (size.size() < dims.size()) {
    return r.error() << "sizes " << toString(size) << " are fewer than self's "
                     << toString(dims);
  }
  size_t added = size.size() - dims.size();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Dim &target = result[added + i];
    if (getStatic(target) == -1) {
      target = dim;
    } else if (getStatic(dim) && getStatic(dim) != 1 && getStatic(target) && dim != target) {
      return r.error() << "dim " << i << " of self is " << toString(dim)
                       << ", it can't be expanded to " << toString(target);
    }
  }
  for (size_t i = 0; i < added; ++i) {
    if (getStatic(result[i]) == -1) {
      return r.error() << "-1 is not allowed for a new dim (dim " << i << ")";
    }
  }
  return r.result(result, getElement(self));
}

LogicalResult cast(Rule &r, Value self, std::optional<Type> dtype) {
  return r.result(dimsOf(self), dtype.value_or(getElement(self)));
}

LogicalResult bitcast(Rule &r, Value self, Type dtype) {
  if (sizeOf(dtype) != sizeOf(getElement(self))) {
    return r.error() << "changes the elements' size (" << dtypeName(getElement(self)) << " to " << dtypeName(dtype)
                     << "), which isn't supported";
  }
  return r.result(dimsOf(self), dtype);
}

LogicalResult resized(Rule &r, Value self, ArrayRef<Dim> size, std::optional<Type> dtype) {
  return r.result(size, dtype.value_or(getElement(self)));
}

LogicalResult broadcastTensors(Rule &r, ValueRange tensors) {
  SmallVector<Dims> shapes;
  for (Value tensor : tensors) {
    shapes.push_back(dimsOf(tensor));
  }
  FailureOr<Dims> dims = broadcast(r, shapes);
  for (Value tensor : tensors) {
    if (failed(dims) || failed(r.result(*dims, getElement(tensor)))) {
      return failure();
    }
  }
  return success();
}

} // namespace graphmill::aten::rules
