#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

SmallVector<int64_t> expandInts(ArrayRef<int64_t> values, size_t n) {
  return values.size() == 1 ? SmallVector<int64_t>(n, values[0]) : SmallVector<int64_t>(values);
}

LogicalResult convolution(Rule &r, const ConvolutionShape &s) {
  Dims in = dimsOf(s.input), w = dimsOf(s.weight);
  if (w.size() < 3 || (in.size() != w.size() && in.size() + 1 != w.size())) {
    return r.error() << "input is " << toString(in) << ", weight is " << toString(w)
                     << "; expected [N, C, …] or [C, …] and [O, C / groups, …]";
  }
  size_t spatial = w.size() - 2;
  bool batched = in.size() == w.size();
  Dim channels = in[batched ? 1 : 0];
  if (s.groups < 1) {
    return r.error() << "groups is " << s.groups << ", expected at least 1";
  }
  Dim wanted = s.transposed ? w[0] : simplify(w[1] * s.groups);
  if (getStatic(channels) && getStatic(wanted) && channels != wanted) {
    return r.error() << "input has " << toString(channels) << " channels, weight "
                     << toString(w) << " with groups = " << s.groups << " takes "
                     << toString(wanted);
  }
  SmallVector<int64_t> stride = expandInts(s.stride, spatial);
  SmallVector<int64_t> padding = expandInts(s.padding, spatial);
  SmallVector<int64_t> dilation = expandInts(s.dilation, spatial);
  SmallVector<int64_t> outputPadding = expandInts(s.outputPadding, spatial);
  for (const auto &list : {stride, padding, dilation, outputPadding}) {
    if (list.size() != spatial) {
      return r.error() << "stride, padding, dilation and output_padding need 1 or " << spatial
                       << " numbers, one has " << list.size();
    }
  }
  Dims result;
  if (batched) {
    result.push_back(in[0]);
  }
  result.push_back(s.transposed ? simplify(w[1] * s.groups) : w[0]);
  for (size_t i = 0; i < spatial; ++i) {
    Dim size = in[(batched ? 2 : 1) + i];
    std::optional<int64_t> k = getStatic(w[2 + i]);
    if (!k || stride[i] < 1 || dilation[i] < 1 || padding[i] < 0) {
      return r.error() << "kernel sizes must be known, strides and dilations positive and paddings not negative";
    }
    int64_t reach = dilation[i] * (*k - 1);
    Dim out = s.transposed
                  ? (size - 1) * stride[i] - 2 * padding[i] + reach + outputPadding[i] + 1
                  : (size + (2 * padding[i] - reach - 1)).floorDiv(stride[i]) + 1;
    out = simplify(out);
    if (getStatic(out) && *getStatic(out) < 0) {
      return r.error() << "the kernel is larger than the padded input at spatial dim " << i;
    }
    result.push_back(out);
  }
  return r.result(result, getElement(s.input));
}

LogicalResult convolutionPadded(Rule &r, Value input, Value weight, ArrayRef<int64_t> stride, StringRef padding,
                                ArrayRef<int64_t> dilation, int64_t groups) {
  if (padding != "valid" && padding != "same") {
    return r.error() << "padding is \"" << padding << "\", expected \"valid\", \"same\" or numbers";
  }
  SmallVector<int64_t> pad{0};
  if (padding == "same") {
    for (int64_t s : stride) {
      if (s != 1) {
        return r.error() << "padding \"same\" needs stride 1, got " << s;
      }
    }
    // Half the reach at both sides, rounded up; what is too much is cut off below.
    Dims w = dimsOf(weight);
    size_t spatial = w.size() < 2 ? 0 : w.size() - 2;
    SmallVector<int64_t> d = expandInts(dilation, spatial);
    pad.assign(spatial, 0);
    for (size_t i = 0; i < spatial && i < d.size(); ++i) {
      pad[i] = (d[i] * (getStatic(w[2 + i]).value_or(1) - 1) + 1) / 2;
    }
  }
  if (failed(convolution(r, {input, weight, stride, pad, dilation, {0}, false, groups})) || padding == "valid") {
    return failure(r.types.empty());
  }
  Dims dims = dimsOf(cast<RankedTensorType>(r.types.back())), in = dimsOf(input);
  for (size_t i = 0; i < pad.size(); ++i) {
    dims[dims.size() - 1 - i] = in[in.size() - 1 - i];
  }
  r.types.back() = getTensorType(dims, getElement(input));
  return success();
}

