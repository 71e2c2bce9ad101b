#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

SmallVector<SmallVector<int64_t>> indexedDims(ValueRange indices, ArrayRef<int64_t> places) {
  SmallVector<SmallVector<int64_t>> result;
  int64_t extra = 0;
  for (auto [value, place] : llvm::zip(indices, places)) {
    bool isMask = categoryOf(getElement(value)) == Category::Bool;
    int64_t count = isMask ? dimsOf(value).size() : 1;
    result.push_back(llvm::to_vector(llvm::seq<int64_t>(place + extra, place + extra + count)));
    extra += count - 1;
  }
  return result;
}

LogicalResult index(Rule &r, Value self, ValueRange indices, ArrayRef<int64_t> places, std::optional<fx::DimAttr> count) {
  Dims sizes = dimsOf(self), result;
  if (places.size() != indices.size() || indices.empty()) {
    return r.error() << "has " << indices.size() << " indices and places for " << places.size();
  }
  SmallVector<int64_t> dims;
  SmallVector<Dims> shapes;
  for (auto [value, own] : llvm::zip(indices, indexedDims(indices, places))) {
    Category category = categoryOf(getElement(value));
    bool isMask = category == Category::Bool;
    if ((category != Category::Integer && !isMask) || (isMask && !count)) { // index.c1
      return r.error() << "an index is " << dtypeName(getElement(value)) << ", expected integers, or bools and their count";
    }
    dims.append(own);
    shapes.push_back(isMask ? Dims{count->getExpr()} : dimsOf(value));
  }
  if (dims.empty() || dims.back() >= static_cast<int64_t>(sizes.size())) {
    return r.error() << "has indices for more dims than a tensor of rank " << sizes.size() << " has, or for none";
  }
  FailureOr<Dims> common = broadcast(r, shapes);
  if (failed(common)) {
    return failure();
  }
  // Indices on neighbouring dims: the result's dims are in their place; else in front.
  bool adjacent = dims.back() - dims.front() + 1 == static_cast<int64_t>(dims.size());
  for (int64_t i = 0; i < static_cast<int64_t>(sizes.size()); ++i) {
    if (adjacent && i == dims.front()) {
      result.append(*common);
    }
    if (!llvm::is_contained(dims, i)) {
      result.push_back(sizes[i]);
    }
  }
  if (!adjacent) {
    result.insert(result.begin(), common->begin(), common->end());
  }
  return r.result(result, getElement(self));
}

LogicalResult indexPut(Rule &r, Value self, ValueRange indices, ArrayRef<int64_t> places, Value values) {
  SmallVector<Type> read;
  Rule reading{r.context, r.location, r.opName, read};
  // Masks here need no count: what they read isn't made.
  bool hasMask = llvm::any_of(indices, [](Value index) { return categoryOf(getElement(index)) == Category::Bool; });
  std::optional<fx::DimAttr> count;
  if (hasMask) {
    count = fx::DimAttr::get(r.context, constantDim(r.context, 1));
  }
  if (failed(index(reading, self, indices, places, count))) {
    return failure();
  }
  if (!hasMask && failed(broadcast(r, {dimsOf(cast<RankedTensorType>(read[0])), dimsOf(values)}))) {
    return failure();
  }
  return r.result(dimsOf(self), getElement(self));
}

static LogicalResult requireIndex(Rule &r, Value index) {
  if (categoryOf(getElement(index)) != Category::Integer) {
    return r.error() << "the index is " << dtypeName(getElement(index)) << ", expected integers";
  }
  return success();
}

LogicalResult indexedSlices(Rule &r, Value self, int64_t dim, Value index) {
  SmallVector<Type> read;
  Rule reading{r.context, r.location, r.opName, read};
  if (failed(requireIndex(r, index)) || failed(indexSelect(reading, self, dim, index))) {
    return failure();
  }
  return r.result(dimsOf(self), getElement(self));
}

static Type indexType(Rule &r) { return IntegerType::get(r.context, 64); }

LogicalResult nonzero(Rule &r, Value self, Dim count) {
  return r.result({count, constantDim(r.context, dimsOf(self).size())}, indexType(r));
}

LogicalResult nonzeroColumns(Rule &r, Value self, Dim count) {
  // NumPy sees a scalar as a vector of one.
  for (size_t i = 0; i < std::max<size_t>(dimsOf(self).size(), 1); ++i) {
    (void)r.result({count}, indexType(r));
  }
  return success();
}

LogicalResult maskedSelect(Rule &r, Value self, Value mask, Dim count) {
  FailureOr<Dims> dims = broadcast(r, {dimsOf(self), dimsOf(mask)});
  return failed(dims) ? failure() : r.result({count}, getElement(self));
}

