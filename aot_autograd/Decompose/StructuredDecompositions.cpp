#include "aot_autograd/Decompose/Decompositions.h"
#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill {

using aten::rules::expandInts;

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// A transposed convolution as a plain one, which has a kernel: the results of stride s are s
/// interleaved phases, each with every s-th tap. With u = tap / s, r = tap % s and y before the
/// padding is cut off, y[q s + r] = sum over u of x[q - u] w[u s + r]. The phases are channels of
/// the plain convolution. Null where a dim has both a stride and a dilation.
static Value convolvePhases(PrimBuilder &b, Value x, Value weight, const Dims &out, ArrayRef<int64_t> stride,
                            ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, ArrayRef<int64_t> outputPadding, int64_t groups) {
  Dims in = dimsOf(x), w = dimsOf(weight);
  size_t spatial = w.size() - 2;
  Dims lowWeight(w.size(), b.dim(0)), highWeight = lowWeight, low(in.size(), b.dim(0)), high = low;
  Dims split{b.dim(groups), simplify(w[0].floorDiv(groups)), w[1]}, merged{simplify(w[1] * groups), simplify(w[0].floorDiv(groups))};
  Dims sizes{in[0], simplify(w[1] * groups)}, apart = sizes, whole = sizes;
  SmallVector<int64_t> order{0, 2}, taps, phases{0, 1}, flipped, plainPadding;
  for (size_t i = 0; i < spatial; ++i) {
    std::optional<int64_t> kernel = getStatic(w[2 + i]);
    int64_t s = stride[i], d = dilation[i], p = padding[i];
    if (!kernel || (s > 1 && d > 1)) {
      return {};
    }
    int64_t m = (*kernel + s - 1) / s, missing = m * s - *kernel, reach = d * (m - 1);
    // Whole phases of the padding need not be computed.
    int64_t cut = std::min(reach, std::max<int64_t>(0, std::min(p, p + missing - outputPadding[i])) / s);
    highWeight[2 + i] = b.dim(missing);
    split.push_back(b.dim(m));
    split.push_back(b.dim(s));
    taps.push_back(4 + 2 * i - 1);
    order.push_back(4 + 2 * i);
    flipped.push_back(2 + i);
    plainPadding.push_back(reach - cut);
    merged[0] = simplify(merged[0] * s);
    merged.push_back(b.dim(m));
    Dim q = simplify(in[2 + i] + 2 * (reach - cut) - reach);
    sizes.push_back(q);
    apart.insert(apart.begin() + 2 + i, b.dim(s));
    apart.push_back(q);
    phases.push_back(2 + spatial + i);
    phases.push_back(2 + i);
    whole.push_back(simplify(q * s));
    low[2 + i] = b.dim(cut * s - p);
    high[2 + i] = simplify(out[2 + i] + (p - cut * s) - q * s);
  }
  order.push_back(1);
  order.append(taps);
  sizes[1] = merged[0];
  Value zero = b.constant(0, getElement(x));
  Value arranged = b.transpose(b.reshape(b.pad(weight, lowWeight, highWeight, zero), split), order);
  arranged = b.reverse(b.reshape(arranged, merged), flipped);
  SmallVector<int64_t> ones(spatial, 1), none(spatial, 0);
  Value y = prims::ConvolutionOp::create(b.builder, b.loc, getTensorType(sizes, getElement(x)), x, arranged, ones, plainPadding, dilation,
                                         false, none, groups);
  return b.pad(b.reshape(b.transpose(b.reshape(y, apart), phases), whole), low, high, zero);
}

/// One sample without a batch dim becomes a batch of one.
static Value convolve(PrimBuilder &b, Value x, Value weight, Value bias, Dims out, ArrayRef<int64_t> stride,
                      ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool transposed, ArrayRef<int64_t> outputPadding,
                      int64_t groups) {
  size_t spatial = dimsOf(weight).size() - 2;
  bool batched = out.size() == spatial + 2;
  if (!batched) {
    x = b.unsqueeze(x, 0);
    out.insert(out.begin(), b.dim(1));
  }
  SmallVector<int64_t> strides = expandInts(stride, spatial), paddings = expandInts(padding, spatial),
                       dilations = expandInts(dilation, spatial), added = expandInts(outputPadding, spatial);
  Value y;
  if (transposed) {
    y = convolvePhases(b, x, weight, out, strides, paddings, dilations, added, groups);
  }
  if (!y) {
    y = prims::ConvolutionOp::create(b.builder, b.loc, getTensorType(out, getElement(x)), x, weight, strides, paddings, dilations,
                                     transposed, added, groups);
  }
  if (bias) {
    y = b.add(y, b.broadcastDims(bias, out, {1}));
  }
  return batched ? y : b.squeeze(y, 0);
}

