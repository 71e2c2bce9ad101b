#include "aot_autograd/Complex/Fourier.h"
#include <cmath>

using namespace mlir;

namespace graphmill {

/// Up to here a transform is one matrix product: at 64 its work is what two steps of 8 with
/// their factors and reorderings cost. A guess, unmeasured.
static constexpr int64_t kDirectSize = 64;

namespace {
/// exp(2 pi i r / n) without loss for large r.
struct Root {
  double re, im;

  Root(int64_t r, int64_t n) {
    double angle = 2 * M_PI * static_cast<double>(r % n) / static_cast<double>(n);
    re = std::cos(angle);
    im = std::sin(angle);
  }
};
} // namespace

/// [rows, columns] of exp(sign * 2 pi i row column / n).
static Complex roots(PrimBuilder &b, int64_t rows, int64_t columns, int64_t n, double sign, Type element) {
  std::vector<double> re, im;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      Root root(row * column, n);
      re.push_back(root.re);
      im.push_back(sign * root.im);
    }
  }
  return {b.table(re, {rows, columns}, element), b.table(im, {rows, columns}, element)};
}

/// Rows times a complex matrix.
static Complex product(PrimBuilder &b, Complex x, Complex matrix) {
  Complex y{b.matmul(x.re, matrix.re), b.matmul(x.re, matrix.im)};
  return x.isReal() ? y : Complex{b.sub(y.re, b.matmul(x.im, matrix.im)), b.add(y.im, b.matmul(x.im, matrix.re))};
}

/// The factor of n nearest to its root, from below; 1 for primes.
static int64_t middleFactor(int64_t n) {
  int64_t factor = 1;
  for (int64_t i = 2; i * i <= n; ++i) {
    factor = n % i == 0 ? i : factor;
  }
  return factor;
}

static Complex mapped(Complex x, llvm::function_ref<Value(Value)> function) {
  return {function(x.re), x.im ? function(x.im) : Value()};
}

static Complex withLastDims(PrimBuilder &b, Complex x, size_t dropped, ArrayRef<int64_t> sizes) {
  return mapped(x, [&](Value part) {
    Dims dims = dimsOf(part);
    dims.resize(dims.size() - dropped);
    for (int64_t size : sizes) {
      dims.push_back(b.dim(size));
    }
    return b.reshape(part, dims);
  });
}

static Complex swapLast(PrimBuilder &b, Complex x) {
  return mapped(x, [&](Value part) {
    int64_t rank = dimsOf(part).size();
    return b.swapDims(part, rank - 2, rank - 1);
  });
}

/// Along the last dim; `count` results of n.
static Complex transformRows(PrimBuilder &b, Complex x, int64_t n, int64_t count, double sign) {
  Type element = getElement(x.re);
  int64_t n1 = middleFactor(n), n2 = n / n1;
  if (n <= kDirectSize || n1 == 1) {
    return product(b, x, roots(b, n, count, n, sign, element));
  }
  // j = n2 j1 + j2 and k = k1 + n1 k2.
  Complex columns = swapLast(b, withLastDims(b, x, 1, {n1, n2}));
  Complex inner = transformRows(b, columns, n1, n1, sign); // [j2, k1]
  Complex turned = multiply(b, inner, roots(b, n2, n1, n, sign, element));
  Complex outer = transformRows(b, swapLast(b, turned), n2, n2, sign); // [k1, k2]
  Complex all = withLastDims(b, swapLast(b, outer), 2, {n});
  return mapped(all, [&](Value part) { return b.slice(part, dimsOf(part).size() - 1, b.dim(0), b.dim(count)); });
}

/// Runs `transform` with dim `at` last, and at least one dim before it.
static Complex alongRows(PrimBuilder &b, Complex x, int64_t at, llvm::function_ref<Complex(Complex)> transform) {
  int64_t last = dimsOf(x.re).size() - 1;
  bool isVector = last == 0;
  Complex rows = mapped(x, [&](Value part) { return isVector ? b.unsqueeze(part, 0) : b.swapDims(part, at, last); });
  return mapped(transform(rows), [&](Value part) { return isVector ? b.squeeze(part, 0) : b.swapDims(part, at, last); });
}

Complex fourier(PrimBuilder &b, Complex x, int64_t at, int64_t n, int64_t count, bool inverse) {
  return alongRows(b, x, at, [&](Complex rows) { return transformRows(b, rows, n, count, inverse ? 1 : -1); });
}

/// Each frequency counts for its mirror image too.
static Value realRows(PrimBuilder &b, Complex x, int64_t n) {
  Type element = getElement(x.re);
  int64_t m = n / 2 + 1, last = dimsOf(x.re).size() - 1;
  if (n > kDirectSize && middleFactor(n) > 1) {
    auto mirrored = [&](Value part) { return b.reverse(b.slice(part, last, b.dim(1), b.dim(n - m)), {last}); };
    Value im = imaginary(b, x);
    Complex all{b.concatenate({x.re, mirrored(x.re)}, last), b.concatenate({im, b.neg(mirrored(im))}, last)};
    return transformRows(b, all, n, n, 1).re;
  }
  std::vector<double> re, im;
  for (int64_t k = 0; k < m; ++k) {
    double weight = k == 0 || 2 * k == n ? 1 : 2;
    for (int64_t j = 0; j < n; ++j) {
      Root root(k * j, n);
      re.push_back(weight * root.re);
      // What has no mirror image has no imaginary part that counts.
      im.push_back(weight == 1 ? 0.0 : -weight * root.im);
    }
  }
  Value y = b.matmul(x.re, b.table(re, {m, n}, element));
  return x.im ? b.add(y, b.matmul(x.im, b.table(im, {m, n}, element))) : y;
}

Value fourierToReal(PrimBuilder &b, Complex x, int64_t at, int64_t n) {
  return alongRows(b, x, at, [&](Complex rows) { return Complex{realRows(b, rows, n), {}}; }).re;
}

Complex normalized(PrimBuilder &b, Complex x, Normalization normalization, double size) {
  if (normalization == Normalization::None) {
    return x;
  }
  double factor = normalization == Normalization::ByRoot ? 1 / std::sqrt(size) : 1 / size;
  return scale(b, x, b.constant(factor, getElement(x.re)));
}

Complex resized(PrimBuilder &b, Complex x, int64_t at, Dim size) {
  return mapped(x, [&](Value part) {
    Dims none(dimsOf(part).size(), b.dim(0)), high = none;
    high[at] = simplify(size - dimOf(part, at));
    return b.pad(part, none, high, b.constant(0.0, getElement(part)));
  });
}

} // namespace graphmill
