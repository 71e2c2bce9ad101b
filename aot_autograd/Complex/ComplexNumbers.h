//===- ComplexNumbers.h - Complex numbers as pairs of real tensors ---------===//
#pragma once
#include "aot_autograd/Decompose/PrimBuilder.h"

namespace graphmill {

/// Real and imaginary parts, of one dtype; without `im`, the numbers are real. Binary
/// operations broadcast.
struct Complex {
  mlir::Value re, im;

  bool isReal() const { return !im; }
};

Complex add(PrimBuilder &b, Complex x, Complex y);
Complex subtract(PrimBuilder &b, Complex x, Complex y);
Complex multiply(PrimBuilder &b, Complex x, Complex y);
Complex divide(PrimBuilder &b, Complex x, Complex y);
Complex scale(PrimBuilder &b, Complex x, mlir::Value factor);
Complex conjugate(PrimBuilder &b, Complex x);
mlir::Value magnitude(PrimBuilder &b, Complex x);
/// The angle with the positive real axis.
mlir::Value angle(PrimBuilder &b, Complex x);
/// radius * exp(i * angle)
Complex polar(PrimBuilder &b, mlir::Value radius, mlir::Value angle);
Complex exponential(PrimBuilder &b, Complex x);
Complex logarithm(PrimBuilder &b, Complex x);
Complex squareRoot(PrimBuilder &b, Complex x);

/// The imaginary part, 0 for real numbers.
mlir::Value imaginary(PrimBuilder &b, Complex x);
/// Both parts along a new last dim, and back.
mlir::Value interleave(PrimBuilder &b, Complex x);
Complex separate(PrimBuilder &b, mlir::Value pairs);

} // namespace graphmill
