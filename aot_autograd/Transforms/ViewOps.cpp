#include "aot_autograd/Transforms/ViewOps.h"
#include "fx/Aten/AtenDialect.h"
#include "fx/Aten/Rules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace graphmill {

bool isView(Operation *op) {
  if (auto to = dyn_cast<aten::ToOp>(op)) {
    return !to.getCopy() && to.getSelf().getType() == to.getType();
  }
  return isa<aten::ViewOp, aten::FlattenOp, aten::UnflattenOp, aten::UnsqueezeOp, aten::SqueezeOp, aten::AtLeastOp,
             aten::PermuteOp, aten::TransposeOp, aten::TOp, aten::MovedimOp, aten::SelectOp, aten::SliceOp,
             aten::NarrowOp, aten::SplitOp, aten::SplitWithSizesOp, aten::ChunkOp, aten::TensorSplitOp, aten::UnbindOp,
             aten::DiagonalOp, aten::UnfoldOp, aten::AsStridedOp, aten::ExpandOp>(op);
}

static Value permuteBack(OpBuilder &b, Location loc, Value part, Type type, ArrayRef<int64_t> order) {
  SmallVector<int64_t> inverse(order.size());
  for (auto [i, dim] : llvm::enumerate(order)) {
    inverse[dim] = i;
  }
  return aten::PermuteOp::create(b, loc, type, part, inverse);
}

static SmallVector<int64_t> fromFront(ArrayRef<int64_t> dims, int64_t rank) {
  SmallVector<int64_t> result;
  for (int64_t dim : dims) {
    result.push_back(dim < 0 ? dim + rank : dim);
  }
  return result;
}

/// Result `number` of an op that cuts `dim` into pieces one after the other.
static Value putPiece(OpBuilder &b, Location loc, Operation *op, unsigned number, int64_t dim, Value operand, Value part) {
  int64_t rank = dimsOf(operand).size();
  dim = dim < 0 ? dim + rank : dim;
  Dim start = constantDim(b.getContext(), 0);
  for (unsigned i = 0; i < number; ++i) {
    start = start + dimOf(op->getResult(i), dim);
  }
  start = simplify(start);
  Dim end = simplify(start + dimOf(part, dim));
  return aten::SliceScatterOp::create(b, loc, operand.getType(), operand, part, dim,
                                      fx::DimAttr::get(b.getContext(), start), fx::DimAttr::get(b.getContext(), end), 1);
}

Value undoView(OpBuilder &b, Location loc, Operation *op, unsigned number, Value operand, Value part) {
  MLIRContext *context = b.getContext();
  Type type = operand.getType();
  int64_t rank = dimsOf(operand).size();
  auto piece = [&](int64_t dim) { return putPiece(b, loc, op, number, dim, operand, part); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](aten::ToOp) { return part; })
      .Case<aten::ViewOp, aten::FlattenOp, aten::UnflattenOp, aten::UnsqueezeOp, aten::SqueezeOp, aten::AtLeastOp>(
          [&](auto) -> Value {
            SmallVector<AffineExpr> sizes(dimsOf(operand));
            return aten::ViewOp::create(b, loc, type, part, fx::DimsAttr::get(context, sizes));
          })
      .Case([&](aten::TransposeOp view) -> Value {
        return aten::TransposeOp::create(b, loc, type, part, view.getDim0(), view.getDim1());
      })
      .Case([&](aten::TOp) -> Value { return aten::TOp::create(b, loc, type, part); })
      .Case([&](aten::PermuteOp view) { return permuteBack(b, loc, part, type, fromFront(view.getDims(), rank)); })
      .Case([&](aten::MovedimOp view) {
        SmallVector<Type> none;
        aten::rules::Rule rule{context, loc, "aten.movedim", none};
        return permuteBack(b, loc, part, type,
                           *aten::rules::movedOrder(rule, rank, view.getSource(), view.getDestination()));
      })
      .Case([&](aten::SelectOp view) -> Value {
        return aten::SelectScatterOp::create(b, loc, type, operand, part, view.getDim(), view.getIndex());
      })
      .Case([&](aten::SliceOp view) -> Value {
        return aten::SliceScatterOp::create(b, loc, type, operand, part, view.getDim(), view.getStartAttr(),
                                            view.getEndAttr(), view.getStep());
      })
      .Case([&](aten::NarrowOp view) -> Value {
        Dim start = view.getStart().getExpr(), end = simplify(start + view.getLength().getExpr());
        return aten::SliceScatterOp::create(b, loc, type, operand, part, view.getDim(), view.getStart(),
                                            fx::DimAttr::get(context, end), 1);
      })
      .Case<aten::SplitOp, aten::SplitWithSizesOp, aten::ChunkOp, aten::TensorSplitOp>(
          [&](auto view) { return piece(view.getDim()); })
      .Case([&](aten::UnbindOp view) -> Value {
        return aten::SelectScatterOp::create(b, loc, type, operand, part, view.getDim(),
                                             fx::DimAttr::get(context, constantDim(context, number)));
      })
      .Case([&](aten::DiagonalOp view) -> Value {
        return aten::DiagonalScatterOp::create(b, loc, type, operand, part, view.getOffset(), view.getDim1(), view.getDim2());
      })
      .Default([&](Operation *) -> Value {
        emitError(loc) << "writes in place through " << op->getName()
                       << ", whose elements may share memory; clone the tensor first";
        return {};
      });
}

} // namespace graphmill
