#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

LogicalResult select(Rule &r, Value self, int64_t dim) {
  Dims dims = dimsOf(self);
  if (dims.empty()) {
    return r.error() << "self is 0-d, there is nothing to select";
  }
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size());
  if (failed(at)) {
    return failure();
  }
  dims.erase(dims.begin() + *at);
  return r.result(dims, getElement(self));
}

/// A bound counted from the end if negative, kept in [0, size] as far as both are known.
static Dim clampBound(Dim bound, Dim size) {
  std::optional<int64_t> b = getStatic(bound), s = getStatic(size);
  if (b && *b < 0) {
    bound = simplify(size + *b);
    b = getStatic(bound);
  }
  if (b && *b < 0) {
    return constantDim(size.getContext(), 0);
  }
  // INT64_MAX is how "to the end" is written; other numbers are assumed to be inside a
  // symbolic size, as the exporter proved (or it would have put a Min there).
  if (b && ((s && *b > *s) || *b == INT64_MAX)) {
    return size;
  }
  return bound;
}

SliceBounds sliceBounds(Dim size, std::optional<Dim> start, std::optional<Dim> end, int64_t step) {
  MLIRContext *context = size.getContext();
  Dim from = start ? clampBound(*start, size) : constantDim(context, 0);
  Dim to = end ? clampBound(*end, size) : size;
  Dim length = simplify(to - from);
  if (getStatic(length) && *getStatic(length) < 0) {
    length = constantDim(context, 0);
  }
  return {from, simplify((length + (step - 1)).floorDiv(step))};
}

static std::optional<Dim> exprOf(std::optional<fx::DimAttr> dim) {
  return dim ? std::optional<Dim>(dim->getExpr()) : std::nullopt;
}

LogicalResult slice(Rule &r, Value self, int64_t dim, std::optional<fx::DimAttr> start, std::optional<fx::DimAttr> end,
                    int64_t step) {
  Dims dims = dimsOf(self);
  if (dims.empty()) {
    return r.error() << "self is 0-d, there is nothing to slice";
  }
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size());
  if (failed(at)) {
    return failure();
  }
  if (step < 1) {
    return r.error() << "step is " << step << ", expected a positive one";
  }
  dims[*at] = sliceBounds(dims[*at], exprOf(start), exprOf(end), step).length;
  return r.result(dims, getElement(self));
}

/// self's type with another size at `dim`.
static LogicalResult withSize(Rule &r, Value self, int64_t dim, Dim size) {
  Dims dims = dimsOf(self);
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size());
  if (failed(at) || dims.empty()) {
    return failure();
  }
  dims[*at] = simplify(size);
  return r.result(dims, getElement(self));
}

/// self's size at `dim`.
static FailureOr<Dim> sizeAt(Rule &r, Value self, int64_t dim) {
  Dims dims = dimsOf(self);
  if (dims.empty()) {
    return r.error() << "self is 0-d, expected at least one dim";
  }
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size());
  return failed(at) ? FailureOr<Dim>(failure()) : FailureOr<Dim>(dims[*at]);
}

LogicalResult narrow(Rule &r, Value self, int64_t dim, Dim length) { return withSize(r, self, dim, length); }

LogicalResult split(Rule &r, Value self, Dim size, int64_t dim) {
  FailureOr<Dim> total = sizeAt(r, self, dim);
  if (failed(total)) {
    return failure();
  }
  // s0 split by s0/2 are two pieces, whatever s0 is.
  std::optional<int64_t> count = getStatic(simplify(total->ceilDiv(size)));
  for (int64_t pieces = 1; !count && pieces <= 64; ++pieces) {
    count = equal(*total, size * pieces) ? std::optional(pieces) : std::nullopt;
  }
  if (!count || getStatic(size) == 0) {
    return r.error() << "how many pieces of " << toString(size) << " make " << toString(*total) << " isn't known when compiling";
  }
  for (int64_t i = 0; i < std::max<int64_t>(*count, 1); ++i) {
    Dim piece = i + 1 < *count ? size : *total - size * i;
    if (failed(withSize(r, self, dim, piece))) {
      return failure();
    }
  }
  return success();
}

LogicalResult splitWithSizes(Rule &r, Value self, ArrayRef<Dim> sizes, int64_t dim) {
  FailureOr<Dim> total = sizeAt(r, self, dim);
  if (failed(total)) {
    return failure();
  }
  Dim sum = constantDim(r.context, 0);
  for (Dim size : sizes) {
    sum = sum + size;
    if (failed(withSize(r, self, dim, size))) {
      return failure();
    }
  }
  sum = simplify(sum);
  if (getStatic(sum) && getStatic(*total) && sum != *total) {
    return r.error() << "split sizes " << toString(sizes) << " don't add up to " << toString(*total);
  }
  return success();
}