LogicalResult unique(Rule &r, Value self, bool inverse, bool counts, Dim count) {
  Dims none{constantDim(r.context, 0)};
  (void)r.result({count}, getElement(self));
  (void)r.result(inverse ? dimsOf(self) : none, indexType(r));
  return r.result(counts ? Dims{count} : none, indexType(r));
}

LogicalResult indexSelect(Rule &r, Value self, int64_t dim, Value index) {
  Dims dims = dimsOf(self), count = dimsOf(index);
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size());
  if (failed(at) || failed(requireIndex(r, index))) {
    return failure();
  }
  if (count.size() > 1) {
    return r.error() << "index is " << toString(count) << ", expected a vector";
  }
  if (!dims.empty()) {
    dims[*at] = count.empty() ? constantDim(r.context, 1) : count[0];
  }
  return r.result(dims, getElement(self));
}

/// Tensors that go along each other have one rank; scalars count as vectors.
static LogicalResult requireAligned(Rule &r, Value self, int64_t dim, Value index, Value src) {
  Dims s = dimsOf(self), i = dimsOf(index);
  if (failed(requireIndex(r, index)) || failed(normalizeDim(r, dim, s.size()))) {
    return failure();
  }
  auto rank = [](const Dims &dims) { return std::max<size_t>(dims.size(), 1); };
  // A number in src's place serves all indices.
  bool fits = !src || isNumber(src.getType()) || dimsOf(src).empty() || rank(dimsOf(src)) == rank(i);
  if (rank(s) != rank(i) || !fits) {
    return r.error() << "self is " << toString(s) << ", index is " << toString(i)
                     << (fits ? std::string() : ", src is " + toString(dimsOf(src))) << ", expected one rank";
  }
  return success();
}

LogicalResult gather(Rule &r, Value self, int64_t dim, Value index) {
  return failed(requireAligned(r, self, dim, index, Value())) ? failure() : r.result(dimsOf(index), getElement(self));
}

LogicalResult take(Rule &r, Value self, Value index) {
  return failed(requireIndex(r, index)) ? failure() : r.result(dimsOf(index), getElement(self));
}

LogicalResult scatter(Rule &r, Value self, int64_t dim, Value index, Value src) {
  return failed(requireAligned(r, self, dim, index, src)) ? failure() : r.result(dimsOf(self), getElement(self));
}

LogicalResult takeAlongDim(Rule &r, Value self, Value indices, std::optional<int64_t> dim) {
  if (!dim) {
    return r.result({product(r.context, dimsOf(indices))}, getElement(self));
  }
  Dims a = dimsOf(self), b = dimsOf(indices);
  FailureOr<int64_t> at = normalizeDim(r, *dim, a.size());
  if (failed(at) || a.size() != b.size() || a.empty()) {
    return r.error() << "self is " << toString(a) << ", indices " << toString(b) << ", expected one rank";
  }
  Dim count = b[*at];
  a[*at] = b[*at] = constantDim(r.context, 1);
  FailureOr<Dims> dims = broadcast(r, {a, b});
  if (failed(dims)) {
    return failure();
  }
  (*dims)[*at] = count;
  return r.result(*dims, getElement(self));
}

LogicalResult embedding(Rule &r, Value weight, Value indices) {
  Dims dims = dimsOf(indices), w = dimsOf(weight);
  if (w.size() != 2) {
    return r.error() << "weight is " << toString(w) << ", expected [rows, size]";
  }
  dims.push_back(w[1]);
  return r.result(dims, getElement(weight));
}

LogicalResult embeddingBag(Rule &r, Value weight, Value indices, Value offsets, int64_t mode, bool includeLastOffset,
                           int64_t paddingIdx) {
  Dims w = dimsOf(weight), i = dimsOf(indices), o = dimsOf(offsets);
  if (w.size() != 2 || i.size() != 1 || o.size() != 1) {
    return r.error() << "weight is " << toString(w) << ", indices " << toString(i) << ", offsets " << toString(o)
                     << "; expected [rows, size], [n] and [bags]";
  }
  Dim bags = includeLastOffset ? simplify(o[0] - 1) : o[0];
  Type element = getElement(indices);
  constexpr int64_t kSum = 0, kMax = 2;
  (void)r.result({bags, w[1]}, getElement(weight));
  // Eager's fast path for sums leaves out what only the gradient needs.
  bool isFast = mode == kSum && paddingIdx < 0 && !getElement(weight).isF64();
  (void)r.result(isFast ? Dims{constantDim(r.context, 0)} : i, element);
  (void)r.result({bags}, element);
  return mode == kMax ? r.result({bags, w[1]}, element) : r.result({bags}, element);
}

} // namespace graphmill::aten::rules
