//===- PrimBuilder.h - Writing decompositions as formulas ------------------===//
//
// Builds prims at one location. Binary operations broadcast right-aligned, as PyTorch
// does; operands must have one dtype already (`convert` is explicit).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "fx/Aten/Promotion.h"
#include "fx/Prims/PrimsDialect.h"
#include "mlir/IR/Builders.h"

namespace graphmill {

/// For indices of the user's: one out of range is an error of the run, as in eager.
inline constexpr bool kChecked = true;

class PrimBuilder {
public:
  PrimBuilder(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;

  mlir::MLIRContext *context() { return builder.getContext(); }
  Dim dim(int64_t size) { return constantDim(context(), size); }
  mlir::Type i64() { return builder.getI64Type(); }
  mlir::Type boolean() { return builder.getI1Type(); }
  mlir::Type f32() { return builder.getF32Type(); }
  /// What PyTorch computes in: float32 for float16 and bfloat16, else the dtype itself.
  mlir::Type opmath(mlir::Type element);

  /// A 0-d constant; an integer dtype truncates.
  mlir::Value constant(double value, mlir::Type element);
  mlir::Value constant(int64_t value, mlir::Type element);
  mlir::Value constant(int value, mlir::Type element) { return constant(static_cast<int64_t>(value), element); }
  /// A `Scalar` argument (number or size) as a 0-d tensor.
  mlir::Value scalar(mlir::Attribute value, mlir::Type element);
  /// A size as a 0-d tensor.
  mlir::Value size(Dim dim, mlir::Type element);
  /// [0, 1, …, n-1] as int64.
  mlir::Value iota(Dim n);
  /// Constant `value` in the given shape.
  mlir::Value full(llvm::ArrayRef<Dim> dims, double value, mlir::Type element);

  /// To another dtype; also turns a number (`#fx.number`) into a tensor.
  mlir::Value convert(mlir::Value value, mlir::Type element);
  /// Right-aligned broadcast.
  mlir::Value broadcast(mlir::Value value, llvm::ArrayRef<Dim> dims);
  /// Operand's dim i becomes dim map[i].
  mlir::Value broadcastDims(mlir::Value value, llvm::ArrayRef<Dim> dims,
                            llvm::ArrayRef<int64_t> map);
  /// The common shape of values that broadcast against each other.
  Dims commonDims(mlir::ValueRange values);

  template <typename Op> mlir::Value unary(mlir::Value value) {
    return Op::create(builder, loc, value.getType(), value);
  }
  template <typename Op> mlir::Value binary(mlir::Value lhs, mlir::Value rhs) {
    auto [a, b] = aligned(lhs, rhs);
    return Op::create(builder, loc, a.getType(), a, b);
  }
  template <typename Op> mlir::Value binary(mlir::Value lhs, double rhs) {
    return binary<Op>(lhs, constant(rhs, getElement(lhs)));
  }
  template <typename Op> mlir::Value binary(double lhs, mlir::Value rhs) {
    return binary<Op>(constant(lhs, getElement(rhs)), rhs);
  }
  template <typename A, typename B> mlir::Value add(A a, B b) { return binary<prims::AddOp>(a, b); }
  template <typename A, typename B> mlir::Value sub(A a, B b) { return binary<prims::SubOp>(a, b); }
  template <typename A, typename B> mlir::Value mul(A a, B b) { return binary<prims::MulOp>(a, b); }
  template <typename A, typename B> mlir::Value div(A a, B b) { return binary<prims::DivOp>(a, b); }
  template <typename A, typename B> mlir::Value maximum(A a, B b) { return binary<prims::MaximumOp>(a, b); }
  template <typename A, typename B> mlir::Value minimum(A a, B b) { return binary<prims::MinimumOp>(a, b); }
  mlir::Value neg(mlir::Value x) { return unary<prims::NegOp>(x); }
  mlir::Value exp(mlir::Value x) { return unary<prims::ExpOp>(x); }
  mlir::Value logicalNot(mlir::Value x) { return unary<prims::NotOp>(x); }
  /// 1 / (1 + exp(-x))
  mlir::Value sigmoid(mlir::Value x);

  mlir::Value compare(prims::Predicate predicate, mlir::Value lhs, mlir::Value rhs);
  mlir::Value compare(prims::Predicate predicate, mlir::Value lhs, double rhs) {
    return compare(predicate, lhs, constant(rhs, getElement(lhs)));
  }
  mlir::Value select(mlir::Value pred, mlir::Value onTrue, mlir::Value onFalse);

  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<Dim> dims);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> perm);
  mlir::Value swapDims(mlir::Value value, int64_t a, int64_t b);
  mlir::Value unsqueeze(mlir::Value value, int64_t dim);
  mlir::Value squeeze(mlir::Value value, int64_t dim);
  /// value[…, start : start + size*step : step, …] along one dim.
  mlir::Value slice(mlir::Value value, int64_t dim, Dim start, Dim size, int64_t step = 1);
  /// Adds `low` and `high` elements of `fill` at each end; negative ones crop.
  mlir::Value pad(mlir::Value value, llvm::ArrayRef<Dim> low, llvm::ArrayRef<Dim> high,
                  mlir::Value fill);
  mlir::Value concatenate(mlir::ValueRange values, int64_t dim);

