#include "fx/Eval/Call.h"

using namespace mlir;

namespace graphmill::eval {

/// The mask, read as [B, H, S, T].
static std::optional<HostTensor> broadcastMask(const HostTensor &mask, ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 0);
  if (mask.rank() > static_cast<int64_t>(shape.size())) {
    return std::nullopt;
  }
  size_t missing = shape.size() - mask.rank();
  for (int64_t i = 0; i < mask.rank(); ++i) {
    if (mask.shape[i] != 1 && mask.shape[i] != shape[missing + i]) {
      return std::nullopt;
    }
    strides[missing + i] = mask.shape[i] == 1 ? 0 : mask.strides[i];
  }
  return mask.view(shape, strides);
}

Results evaluateAttention(const Call &call) {
  auto op = cast<prims::AttentionOp>(call.op);
  const HostTensor &query = call.in[0], &key = call.in[1], &value = call.in[2];
  if (!isReal(query.dtype())) {
    return call.dtypeError();
  }
  if (query.rank() != 4 || key.rank() != 4 || value.rank() != 4) {
    return call.error("operands must have rank 4");
  }
  int64_t batches = query.shape[0], heads = query.shape[1], rows = query.shape[2], depth = query.shape[3];
  int64_t groups = key.shape[1], columns = key.shape[2], width = value.shape[3];
  if ((groups == 0 ? heads != 0 : heads % groups != 0) || key.shape != Shape{batches, groups, columns, depth} ||
      value.shape != Shape{batches, groups, columns, width} || call.shapes[0] != Shape{batches, heads, rows, width}) {
    return call.error("shapes don't match");
  }
  std::vector<double> mask;
  if (op.getMask()) {
    std::optional<HostTensor> full = broadcastMask(call.in[3], {batches, heads, rows, columns});
    if (!full) {
      return call.error("the mask doesn't broadcast to the scores");
    }
    mask = loadAll<double>(*full);
  }
  double scale = op.getScale().convertToDouble();
  std::vector<double> q = loadAll<double>(query), k = loadAll<double>(key), v = loadAll<double>(value);
  HostTensor result = call.allocate();
  std::vector<double> out(result.size(), 0.0), scores(columns);
  for (int64_t row = 0; row < batches * heads * rows; ++row) {
    int64_t i = row % rows, head = row / rows % heads, batch = row / rows / heads;
    int64_t group = batch * groups + head / (heads / groups);
    int64_t seen = op.getCausal() ? std::min(columns, i + 1) : columns;
    double largest = -std::numeric_limits<double>::infinity();
    for (int64_t j = 0; j < seen; ++j) {
      double score = 0;
      for (int64_t d = 0; d < depth; ++d) {
        score += q[row * depth + d] * k[(group * columns + j) * depth + d];
      }
      scores[j] = score * scale + (mask.empty() ? 0 : mask[row * columns + j]);
      largest = scores[j] != scores[j] ? scores[j] : std::max(largest, scores[j]);
    }
    if (largest == -std::numeric_limits<double>::infinity()) {
      continue; // no key is seen
    }
    double total = 0;
    for (int64_t j = 0; j < seen; ++j) {
      scores[j] = std::exp(scores[j] - largest);
      total += scores[j];
    }
    for (int64_t j = 0; j < seen; ++j) {
      for (int64_t e = 0; e < width; ++e) {
        out[row * width + e] += scores[j] / total * v[(group * columns + j) * width + e];
      }
    }
  }
  storeAll<double>(result, out);
  return single(result);
}

} // namespace graphmill::eval