LogicalResult attention(Rule &r, Value query, Value key, Value value) {
  Dims q = dimsOf(query), k = dimsOf(key), v = dimsOf(value);
  if (q.size() < 2 || q.size() != k.size() || k.size() != v.size()) { // attention.c1
    return r.error() << "query, key and value are " << toString(q) << ", " << toString(k) << " and " << toString(v)
                     << "; expected one rank, at least 2";
  }
  if (getStatic(q.back()) && getStatic(k.back()) && q.back() != k.back()) { // attention.c2
    return r.error() << "query's last size is " << toString(q.back()) << ", key's is " << toString(k.back());
  }
  if (failed(requireFloats(r, {query, key, value}))) { // attention.c3
    return failure();
  }
  q.back() = v.back();
  return r.result(q, getElement(query));
}

LogicalResult flashAttention(Rule &r, Value query, Value key, Value value) {
  if (failed(attention(r, query, key, value))) {
    return failure();
  }
  Dims rows(ArrayRef(dimsOf(query)).drop_back());
  Type element = getElement(query);
  return r.result(rows, element.getIntOrFloatBitWidth() < 32 ? Type(Float32Type::get(r.context)) : element);
}

LogicalResult multiHeadAttention(Rule &r, Value query, Value key, Value value, int64_t heads) {
  Dims q = dimsOf(query), k = dimsOf(key), v = dimsOf(value);
  if (q.size() != 3 || k.size() != 3 || v.size() != 3) { // multi_head_attention.c1
    return r.error() << "query, key and value are " << toString(q) << ", " << toString(k) << " and " << toString(v)
                     << "; expected [batch, length, width]";
  }
  if (failed(requireFloats(r, {query, key, value}))) {
    return failure();
  }
  std::optional<int64_t> width = getStatic(q.back());
  if (heads < 1 || !width || *width % heads != 0) { // multi_head_attention.c2
    return r.error() << "has " << heads << " heads, which must divide the last dim, " << toString(q.back());
  }
  return r.result(q, getElement(query));
}

LogicalResult attentionWithWeights(Rule &r, Value query, Value key, Value value, int64_t heads, bool needsWeights, bool averages) {
  if (failed(multiHeadAttention(r, query, key, value, heads))) {
    return failure();
  }
  Dims weights{constantDim(r.context, 0)};
  if (needsWeights) {
    weights = {dimsOf(query)[0], dimsOf(query)[1], dimsOf(key)[1]};
  }
  if (needsWeights && !averages) {
    weights.insert(weights.begin() + 1, constantDim(r.context, heads));
  }
  return r.result(weights, getElement(query));
}

LogicalResult recurrent(Rule &r, Value input, ValueRange states, bool bidirectional) {
  Dims in = dimsOf(input);
  if (states.empty() || in.size() < 2 || dimsOf(states[0]).empty()) {
    return r.error() << "input is " << toString(in) << ", expected [time, batch, size] and an initial state";
  }
  if (!isFloat(getElement(input))) {
    return r.error() << "input is " << dtypeName(getElement(input)) << ", expected floats";
  }
  // Projections (proj_size) make the hidden state smaller than the cell: its size counts.
  Dim hidden = dimsOf(states[0]).back();
  in.back() = bidirectional ? simplify(hidden * 2) : hidden;
  (void)r.result(in, getElement(input));
  for (Value state : states) {
    (void)r.result(dimsOf(state), getElement(state));
  }
  return success();
}

LogicalResult cells(Rule &r, ValueRange states) {
  for (Value state : states) {
    if (!isFloat(getElement(state))) {
      return r.error() << "the state is " << dtypeName(getElement(state)) << ", expected floats";
    }
    (void)r.result(dimsOf(state), getElement(state));
  }
  return success();
}

} // namespace graphmill::aten::rules