  /// Reduced dims disappear, or stay as 1.
  mlir::Value reduce(prims::Reducer reducer, mlir::Value value, llvm::ArrayRef<int64_t> dims,
                     bool keepdim = false);
  mlir::Value sum(mlir::Value value, llvm::ArrayRef<int64_t> dims, bool keepdim = false) {
    return reduce(prims::Reducer::Sum, value, dims, keepdim);
  }
  /// Sum divided by the number of elements.
  mlir::Value mean(mlir::Value value, llvm::ArrayRef<int64_t> dims, bool keepdim = false);
  /// [B…, M, K] x [B…, K, N] or x [K, N]; other missing batch dims are broadcast.
  mlir::Value matmul(mlir::Value lhs, mlir::Value rhs);

  //===--------------------------------------------------------------------===//
  // PrimBuilderIndexing.cpp
  //===--------------------------------------------------------------------===//

  /// A constant vector, or a tensor of any static shape, from numbers.
  mlir::Value vector(llvm::ArrayRef<int64_t> values);
  mlir::Value vector(llvm::ArrayRef<float> values);
  mlir::Value tensor(llvm::ArrayRef<float> values, llvm::ArrayRef<int64_t> shape);
  /// Numbers computed in double, rounded to `element` once.
  mlir::Value table(llvm::ArrayRef<double> values, llvm::ArrayRef<int64_t> shape, mlir::Type element);
  /// Each line along dim `at` times a matrix [from, to].
  mlir::Value alongDim(mlir::Value value, int64_t at, mlir::Value matrix);
  /// [0, 1, …] along dim `at` of a shape, as `element`.
  mlir::Value iotaAlong(llvm::ArrayRef<Dim> dims, int64_t at, mlir::Type element);
  /// int64 indices with Python's negative ones counted from the end.
  mlir::Value wrapIndex(mlir::Value index, Dim size);
  /// What `prims.index` reads: shape of the indices (one shape), then the other dims. Users'
  /// indices are checked: out of range, they are an error of the run.
  mlir::Value index(mlir::Value operand, mlir::ValueRange indices, llvm::ArrayRef<int64_t> dims, bool checked = false);
  mlir::Value indexPut(prims::Combiner combiner, mlir::Value operand, mlir::Value values,
                       mlir::ValueRange indices, llvm::ArrayRef<int64_t> dims, bool checked = false);
  /// value with dim `at` replaced by the indices' dims: value[…, index, …].
  mlir::Value take(mlir::Value value, int64_t at, mlir::Value index, bool checked = false);
  mlir::Value gather(mlir::Value value, mlir::Value index, int64_t at, bool checked = false);
  mlir::Value scatter(prims::Combiner combiner, mlir::Value operand, mlir::Value index, mlir::Value values, int64_t at,
                      bool checked = false);
  /// Dim `from` moved to place `to`, the others in their order.
  mlir::Value moveDim(mlir::Value value, int64_t from, int64_t to);
  mlir::Value reverse(mlir::Value value, llvm::ArrayRef<int64_t> dims);
  mlir::Value scan(prims::Reducer reducer, mlir::Value value, int64_t at);
  mlir::Value argReduce(prims::Reducer reducer, mlir::Value value, int64_t at);
  std::pair<mlir::Value, mlir::Value> sort(mlir::Value value, int64_t at, bool descending);
  /// Sum, maximum, … under windows over the last dims; one size, stride, … a spatial dim.
  mlir::Value reduceWindow(prims::Reducer reducer, mlir::Value value, llvm::ArrayRef<Dim> result,
                           llvm::ArrayRef<int64_t> window, llvm::ArrayRef<int64_t> strides,
                           llvm::ArrayRef<int64_t> padding, llvm::ArrayRef<int64_t> dilation);
  mlir::Value random(prims::Distribution distribution, llvm::ArrayRef<Dim> dims, mlir::Type element);
  /// One tensor's dims by letters: repeated ones become a diagonal, those not in `out` are
  /// summed over.
  mlir::Value sumTo(mlir::Value value, llvm::StringRef letters, llvm::StringRef out);
  /// Sum of products: letters name dims, those not in `out` are summed over.
  mlir::Value contract(mlir::Value a, llvm::StringRef lettersA, mlir::Value b, llvm::StringRef lettersB,
                       llvm::StringRef out);

private:
  std::pair<mlir::Value, mlir::Value> aligned(mlir::Value lhs, mlir::Value rhs);
};

} // namespace graphmill
