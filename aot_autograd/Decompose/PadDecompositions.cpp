#include "aot_autograd/Decompose/Decompositions.h"
#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// `dim` with `low` and `high` elements more, taken from inside: where each comes from is
/// an index computed from the distance to the start.
static Value padFromInside(PrimBuilder &b, Value x, int64_t dim, Dim low, Dim high, StringRef mode) {
  Dim size = dimOf(x, dim);
  Value at = b.sub(b.iota(simplify(size + low + high)), b.size(low, b.i64()));
  Value last = b.size(simplify(size - 1), b.i64()), zero = b.constant(0, b.i64());
  Value source;
  if (mode == "replicate") {
    source = b.minimum(b.maximum(at, zero), last);
  } else if (mode == "reflect") {
    Value folded = b.unary<prims::AbsOp>(at);
    source = b.sub(last, b.unary<prims::AbsOp>(b.sub(last, folded)));
  } else {
    Value n = b.size(size, b.i64());
    source = b.binary<prims::FmodOp>(b.add(at, n), n);
  }
  return b.take(x, dim, source);
}

static Value pad(PrimBuilder &b, aten::PadOp op) {
  Value x = op.getSelf();
  ArrayRef<AffineExpr> pads = op.getPad().getExprs();
  int64_t rank = dimsOf(x).size();
  StringRef mode = op.getMode();
  if (mode != "constant" && mode != "reflect" && mode != "replicate" && mode != "circular") {
    op.emitOpError("mode is \"") << mode << "\", expected constant, reflect, replicate or circular";
    return {};
  }
  Dims low(rank, b.dim(0)), high = low;
  for (size_t i = 0; i < pads.size() / 2; ++i) {
    low[rank - 1 - i] = pads[2 * i];
    high[rank - 1 - i] = pads[2 * i + 1];
  }
  if (mode == "constant") {
    Type element = resultElement(op);
    Value fill = op.getValue() ? b.scalar(*op.getValue(), element) : b.constant(0, element);
    return b.pad(x, low, high, fill);
  }
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (getStatic(low[dim]) != 0 || getStatic(high[dim]) != 0) {
      x = padFromInside(b, x, dim, low[dim], high[dim], mode);
    }
  }
  return x;
}

//===----------------------------------------------------------------------===//
// Writing parts: what comes before, the part, what comes after
//===----------------------------------------------------------------------===//

static Value replaced(PrimBuilder &b, Value self, Value part, int64_t dim, Dim start) {
  Dim size = dimOf(self, dim), after = simplify(start + dimOf(part, dim)), rest = simplify(size - after);
  SmallVector<Value> parts;
  if (getStatic(start) != 0) {
    parts.push_back(b.slice(self, dim, b.dim(0), start));
  }
  parts.push_back(part);
  if (getStatic(rest) != 0) {
    parts.push_back(b.slice(self, dim, after, rest));
  }
  return b.concatenate(parts, dim);
}

static Value selectScatter(PrimBuilder &b, aten::SelectScatterOp op) {
  Dims dims = resultDims(op);
  int64_t dim = fromFront(op.getDim(), dims.size());
  Dim index = op.getIndex().getExpr();
  if (std::optional<int64_t> known = getStatic(index); known && *known < 0) {
    index = simplify(dims[dim] + *known);
  }
  dims[dim] = b.dim(1);
  Value part = b.reshape(b.convert(op.getSrc(), resultElement(op)), dims);
  return replaced(b, op.getSelf(), part, dim, index);
}

static Value sliceScatter(PrimBuilder &b, aten::SliceScatterOp op) {
  Dims dims = resultDims(op);
  int64_t dim = fromFront(op.getDim(), dims.size()), step = op.getStep();
  auto expr = [](std::optional<fx::DimAttr> bound) { return bound ? std::optional<Dim>(bound->getExpr()) : std::nullopt; };
  auto [start, length] = aten::rules::sliceBounds(dims[dim], expr(op.getStart()), expr(op.getEnd()), step);
  dims[dim] = length;
  Value part = b.broadcast(b.convert(op.getSrc(), resultElement(op)), dims);
  if (getStatic(length) == 0) {
    return op.getSelf();
  }
  if (step == 1) {
    return replaced(b, op.getSelf(), part, dim, start);
  }
  Value places = b.add(b.mul(b.iota(length), b.constant(step, b.i64())), b.size(start, b.i64()));
  return b.indexPut(prims::Combiner::Set, op.getSelf(), b.moveDim(part, dim, 0), places, {dim});
}

