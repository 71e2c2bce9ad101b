#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

static FailureOr<Dims> pooledDims(Rule &r, const Pooling &p) {
  Dims dims = dimsOf(p.self);
  size_t n = p.spatial;
  if (dims.size() < n + 1) {
    return r.error() << "self is " << toString(dims) << ", expected " << n << " spatial dims after the channels";
  }
  SmallVector<int64_t> kernel = expandInts(p.kernel, n), stride = expandInts(p.stride.empty() ? p.kernel : p.stride, n),
                       padding = expandInts(p.padding, n), dilation = expandInts(p.dilation, n);
  for (const auto &list : {kernel, stride, padding, dilation}) {
    if (list.size() != n) {
      return r.error() << "kernel_size, stride, padding and dilation need 1 or " << n << " numbers, one has " << list.size();
    }
  }
  for (size_t i = 0; i < n; ++i) {
    if (kernel[i] < 1 || stride[i] < 1 || dilation[i] < 1 || padding[i] < 0 || 2 * padding[i] > kernel[i]) {
      return r.error() << "kernel, stride and dilation must be positive, padding at most half the kernel";
    }
    Dim &size = dims[dims.size() - n + i];
    Dim span = size + (2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1);
    Dim out = simplify((p.ceilMode ? span + (stride[i] - 1) : span).floorDiv(stride[i]) + 1);
    if (std::optional<int64_t> known = getStatic(out); p.ceilMode && known && getStatic(size)) {
      // The last window must start inside the input or its left padding.
      if ((*known - 1) * stride[i] >= *getStatic(size) + padding[i]) {
        out = out - 1;
      }
    }
    if (getStatic(out) && *getStatic(out) < 1) {
      return r.error() << "the window is larger than the padded input at spatial dim " << i;
    }
    size = simplify(out);
  }
  return dims;
}

LogicalResult pooling(Rule &r, const Pooling &p) {
  FailureOr<Dims> dims = pooledDims(r, p);
  return failed(dims) ? failure() : r.result(*dims, getElement(p.self));
}

LogicalResult poolingWithIndices(Rule &r, const Pooling &p) {
  FailureOr<Dims> dims = pooledDims(r, p);
  if (failed(dims)) {
    return failure();
  }
  (void)r.result(*dims, getElement(p.self));
  return r.result(*dims, IntegerType::get(r.context, 64));
}

/// One size stands for all spatial dims; -1 (None) keeps one.
static FailureOr<Dims> adaptedDims(Rule &r, Value self, int64_t spatial, ArrayRef<Dim> size) {
  Dims dims = dimsOf(self);
  if (static_cast<int64_t>(dims.size()) < spatial + 1 ||
      (size.size() != 1 && static_cast<int64_t>(size.size()) != spatial)) {
    return r.error() << "self is " << toString(dims) << ", it can't be pooled to " << toString(size);
  }
  for (int64_t i = 0; i < spatial; ++i) {
    Dim want = size.size() == 1 ? size[0] : size[i];
    if (getStatic(want) != -1) {
      dims[dims.size() - spatial + i] = want;
    }
  }
  return dims;
}

LogicalResult adaptivePool(Rule &r, Value self, int64_t spatial, ArrayRef<Dim> size) {
  if (failed(requireFloats(r, {self}))) {
    return failure();
  }
  FailureOr<Dims> dims = adaptedDims(r, self, spatial, size);
  return failed(dims) ? failure() : r.result(*dims, getElement(self));
}

LogicalResult adaptiveMaxPool(Rule &r, Value self, int64_t spatial, ArrayRef<Dim> size) {
  FailureOr<Dims> dims = adaptedDims(r, self, spatial, size);
  if (failed(dims)) {
    return failure();
  }
  (void)r.result(*dims, getElement(self));
  return r.result(*dims, IntegerType::get(r.context, 64));
}

LogicalResult upsample(Rule &r, Value input, int64_t spatial, std::optional<fx::DimsAttr> size,
                       std::optional<ArrayRef<double>> factors) {
  Dims dims = dimsOf(input);
  if (static_cast<int64_t>(dims.size()) != spatial + 2) {
    return r.error() << "input is " << toString(dims) << ", expected [N, C] and " << spatial << " spatial dims";
  }
  size_t given = size ? size->getExprs().size() : factors ? factors->size() : 0;
  if (static_cast<int64_t>(given) != spatial) {
    return r.error() << "needs output_size or scale_factors for " << spatial << " dims";
  }
  for (int64_t i = 0; i < spatial; ++i) {
    Dim &dim = dims[2 + i];
    if (size) {
      dim = size->getExprs()[i];
      continue;
    }
    double factor = (*factors)[i];
    if (std::optional<int64_t> known = getStatic(dim)) {
      dim = constantDim(r.context, static_cast<int64_t>(std::floor(*known * factor)));
    } else if (factor == std::floor(factor)) {
      dim = simplify(dim * static_cast<int64_t>(factor));
    } else if (1 / factor == std::floor(1 / factor)) {
      dim = simplify(dim.floorDiv(static_cast<int64_t>(1 / factor)));
    } else {
      return r.error() << "a factor of " << factor << " of a size that isn't known when compiling has no affine form";
    }
  }
  return r.result(dims, getElement(input));
}

LogicalResult gridSampler(Rule &r, Value input, Value grid) {
  Dims in = dimsOf(input), g = dimsOf(grid);
  if (in.size() != 4 || g.size() != 4 || getStatic(g[3]) != 2) { // grid_sampler.c1
    return r.error() << "input is " << toString(in) << ", grid is " << toString(g) << "; expected [N, C, H, W] and [N, h, w, 2]";
  }
  if (failed(requireFloats(r, {input, grid}))) {
    return failure();
  }
  return r.result({in[0], in[1], g[1], g[2]}, getElement(input));
}

LogicalResult affineGrid(Rule &r, Value theta, ArrayRef<Dim> size) {
  if (size.size() != 4 && size.size() != 5) {
    return r.error() << "size is " << toString(size) << ", expected [N, C, H, W] or [N, C, D, H, W]";
  }
  if (!isFloat(getElement(theta))) {
    return r.error() << "theta is " << dtypeName(getElement(theta)) << ", expected floats";
  }
  Dims dims{size[0]};
  dims.append(size.begin() + 2, size.end());
  dims.push_back(constantDim(r.context, size.size() - 2));
  return r.result(dims, getElement(theta));
}

} // namespace graphmill::aten::rules
