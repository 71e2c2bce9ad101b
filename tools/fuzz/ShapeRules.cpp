#include "tools/fuzz/GraphGenerator.h"

using namespace mlir;

namespace graphmill::fuzz {

std::optional<GraphGenerator::Node> GraphGenerator::broadcast() {
  Node &node = pickNode();
  Dims from = dimsOf(node.value), to;
  SmallVector<int64_t> map;
  for (Dim d : from) {
    if (to.size() + from.size() < 6 && chance(30)) {
      to.push_back(randomDim());
    }
    map.push_back(to.size());
    to.push_back(getStatic(d) == 1 && chance(60) ? randomDim() : d);
  }
  if (to.size() < 6 && chance(40)) {
    to.push_back(randomDim());
  }
  if (!isSmall(to) || to == from) {
    return std::nullopt;
  }
  return Node{make<prims::BroadcastOp>(to, getElement(node.value), node.value, map), node.exact};
}

std::optional<GraphGenerator::Node> GraphGenerator::reshape() {
  Node &node = pickNode();
  Dims from = dimsOf(node.value), to;
  switch (below(4)) {
  case 0: // all in one
    to.push_back(product(context, from));
    break;
  case 1: // two neighbours in one
    if (from.size() < 2) {
      return std::nullopt;
    }
    to = from;
    for (size_t at = below(from.size() - 1);;) {
      to[at] = simplify(to[at] * to[at + 1]);
      to.erase(to.begin() + at + 1);
      break;
    }
    break;
  case 2: // one split
    for (Dim d : from) {
      std::optional<int64_t> size = getStatic(d);
      int64_t factor = pick<int64_t>({2, 3, 4});
      if (size && *size % factor == 0 && to.size() < 5 && chance(70)) {
        to.push_back(dim(factor));
        to.push_back(dim(*size / factor));
      } else {
        to.push_back(d);
      }
    }
    break;
  default: // dims of 1 come and go
    for (Dim d : from) {
      if (chance(25)) {
        to.push_back(dim(1));
      }
      if (getStatic(d) != 1 || chance(50)) {
        to.push_back(d);
      }
    }
    break;
  }
  if (to == from || to.size() > 6) {
    return std::nullopt;
  }
  return Node{make<prims::ReshapeOp>(to, getElement(node.value), node.value), node.exact};
}

std::optional<GraphGenerator::Node> GraphGenerator::transpose() {
  Node &node = pickNode();
  Dims from = dimsOf(node.value), to;
  if (from.size() < 2) {
    return std::nullopt;
  }
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, from.size()));
  for (size_t i = perm.size() - 1; i > 0; --i) {
    std::swap(perm[i], perm[below(i + 1)]);
  }
  for (int64_t p : perm) {
    to.push_back(from[p]);
  }
  return Node{make<prims::TransposeOp>(to, getElement(node.value), node.value, perm), node.exact};
}

std::optional<GraphGenerator::Node> GraphGenerator::slice() {
  Node &node = pickNode();
  Dims from = dimsOf(node.value), to = from;
  SmallVector<AffineExpr> starts(from.size(), dim(0));
  SmallVector<int64_t> steps(from.size(), 1);
  bool any = false;
  for (size_t i = 0; i < from.size(); ++i) {
    std::optional<int64_t> size = getStatic(from[i]);
    if (!chance(50)) {
      continue;
    }
    if (size && *size > 1) {
      int64_t start = below(*size), step = 1 + below(3);
      starts[i] = dim(start);
      steps[i] = step;
      to[i] = dim(1 + below((*size - start - 1) / step + 1));
      any = true;
    } else if (!size && sizeOf(from[i]) > 1) { // the first dropped; sizes are at least 1 elsewhere
      starts[i] = dim(1);
      to[i] = simplify(from[i] - 1);
      any = true;
    }
  }
  if (!any) {
    return std::nullopt;
  }
  return Node{make<prims::SliceOp>(to, getElement(node.value), node.value, fx::DimsAttr::get(context, starts), steps), node.exact};
}

std::optional<GraphGenerator::Node> GraphGenerator::pad() {
  Node &node = pickNode();
  Dims from = dimsOf(node.value), to;
  SmallVector<AffineExpr> low;
  if (from.empty()) {
    return std::nullopt;
  }
  for (Dim d : from) {
    int64_t before = chance(50) ? 0 : static_cast<int>(below(4)) - 1, after = chance(50) ? 0 : static_cast<int>(below(4)) - 1;
    if (sizeOf(d) + before + after < 1 || sizeOf(d) < 2) {
      before = std::max<int64_t>(before, 0);
      after = std::max<int64_t>(after, 0);
    }
    low.push_back(dim(before));
    to.push_back(simplify(d + before + after));
  }
  Value fill = constant({}, getElement(node.value), below(2));
  return Node{make<prims::PadOp>(to, getElement(node.value), node.value, fill, fx::DimsAttr::get(context, low)), node.exact};
}

std::optional<GraphGenerator::Node> GraphGenerator::concatenate() {
  Node node = pickNode();
  Dims dims = dimsOf(node.value);
  if (dims.empty()) {
    return std::nullopt;
  }
  size_t at = below(dims.size());
  SmallVector<Value> parts{node.value};
  bool exact = node.exact;
  for (unsigned i = 1 + below(2); i > 0; --i) {
    Node other = partnerOf(node);
    parts.push_back(other.value);
    exact &= other.exact;
  }
  Dim total = dim(0);
  for (Value part : parts) {
    total = total + dimOf(part, at);
  }
  dims[at] = simplify(total);
  return Node{make<prims::ConcatenateOp>(dims, getElement(node.value), parts, at), exact};
}

std::optional<GraphGenerator::Node> GraphGenerator::reverse() {
  Node &node = pickNode();
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i < rankOf(node.value); ++i) {
    if (chance(50)) {
      dims.push_back(i);
    }
  }
  if (dims.empty()) {
    return std::nullopt;
  }
  return Node{make<prims::ReverseOp>(dimsOf(node.value), getElement(node.value), node.value, dims), node.exact};
}

} // namespace graphmill::fuzz
