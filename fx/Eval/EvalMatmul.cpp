#include "fx/Eval/Call.h"

using namespace mlir;

namespace graphmill::eval {

/// y[m, n] += a[m, k] b[k, n], row-major.
template <typename C> static void multiply(const C *a, const C *b, C *y, int64_t m, int64_t k, int64_t n) {
  for (int64_t i = 0; i < m; ++i) {
    C *__restrict row = y + i * n;
    for (int64_t l = 0; l < k; ++l) {
      C factor = a[i * k + l];
      const C *__restrict from = b + l * n;
      for (int64_t j = 0; j < n; ++j) {
        if constexpr (std::is_same_v<C, int64_t>) {
          row[j] = static_cast<int64_t>(static_cast<uint64_t>(row[j]) + static_cast<uint64_t>(factor) * static_cast<uint64_t>(from[j]));
        } else {
          row[j] += factor * from[j];
        }
      }
    }
  }
}

Results evaluateMatmul(const Call &call) {
  const HostTensor &a = call.in[0], &b = call.in[1];
  HostTensor result = call.allocate();
  if (a.element != b.element || a.dtype() == Dtype::Other) {
    return call.dtypeError();
  }
  int64_t rank = a.rank(), m = a.shape[rank - 2], k = a.shape[rank - 1], n = b.shape.back();
  Shape expected = a.shape;
  expected.back() = n;
  bool shared = b.rank() == 2;
  if (result.shape != expected || b.shape[b.rank() - 2] != k ||
      (!shared && !llvm::equal(ArrayRef(a.shape).drop_back(2), ArrayRef(b.shape).drop_back(2)))) {
    return call.error("shapes don't match");
  }
  withWide(a.dtype(), [&](auto zero) {
    using C = decltype(zero);
    std::vector<C> left = loadAll<C>(a), right = loadAll<C>(b), sums(result.size(), C(0));
    int64_t batches = count(ArrayRef(a.shape).drop_back(2));
    for (int64_t batch = 0; batch < batches; ++batch) {
      multiply(left.data() + batch * m * k, right.data() + (shared ? 0 : batch * k * n), sums.data() + batch * m * n, m, k, n);
    }
    storeAll<C>(result, sums);
  });
  return single(result);
}

} // namespace graphmill::eval
