#include "fx/Prims/PrimsDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace graphmill;
using namespace graphmill::prims;

static bool areZero(fx::DimsAttr dims) {
  return llvm::all_of(dims.getExprs(), [](Dim dim) { return getStatic(dim) == 0; });
}

/// For a reshape that only adds dims of size 1: where each of the operand's dims went.
static std::optional<SmallVector<int64_t>> placesInUnsqueezed(ReshapeOp op) {
  Dims from = dimsOf(op.getOperand()), to = dimsOf(op.getResult());
  SmallVector<int64_t> places;
  for (size_t j = 0; j < to.size(); ++j) {
    if (places.size() < from.size() && equal(to[j], from[places.size()])) {
      places.push_back(j);
    } else if (getStatic(to[j]) != 1) {
      return std::nullopt;
    }
  }
  return places.size() == from.size() ? std::optional(places) : std::nullopt;
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getResult().getType()) {
    return getOperand();
  }
  if (auto producer = getOperand().getDefiningOp<BroadcastOp>()) {
    SmallVector<int64_t> dims;
    for (int64_t dim : producer.getDims()) {
      dims.push_back(getDims()[dim]);
    }
    setDims(dims);
    setOperand(producer.getOperand());
    return getResult();
  }
  if (auto producer = getOperand().getDefiningOp<ReshapeOp>()) {
    if (std::optional<SmallVector<int64_t>> places = placesInUnsqueezed(producer)) {
      SmallVector<int64_t> dims;
      for (int64_t place : *places) {
        dims.push_back(getDims()[place]);
      }
      setDims(dims);
      setOperand(producer.getOperand());
      return getResult();
    }
  }
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getOperand());
  if (splat && getResult().getType().hasStaticShape()) {
    return splat.resizeSplat(getResult().getType());
  }
  return {};
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getResult().getType()) {
    return getOperand();
  }
  if (auto producer = getOperand().getDefiningOp<ReshapeOp>()) {
    setOperand(producer.getOperand());
    return getResult();
  }
  auto dense = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand());
  if (dense && getResult().getType().hasStaticShape()) {
    return dense.reshape(getResult().getType());
  }
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (llvm::equal(getPerm(), llvm::seq<int64_t>(0, getPerm().size()))) {
    return getOperand();
  }
  if (auto producer = getOperand().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> perm;
    for (int64_t p : getPerm()) {
      perm.push_back(producer.getPerm()[p]);
    }
    setPerm(perm);
    setOperand(producer.getOperand());
    return getResult();
  }
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getOperand())) {
    return splat.resizeSplat(getResult().getType());
  }
  return {};
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getResult().getType() &&
      areZero(getStarts()) && llvm::all_of(getSteps(), [](int64_t s) { return s == 1; })) {
    return getOperand();
  }
  if (auto producer = getOperand().getDefiningOp<SliceOp>()) {
    SmallVector<AffineExpr> starts;
    SmallVector<int64_t> steps;
    for (auto [i, start] : llvm::enumerate(getStarts().getExprs())) {
      int64_t step = producer.getSteps()[i];
      starts.push_back(simplify(producer.getStarts().getExprs()[i] + start * step));
      steps.push_back(getSteps()[i] * step);
    }
    setStartsAttr(fx::DimsAttr::get(getContext(), starts));
    setSteps(steps);
    setOperand(producer.getOperand());
    return getResult();
  }
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getOperand());
  if (splat && getResult().getType().hasStaticShape()) {
    return splat.resizeSplat(getResult().getType());
  }
  return {};
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  bool isWhole = getOperand().getType() == getResult().getType() && areZero(getLow());
  return isWhole ? getOperand() : OpFoldResult();
}

OpFoldResult ConcatenateOp::fold(FoldAdaptor) {
  bool isSame = getOperands().size() == 1 && getOperands()[0].getType() == getResult().getType();
  return isSame ? getOperands()[0] : OpFoldResult();
}

OpFoldResult ReverseOp::fold(FoldAdaptor) {
  Dims sizes = dimsOf(getOperand());
  if (llvm::all_of(getDims(), [&](int64_t dim) { return getStatic(sizes[dim]) == 1; })) {
    return getOperand();
  }
  auto producer = getOperand().getDefiningOp<ReverseOp>();
  return producer && producer.getDims() == getDims() ? producer.getOperand() : OpFoldResult();
}

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  bool isSame = getDims().empty() && getOperand().getType() == getResult().getType();
  return isSame ? getOperand() : OpFoldResult();
}
