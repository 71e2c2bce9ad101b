#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;
using prims::Reducer;

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

template <typename Op, Reducer reducer> static Value cumulative(PrimBuilder &b, Op op) {
  Type element = resultElement(op);
  Value x = b.convert(b.convert(op.getSelf(), element), b.opmath(element));
  int64_t rank = dimsOf(x).size();
  return b.convert(rank ? b.scan(reducer, x, fromFront(op.getDim(), rank)) : x, element);
}

/// Shifted by the largest of all: sums of what is much smaller vanish, as they would.
static Value logcumsumexp(PrimBuilder &b, aten::LogcumsumexpOp op) {
  Type element = resultElement(op);
  Value x = b.convert(op.getSelf(), b.opmath(element));
  int64_t rank = dimsOf(x).size();
  if (rank == 0) {
    return op.getSelf();
  }
  int64_t dim = fromFront(op.getDim(), rank);
  Value shift = b.reduce(Reducer::Max, x, {dim}, /*keepdim=*/true);
  Value sum = b.scan(Reducer::Sum, b.exp(b.sub(x, shift)), dim);
  return b.convert(b.add(b.unary<prims::LogOp>(sum), shift), element);
}

/// The index is that of the last element so far that equals the extreme, or is NaN.
template <typename Op, Reducer reducer> static Decompositions::Results cumulativeExtreme(PrimBuilder &b, Op op) {
  Value x = op.getSelf();
  int64_t rank = dimsOf(x).size();
  if (rank == 0) {
    return {x, b.constant(0, b.i64())};
  }
  int64_t dim = fromFront(op.getDim(), rank);
  Value values = b.scan(reducer, x, dim), isTaken = b.compare(Predicate::Eq, x, values);
  if (isFloat(getElement(x))) {
    isTaken = b.binary<prims::OrOp>(isTaken, b.compare(Predicate::Ne, x, x));
  }
  Value places = b.select(isTaken, b.iotaAlong(dimsOf(x), dim, b.i64()), b.constant(0, b.i64()));
  return {values, b.scan(Reducer::Max, places, dim)};
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

/// A 0-d tensor sorts as a vector of one.
static std::pair<Value, Value> sorted(PrimBuilder &b, Value x, int64_t dim, bool descending) {
  Dims dims = dimsOf(x);
  if (!dims.empty()) {
    return b.sort(x, fromFront(dim, dims.size()), descending);
  }
  return {x, b.constant(0, b.i64())};
}

static Decompositions::Results sort(PrimBuilder &b, aten::SortOp op) {
  auto [values, indices] = sorted(b, op.getSelf(), op.getDim(), op.getDescending());
  return {values, indices};
}

static Value argsort(PrimBuilder &b, aten::ArgsortOp op) {
  return sorted(b, op.getSelf(), op.getDim(), op.getDescending()).second;
}

static Decompositions::Results topk(PrimBuilder &b, aten::TopkOp op) {
  auto [values, indices] = sorted(b, op.getSelf(), op.getDim(), op.getLargest());
  Dims dims = resultDims(op);
  if (dims.empty()) {
    return {values, indices};
  }
  int64_t dim = fromFront(op.getDim(), dims.size());
  return {b.slice(values, dim, b.dim(0), dims[dim]), b.slice(indices, dim, b.dim(0), dims[dim])};
}

/// Element `k` of the ascending order along `dim`, and its index.
static Decompositions::Results atRank(PrimBuilder &b, Value x, int64_t dim, Dim k, const Dims &result) {
  auto [values, indices] = sorted(b, x, dim, /*descending=*/false);
  if (dimsOf(x).empty()) {
    return {values, indices};
  }
  return {b.reshape(b.slice(values, dim, k, b.dim(1)), result), b.reshape(b.slice(indices, dim, k, b.dim(1)), result)};
}

static Decompositions::Results kthvalue(PrimBuilder &b, aten::KthvalueOp op) {
  int64_t dim = fromFront(op.getDim(), dimsOf(op.getSelf()).size());
  return atRank(b, op.getSelf(), dim, b.dim(static_cast<int64_t>(op.getK()) - 1), resultDims(op));
}

/// The lower of two middle elements. NaN sorts last, so it must be looked for.
static Decompositions::Results medianAlong(PrimBuilder &b, Value x, int64_t dim, const Dims &result) {
  Dim size = dimsOf(x).empty() ? b.dim(1) : dimOf(x, dim);
  Decompositions::Results middle = atRank(b, x, dim, simplify((size - 1).floorDiv(2)), result);
  if (!isFloat(getElement(x)) || dimsOf(x).empty()) {
    return middle;
  }
  Value anyNan = b.reshape(b.reduce(Reducer::Or, b.compare(Predicate::Ne, x, x), {dim}), result);
  Value firstNan = b.reshape(b.argReduce(Reducer::Max, x, dim), result);
  Value nan = b.constant(std::numeric_limits<double>::quiet_NaN(), getElement(x));
  return {b.select(anyNan, nan, middle[0]), b.select(anyNan, firstNan, middle[1])};
}

static Value median(PrimBuilder &b, aten::MedianOp op) {
  Value flat = b.reshape(op.getSelf(), {product(b.context(), dimsOf(op.getSelf()))});
  return medianAlong(b, flat, 0, {})[0];
}

static Decompositions::Results medianDim(PrimBuilder &b, aten::MedianDimOp op) {
  return medianAlong(b, op.getSelf(), fromFront(op.getDim(), dimsOf(op.getSelf()).size()), resultDims(op));
}

//===----------------------------------------------------------------------===//
// Bins
//===----------------------------------------------------------------------===//

/// How many boundaries are below (right: not above) each element. All of them for NaN.
static Value searchsorted(PrimBuilder &b, aten::SearchsortedOp op) {
  bool right = op.getRight() || op.getSide().value_or("left") == "right";
  Type common = resultType({op.getSortedSequence(), op.getSelf()});
  Value bounds = b.convert(op.getSortedSequence(), common), x = b.convert(op.getSelf(), common);
  if (op.getSorter()) {
    bounds = b.gather(bounds, b.convert(op.getSorter(), b.i64()), dimsOf(bounds).size() - 1);
  }
  Dims dims = resultDims(op), grid = dims;
  Dims boundDims = dimsOf(bounds);
  grid.push_back(boundDims.back());
  // One row of boundaries for all elements, or one for each row of them.
  SmallVector<int64_t> map;
  for (size_t i = 0; i + 1 < boundDims.size(); ++i) {
    map.push_back(i);
  }
  map.push_back(grid.size() - 1);
  SmallVector<int64_t> own = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  Value limits = b.broadcastDims(bounds, grid, map), elements = b.broadcastDims(x, grid, own);
  Value stops = b.compare(right ? Predicate::Gt : Predicate::Ge, limits, elements);
  Value below = b.sum(b.convert(b.logicalNot(stops), b.i64()), {static_cast<int64_t>(dims.size())});
  return b.convert(below, resultElement(op));
}

static Value histc(PrimBuilder &b, aten::HistcOp op) {
  Type element = resultElement(op), compute = isFloat(element) ? b.opmath(element) : b.f32();
  Value x = b.convert(b.reshape(op.getSelf(), {product(b.context(), dimsOf(op.getSelf()))}), compute);
  Value low = b.scalar(op.getMin(), compute), high = b.scalar(op.getMax(), compute);
  if (numberOf(op.getMin()) == numberOf(op.getMax())) {
    // No range given: the data's.
    low = b.reduce(Reducer::Min, x, {0});
    high = b.reduce(Reducer::Max, x, {0});
    Value isEmpty = b.compare(Predicate::Eq, low, high);
    low = b.select(isEmpty, b.sub(low, 1.0), low);
    high = b.select(isEmpty, b.add(high, 1.0), high);
  }
  int64_t bins = op.getBins();
  Value position = b.div(b.mul(b.sub(x, low), static_cast<double>(bins)), b.sub(high, low));
  // The range's end belongs to the last bin.
  Value bin = b.minimum(b.convert(position, b.i64()), b.constant(bins - 1, b.i64()));
  Value inside = b.binary<prims::AndOp>(b.compare(Predicate::Ge, x, low), b.compare(Predicate::Le, x, high));
  bin = b.select(inside, bin, b.constant(0, b.i64()));
  Value zeros = b.full(resultDims(op), 0.0, compute);
  return b.convert(b.indexPut(prims::Combiner::Add, zeros, b.convert(inside, compute), bin, {0}), element);
}

static Value diff(PrimBuilder &b, aten::DiffOp op) {
  Value x = op.getSelf();
  int64_t dim = fromFront(op.getDim(), dimsOf(x).size());
  SmallVector<Value> parts;
  for (Value part : {op.getPrepend(), op.getSelf(), op.getAppend()}) {
    if (part) {
      parts.push_back(b.convert(part, getElement(x)));
    }
  }
  x = b.concatenate(parts, dim);
  for (int64_t i = 0; i < static_cast<int64_t>(op.getN()); ++i) {
    Dim size = simplify(dimOf(x, dim) - 1);
    if (getStatic(dimOf(x, dim)) == 0) {
      break;
    }
    Value later = b.slice(x, dim, b.dim(1), size), earlier = b.slice(x, dim, b.dim(0), size);
    x = getElement(x).isInteger(1) ? b.binary<prims::XorOp>(later, earlier) : b.sub(later, earlier);
  }
  return x;
}

void addSortDecompositions(Decompositions &d) {
  d.add<aten::CumsumOp, cumulative<aten::CumsumOp, Reducer::Sum>>();
  d.add<aten::CumprodOp, cumulative<aten::CumprodOp, Reducer::Prod>>();
  d.add<aten::LogcumsumexpOp, logcumsumexp>();
  d.addMany<aten::CummaxOp, cumulativeExtreme<aten::CummaxOp, Reducer::Max>>();
  d.addMany<aten::CumminOp, cumulativeExtreme<aten::CumminOp, Reducer::Min>>();
  d.addMany<aten::SortOp, sort>();
  d.add<aten::ArgsortOp, argsort>();
  d.addMany<aten::TopkOp, topk>();
  d.addMany<aten::KthvalueOp, kthvalue>();
  d.add<aten::MedianOp, median>();
  d.addMany<aten::MedianDimOp, medianDim>();
  d.add<aten::SearchsortedOp, searchsorted>();
  d.add<aten::HistcOp, histc>();
  d.add<aten::DiffOp, diff>();
}

} // namespace graphmill
