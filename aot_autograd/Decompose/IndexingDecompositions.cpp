#include "aot_autograd/Decompose/DataSizes.h"

using namespace mlir;

namespace graphmill {

using prims::Combiner;
using prims::Predicate;

/// Integer indices in one shape, negative ones counted from the end.
static SmallVector<Value> commonIndices(PrimBuilder &b, Value self, ValueRange indices, ArrayRef<int64_t> dims) {
  Dims shape = b.commonDims(indices);
  SmallVector<Value> result;
  for (auto [index, dim] : llvm::zip(indices, dims)) {
    result.push_back(b.broadcast(b.wrapIndex(index, dimOf(self, dim)), shape));
  }
  return result;
}

/// Where the indices' dims stand in the result of PyTorch's indexing: in the place of the
/// indexed dims if those are neighbours, else in front.
static int64_t placeOfIndices(ArrayRef<int64_t> dims) {
  bool adjacent = dims.back() - dims.front() + 1 == static_cast<int64_t>(dims.size());
  return adjacent ? dims.front() : 0;
}

/// The permutation that moves `count` dims from the front to `place`.
static SmallVector<int64_t> frontToPlace(int64_t rank, int64_t count, int64_t place) {
  SmallVector<int64_t> perm;
  for (int64_t i = 0; i < rank; ++i) {
    perm.push_back(i < place ? count + i : i < place + count ? i - place : i);
  }
  return perm;
}

static SmallVector<int64_t> inverse(ArrayRef<int64_t> perm) {
  SmallVector<int64_t> result(perm.size());
  for (auto [i, p] : llvm::enumerate(perm)) {
    result[p] = i;
  }
  return result;
}

/// Masks as the places where they are true. Gives the dims that are indexed too.
static SmallVector<Value> withoutMasks(PrimBuilder &b, aten::IndexOp op, SmallVectorImpl<int64_t> &dims) {
  SmallVector<Value> indices;
  for (auto [value, own] : llvm::zip(op.getIndices(), aten::rules::indexedDims(op.getIndices(), op.getIndicesDims()))) {
    dims.append(own);
    if (categoryOf(getElement(value)) == Category::Bool) {
      llvm::append_range(indices, nonzeroColumns(b, value, op.getCount()->getExpr()));
    } else {
      indices.push_back(value);
    }
  }
  return indices;
}

static Value index(PrimBuilder &b, aten::IndexOp op) {
  SmallVector<int64_t> dims;
  SmallVector<Value> given = withoutMasks(b, op, dims), indices = commonIndices(b, op.getSelf(), given, dims);
  Value taken = b.index(op.getSelf(), indices, dims, kChecked);
  return b.transpose(taken, frontToPlace(dimsOf(taken).size(), dimsOf(indices[0]).size(), placeOfIndices(dims)));
}

/// A mask over neighbouring dims: one value for all, or the k-th for the k-th masked place.
static Value putMasked(PrimBuilder &b, aten::IndexPutOp op) {
  Value mask = b.convert(op.getIndices()[0], b.boolean()), values = b.convert(op.getValues(), resultElement(op));
  Dims dims = resultDims(op), m = dimsOf(mask), v = dimsOf(values);
  int64_t first = op.getIndicesDims()[0], count = m.size();
  if (op.getIndices().size() != 1 || op.getAccumulate()) {
    op.emitOpError("with a mask takes no other index and doesn't accumulate");
    return {};
  }
  SmallVector<int64_t> map = llvm::to_vector(llvm::seq<int64_t>(first, first + count));
  Value where = b.broadcastDims(mask, dims, map);
  // Values are as the read gives them: [dims before, masked, dims after], right-aligned.
  int64_t after = dims.size() - first - count, at = static_cast<int64_t>(v.size()) - 1 - after;
  if (at < 0 || getStatic(v[at]) == 1) {
    Value one = at < 0 ? values : b.squeeze(values, at);
    Dims kept(ArrayRef(dims).take_front(first));
    kept.append(dims.begin() + first + count, dims.end());
    SmallVector<int64_t> places;
    for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i) {
      if (i < first || i >= first + count) {
        places.push_back(i);
      }
    }
    return b.select(where, b.broadcastDims(b.broadcast(one, kept), dims, places), op.getSelf());
  }
  Value flags = b.reshape(mask, {product(b.context(), m)});
  Value order = b.sub(b.scan(prims::Reducer::Sum, b.convert(flags, b.i64()), 0), b.constant(1, b.i64()));
  Value taken = b.take(values, at, b.reshape(b.maximum(order, b.constant(0, b.i64())), m));
  return b.select(where, b.broadcast(taken, dims), op.getSelf());
}

