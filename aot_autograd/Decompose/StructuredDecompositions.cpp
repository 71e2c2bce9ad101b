#include "aot_autograd/Decompose/Decompositions.h"
#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill {

static Value linear(PrimBuilder &b, aten::LinearOp op) {
  Type element = resultTypeOf(op).getElementType();
  Value x = op.getInput(), w = op.getWeight();
  bool isRow = dimsOf(x).size() == 1, isVector = dimsOf(w).size() == 1;
  Value lhs = isRow ? b.unsqueeze(x, 0) : x;
  Value rhs = isVector ? b.unsqueeze(w, 1) : b.swapDims(w, 0, 1);
  Value y = b.reshape(b.matmul(lhs, rhs), dimsOf(resultTypeOf(op)));
  return op.getBias() ? b.add(y, b.convert(op.getBias(), element)) : y;
}

static Value convolution(PrimBuilder &b, aten::ConvolutionOp op) {
  size_t spatial = dimsOf(op.getWeight()).size() - 2;
  auto ints = [&](ArrayRef<int64_t> values) { return aten::rules::expandInts(values, spatial); };
  Value x = op.getInput();
  Dims out = dimsOf(resultTypeOf(op));
  bool batched = out.size() == spatial + 2;
  if (!batched) {
    x = b.unsqueeze(x, 0);
    out.insert(out.begin(), b.dim(1));
  }
  Value y = prims::ConvolutionOp::create(
      b.builder, b.loc, getTensorType(out, getElement(x)), x, op.getWeight(),
      ints(op.getStride()), ints(op.getPadding()), ints(op.getDilation()), op.getTransposed(),
      ints(op.getOutputPadding()), op.getGroups());
  if (op.getBias()) {
    y = b.add(y, b.broadcastDims(op.getBias(), out, {1}));
  }
  return batched ? y : b.squeeze(y, 0);
}

static Value maxPool(PrimBuilder &b, aten::MaxPoolOp op) {
  size_t n = op.getKernelSize().size();
  auto ints = [&](ArrayRef<int64_t> values) { return aten::rules::expandInts(values, n); };
  SmallVector<int64_t> stride = ints(op.getStride().empty() ? op.getKernelSize() : op.getStride());
  return prims::ReduceWindowOp::create(b.builder, b.loc, op.getType(), prims::Reducer::Max,
                                       op.getSelf(), op.getKernelSize(), stride,
                                       ints(op.getPadding()), ints(op.getDilation()));
}

/// Windows that tile the input evenly are a plain average; others are a product with a
/// matrix of weights along each dim in turn.
static Value adaptiveAvgPool(PrimBuilder &b, aten::AdaptiveAvgPoolOp op) {
  Type element = resultTypeOf(op).getElementType(), compute = b.opmath(element);
  Value x = b.convert(op.getSelf(), compute);
  Dims out = dimsOf(resultTypeOf(op));
  size_t n = op.getOutputSize().getExprs().size();
  for (size_t i = out.size() - n; i < out.size(); ++i) {
    Dims dims = dimsOf(x);
    if (equal(dims[i], out[i])) {
      continue;
    }
    if (getStatic(out[i]) == 1) {
      x = b.mean(x, {static_cast<int64_t>(i)}, /*keepdim=*/true);
      continue;
    }
    std::optional<int64_t> from = getStatic(dims[i]), to = getStatic(out[i]);
    if (!from || !to) {
      op.emitOpError("needs known sizes, dim ") << i << " is " << toString(dims[i]);
      return {};
    }
    // weights[o, j] = 1 / length of window o if j is in [floor(o from / to), ceil((o+1) from / to))
    std::vector<float> weights(*from * *to, 0.0f);
    for (int64_t o = 0; o < *to; ++o) {
      int64_t begin = o * *from / *to, end = ((o + 1) * *from + *to - 1) / *to;
      for (int64_t j = begin; j < end; ++j) {
        weights[j * *to + o] = 1.0f / (end - begin);
      }
    }
    auto type = RankedTensorType::get({*from, *to}, b.f32());
    Value matrix = prims::ConstantOp::create(b.builder, b.loc, type,
                                             DenseElementsAttr::get(type, ArrayRef<float>(weights)));
    matrix = b.convert(matrix, compute);
    int64_t last = dims.size() - 1;
    Value moved = b.swapDims(x, i, last);
    Dims rows = dimsOf(moved);
    Dim count = product(b.context(), ArrayRef(rows).drop_back());
    Value y = b.matmul(b.reshape(moved, {count, rows.back()}), matrix);
    rows.back() = out[i];
    x = b.swapDims(b.reshape(y, rows), i, last);
  }
  return b.convert(x, element);
}

void addStructuredDecompositions(Decompositions &d) {
  d.add<aten::LinearOp, linear>();
  d.add<aten::ConvolutionOp, convolution>();
  d.add<aten::MaxPoolOp, maxPool>();
  d.add<aten::AdaptiveAvgPoolOp, adaptiveAvgPool>();
}

} // namespace graphmill