static Value convolution(PrimBuilder &b, aten::ConvolutionOp op) {
  return convolve(b, op.getInput(), op.getWeight(), op.getBias(), resultDims(op), op.getStride(), op.getPadding(),
                  op.getDilation(), op.getTransposed(), op.getOutputPadding(), op.getGroups());
}

/// "same": half the kernel's reach at each end; what is odd goes to the end, as a pad.
static Value convolutionPadded(PrimBuilder &b, aten::ConvolutionPaddedOp op) {
  Value x = op.getInput();
  Dims w = dimsOf(op.getWeight());
  size_t spatial = w.size() - 2, rank = dimsOf(x).size();
  SmallVector<int64_t> dilation = expandInts(op.getDilation(), spatial), padding(spatial, 0);
  if (op.getPadding() == "same") {
    Dims low(rank, b.dim(0)), high = low;
    for (size_t i = 0; i < spatial; ++i) {
      int64_t reach = dilation[i] * (*getStatic(w[2 + i]) - 1);
      padding[i] = reach / 2;
      high[rank - spatial + i] = b.dim(reach % 2);
    }
    x = b.pad(x, low, high, b.constant(0, getElement(x)));
  }
  return convolve(b, x, op.getWeight(), op.getBias(), resultDims(op), op.getStride(), padding, dilation, false, {0}, op.getGroups());
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// [..., H, S, D] as [B, H, S, D]; with fewer dims the missing ones are 1.
static Value withFourDims(PrimBuilder &b, Value x) {
  Dims dims = dimsOf(x);
  if (dims.size() == 3) {
    return b.unsqueeze(x, 1);
  }
  if (dims.size() > 4) {
    Dims merged{product(b.context(), ArrayRef(dims).drop_back(3))};
    merged.append(dims.end() - 3, dims.end());
    return b.reshape(x, merged);
  }
  while (dims.size() < 4) {
    dims.insert(dims.begin(), b.dim(1));
  }
  return b.reshape(x, dims);
}

/// Added to the scores: 0 and -infinity for a mask of bools.
static Value additiveMask(PrimBuilder &b, Value mask, Value query) {
  Type element = getElement(query);
  if (categoryOf(getElement(mask)) == Category::Bool) {
    Value hidden = b.constant(-std::numeric_limits<double>::infinity(), element);
    mask = b.select(mask, b.constant(0.0, element), hidden);
  }
  mask = b.convert(mask, element);
  Dims q = dimsOf(query), m = dimsOf(mask);
  while (m.size() < q.size()) {
    m.insert(m.begin(), b.dim(1));
  }
  mask = b.reshape(mask, m);
  if (q.size() > 4) {
    // Leading dims merge with the query's, so they must have its sizes.
    for (size_t i = 0; i + 3 < q.size(); ++i) {
      m[i] = q[i];
    }
    mask = b.broadcast(mask, m);
  }
  return withFourDims(b, mask);
}

/// Key or value with the query's batch dims where it has 1.
static Value likeQuery(PrimBuilder &b, Value x, Value query, bool sharesHeads) {
  Dims dims = dimsOf(x), q = dimsOf(query);
  for (size_t i = 0; i + 2 < dims.size(); ++i) {
    bool isHead = i + 3 == dims.size() && dims.size() >= 4;
    dims[i] = getStatic(dims[i]) == 1 && !(isHead && sharesHeads) ? q[i] : dims[i];
  }
  return b.broadcast(x, dims);
}

/// query key^T * scale + mask, with keys after the row's own left out if `causal`.
static Value attentionScores(PrimBuilder &b, Value query, Value key, Value added, double factor, bool causal) {
  int64_t rank = dimsOf(query).size();
  Value scores = b.mul(b.matmul(query, b.swapDims(key, rank - 2, rank - 1)), factor);
  if (added) {
    scores = b.add(scores, added);
  }
  if (causal) {
    Dims dims = dimsOf(scores), plane{dims[rank - 2], dims[rank - 1]};
    Value seen = b.compare(prims::Predicate::Le, b.iotaAlong(plane, 1, b.i64()), b.iotaAlong(plane, 0, b.i64()));
    scores = b.select(seen, scores, b.constant(-std::numeric_limits<double>::infinity(), getElement(scores)));
  }
  return scores;
}

/// [B, G, T, D] as [B, H, T, D], each head as often as query heads share it.
static Value withHeads(PrimBuilder &b, Value x, const Dim &heads) {
  Dims dims = dimsOf(x);
  if (equal(dims[1], heads)) {
    return x;
  }
  Dims shared = dims, merged = dims;
  shared.insert(shared.begin() + 2, simplify(heads.floorDiv(dims[1])));
  merged[1] = heads;
  return b.reshape(b.broadcast(b.unsqueeze(x, 2), shared), merged);
}

/// Attention with the scores' matrix written out. A row that sees no key gives 0.
static Value attendInSteps(PrimBuilder &b, Value query, Value key, Value value, Value added, double factor, bool causal) {
  Dim heads = dimsOf(query)[1];
  Value scores = attentionScores(b, query, withHeads(b, key, heads), added, factor, causal);
  Value largest = b.reduce(prims::Reducer::Max, scores, {3}, /*keepdim=*/true);
  Value none = b.compare(prims::Predicate::Eq, largest, -std::numeric_limits<double>::infinity());
  Value weights = b.exp(b.sub(scores, b.select(none, b.constant(0.0, getElement(scores)), largest)));
  Value sum = b.reduce(prims::Reducer::Sum, weights, {3}, /*keepdim=*/true);
  return b.matmul(b.div(weights, b.select(none, b.constant(1.0, getElement(scores)), sum)), withHeads(b, value, heads));
}

static Value attend(PrimBuilder &b, Operation *op, Value query, Value key, Value value, Value mask, bool causal,
                    std::optional<APFloat> scale, bool sharesHeads) {
  std::optional<int64_t> size = getStatic(dimsOf(query).back());
  if (!scale && !size) {
    op->emitOpError("needs a scale: the size of a head isn't known when compiling");
    return {};
  }
  double factor = scale ? scale->convertToDouble() : 1.0 / std::sqrt(static_cast<double>(*size));
  // Halves are computed in float32; only the result is rounded, as in eager.
  Type element = getElement(query), compute = b.opmath(element);
  query = b.convert(query, compute), key = b.convert(key, compute), value = b.convert(value, compute);
  Value added = mask ? additiveMask(b, mask, query) : Value();
  Value q = withFourDims(b, query), k = withFourDims(b, likeQuery(b, key, query, sharesHeads)),
        v = withFourDims(b, likeQuery(b, value, query, sharesHeads));
  Dims dims = dimsOf(q);
  dims.back() = dimsOf(v).back();
  // The attention kernel is for float32; others would compute each score once a column of the result.
  Value y = compute.isF32() ? prims::AttentionOp::create(b.builder, b.loc, getTensorType(dims, compute), q, k, v, added,
                                                         b.builder.getF64FloatAttr(factor), b.builder.getBoolAttr(causal))
                            : attendInSteps(b, q, k, v, added, factor, causal);
  return b.convert(b.reshape(y, resultDims(op)), element);
}

static Value attention(PrimBuilder &b, aten::ScaledDotProductAttentionOp op) {
  if (op.getDropoutP().convertToDouble() != 0.0) {
    op.emitOpError("has dropout; export the module in eval mode");
    return {};
  }
  return attend(b, op, op.getQuery(), op.getKey(), op.getValue(), op.getAttnMask(), op.getIsCausal(), op.getScale(), op.getEnableGqa());
}

/// The second result is what the gradient needs; it is removed where nothing reads it.
static Decompositions::Results flashAttention(PrimBuilder &b, aten::FlashAttentionOp op) {
  Value y = attend(b, op, op.getQuery(), op.getKey(), op.getValue(), op.getAttnMask(), op.getIsCausal(), op.getScale(), false);
  if (!y) {
    return {};
  }
  Type compute = b.opmath(getElement(op.getQuery()));
  Value q = b.convert(op.getQuery(), compute), k = b.convert(op.getKey(), compute);
  int64_t rank = dimsOf(q).size();
  std::optional<APFloat> scale = op.getScale();
  double factor = scale ? scale->convertToDouble() : 1.0 / std::sqrt(static_cast<double>(getStatic(dimsOf(q).back()).value_or(1)));
  Value added = op.getAttnMask() ? additiveMask(b, op.getAttnMask(), q) : Value();
  Value scores = attentionScores(b, q, k, added, factor, op.getIsCausal());
  Value max = b.reduce(prims::Reducer::Max, scores, {rank - 1}, /*keepdim=*/true);
  Value sum = b.sum(b.exp(b.sub(scores, max)), {rank - 1});
  Value logsumexp = b.add(b.unary<prims::LogOp>(sum), b.squeeze(max, rank - 1));
  return {y, b.convert(logsumexp, getElement(op.getLogsumexp()))};
}

void addStructuredDecompositions(Decompositions &d) {
  d.add<aten::ConvolutionOp, convolution>();
  d.add<aten::ConvolutionPaddedOp, convolutionPadded>();
  d.add<aten::ScaledDotProductAttentionOp, attention>();
  d.addMany<aten::FlashAttentionOp, flashAttention>();
}

} // namespace graphmill
