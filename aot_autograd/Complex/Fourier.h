//===- Fourier.h - Fourier transforms as matrix products -------------------===//
//
// Small sizes are a product with a matrix of roots of unity. A size n1 n2 is n2 transforms
// of size n1, a factor for each element, and n1 transforms of size n2 (Cooley and Tukey's):
// n (n1 + n2) products instead of n^2. Tables are computed in double.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "aot_autograd/Complex/ComplexNumbers.h"

namespace graphmill {

/// How results are scaled, as ATen numbers it.
enum class Normalization { None = 0, ByRoot = 1, BySize = 2 };

/// X[k] = sum over j of x[j] exp(± 2 pi i j k / n) along dim `at` of size n, for k below
/// `count`; the sign is + if `inverse`.
Complex fourier(PrimBuilder &b, Complex x, int64_t at, int64_t n, int64_t count, bool inverse);

/// The n real numbers whose first n / 2 + 1 frequencies are x, along dim `at`; times n.
mlir::Value fourierToReal(PrimBuilder &b, Complex x, int64_t at, int64_t n);

/// Scaled for signals of `size` elements.
Complex normalized(PrimBuilder &b, Complex x, Normalization normalization, double size);

/// Dim `at` cut or filled up with zeros at its end.
Complex resized(PrimBuilder &b, Complex x, int64_t at, Dim size);

} // namespace graphmill
