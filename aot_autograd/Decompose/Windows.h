//===- Windows.h - What poolings and their gradients share -----------------===//
#pragma once
#include "aot_autograd/Decompose/Decompositions.h"
#include "fx/Aten/Rules.h"

namespace graphmill {

/// One number a spatial dim.
struct Window {
  size_t spatial;
  llvm::SmallVector<int64_t> kernel, stride, padding, dilation;

  template <typename Op>
  Window(Op op, llvm::ArrayRef<int64_t> dilation)
      : spatial(op.getSpatial()), kernel(aten::rules::expandInts(op.getKernelSize(), spatial)),
        stride(aten::rules::expandInts(op.getStride().empty() ? op.getKernelSize() : op.getStride(), spatial)),
        padding(aten::rules::expandInts(op.getPadding(), spatial)), dilation(aten::rules::expandInts(dilation, spatial)) {}
};

/// What sums over windows are divided by: a number, or one a window (over the spatial dims)
/// where those at the borders have fewer elements. `from` and `to` are the sizes before and
/// after pooling.
struct AreaOptions {
  bool ceilMode, countIncludePad;
  std::optional<int64_t> divisorOverride;
};
mlir::Value windowAreas(PrimBuilder &b, const AreaOptions &options, const Window &window, llvm::ArrayRef<Dim> from,
                        llvm::ArrayRef<Dim> to, mlir::Type compute);
template <typename Op>
mlir::Value windowAreas(PrimBuilder &b, Op op, const Window &window, llvm::ArrayRef<Dim> from, llvm::ArrayRef<Dim> to, mlir::Type compute) {
  return windowAreas(b, AreaOptions{op.getCeilMode(), op.getCountIncludePad(), op.getDivisorOverride()}, window, from, to, compute);
}

/// [from, to]: a product with it is adaptive average pooling along one dim.
mlir::Value averages(PrimBuilder &b, Dim from, Dim to, mlir::Type element);
/// int64 [to, longest window]: the elements of each window of adaptive pooling, the last repeated
/// where it is shorter.
mlir::Value windowElements(PrimBuilder &b, Dim from, int64_t to);

} // namespace graphmill
