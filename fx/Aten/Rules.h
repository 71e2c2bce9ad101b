//===- Rules.h - Shape and dtype rules of ATen ops -------------------------===//
//
// One function a family. Each reports what it refuses at the op's location, in the
// words of PyTorch's users: which operand, which dim, what was expected.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "fx/Aten/Promotion.h"
#include "fx/IR/Dims.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include <initializer_list>

namespace graphmill::aten::rules {

struct Rule {
  mlir::MLIRContext *context;
  std::optional<mlir::Location> location;
  mlir::StringRef opName;
  mlir::SmallVectorImpl<mlir::Type> &types;

  mlir::LogicalResult result(mlir::ArrayRef<Dim> dims, mlir::Type element) {
    types.push_back(getTensorType(dims, element));
    return mlir::success();
  }
  mlir::InFlightDiagnostic error() {
    return mlir::emitError(location.value_or(mlir::UnknownLoc::get(context))) << opName << ": ";
  }
};

using Values = std::initializer_list<mlir::Value>;

/// Whether result types given agree with those inferred: dtypes equal, sizes equal or,
/// where semi-affine expressions can't be compared, both symbolic.
bool compatible(mlir::TypeRange a, mlir::TypeRange b);

/// A dim counted from the end if negative; error unless in [-rank, rank).
mlir::FailureOr<int64_t> normalizeDim(Rule &r, int64_t dim, int64_t rank);
mlir::FailureOr<Dims> broadcast(Rule &r, mlir::ArrayRef<Dims> shapes);

/// Broadcast and promoted; `unpromoted` take part in the shape only.
mlir::LogicalResult pointwise(Rule &r, Values operands, Values unpromoted = {});
mlir::LogicalResult floating(Rule &r, Values operands);
mlir::LogicalResult predicate(Rule &r, Values operands);
mlir::LogicalResult division(Rule &r, mlir::Value self, mlir::Value other,
                             std::optional<mlir::StringRef> rounding);

mlir::LogicalResult view(Rule &r, mlir::Value self, mlir::ArrayRef<Dim> size);
mlir::LogicalResult flatten(Rule &r, mlir::Value self, int64_t start, int64_t end);
mlir::LogicalResult permute(Rule &r, mlir::Value self, mlir::ArrayRef<int64_t> dims);
mlir::LogicalResult transpose(Rule &r, mlir::Value self, int64_t dim0, int64_t dim1);
mlir::LogicalResult unsqueeze(Rule &r, mlir::Value self, int64_t dim);
mlir::LogicalResult expand(Rule &r, mlir::Value self, mlir::ArrayRef<Dim> size);
mlir::LogicalResult cast(Rule &r, mlir::Value self, std::optional<mlir::Type> dtype);

/// What a reduction does to dtypes: keep them, make integers int64, or demand floats.
enum class Accumulate { Same, WideInt, Float };
/// Sorted, distinct, non-negative dims to reduce; none or an empty list means all.
mlir::FailureOr<mlir::SmallVector<int64_t>> reducedDims(Rule &r, mlir::Value self,
                                                       std::optional<mlir::ArrayRef<int64_t>> dims);
mlir::LogicalResult reduction(Rule &r, mlir::Value self,
                              std::optional<mlir::ArrayRef<int64_t>> dims, bool keepdim,
                              std::optional<mlir::Type> dtype, Accumulate accumulate);
mlir::LogicalResult softmax(Rule &r, mlir::Value self, int64_t dim,
                            std::optional<mlir::Type> dtype);
mlir::LogicalResult layerNorm(Rule &r, mlir::Value input, mlir::ArrayRef<Dim> normalized);

mlir::LogicalResult linear(Rule &r, mlir::Value input, mlir::Value weight, mlir::Value bias);
struct ConvolutionShape {
  mlir::Value input, weight;
  mlir::ArrayRef<int64_t> stride, padding, dilation, outputPadding;
  bool transposed;
  int64_t groups;
};
mlir::LogicalResult convolution(Rule &r, const ConvolutionShape &shape);
mlir::LogicalResult pooling(Rule &r, mlir::Value self, mlir::ArrayRef<int64_t> kernel,
                            mlir::ArrayRef<int64_t> stride, mlir::ArrayRef<int64_t> padding,
                            mlir::ArrayRef<int64_t> dilation, bool ceilMode);
mlir::LogicalResult adaptivePool(Rule &r, mlir::Value self, mlir::ArrayRef<Dim> size);

/// An `int[n]` argument: one number stands for all n.
mlir::SmallVector<int64_t> expandInts(mlir::ArrayRef<int64_t> values, size_t n);

} // namespace graphmill::aten::rules
