#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using prims::Combiner;
using prims::Predicate;
using prims::Reducer;

static Value embedding(PrimBuilder &b, aten::EmbeddingOp op) {
  return b.index(op.getWeight(), b.convert(op.getIndices(), b.i64()), {0}, kChecked);
}

//===----------------------------------------------------------------------===//
// Bags
//===----------------------------------------------------------------------===//

/// k of a vector 0, k, 2k, …; none if that isn't seen.
static std::optional<Dim> stepOf(Value vector) {
  Operation *op = vector.getDefiningOp();
  if (auto convert = dyn_cast_or_null<prims::ConvertOp>(op)) {
    return isa<IntegerType>(getElement(convert.getOperand())) ? stepOf(convert.getOperand()) : std::nullopt;
  }
  if (isa_and_nonnull<prims::IotaOp>(op)) {
    return constantDim(op->getContext(), 1);
  }
  auto mul = dyn_cast_or_null<prims::MulOp>(op);
  if (!mul || !isa_and_nonnull<prims::IotaOp>(mul.getLhs().getDefiningOp())) {
    return std::nullopt;
  }
  auto broadcast = mul.getRhs().getDefiningOp<prims::BroadcastOp>();
  Operation *factor = broadcast ? broadcast.getOperand().getDefiningOp() : nullptr;
  if (auto size = dyn_cast_or_null<prims::SizeOp>(factor)) {
    return size.getValue().getExpr();
  }
  auto constant = dyn_cast_or_null<prims::ConstantOp>(factor);
  auto values = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : nullptr;
  if (!values || !values.isSplat()) {
    return std::nullopt;
  }
  return constantDim(op->getContext(), values.getSplatValue<APInt>().getSExtValue());
}

namespace {
/// Which places belong together, and what is made of each bag's values.
class Bags {
public:
  Bags(PrimBuilder &b, Dim numPlaces, Dim numBags, Value offsets) : b(b), numPlaces(numPlaces), numBags(numBags) {
    // `nn.EmbeddingBag` gives a matrix of indices as one vector and evenly spaced offsets.
    std::optional<Dim> step = stepOf(offsets);
    if (step && equal(dimOf(offsets, 0), numBags) && equal(numBags * *step, numPlaces)) {
      size = step;
      bagOf = b.reshape(b.iotaAlong({numBags, *size}, 0, b.i64()), {numPlaces});
      return;
    }
    // The last bag that starts at or before a place: as many as start there or before, less one.
    Value starts = b.slice(b.convert(offsets, b.i64()), 0, b.dim(0), numBags);
    Value none = b.full({numPlaces + 1}, 0.0, b.i64()), ones = b.full({numBags}, 1.0, b.i64());
    Value startsAt = b.indexPut(Combiner::Add, none, ones, starts, {0});
    bagOf = b.sub(b.scan(Reducer::Sum, b.slice(startsAt, 0, b.dim(0), numPlaces), 0), b.constant(1, b.i64()));
  }

  /// [places, …] -> [bags, …]; 0, or `neutral`, where a bag is empty.
  Value sum(Value values) { return combine(Combiner::Add, Reducer::Sum, values, 0.0); }
  Value max(Value values, double neutral) { return combine(Combiner::Max, Reducer::Max, values, neutral); }

  Value bagOf; ///< a place's

private:
  Value combine(Combiner combiner, Reducer reducer, Value values, double neutral) {
    Dims dims = dimsOf(values);
    if (size) {
      dims[0] = *size;
      dims.insert(dims.begin(), numBags);
      return b.reduce(reducer, b.reshape(values, dims), {1});
    }
    dims[0] = numBags;
    return b.indexPut(combiner, b.full(dims, neutral, getElement(values)), values, bagOf, {0});
  }

  PrimBuilder &b;
  Dim numPlaces, numBags;
  std::optional<Dim> size; ///< of each bag, where they are seen to be equal
};
} // namespace

static Decompositions::Results embeddingBag(PrimBuilder &b, aten::EmbeddingBagOp op) {
  Type element = getElement(op.getWeight()), compute = b.opmath(element), indexType = getElement(op.getIndices());
  Value indices = b.convert(op.getIndices(), b.i64());
  Dims out = dimsOf(op.getOutput());
  Dim n = dimsOf(indices)[0], numBags = out[0];
  Bags bags(b, n, numBags, op.getOffsets());
  Value kept = b.full({n}, 1.0, b.boolean());
  if (static_cast<int64_t>(op.getPaddingIdx()) >= 0) {
    kept = b.compare(Predicate::Ne, indices, b.constant(int64_t(op.getPaddingIdx()), b.i64()));
  }
  Value counts = bags.sum(b.convert(kept, b.i64()));
  Value rows = b.convert(b.index(op.getWeight(), indices, {0}, kChecked), compute);
  if (op.getPerSampleWeights()) {
    rows = b.mul(rows, b.broadcastDims(b.convert(op.getPerSampleWeights(), compute), dimsOf(rows), {0}));
  }
  constexpr int64_t kMean = 1, kMax = 2;
  bool isMax = op.getMode() == kMax;
  double neutral = isMax ? -std::numeric_limits<double>::infinity() : 0.0;
  rows = b.select(b.broadcastDims(kept, dimsOf(rows), {0}), rows, b.constant(neutral, compute));
  Value result = isMax ? bags.max(rows, neutral) : bags.sum(rows);
  if (op.getMode() == kMean) {
    Value divisor = b.convert(b.maximum(counts, b.constant(1, b.i64())), compute);
    result = b.div(result, b.broadcastDims(divisor, out, {0}));
  } else if (isMax) {
    Value isEmpty = b.compare(Predicate::Eq, counts, b.constant(0, b.i64()));
    result = b.select(b.broadcastDims(isEmpty, out, {0}), b.constant(0.0, compute), result);
  }
  // What only the gradient needs; sums leave most of it out.
  bool hasBags = getStatic(dimsOf(op.getOffset2bag())[0]) != 0;
  Value none = b.full({b.dim(0)}, 0.0, indexType), offset2bag = hasBags ? b.convert(bags.bagOf, indexType) : none;
  Value sizes = op.getMode() == kMean || isMax ? b.convert(counts, indexType) : b.full({numBags}, 0.0, indexType);
  Value largest = sizes;
  if (isMax) {
    Value isTaken = b.compare(Predicate::Eq, rows, b.index(result, bags.bagOf, {0}));
    Value candidates = b.select(isTaken, b.broadcastDims(indices, dimsOf(rows), {0}), b.constant(0, b.i64()));
    largest = b.convert(bags.max(candidates, 0.0), indexType);
  }
  return {b.convert(result, element), offset2bag, sizes, largest};
}

void addEmbeddingDecompositions(Decompositions &d) {
  d.add<aten::EmbeddingOp, embedding>();
  d.addMany<aten::EmbeddingBagOp, embeddingBag>();
}

} // namespace graphmill
