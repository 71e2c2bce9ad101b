#include "inductor/Analysis/Winograd.h"
#include <cmath>

using namespace llvm;

namespace graphmill::loop {

/// Polynomials are multiplied by their values at T points, infinity being the last (Toom and
/// Cook). For m = 4, ±5/8 and ±3/2 are exact in float32 and lose a fifth of what ±1 and ±2 do
/// (the largest error over 64 to 256 channels).
static SmallVector<double> finitePoints(unsigned outputs) {
  return outputs == 2 ? SmallVector<double>{0, 1, -1} : SmallVector<double>{0, 0.625, -0.625, 1.5, -1.5};
}

/// The coefficients of the product of x - p over all points but one.
static SmallVector<double> productWithout(ArrayRef<double> points, unsigned skipped) {
  SmallVector<double> product{1};
  for (auto [i, point] : enumerate(points)) {
    if (i == skipped) {
      continue;
    }
    product.push_back(0);
    for (unsigned k = product.size(); k-- > 0;) {
      product[k] = (k > 0 ? product[k - 1] : 0) - point * product[k];
    }
  }
  return product;
}

Winograd::Winograd(unsigned outputs) : outputs(outputs) {
  SmallVector<double> points = finitePoints(outputs);
  unsigned last = size() - 1;
  a.assign(outputs * size(), 0);
  g.assign(size() * 3, 0);
  b.assign(size() * size(), 0);
  for (unsigned i = 0; i < size(); ++i) {
    SmallVector<double> row = productWithout(points, i);
    copy(row, b.begin() + i * size());
    double scale = 1; // of G rather than B: G is applied once, when compiling
    for (unsigned j = 0; i < last && j < last; ++j) {
      scale *= i == j ? 1 : points[i] - points[j];
    }
    for (unsigned k = 0; k < 3; ++k) {
      g[i * 3 + k] = i < last ? std::pow(points[i], k) / scale : k == 2;
    }
    for (unsigned k = 0; k < outputs; ++k) {
      a[k * size() + i] = i < last ? std::pow(points[i], k) : k + 1 == outputs;
    }
  }
}

} // namespace graphmill::loop
