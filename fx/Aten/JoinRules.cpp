#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

LogicalResult repeat(Rule &r, Value self, ArrayRef<Dim> repeats) {
  Dims dims = dimsOf(self), result(repeats);
  // `tile` takes fewer repeats than dims: the missing ones are 1, in front.
  while (result.size() < dims.size()) {
    result.insert(result.begin(), constantDim(r.context, 1));
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    Dim &size = result[result.size() - dims.size() + i];
    size = simplify(size * dims[i]);
  }
  return r.result(result, getElement(self));
}

LogicalResult repeatInterleave(Rule &r, Value self, Dim repeats, std::optional<int64_t> dim) {
  Dims dims = dimsOf(self);
  if (!dim) {
    return r.result({simplify(product(r.context, dims) * repeats)}, getElement(self));
  }
  FailureOr<int64_t> at = normalizeDim(r, *dim, dims.size());
  if (failed(at) || dims.empty()) {
    return failure();
  }
  dims[*at] = simplify(dims[*at] * repeats);
  return r.result(dims, getElement(self));
}

LogicalResult cat(Rule &r, ValueRange tensors, int64_t dim) {
  // A 1-d tensor of no elements joins anything: PyTorch's oldest habit.
  SmallVector<Value> parts;
  for (Value tensor : tensors) {
    Dims dims = dimsOf(tensor);
    if (dims.size() != 1 || getStatic(dims[0]) != 0) {
      parts.push_back(tensor);
    }
  }
  if (tensors.empty()) {
    return r.error() << "needs at least one tensor";
  }
  Type element = resultType(tensors);
  if (parts.empty()) {
    return r.result({constantDim(r.context, 0)}, element);
  }
  Dims result = dimsOf(parts[0]);
  FailureOr<int64_t> at = normalizeDim(r, dim, result.size());
  if (failed(at) || result.empty()) {
    return failure();
  }
  Dim total = constantDim(r.context, 0);
  for (auto [i, part] : llvm::enumerate(parts)) {
    Dims dims = dimsOf(part);
    if (dims.size() != result.size()) {
      return r.error() << "tensor " << i << " has rank " << dims.size() << ", the first has " << result.size();
    }
    for (size_t j = 0; j < dims.size(); ++j) {
      if (static_cast<int64_t>(j) != *at && getStatic(dims[j]) && getStatic(result[j]) && dims[j] != result[j]) {
        return r.error() << "tensor " << i << " is " << toString(dims) << ", it can't follow " << toString(result) << " along dim "
                         << *at;
      }
      result[j] = getStatic(result[j]) ? result[j] : dims[j];
    }
    total = total + dims[*at];
  }
  result[*at] = simplify(total);
  return r.result(result, element);
}

LogicalResult stack(Rule &r, ValueRange tensors, int64_t dim) {
  if (tensors.empty()) {
    return r.error() << "needs at least one tensor";
  }
  Dims dims = dimsOf(tensors[0]);
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size() + 1);
  if (failed(at)) {
    return failure();
  }
  for (Value tensor : tensors) {
    Dims other = dimsOf(tensor);
    bool fits = other.size() == dims.size();
    for (size_t i = 0; fits && i < dims.size(); ++i) {
      fits = !getStatic(dims[i]) || !getStatic(other[i]) || dims[i] == other[i];
    }
    if (!fits) {
      return r.error() << "tensors must have one shape, there are " << toString(dims) << " and " << toString(other);
    }
  }
  dims.insert(dims.begin() + *at, constantDim(r.context, tensors.size()));
  return r.result(dims, resultType(tensors));
}

/// cat of tensors that first get `rank` dims, as atLeast gives them.
static LogicalResult joinAt(Rule &r, ValueRange tensors, int64_t rank, int64_t dim) {
  Dim total = constantDim(r.context, 0);
  Dims result;
  for (Value tensor : tensors) {
    SmallVector<Type> types;
    Rule inner{r.context, r.location, r.opName, types};
    if (failed(atLeast(inner, tensor, rank))) {
      return failure();
    }
    Dims dims = dimsOf(cast<RankedTensorType>(types[0]));
    result = result.empty() ? dims : result;
    if (dims.size() != result.size()) {
      return r.error() << "tensors must have one rank";
    }
    int64_t at = std::min<int64_t>(dim, dims.size() - 1);
    total = total + dims[at];
    result[at] = simplify(total);
  }
  return r.result(result, resultType(tensors));
}

LogicalResult hstack(Rule &r, ValueRange tensors) { return joinAt(r, tensors, 1, dimsOf(tensors[0]).size() <= 1 ? 0 : 1); }
LogicalResult vstack(Rule &r, ValueRange tensors) { return joinAt(r, tensors, 2, 0); }
LogicalResult dstack(Rule &r, ValueRange tensors) { return joinAt(r, tensors, 3, 2); }

LogicalResult roll(Rule &r, Value self, ArrayRef<Dim> shifts, ArrayRef<int64_t> dims) {
  if (shifts.size() != std::max<size_t>(dims.size(), 1)) {
    return r.error() << "has " << shifts.size() << " shifts for " << dims.size() << " dims";
  }
  for (int64_t dim : dims) {
    if (failed(normalizeDim(r, dim, dimsOf(self).size()))) {
      return failure();
    }
  }
  return r.result(dimsOf(self), getElement(self));
}

LogicalResult rot90(Rule &r, Value self, int64_t k, ArrayRef<int64_t> dims) {
  if (dims.size() != 2) {
    return r.error() << "turns in the plane of 2 dims, got " << dims.size();
  }
  return k % 2 ? transpose(r, self, dims[0], dims[1]) : cast(r, self, std::nullopt);
}

