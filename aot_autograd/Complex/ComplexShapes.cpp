// Ops that do the same to both parts: views, selections, sums.
#include "aot_autograd/Complex/ComplexSplit.h"
#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using Results = ComplexFunctions::Results;

/// Ops all of whose operands are elements of the result. Elsewhere integers are indices.
static bool joins(Operation *op) { return isa<aten::CatOp, aten::StackOp, aten::WhereOp, aten::BroadcastTensorsOp, aten::MeshgridOp>(op); }

static bool isData(Operation *op, Value operand) {
  Category category = categoryOf(getElement(operand));
  bool isCondition = isa<aten::WhereOp>(op) && operand == op->getOperand(0);
  return isNumber(operand.getType()) || category == Category::Float || (joins(op) && !isCondition);
}

static Results apart(ComplexSplit &s, Operation *op) {
  auto twin = [&](bool isIm) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Complex z = s.of(operand);
      operands.push_back(!isIm || (z.isReal() && !isData(op, operand)) ? z.re : z.isReal() ? s.zeroLike(operand) : z.im);
    }
    return s.realTwin(op, operands);
  };
  Operation *re = twin(false), *im = twin(true);
  Results results;
  for (auto [x, y] : llvm::zip(re->getResults(), im->getResults())) {
    results.push_back({x, y});
  }
  return results;
}

/// Padding has no imaginary part.
static Results pad(ComplexSplit &s, aten::PadOp op) {
  Results results = apart(s, op);
  auto im = results[0].im.getDefiningOp<aten::PadOp>();
  if (im.getValue()) {
    im.setValueAttr(s.b.builder.getF64FloatAttr(0.0));
  }
  return results;
}

/// Another dtype; to a real one, the imaginary part is dropped.
template <typename Op> static Results cast(ComplexSplit &s, Op op) {
  Complex z = s.as(op.getSelf(), resultPart(op));
  bool staysComplex = isa<ComplexType>(getElement(op.getResult()));
  return {staysComplex ? Complex{z.re, imaginary(s.b, z)} : Complex{z.re, {}}};
}

template <typename Op> static Results filled(ComplexSplit &s, Op op) {
  PrimBuilder &b = s.b;
  Dims dims = dimsOf(op.getResult());
  Type element = resultPart(op);
  return {{b.broadcast(b.scalar(op.getFillValue(), element), dims), b.full(dims, 0.0, element)}};
}

void addComplexShapes(ComplexFunctions &f) {
  using namespace aten;
  f.addAll<apart, ViewOp, FlattenOp, UnflattenOp, UnsqueezeOp, SqueezeOp, AtLeastOp, PermuteOp, TransposeOp, TOp, MovedimOp>();
  f.addAll<apart, SelectOp, SliceOp, NarrowOp, SplitOp, SplitWithSizesOp, ChunkOp, TensorSplitOp, UnbindOp, DiagonalOp, UnfoldOp,
           AsStridedOp>();
  f.addAll<apart, ExpandOp, BroadcastTensorsOp, RepeatOp, RepeatInterleaveOp, CatOp, StackOp, FlipOp, RollOp, Rot90Op, DiagEmbedOp,
           DiagOp, MeshgridOp, TrilOp, TriuOp>();
  f.addAll<apart, SelectScatterOp, SliceScatterOp, DiagonalScatterOp, IndexOp, IndexPutOp, IndexSelectOp, IndexCopyOp, IndexFillOp,
           GatherOp, TakeOp, TakeAlongDimOp, WhereOp, MaskedFillOp>();
  f.addAll<apart, SumOp, MeanOp, CumsumOp, TraceOp, DiffOp, NegOp>();
  f.add<PadOp, pad>();
  f.add<ToOp, cast<ToOp>>();
  f.add<CloneOp, cast<CloneOp>>();
  f.add<FullOp, filled<FullOp>>();
  f.add<FullLikeOp, filled<FullLikeOp>>();
  f.add<NewFullOp, filled<NewFullOp>>();
}

} // namespace graphmill