static Value indexPut(PrimBuilder &b, aten::IndexPutOp op) {
  ArrayRef<int64_t> dims = op.getIndicesDims();
  if (dims.empty()) {
    return b.broadcast(b.convert(op.getValues(), resultElement(op)), resultDims(op));
  }
  if (categoryOf(getElement(op.getIndices()[0])) == Category::Bool) {
    return putMasked(b, op);
  }
  SmallVector<Value> indices = commonIndices(b, op.getSelf(), op.getIndices(), dims);
  // Values have (or broadcast to) the shape that reading would give.
  Dims shape = dimsOf(indices[0]), read = shape;
  for (auto [i, size] : llvm::enumerate(dimsOf(op.getSelf()))) {
    if (!llvm::is_contained(dims, static_cast<int64_t>(i))) {
      read.push_back(size);
    }
  }
  SmallVector<int64_t> perm = frontToPlace(read.size(), shape.size(), placeOfIndices(dims));
  Dims theirs;
  for (int64_t p : perm) {
    theirs.push_back(read[p]);
  }
  Value values = b.convert(op.getValues(), resultElement(op));
  while (dimsOf(values).size() > theirs.size()) {
    values = b.squeeze(values, 0);
  }
  values = b.transpose(b.broadcast(values, theirs), inverse(perm));
  return b.indexPut(op.getAccumulate() ? Combiner::Add : Combiner::Set, op.getSelf(), values, indices, dims, kChecked);
}

//===----------------------------------------------------------------------===//
// Slices at indices along one dim
//===----------------------------------------------------------------------===//

static Value asVector(PrimBuilder &b, Value index) { return dimsOf(index).empty() ? b.unsqueeze(index, 0) : index; }

static Value indexSelect(PrimBuilder &b, aten::IndexSelectOp op) {
  Value x = op.getSelf();
  int64_t rank = dimsOf(x).size();
  Value indices = b.convert(asVector(b, op.getIndex()), b.i64());
  return rank ? b.take(x, fromFront(op.getDim(), rank), indices, kChecked) : x;
}

/// Writes `source` (None: a number) to slices along `dim`.
template <typename Op> static Value putSlices(PrimBuilder &b, Op op, Combiner combiner, Value source) {
  Value self = op.getSelf();
  int64_t rank = dimsOf(self).size(), dim = fromFront(op.getDim(), rank);
  if (rank == 0) {
    self = b.unsqueeze(self, 0);
  }
  Value indices = b.wrapIndex(asVector(b, op.getIndex()), dimOf(self, dim));
  Dims dims = dimsOf(self);
  dims[dim] = dimsOf(indices)[0];
  Value values = b.moveDim(b.broadcast(source, dims), dim, 0);
  return b.reshape(b.indexPut(combiner, self, values, indices, {dim}, kChecked), resultDims(op));
}

static Value indexAdd(PrimBuilder &b, aten::IndexAddOp op) {
  Type element = resultElement(op);
  Value source = b.convert(op.getSource(), element);
  if (numberOf(op.getAlpha()) != 1.0) {
    source = b.mul(source, b.scalar(op.getAlpha(), element));
  }
  return putSlices(b, op, Combiner::Add, source);
}

static Value indexCopy(PrimBuilder &b, aten::IndexCopyOp op) {
  return putSlices(b, op, Combiner::Set, b.convert(op.getSource(), resultElement(op)));
}

static Value indexFill(PrimBuilder &b, aten::IndexFillOp op) {
  return putSlices(b, op, Combiner::Set, b.convert(op.getValue(), resultElement(op)));
}

//===----------------------------------------------------------------------===//
// Elements at indices
//===----------------------------------------------------------------------===//

static Value gather(PrimBuilder &b, aten::GatherOp op) {
  Value x = op.getSelf(), indices = b.convert(op.getIndex(), b.i64());
  if (dimsOf(x).empty()) {
    return b.broadcast(x, resultDims(op));
  }
  indices = asVector(b, indices);
  return b.reshape(b.gather(x, indices, fromFront(op.getDim(), dimsOf(x).size()), kChecked), resultDims(op));
}

static Value take(PrimBuilder &b, aten::TakeOp op) {
  Dim count = product(b.context(), dimsOf(op.getSelf()));
  return b.index(b.reshape(op.getSelf(), {count}), b.wrapIndex(op.getIndex(), count), {0}, kChecked);
}

static Value takeAlongDim(PrimBuilder &b, aten::TakeAlongDimOp op) {
  Value x = op.getSelf(), indices = op.getIndices();
  int64_t dim = 0;
  if (!op.getDim()) {
    x = b.reshape(x, {product(b.context(), dimsOf(x))});
    indices = b.reshape(indices, resultDims(op));
  } else {
    Dims dims = resultDims(op);
    dim = fromFront(*op.getDim(), dims.size());
    indices = b.broadcast(indices, dims);
    dims[dim] = dimOf(x, dim);
    x = b.broadcast(x, dims);
  }
  return b.gather(x, b.wrapIndex(indices, dimOf(x, dim)), dim, kChecked);
}

void addIndexingDecompositions(Decompositions &d) {
  d.add<aten::IndexOp, index>();
  d.add<aten::IndexPutOp, indexPut>();
  d.add<aten::IndexSelectOp, indexSelect>();
  d.add<aten::IndexAddOp, indexAdd>();
  d.add<aten::IndexCopyOp, indexCopy>();
  d.add<aten::IndexFillOp, indexFill>();
  d.add<aten::GatherOp, gather>();
  d.add<aten::TakeOp, take>();
  d.add<aten::TakeAlongDimOp, takeAlongDim>();
}

} // namespace graphmill
