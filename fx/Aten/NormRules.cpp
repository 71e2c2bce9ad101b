#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

LogicalResult layerNorm(Rule &r, Value input, ArrayRef<Dim> normalized) {
  if (failed(requireFloats(r, {input}))) {
    return failure();
  }
  Dims dims = dimsOf(input);
  if (normalized.empty() || normalized.size() > dims.size()) {
    return r.error() << "normalized_shape " << toString(normalized)
                     << " doesn't fit an input of sizes " << toString(dims);
  }
  for (auto [want, have] : llvm::zip(llvm::reverse(normalized), llvm::reverse(dims))) {
    if (getStatic(want) && getStatic(have) && want != have) {
      return r.error() << "input's last sizes in " << toString(dims)
                       << " must be normalized_shape " << toString(normalized);
    }
  }
  return r.result(dims, getElement(input));
}

/// Statistics of float16 and bfloat16 are float32, on CPUs.
static Type statisticsType(Value input) { return getElement(input); }

LogicalResult nativeLayerNorm(Rule &r, Value input, ArrayRef<Dim> normalized) {
  if (failed(layerNorm(r, input, normalized))) {
    return failure();
  }
  Dims dims = dimsOf(input);
  for (size_t i = 0; i < normalized.size(); ++i) {
    dims[dims.size() - 1 - i] = constantDim(r.context, 1);
  }
  (void)r.result(dims, statisticsType(input));
  return r.result(dims, statisticsType(input));
}

LogicalResult groupNorm(Rule &r, Value input, int64_t groups) {
  if (failed(requireFloats(r, {input}))) {
    return failure();
  }
  Dims dims = dimsOf(input);
  if (dims.size() < 2) {
    return r.error() << "input is " << toString(dims) << ", expected [N, C, …]";
  }
  std::optional<int64_t> channels = getStatic(dims[1]);
  if (groups < 1 || (channels && *channels % groups)) {
    return r.error() << toString(dims[1]) << " channels don't make " << groups << " groups";
  }
  return r.result(dims, getElement(input));
}

LogicalResult nativeGroupNorm(Rule &r, Value input, Dim n, int64_t groups) {
  if (failed(groupNorm(r, input, groups))) {
    return failure();
  }
  Dims statistics{n, constantDim(r.context, groups)};
  (void)r.result(statistics, statisticsType(input));
  return r.result(statistics, statisticsType(input));
}

LogicalResult nativeBatchNorm(Rule &r, Value input, bool training) {
  Dims dims = dimsOf(input);
  if (failed(requireFloats(r, {input}))) {
    return failure();
  }
  if (dims.size() < 2) {
    return r.error() << "input is " << toString(dims) << ", expected [N, C, …]";
  }
  (void)r.result(dims, getElement(input));
  Dims statistics{training ? dims[1] : constantDim(r.context, 0)};
  (void)r.result(statistics, statisticsType(input));
  return r.result(statistics, statisticsType(input));
}

LogicalResult weightNorm(Rule &r, Value v, Value g) {
  if (failed(requireFloats(r, {v, g}))) {
    return failure();
  }
  (void)r.result(dimsOf(v), getElement(v));
  return r.result(dimsOf(g), getElement(g));
}

} // namespace graphmill::aten::rules
