#include "aot_autograd/Decompose/Decompositions.h"
#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;

template <typename Op> static Value filled(PrimBuilder &b, Op op) {
  return b.broadcast(b.scalar(op.getFillValue(), resultElement(op)), resultDims(op));
}

static Value scalarTensor(PrimBuilder &b, aten::ScalarTensorOp op) { return b.scalar(op.getS(), resultElement(op)); }

/// Floats in float64, as eager, so that the last ones are where they should be.
static Value arange(PrimBuilder &b, aten::ArangeOp op) {
  Type element = resultElement(op), compute = isFloat(element) ? Type(b.builder.getF64Type()) : b.i64();
  for (Attribute number : {op.getStart(), op.getStep()}) {
    compute = isa<FloatAttr>(number) ? Type(b.builder.getF64Type()) : compute;
  }
  Value x = b.convert(b.iota(resultDims(op)[0]), compute);
  if (numberOf(op.getStep()) != 1.0) {
    x = b.mul(x, b.scalar(op.getStep(), compute));
  }
  if (numberOf(op.getStart()) != 0.0) {
    x = b.add(x, b.scalar(op.getStart(), compute));
  }
  return b.convert(x, element);
}

/// From the nearer end, as eager.
template <typename Op> static Value evenlySpaced(PrimBuilder &b, Op op, Type compute) {
  int64_t steps = op.getSteps();
  Value start = b.scalar(op.getStart(), compute), end = b.scalar(op.getEnd(), compute);
  if (steps <= 1) {
    return b.broadcast(start, resultDims(op));
  }
  Value step = b.div(b.sub(end, start), static_cast<double>(steps - 1));
  Value i = b.iota(resultDims(op)[0]), x = b.convert(i, compute);
  Value fromStart = b.add(start, b.mul(step, x));
  Value fromEnd = b.sub(end, b.mul(step, b.sub(static_cast<double>(steps - 1), x)));
  Value isFirstHalf = b.compare(Predicate::Lt, i, b.constant(steps / 2, b.i64()));
  return b.select(isFirstHalf, fromStart, fromEnd);
}

static Value linspace(PrimBuilder &b, aten::LinspaceOp op) {
  Type element = resultElement(op);
  return b.convert(evenlySpaced(b, op, b.opmath(isFloat(element) ? element : b.f32())), element);
}

/// In float64: a power is sensitive to its exponent.
static Value logspace(PrimBuilder &b, aten::LogspaceOp op) {
  Value exponents = evenlySpaced(b, op, b.builder.getF64Type());
  Value base = b.broadcast(b.constant(op.getBase().convertToDouble(), b.builder.getF64Type()), resultDims(op));
  return b.convert(b.binary<prims::PowOp>(base, exponents), resultElement(op));
}

template <typename Op, bool lower> static Value triangleIndices(PrimBuilder &b, Op op) {
  SmallVector<int64_t> rows, columns;
  int64_t offset = op.getOffset(), width = op.getCol();
  for (int64_t i = 0; i < static_cast<int64_t>(op.getRow()); ++i) {
    int64_t begin = lower ? 0 : std::clamp<int64_t>(i + offset, 0, width);
    int64_t end = lower ? std::clamp<int64_t>(i + offset + 1, 0, width) : width;
    for (int64_t j = begin; j < end; ++j) {
      rows.push_back(i);
      columns.push_back(j);
    }
  }
  rows.append(columns);
  return b.convert(b.reshape(b.vector(ArrayRef<int64_t>(rows)), resultDims(op)), resultElement(op));
}

static Value oneHot(PrimBuilder &b, aten::OneHotOp op) {
  Dims dims = resultDims(op);
  Value classes = b.iotaAlong(dims, dims.size() - 1, b.i64());
  Value index = b.unsqueeze(b.convert(op.getSelf(), b.i64()), dims.size() - 1);
  return b.convert(b.compare(Predicate::Eq, index, classes), resultElement(op));
}

/// alpha - (1 - alpha) cos(2 pi i / n), computed here.
template <typename Op> static Value window(PrimBuilder &b, Op op) {
  constexpr bool isHann = std::is_same_v<Op, aten::HannWindowOp>;
  constexpr double alpha = isHann ? 0.5 : 0.54;
  int64_t length = op.getWindowLength();
  double period = op.getPeriodic() ? length : length - 1;
  std::vector<float> values;
  for (int64_t i = 0; i < length; ++i) {
    values.push_back(length == 1 ? 1.0 : alpha - (1 - alpha) * std::cos(2 * M_PI * i / period));
  }
  return b.convert(b.vector(ArrayRef<float>(values)), resultElement(op));
}

void addCreationDecompositions(Decompositions &d) {
  d.add<aten::FullOp, filled<aten::FullOp>>();
  d.add<aten::FullLikeOp, filled<aten::FullLikeOp>>();
  d.add<aten::NewFullOp, filled<aten::NewFullOp>>();
  d.add<aten::ScalarTensorOp, scalarTensor>();
  d.add<aten::ArangeOp, arange>();
  d.add<aten::LinspaceOp, linspace>();
  d.add<aten::LogspaceOp, logspace>();
  d.add<aten::TrilIndicesOp, triangleIndices<aten::TrilIndicesOp, true>>();
  d.add<aten::TriuIndicesOp, triangleIndices<aten::TriuIndicesOp, false>>();
  d.add<aten::OneHotOp, oneHot>();
  d.add<aten::HannWindowOp, window<aten::HannWindowOp>>();
  d.add<aten::HammWindowOp, window<aten::HammWindowOp>>();
}

} // namespace graphmill
