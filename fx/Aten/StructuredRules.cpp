#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

SmallVector<int64_t> expandInts(ArrayRef<int64_t> values, size_t n) {
  return values.size() == 1 ? SmallVector<int64_t>(n, values[0]) : SmallVector<int64_t>(values);
}

LogicalResult linear(Rule &r, Value input, Value weight, Value bias) {
  Dims in = dimsOf(input), w = dimsOf(weight);
  if (w.size() != 2 && w.size() != 1) { // linear.c1
    return r.error() << "weight is " << toString(w) << ", expected [out, in]";
  }
  if (in.empty() || (getStatic(in.back()) && getStatic(w.back()) && in.back() != w.back())) { // linear.c2
    return r.error() << "input is " << toString(in) << ", weight is " << toString(w)
                     << "; input's last dim must equal weight's last";
  }
  Dims result(ArrayRef(in).drop_back());
  if (w.size() == 2) {
    result.push_back(w[0]);
  }
  if (bias) { // linear.c3
    Dims b = dimsOf(bias);
    if (b.size() > 1 || (!b.empty() && w.size() == 2 && getStatic(b[0]) && getStatic(b[0]) != 1 && b[0] != w[0])) {
      return r.error() << "bias is " << toString(b) << ", expected [" << toString(w[0]) << "]";
    }
  }
  return r.result(result, getElement(input));
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

LogicalResult pooling(Rule &r, Value self, ArrayRef<int64_t> kernel, ArrayRef<int64_t> stride,
                      ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode) {
  Dims dims = dimsOf(self);
  size_t n = kernel.size() == 1 ? std::max({size_t(1), stride.size(), padding.size(), dilation.size()}) : kernel.size();
  if (dims.size() < n + 1) {
    return r.error() << "self is " << toString(dims) << ", expected " << n << " spatial dims after the channels";
  }
  SmallVector<int64_t> k = expandInts(kernel, n), s = expandInts(stride.empty() ? kernel : stride, n),
                       p = expandInts(padding, n), d = expandInts(dilation, n);
  for (size_t i = 0; i < n; ++i) {
    if (k[i] < 1 || s[i] < 1 || d[i] < 1 || p[i] < 0 || 2 * p[i] > k[i]) {
      return r.error() << "kernel, stride and dilation must be positive, padding at most half the kernel";
    }
    Dim &size = dims[dims.size() - n + i];
    Dim span = size + (2 * p[i] - d[i] * (k[i] - 1) - 1);
    Dim out = simplify((ceilMode ? span + (s[i] - 1) : span).floorDiv(s[i]) + 1);
    if (std::optional<int64_t> known = getStatic(out); ceilMode && known && getStatic(size)) {
      // The last window must start inside the input or its left padding.
      if ((*known - 1) * s[i] >= *getStatic(size) + p[i]) {
        out = out - 1;
      }
    }
    if (getStatic(out) && *getStatic(out) < 1) {
      return r.error() << "the window is larger than the padded input at spatial dim " << i;
    }
    size = simplify(out);
  }
  return r.result(dims, getElement(self));
}

LogicalResult adaptivePool(Rule &r, Value self, ArrayRef<Dim> size) {
  Dims dims = dimsOf(self);
  if (dims.size() < size.size() + 1) {
    return r.error() << "self is " << toString(dims) << ", too few dims for an output of "
                     << toString(size);
  }
  for (auto [i, want] : llvm::enumerate(size)) {
    if (getStatic(want) != -1) {
      dims[dims.size() - size.size() + i] = want;
    }
  }
  return r.result(dims, getElement(self));
}

} // namespace graphmill::aten::rules
