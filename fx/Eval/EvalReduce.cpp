#include "fx/Eval/Call.h"

using namespace mlir;

namespace graphmill::eval {

bool canReduce(prims::Reducer reducer, Dtype dtype) {
  switch (reducer) {
  case prims::Reducer::Sum:
  case prims::Reducer::Prod:
    return dtype != Dtype::Other;
  case prims::Reducer::Max:
  case prims::Reducer::Min:
    return isReal(dtype) || isWhole(dtype);
  case prims::Reducer::And:
  case prims::Reducer::Or:
    return isWhole(dtype);
  }
  return false;
}

static Results reduce(const Call &call, prims::ReduceOp op) {
  const HostTensor &x = call.in[0];
  if (!canReduce(op.getReducer(), x.dtype())) {
    return call.dtypeError();
  }
  // Reduced dims last, so that each result's elements follow each other.
  SmallVector<int64_t> perm;
  int64_t inner = 1;
  for (int64_t i = 0; i < x.rank(); ++i) {
    if (!llvm::is_contained(op.getDims(), i)) {
      perm.push_back(i);
    }
  }
  for (int64_t dim : op.getDims()) {
    perm.push_back(dim);
    inner *= x.shape[dim];
  }
  HostTensor rows = x.transpose(perm), result = call.allocate();
  int64_t outer = result.size();
  if (inner * outer != x.size()) {
    return call.error("operand and result don't match");
  }
  withWide(x.dtype(), [&](auto zero) {
    using C = decltype(zero);
    std::vector<C> totals(outer, identity<C>(op.getReducer(), x.dtype()));
    int64_t at = 0;
    // A row of memory may hold several results' elements, and a result's lie in several rows.
    Rows walk(rows.shape, {&rows});
    Shape index(walk.outer.size(), 0);
    std::vector<C> buffer(std::min<int64_t>(kBlock, walk.length));
    if (x.size() != 0) {
      do {
        int64_t offset = 0;
        for (size_t d = 0; d < index.size(); ++d) {
          offset += index[d] * walk.outerStrides[0][d];
        }
        for (int64_t start = 0; start < walk.length; start += buffer.size()) {
          size_t n = std::min<int64_t>(buffer.size(), walk.length - start);
          loadBlock(x.dtype(), rows.data + (offset + start * walk.steps[0]) * x.width(), walk.steps[0], n, buffer.data());
          for (size_t i = 0; i < n; ++i, ++at) {
            C &total = totals[at / inner];
            total = combine<C>(op.getReducer(), total, buffer[i]);
          }
        }
      } while (advance(index, walk.outer));
    }
    storeAll<C>(result, totals);
  });
  return single(result);
}

static Results argReduce(const Call &call, prims::ArgReduceOp op) {
  const HostTensor &x = call.in[0];
  int64_t dim = op.getDim();
  if (dim < 0 || dim >= x.rank() || x.shape[dim] == 0) {
    return call.error("there is nothing to choose from");
  }
  if (!isReal(x.dtype()) && !isWhole(x.dtype())) {
    return call.dtypeError();
  }
  SmallVector<int64_t> perm;
  for (int64_t i = 0; i < x.rank(); ++i) {
    if (i != dim) {
      perm.push_back(i);
    }
  }
  perm.push_back(dim);
  HostTensor rows = x.transpose(perm), result = call.allocate();
  bool isMax = op.getReducer() == prims::Reducer::Max;
  int64_t n = x.shape[dim];
  std::vector<int64_t> found(result.size(), 0);
  withWide(x.dtype(), [&](auto zero) {
    using C = decltype(zero);
    if constexpr (!kIsComplex<C>) {
      std::vector<C> values = loadAll<C>(rows);
      for (size_t row = 0; row < found.size(); ++row) {
        const C *v = values.data() + row * n;
        for (int64_t i = 1; i < n; ++i) {
          if (beats(isMax, v[i], v[found[row]])) {
            found[row] = i;
          }
        }
      }
    }
  });
  storeAll<int64_t>(result, found);
  return single(result);
}

Results evaluateReduce(const Call &call) {
  if (auto op = dyn_cast<prims::ReduceOp>(call.op)) {
    return reduce(call, op);
  }
  return argReduce(call, cast<prims::ArgReduceOp>(call.op));
}

} // namespace graphmill::eval