static Value diagonalScatter(PrimBuilder &b, aten::DiagonalScatterOp op) {
  int64_t rank = resultDims(op).size(), offset = op.getOffset();
  Value src = b.convert(op.getSrc(), resultElement(op));
  int64_t last = dimsOf(src).size() - 1;
  Value iota = b.iota(dimOf(src, last)), shifted = b.add(iota, b.constant(std::abs(offset), b.i64()));
  return b.indexPut(prims::Combiner::Set, op.getSelf(), b.moveDim(src, last, 0),
                    {offset < 0 ? shifted : iota, offset > 0 ? shifted : iota},
                    {fromFront(op.getDim1(), rank), fromFront(op.getDim2(), rank)});
}

//===----------------------------------------------------------------------===//
// Patches
//===----------------------------------------------------------------------===//

/// [windows, taps]: window * stride + tap * dilation.
static Value patchIndex(PrimBuilder &b, Dim windows, int64_t taps, int64_t stride, int64_t dilation) {
  Dims grid{windows, b.dim(taps)};
  Value start = b.mul(b.iotaAlong(grid, 0, b.i64()), b.constant(stride, b.i64()));
  return b.add(start, b.mul(b.iotaAlong(grid, 1, b.i64()), b.constant(dilation, b.i64())));
}

struct Patches {
  SmallVector<int64_t> kernel, dilation, padding, stride;
  template <typename Op>
  explicit Patches(Op op)
      : kernel(aten::rules::expandInts(op.getKernelSize(), 2)), dilation(aten::rules::expandInts(op.getDilation(), 2)),
        padding(aten::rules::expandInts(op.getPadding(), 2)), stride(aten::rules::expandInts(op.getStride(), 2)) {}
  Dim windows(Dim size, int i) const {
    return simplify((size + (2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1)).floorDiv(stride[i]) + 1);
  }
};

static Value im2col(PrimBuilder &b, aten::Im2colOp op) {
  Patches p(op);
  Value x = op.getSelf();
  bool batched = dimsOf(x).size() == 4;
  x = batched ? x : b.unsqueeze(x, 0);
  Dims dims = dimsOf(x), pads{b.dim(0), b.dim(0), b.dim(p.padding[0]), b.dim(p.padding[1])};
  Value padded = b.pad(x, pads, pads, b.constant(0, getElement(x)));
  Dim rows = p.windows(dims[2], 0), columns = p.windows(dims[3], 1);
  // [N, C, rows, kh, columns, kw] to [N, C, kh, kw, rows, columns]
  Value taken = b.take(padded, 2, patchIndex(b, rows, p.kernel[0], p.stride[0], p.dilation[0]));
  taken = b.take(taken, 4, patchIndex(b, columns, p.kernel[1], p.stride[1], p.dilation[1]));
  return b.reshape(b.transpose(taken, {0, 1, 3, 5, 2, 4}), resultDims(op));
}

static Value col2im(PrimBuilder &b, aten::Col2imOp op) {
  Patches p(op);
  Value x = op.getSelf();
  Dims result = resultDims(op);
  if (dimsOf(x).size() == 2) {
    x = b.unsqueeze(x, 0);
    result.insert(result.begin(), b.dim(1));
  }
  Dim rows = p.windows(result[2], 0), columns = p.windows(result[3], 1);
  Dim kh = b.dim(p.kernel[0]), kw = b.dim(p.kernel[1]);
  // Values as [rows, kh, columns, kw, N, C]; the last two are what index_put leaves.
  Value values = b.reshape(x, {result[0], result[1], kh, kw, rows, columns});
  values = b.transpose(values, {4, 2, 5, 3, 0, 1});
  Dims grid{rows, kh, columns, kw};
  Value row = b.broadcastDims(patchIndex(b, rows, p.kernel[0], p.stride[0], p.dilation[0]), grid, {0, 1});
  Value column = b.broadcastDims(patchIndex(b, columns, p.kernel[1], p.stride[1], p.dilation[1]), grid, {2, 3});
  Dims padded = result;
  for (int i = 0; i < 2; ++i) {
    padded[2 + i] = simplify(padded[2 + i] + 2 * p.padding[i]);
  }
  Value sum = b.indexPut(prims::Combiner::Add, b.full(padded, 0.0, getElement(x)), values, {row, column}, {2, 3});
  for (int i = 0; i < 2; ++i) {
    sum = b.slice(sum, 2 + i, b.dim(p.padding[i]), result[2 + i]);
  }
  return b.reshape(sum, resultDims(op));
}

void addPadDecompositions(Decompositions &d) {
  d.add<aten::PadOp, pad>();
  d.add<aten::SelectScatterOp, selectScatter>();
  d.add<aten::SliceScatterOp, sliceScatter>();
  d.add<aten::DiagonalScatterOp, diagonalScatter>();
  d.add<aten::Im2colOp, im2col>();
  d.add<aten::Col2imOp, col2im>();
}

} // namespace graphmill