LogicalResult diagEmbed(Rule &r, Value self, int64_t offset, int64_t dim1, int64_t dim2) {
  Dims dims = dimsOf(self);
  if (dims.empty()) {
    return r.error() << "self is 0-d, expected at least one dim";
  }
  int64_t rank = dims.size() + 1;
  FailureOr<int64_t> a = normalizeDim(r, dim1, rank), b = normalizeDim(r, dim2, rank);
  if (failed(a) || failed(b)) {
    return failure();
  }
  if (*a == *b) {
    return r.error() << "dim1 and dim2 are the same";
  }
  Dim size = simplify(dims.back() + std::abs(offset));
  dims.pop_back();
  dims.insert(dims.begin() + std::min(*a, *b), size);
  dims.insert(dims.begin() + std::max(*a, *b), size);
  return r.result(dims, getElement(self));
}

LogicalResult diag(Rule &r, Value self, int64_t offset) {
  return dimsOf(self).size() == 1 ? diagEmbed(r, self, offset, 0, 1) : diagonal(r, self, offset, 0, 1);
}

LogicalResult meshgrid(Rule &r, ValueRange tensors, StringRef indexing) {
  Dims dims;
  for (Value tensor : tensors) {
    Dims own = dimsOf(tensor);
    if (own.size() > 1) {
      return r.error() << "takes vectors, one is " << toString(own);
    }
    dims.push_back(own.empty() ? constantDim(r.context, 1) : own[0]);
  }
  if (indexing == "xy" && dims.size() > 1) {
    std::swap(dims[0], dims[1]);
  }
  for (Value tensor : tensors) {
    (void)r.result(dims, getElement(tensor));
  }
  return success();
}

LogicalResult pixelShuffle(Rule &r, Value self, int64_t factor) {
  Dims dims = dimsOf(self);
  size_t n = dims.size();
  if (n < 3 || factor < 1) {
    return r.error() << "self is " << toString(dims) << ", expected […, C, H, W] and a positive factor";
  }
  dims[n - 3] = simplify(dims[n - 3].floorDiv(factor * factor));
  dims[n - 2] = simplify(dims[n - 2] * factor);
  dims[n - 1] = simplify(dims[n - 1] * factor);
  return r.result(dims, getElement(self));
}

LogicalResult pixelUnshuffle(Rule &r, Value self, int64_t factor) {
  Dims dims = dimsOf(self);
  size_t n = dims.size();
  if (n < 3 || factor < 1) {
    return r.error() << "self is " << toString(dims) << ", expected […, C, H, W] and a positive factor";
  }
  dims[n - 3] = simplify(dims[n - 3] * (factor * factor));
  dims[n - 2] = simplify(dims[n - 2].floorDiv(factor));
  dims[n - 1] = simplify(dims[n - 1].floorDiv(factor));
  return r.result(dims, getElement(self));
}

LogicalResult pad(Rule &r, Value self, ArrayRef<Dim> pad) {
  Dims dims = dimsOf(self);
  if (pad.size() % 2 || pad.size() / 2 > dims.size()) {
    return r.error() << "pad has " << pad.size() << " numbers, expected two for each of at most " << dims.size() << " dims";
  }
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    Dim &size = dims[dims.size() - 1 - i];
    size = simplify(size + pad[2 * i] + pad[2 * i + 1]);
    if (getStatic(size) && *getStatic(size) < 0) {
      return r.error() << "pad removes more than self has: " << toString(dimsOf(self));
    }
  }
  return r.result(dims, getElement(self));
}

LogicalResult im2col(Rule &r, Value self, ArrayRef<int64_t> kernel, ArrayRef<int64_t> dilation, ArrayRef<int64_t> padding,
                     ArrayRef<int64_t> stride) {
  Dims dims = dimsOf(self);
  if (dims.size() != 3 && dims.size() != 4) {
    return r.error() << "self is " << toString(dims) << ", expected [N, C, H, W] or [C, H, W]";
  }
  SmallVector<int64_t> k = expandInts(kernel, 2), d = expandInts(dilation, 2), p = expandInts(padding, 2), s = expandInts(stride, 2);
  size_t c = dims.size() - 3;
  Dim windows = constantDim(r.context, 1);
  for (size_t i = 0; i < 2; ++i) {
    Dim span = dims[c + 1 + i] + (2 * p[i] - d[i] * (k[i] - 1) - 1);
    windows = windows * simplify(span.floorDiv(s[i]) + 1);
  }
  Dims result(ArrayRef(dims).take_front(c));
  result.push_back(simplify(dims[c] * (k[0] * k[1])));
  result.push_back(simplify(windows));
  return r.result(result, getElement(self));
}

LogicalResult col2im(Rule &r, Value self, ArrayRef<int64_t> outputSize, ArrayRef<int64_t> kernel) {
  Dims dims = dimsOf(self);
  if ((dims.size() != 2 && dims.size() != 3) || outputSize.size() != 2) {
    return r.error() << "self is " << toString(dims) << ", expected [N, C k k, L] or [C k k, L]";
  }
  SmallVector<int64_t> k = expandInts(kernel, 2);
  size_t c = dims.size() - 2;
  Dims result(ArrayRef(dims).take_front(c));
  result.push_back(simplify(dims[c].floorDiv(k[0] * k[1])));
  result.push_back(constantDim(r.context, outputSize[0]));
  result.push_back(constantDim(r.context, outputSize[1]));
  return r.result(result, getElement(self));
}

} // namespace graphmill::aten::rules
