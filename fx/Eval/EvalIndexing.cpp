#include "fx/Eval/Call.h"

using namespace mlir;

namespace graphmill::eval {

namespace {
/// One element: where in the indexed tensor, where in the other one (both flat, row-major).
using Pairs = std::vector<std::pair<int64_t, int64_t>>;
} // namespace

static llvm::Expected<int64_t> bounded(const Call &call, int64_t index, int64_t size) {
  if (index < 0 || index >= size) {
    return call.error("index " + Twine(index) + " is out of range for size " + Twine(size));
  }
  return index;
}

static bool areIndices(ArrayRef<HostTensor> tensors) {
  return llvm::all_of(tensors, [&](const HostTensor &t) { return t.dtype() == Dtype::I64 && t.shape == tensors[0].shape; });
}

/// Pairs of `prims.index`: the second runs over the read's result.
static llvm::Expected<Pairs> indexPairs(const Call &call, const HostTensor &x, ArrayRef<HostTensor> indices,
                                        ArrayRef<int64_t> dims) {
  if (!areIndices(indices) || indices.size() != dims.size()) {
    return call.error("indices are not int64 tensors of one shape, one a dim");
  }
  Shape strides = rowMajorStrides(x.shape), restShape, restStrides;
  for (int64_t i = 0; i < x.rank(); ++i) {
    if (!llvm::is_contained(dims, i)) {
      restShape.push_back(x.shape[i]);
      restStrides.push_back(strides[i]);
    }
  }
  int64_t reads = indices.empty() ? 1 : indices[0].size(), rest = count(restShape);
  std::vector<std::vector<int64_t>> positions;
  for (const HostTensor &index : indices) {
    positions.push_back(loadAll<int64_t>(index));
  }
  Pairs pairs;
  for (int64_t read = 0; read < reads && rest > 0; ++read) {
    int64_t base = 0;
    for (auto [k, dim] : llvm::enumerate(dims)) {
      llvm::Expected<int64_t> place = bounded(call, positions[k][read], x.shape[dim]);
      if (!place) {
        return place.takeError();
      }
      base += *place * strides[dim];
    }
    Shape index(restShape.size(), 0);
    do {
      int64_t offset = base;
      for (auto [i, stride] : llvm::zip(index, restStrides)) {
        offset += i * stride;
      }
      pairs.emplace_back(offset, pairs.size());
    } while (advance(index, restShape));
  }
  return pairs;
}

/// Pairs of gather and scatter: the second runs over `other`'s elements at `index`'s places.
static llvm::Expected<Pairs> gatherPairs(const Call &call, const HostTensor &x, const HostTensor &index, int64_t dim,
                                         ArrayRef<int64_t> otherShape) {
  // A 0-d tensor is one of size 1.
  Shape xShape = x.rank() ? x.shape : Shape{1}, indexShape = index.rank() ? index.shape : Shape{1};
  Shape other = otherShape.empty() ? Shape{1} : Shape(otherShape);
  int64_t rank = xShape.size();
  bool fits = index.dtype() == Dtype::I64 && dim >= 0 && dim < rank && static_cast<int64_t>(indexShape.size()) == rank &&
              static_cast<int64_t>(other.size()) == rank;
  for (int64_t i = 0; fits && i < rank; ++i) {
    fits = (i == dim || indexShape[i] <= xShape[i]) && indexShape[i] <= other[i];
  }
  if (!fits) {
    return call.error("operand, index and values don't match");
  }
  Shape strides = rowMajorStrides(xShape), otherStrides = rowMajorStrides(other);
  std::vector<int64_t> positions = loadAll<int64_t>(index);
  Pairs pairs;
  if (positions.empty()) {
    return pairs;
  }
  Shape at(rank, 0);
  do {
    llvm::Expected<int64_t> place = bounded(call, positions[pairs.size()], xShape[dim]);
    if (!place) {
      return place.takeError();
    }
    int64_t offset = 0, otherOffset = 0;
    for (int64_t i = 0; i < rank; ++i) {
      offset += (i == dim ? *place : at[i]) * strides[i];
      otherOffset += at[i] * otherStrides[i];
    }
    pairs.emplace_back(offset, otherOffset);
  } while (advance(at, indexShape));
  return pairs;
}

static Results read(const Call &call, const HostTensor &x, llvm::Expected<Pairs> pairs) {
  if (!pairs) {
    return pairs.takeError();
  }
  HostTensor dense = x.contiguous(), result = call.allocate();
  if (static_cast<int64_t>(pairs->size()) != result.size()) {
    return call.error("the result has another shape than what is read");
  }
  int64_t width = x.width();
  for (auto [from, to] : *pairs) {
    std::memcpy(result.mutableData() + to * width, dense.data + from * width, width);
  }
  return single(result);
}

static Results write(const Call &call, prims::Combiner combiner, const HostTensor &x, const HostTensor &values,
                     llvm::Expected<Pairs> pairs) {
  if (!pairs) {
    return pairs.takeError();
  }
  if (x.shape != call.shapes[0] || x.element != values.element) {
    return call.error("operand and result don't match");
  }
  HostTensor result = call.allocate();
  if (combiner == prims::Combiner::Set) {
    HostTensor dense = x.contiguous(), source = values.contiguous();
    int64_t width = x.width();
    std::memcpy(result.mutableData(), dense.data, dense.size() * width);
    for (auto [to, from] : *pairs) {
      std::memcpy(result.mutableData() + to * width, source.data + from * width, width);
    }
    return single(result);
  }
  prims::Reducer reducer = combiner == prims::Combiner::Add   ? prims::Reducer::Sum
                           : combiner == prims::Combiner::Mul ? prims::Reducer::Prod
                           : combiner == prims::Combiner::Max ? prims::Reducer::Max
                                                              : prims::Reducer::Min;
  if (!canReduce(reducer, x.dtype())) {
    return call.dtypeError();
  }
  withWide(x.dtype(), [&](auto zero) {
    using C = decltype(zero);
    std::vector<C> target = loadAll<C>(x), source = loadAll<C>(values);
    for (auto [to, from] : *pairs) {
      target[to] = combine<C>(reducer, target[to], source[from]);
    }
    storeAll<C>(result, target);
  });
  return single(result);
}

Results evaluateIndexing(const Call &call) {
  return llvm::TypeSwitch<Operation *, Results>(call.op)
      .Case([&](prims::IndexOp op) {
        return read(call, call.in[0], indexPairs(call, call.in[0], call.in.drop_front(1), op.getDims()));
      })
      .Case([&](prims::IndexPutOp op) -> Results {
        llvm::Expected<Pairs> pairs = indexPairs(call, call.in[0], call.in.drop_front(2), op.getDims());
        if (pairs && static_cast<int64_t>(pairs->size()) != call.in[1].size()) {
          return call.error("values have another shape than what is read there");
        }
        return write(call, op.getCombiner(), call.in[0], call.in[1], std::move(pairs));
      })
      .Case([&](prims::GatherOp op) {
        return read(call, call.in[0], gatherPairs(call, call.in[0], call.in[1], op.getDim(), call.in[1].shape));
      })
      .Case([&](prims::ScatterOp op) {
        return write(call, op.getCombiner(), call.in[0], call.in[2],
                     gatherPairs(call, call.in[0], call.in[1], op.getDim(), call.in[2].shape));
      })
      .Default([&](Operation *) { return call.error("not an indexing op"); });
}

} // namespace graphmill::eval
