#include "fx/Eval/Call.h"

using namespace mlir;

namespace graphmill::eval {

/// Elements along `dim` as rows: x with that dim last, and the way back.
static std::pair<HostTensor, SmallVector<int64_t>> asRows(const HostTensor &x, int64_t dim) {
  SmallVector<int64_t> perm, inverse(x.rank());
  for (int64_t i = 0; i < x.rank(); ++i) {
    if (i != dim) {
      perm.push_back(i);
    }
  }
  perm.push_back(dim);
  for (auto [i, p] : llvm::enumerate(perm)) {
    inverse[p] = i;
  }
  return {x.transpose(perm), inverse};
}

/// Calls body(row of values, its length, index of its first element) on all rows.
template <typename C, typename F> static void forEachRow(std::vector<C> &values, int64_t length, F body) {
  for (size_t start = 0; start < values.size(); start += length) {
    body(values.data() + start, length, start);
  }
}

template <typename C> static HostTensor fromRows(const Call &call, unsigned result, ArrayRef<int64_t> rowsShape,
                                                 ArrayRef<int64_t> inverse, ArrayRef<C> values) {
  HostTensor rows = HostTensor::allocate(rowsShape, getElement(call.op->getResult(result)));
  storeAll<C>(rows, values);
  return rows.transpose(inverse);
}

static llvm::Error checkDim(const Call &call, int64_t dim, bool needsOrder) {
  const HostTensor &x = call.in[0];
  if (x.rank() == 0 ? dim != 0 : dim < 0 || dim >= x.rank()) {
    return call.error("dim " + Twine(dim) + " of rank " + Twine(x.rank()));
  }
  if (needsOrder ? !isReal(x.dtype()) && !isWhole(x.dtype()) : x.dtype() == Dtype::Other) {
    return call.dtypeError();
  }
  return llvm::Error::success();
}

/// A 0-d tensor has one row of one element.
static HostTensor atLeast1d(const HostTensor &x) { return x.rank() ? x : x.view({1}, {1}); }

Results evaluateScan(const Call &call) {
  auto scan = dyn_cast<prims::ScanOp>(call.op);
  auto argScan = dyn_cast<prims::ArgScanOp>(call.op);
  prims::Reducer reducer = scan ? scan.getReducer() : argScan.getReducer();
  int64_t dim = scan ? scan.getDim() : argScan.getDim();
  if (llvm::Error error = checkDim(call, dim, !scan)) {
    return std::move(error);
  }
  if (!canReduce(reducer, call.in[0].dtype())) {
    return call.dtypeError();
  }
  auto [rows, inverse] = asRows(atLeast1d(call.in[0]), dim);
  int64_t length = std::max<int64_t>(rows.shape.back(), 1);
  HostTensor result;
  withWide(rows.dtype(), [&](auto zero) {
    using C = decltype(zero);
    std::vector<C> values = loadAll<C>(rows);
    if (scan) {
      forEachRow(values, length, [&](C *row, int64_t n, size_t) {
        for (int64_t i = 1; i < n; ++i) {
          row[i] = combine<C>(reducer, row[i - 1], row[i]);
        }
      });
      result = fromRows<C>(call, 0, rows.shape, inverse, values);
    } else if constexpr (!kIsComplex<C>) {
      std::vector<int64_t> found(values.size(), 0);
      bool isMax = reducer == prims::Reducer::Max;
      forEachRow(values, length, [&](C *row, int64_t n, size_t start) {
        for (int64_t i = 1, best = 0; i < n; ++i) {
          // The last of equals is taken, and the last NaN.
          best = row[i] != row[i] || !beats(isMax, row[best], row[i]) ? i : best;
          found[start + i] = best;
        }
      });
      result = fromRows<int64_t>(call, 0, rows.shape, inverse, found);
    }
  });
  return single(result.view(call.shapes[0], ArrayRef(result.strides).take_front(call.shapes[0].size())));
}

Results evaluateSort(const Call &call) {
  auto op = cast<prims::SortOp>(call.op);
  if (llvm::Error error = checkDim(call, op.getDim(), true)) {
    return std::move(error);
  }
  auto [rows, inverse] = asRows(atLeast1d(call.in[0]), op.getDim());
  int64_t length = std::max<int64_t>(rows.shape.back(), 1);
  HostTensor sorted, order;
  withWide(rows.dtype(), [&](auto zero) {
    using C = decltype(zero);
    if constexpr (!kIsComplex<C>) {
      std::vector<C> values = loadAll<C>(rows), result;
      std::vector<int64_t> places;
      forEachRow(values, length, [&](C *row, int64_t n, size_t) {
        SmallVector<int64_t> from = llvm::to_vector(llvm::seq<int64_t>(0, n));
        auto less = [](C x, C y) { return x < y || (y != y && x == x); };
        // Equal elements by place: stable.
        llvm::sort(from, [&](int64_t a, int64_t b) {
          bool before = op.getDescending() ? less(row[b], row[a]) : less(row[a], row[b]);
          bool after = op.getDescending() ? less(row[a], row[b]) : less(row[b], row[a]);
          return before || (!after && a < b);
        });
        for (int64_t place : from) {
          result.push_back(row[place]);
          places.push_back(place);
        }
      });
      sorted = fromRows<C>(call, 0, rows.shape, inverse, result);
      order = fromRows<int64_t>(call, 1, rows.shape, inverse, places);
    }
  });
  std::vector<HostTensor> results;
  for (const HostTensor &tensor : {sorted, order}) {
    const Shape &shape = call.shapes[results.size()];
    results.push_back(tensor.view(shape, ArrayRef(tensor.strides).take_front(shape.size())));
  }
  return results;
}

} // namespace graphmill::eval