LogicalResult chunk(Rule &r, Value self, int64_t chunks, int64_t dim) {
  FailureOr<Dim> total = sizeAt(r, self, dim);
  if (failed(total)) {
    return failure();
  }
  if (chunks < 1) {
    return r.error() << "chunks is " << chunks << ", expected at least 1";
  }
  Dim size = simplify(total->ceilDiv(chunks));
  // An empty dim gives `chunks` empty pieces.
  if (getStatic(size) == 0) {
    return splitWithSizes(r, self, SmallVector<Dim>(chunks, size), dim);
  }
  if (getStatic(size)) {
    return split(r, self, size, dim);
  }
  for (int64_t i = 0; i < chunks; ++i) {
    if (failed(withSize(r, self, dim, i + 1 < chunks ? size : *total - size * i))) {
      return failure();
    }
  }
  return success();
}

LogicalResult tensorSplit(Rule &r, Value self, std::optional<int64_t> sections, std::optional<fx::DimsAttr> indices,
                          int64_t dim) {
  FailureOr<Dim> total = sizeAt(r, self, dim);
  if (failed(total)) {
    return failure();
  }
  if (indices) {
    Dim from = constantDim(r.context, 0);
    for (Dim index : indices->getExprs()) {
      Dim to = clampBound(index, *total);
      if (failed(withSize(r, self, dim, sliceBounds(*total, from, to, 1).length))) {
        return failure();
      }
      from = to;
    }
    return withSize(r, self, dim, sliceBounds(*total, from, std::nullopt, 1).length);
  }
  std::optional<int64_t> size = getStatic(*total);
  if (!size || !sections || *sections < 1) {
    return r.error() << "needs a known size and a positive number of sections";
  }
  for (int64_t i = 0; i < *sections; ++i) {
    int64_t length = *size / *sections + (i < *size % *sections);
    if (failed(withSize(r, self, dim, constantDim(r.context, length)))) {
      return failure();
    }
  }
  return success();
}

LogicalResult unbind(Rule &r, Value self, int64_t dim) {
  FailureOr<Dim> total = sizeAt(r, self, dim);
  if (failed(total)) {
    return failure();
  }
  std::optional<int64_t> count = getStatic(*total);
  if (!count) {
    return r.error() << "dim " << dim << " has size " << toString(*total) << ", which isn't known when compiling";
  }
  for (int64_t i = 0; i < *count; ++i) {
    if (failed(select(r, self, dim))) {
      return failure();
    }
  }
  return success();
}

LogicalResult diagonal(Rule &r, Value self, int64_t offset, int64_t dim1, int64_t dim2) {
  Dims dims = dimsOf(self);
  FailureOr<int64_t> a = normalizeDim(r, dim1, dims.size()), b = normalizeDim(r, dim2, dims.size());
  if (failed(a) || failed(b)) {
    return failure();
  }
  if (*a == *b || dims.size() < 2) {
    return r.error() << "dim1 and dim2 must be two dims of self";
  }
  Dim rows = simplify(offset < 0 ? dims[*a] + offset : dims[*a]);
  Dim columns = simplify(offset > 0 ? dims[*b] - offset : dims[*b]);
  Dim length = rows;
  if (getStatic(rows) && getStatic(columns)) {
    length = constantDim(r.context, std::max<int64_t>(0, std::min(*getStatic(rows), *getStatic(columns))));
  } else if (!equal(rows, columns)) {
    return r.error() << "the length of a diagonal of " << toString(dims) << " isn't known when compiling";
  }
  dims.erase(dims.begin() + std::max(*a, *b));
  dims.erase(dims.begin() + std::min(*a, *b));
  dims.push_back(length);
  return r.result(dims, getElement(self));
}

LogicalResult unfold(Rule &r, Value self, int64_t dim, int64_t size, int64_t step) {
  Dims dims = dimsOf(self);
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size());
  if (failed(at)) {
    return failure();
  }
  if (step < 1 || size < 0) {
    return r.error() << "size is " << size << ", step is " << step << ", expected positive ones";
  }
  if (!dims.empty()) {
    dims[*at] = simplify((dims[*at] - size).floorDiv(step) + 1);
  }
  dims.push_back(constantDim(r.context, size));
  return r.result(dims, getElement(self));
}

} // namespace graphmill::aten::rules
