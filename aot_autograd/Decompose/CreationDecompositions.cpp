#include "aot_autograd/Decompose/Decompositions.h"
#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill {

using prims::Distribution;
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
static Value linspace(PrimBuilder &b, aten::LinspaceOp op) {
  Type element = resultElement(op), compute = isFloat(element) ? element : b.f32();
  compute = b.opmath(compute);
  int64_t steps = op.getSteps();
  Value start = b.scalar(op.getStart(), compute), end = b.scalar(op.getEnd(), compute);
  if (steps <= 1) {
    return b.convert(b.broadcast(start, resultDims(op)), element);
  }
  Value step = b.div(b.sub(end, start), static_cast<double>(steps - 1));
  Value i = b.iota(resultDims(op)[0]), x = b.convert(i, compute);
  Value fromStart = b.add(start, b.mul(step, x));
  Value fromEnd = b.sub(end, b.mul(step, b.sub(static_cast<double>(steps - 1), x)));
  Value isFirstHalf = b.compare(Predicate::Lt, i, b.constant(steps / 2, b.i64()));
  return b.convert(b.select(isFirstHalf, fromStart, fromEnd), element);
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

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// In float32 (float64 for float64): narrow dtypes would round to 1.
static Value drawn(PrimBuilder &b, Operation *op, Distribution distribution) {
  return b.random(distribution, resultDims(op), isFloat(resultElement(op)) ? b.opmath(resultElement(op)) : b.f32());
}

template <typename Op, Distribution distribution> static Value random(PrimBuilder &b, Op op) {
  return b.convert(drawn(b, op, distribution), resultElement(op));
}

template <typename Op> static Value randint(PrimBuilder &b, Op op) {
  int64_t low = op.getLow(), high = op.getHigh();
  if (high <= low) {
    op.emitOpError("draws from [") << low << ", " << high << "), which is empty";
    return {};
  }
  Value bits = b.random(Distribution::Bits, resultDims(op), b.i64());
  Value x = b.binary<prims::FmodOp>(bits, b.constant(high - low, b.i64()));
  return b.convert(b.add(x, b.constant(low, b.i64())), resultElement(op));
}

/// The order that sorts random numbers.
static Value randperm(PrimBuilder &b, aten::RandpermOp op) {
  Value bits = b.random(Distribution::Bits, resultDims(op), b.i64());
  return b.convert(b.sort(bits, 0, /*descending=*/false).second, resultElement(op));
}

static Value bernoulli(PrimBuilder &b, aten::BernoulliOp op) {
  Value p = b.convert(op.getP() ? op.getP() : op.getSelf(), b.f32());
  Value drawn = b.random(Distribution::Uniform, resultDims(op), b.f32());
  return b.convert(b.compare(Predicate::Lt, drawn, p), resultElement(op));
}

static Value uniform(PrimBuilder &b, aten::UniformOp op) {
  double from = op.getFrom().convertToDouble(), to = op.getTo().convertToDouble();
  return b.convert(b.add(b.mul(drawn(b, op, Distribution::Uniform), to - from), from), resultElement(op));
}

static Value normal(PrimBuilder &b, aten::NormalOp op) {
  Value x = b.mul(drawn(b, op, Distribution::Normal), op.getStd().convertToDouble());
  return b.convert(b.add(x, op.getMean().convertToDouble()), resultElement(op));
}

void addCreationDecompositions(Decompositions &d) {
  d.add<aten::FullOp, filled<aten::FullOp>>();
  d.add<aten::FullLikeOp, filled<aten::FullLikeOp>>();
  d.add<aten::NewFullOp, filled<aten::NewFullOp>>();
  d.add<aten::ScalarTensorOp, scalarTensor>();
  d.add<aten::ArangeOp, arange>();
  d.add<aten::LinspaceOp, linspace>();
  d.add<aten::TrilIndicesOp, triangleIndices<aten::TrilIndicesOp, true>>();
  d.add<aten::TriuIndicesOp, triangleIndices<aten::TriuIndicesOp, false>>();
  d.add<aten::OneHotOp, oneHot>();
  d.add<aten::HannWindowOp, window<aten::HannWindowOp>>();
  d.add<aten::HammWindowOp, window<aten::HammWindowOp>>();
  d.add<aten::RandOp, random<aten::RandOp, Distribution::Uniform>>();
  d.add<aten::RandLikeOp, random<aten::RandLikeOp, Distribution::Uniform>>();
  d.add<aten::RandnOp, random<aten::RandnOp, Distribution::Normal>>();
  d.add<aten::RandnLikeOp, random<aten::RandnLikeOp, Distribution::Normal>>();
  d.add<aten::RandintOp, randint<aten::RandintOp>>();
  d.add<aten::RandintLikeOp, randint<aten::RandintLikeOp>>();
  d.add<aten::RandpermOp, randperm>();
  d.add<aten::BernoulliOp, bernoulli>();
  d.add<aten::UniformOp, uniform>();
  d.add<aten::NormalOp, normal>();
}

} // namespace graphmill
