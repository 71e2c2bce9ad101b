#include "tools/fuzz/GraphGenerator.h"

using namespace mlir;

namespace graphmill::fuzz {

std::optional<GraphGenerator::Node> GraphGenerator::reduce() {
  Node &node = pickNode();
  Dims from = dimsOf(node.value), to;
  SmallVector<int64_t> dims;
  for (size_t i = 0; i < from.size(); ++i) {
    if (chance(50)) {
      dims.push_back(i);
    } else {
      to.push_back(from[i]);
    }
  }
  if (dims.empty()) {
    return std::nullopt;
  }
  using R = prims::Reducer;
  bool isBool = getElement(node.value).isInteger(1), real = isFloat(node.value);
  R reducer = isBool ? pick<R>({R::And, R::Or}) : pick<R>({R::Sum, R::Sum, R::Max, R::Min});
  bool exact = node.exact && !(real && reducer == R::Sum);
  return Node{make<prims::ReduceOp>(to, getElement(node.value), reducer, node.value, dims), exact};
}

std::optional<GraphGenerator::Node> GraphGenerator::argReduce() {
  Node &node = pickNode();
  Dims dims = dimsOf(node.value);
  if (!node.exact || dims.empty() || getElement(node.value).isInteger(1)) {
    return std::nullopt;
  }
  int64_t at = below(dims.size());
  if (sizeOf(dims[at]) == 0) {
    return std::nullopt; // no element is the largest
  }
  dims.erase(dims.begin() + at);
  prims::Reducer reducer = chance(50) ? prims::Reducer::Max : prims::Reducer::Min;
  return Node{make<prims::ArgReduceOp>(dims, builder.getI64Type(), reducer, node.value, at), true};
}

std::optional<GraphGenerator::Node> GraphGenerator::reduceWindow() {
  Node &node = pickNode();
  Dims dims = dimsOf(node.value);
  size_t spatial = 1 + below(2);
  if (dims.size() < spatial || getElement(node.value).isInteger(1)) {
    return std::nullopt;
  }
  SmallVector<int64_t> window, strides, padding, dilation;
  for (size_t i = dims.size() - spatial; i < dims.size(); ++i) {
    std::optional<int64_t> size = getStatic(dims[i]);
    if (size.value_or(0) == 0) {
      return std::nullopt;
    }
    int64_t w = 1 + below(3), s = 1 + below(2), d = 1 + below(2), p = below(w);
    int64_t count = (*size + 2 * p - d * (w - 1) - 1) / s + 1;
    if (*size + 2 * p < d * (w - 1) + 1) {
      return std::nullopt;
    }
    window.push_back(w);
    strides.push_back(s);
    padding.push_back(p);
    dilation.push_back(d);
    dims[i] = dim(count);
  }
  using R = prims::Reducer;
  R reducer = pick<R>({R::Sum, R::Max, R::Min});
  return Node{make<prims::ReduceWindowOp>(dims, getElement(node.value), reducer, node.value, window, strides, padding, dilation),
              node.exact && (!isFloat(node.value) || reducer != R::Sum)};
}

std::optional<GraphGenerator::Node> GraphGenerator::scan() {
  Node &node = pickNode();
  if (rankOf(node.value) == 0 || getElement(node.value).isInteger(1)) {
    return std::nullopt;
  }
  using R = prims::Reducer;
  R reducer = pick<R>({R::Sum, R::Max, R::Min});
  Value y = make<prims::ScanOp>(dimsOf(node.value), getElement(node.value), reducer, node.value, below(rankOf(node.value)));
  return Node{y, node.exact && (!isFloat(node.value) || reducer != R::Sum)};
}

std::optional<GraphGenerator::Node> GraphGenerator::sort() {
  Node &node = pickNode();
  if (rankOf(node.value) == 0 || !node.exact || getElement(node.value).isInteger(1)) {
    return std::nullopt;
  }
  Dims dims = dimsOf(node.value);
  auto op = prims::SortOp::create(builder, builder.getUnknownLoc(), node.value.getType(),
                                  getTensorType(dims, builder.getI64Type()), node.value, below(dims.size()), chance(50));
  return Node{op.getResult(chance(50)), true};
}

Value GraphGenerator::indices(int64_t bound, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> values;
  for (int64_t i = eval::count(shape); i > 0; --i) {
    values.push_back(below(bound));
  }
  return constant(shape, builder.getI64Type(), values);
}

std::optional<GraphGenerator::Node> GraphGenerator::index() {
  Node &node = pickNode();
  Dims from = dimsOf(node.value);
  if (from.empty()) {
    return std::nullopt;
  }
  int64_t at = below(from.size());
  std::optional<int64_t> size = getStatic(from[at]);
  if (size.value_or(0) == 0) {
    return std::nullopt;
  }
  SmallVector<int64_t> shape;
  for (unsigned rank = below(3); rank > 0; --rank) {
    shape.push_back(1 + below(5));
  }
  Dims to;
  for (int64_t s : shape) {
    to.push_back(dim(s));
  }
  for (size_t i = 0; i < from.size(); ++i) {
    if (static_cast<int64_t>(i) != at) {
      to.push_back(from[i]);
    }
  }
  Value places = indices(*size, shape);
  return Node{make<prims::IndexOp>(to, getElement(node.value), node.value, ValueRange(places), ArrayRef<int64_t>(at)), node.exact};
}

std::optional<GraphGenerator::Node> GraphGenerator::scatter() {
  Node node = pickNode();
  Dims dims = dimsOf(node.value);
  auto type = cast<RankedTensorType>(node.value.getType());
  if (dims.empty() || !type.hasStaticShape() || getElement(node.value).isInteger(1)) {
    return std::nullopt;
  }
  int64_t at = below(dims.size());
  if (type.getDimSize(at) == 0) {
    return std::nullopt;
  }
  Value places = indices(type.getDimSize(at), type.getShape());
  if (chance(50)) {
    return Node{make<prims::GatherOp>(dims, getElement(node.value), node.value, places, at), node.exact};
  }
  Node values = partnerOf(node);
  using C = prims::Combiner;
  C combiner = pick<C>({C::Set, C::Add, C::Max});
  bool exact = node.exact && values.exact && (!isFloat(node.value) || combiner != C::Add);
  return Node{make<prims::ScatterOp>(dims, getElement(node.value), combiner, node.value, places, values.value, at), exact};
}

std::optional<GraphGenerator::Node> GraphGenerator::matmul() {
  Node &node = pickNode();
  Dims a = dimsOf(node.value);
  Type element = getElement(node.value);
  if (a.size() < 2 || element.isInteger(1) || element.isUnsignedInteger()) {
    return std::nullopt;
  }
  // One right side for all batches, or one each.
  Dims b, result = a;
  if (chance(50)) {
    b.append(a.begin(), a.end() - 2);
  }
  b.push_back(a.back());
  b.push_back(randomDim());
  result.back() = b.back();
  if (!isSmall(b) || !isSmall(result)) {
    return std::nullopt;
  }
  Node other = addWeight(b, element);
  return Node{make<prims::MatmulOp>(result, element, node.value, other.value), !isFloat(node.value)};
}

std::optional<GraphGenerator::Node> GraphGenerator::convolution() {
  Node &node = pickNode();
  Dims x = dimsOf(node.value);
  if (x.size() < 3 || x.size() > 4 || !isFloat(node.value)) {
    return std::nullopt;
  }
  std::optional<int64_t> channels = getStatic(x[1]);
  if (channels.value_or(0) == 0) {
    return std::nullopt;
  }
  int64_t groups = chance(50) ? 1 : chance(50) ? *channels : (*channels % 2 == 0 ? 2 : 1);
  bool transposed = chance(30);
  int64_t outputs = groups * pick<int64_t>({1, 1, 2, 3, 8, 16, 17});
  SmallVector<int64_t> stride, padding, dilation, extra;
  Dims w = transposed ? Dims{dim(*channels), dim(outputs / groups)} : Dims{dim(outputs), dim(*channels / groups)};
  Dims y{x[0], dim(outputs)};
  for (size_t i = 2; i < x.size(); ++i) {
    std::optional<int64_t> size = getStatic(x[i]);
    if (size.value_or(0) == 0) {
      return std::nullopt;
    }
    int64_t k = 1 + below(3), s = 1 + below(2), d = 1 + below(2), p = below(k), span = d * (k - 1) + 1;
    int64_t out = transposed ? (*size - 1) * s - 2 * p + span : (*size + 2 * p - span) / s + 1;
    if (out < 1 || (!transposed && *size + 2 * p < span)) {
      return std::nullopt;
    }
    stride.push_back(s);
    padding.push_back(p);
    dilation.push_back(d);
    extra.push_back(0);
    w.push_back(dim(k));
    y.push_back(dim(out));
  }
  if (!isSmall(w) || !isSmall(y)) {
    return std::nullopt;
  }
  Type element = getElement(node.value);
  Value input = node.value;
  // Zeros around the input times an infinite weight: eager has NaN there or not, as its algorithm goes.
  bool wasSpecial = std::exchange(isSpecial, false);
  Node weight = addWeight(w, element);
  isSpecial = wasSpecial;
  return Node{make<prims::ConvolutionOp>(y, element, input, weight.value, stride, padding, dilation, transposed, extra, groups), false};
}

std::optional<GraphGenerator::Node> GraphGenerator::attention() {
  Node &node = pickNode();
  Dims query = dimsOf(node.value);
  Type element = getElement(node.value);
  if (query.size() != 4 || !isFloat(node.value) || sizeOf(query[3]) == 0) {
    return std::nullopt;
  }
  // Heads may share keys.
  std::optional<int64_t> heads = getStatic(query[1]);
  Dim groups = heads && *heads > 0 && chance(50) ? dim(1) : query[1];
  Dims key{query[0], groups, randomDim(), query[3]}, value{query[0], groups, key[2], randomDim()}, result = query;
  result[3] = value[3];
  if (!isSmall(key) || !isSmall(value) || !isSmall({query[0], query[1], query[2], key[2]})) {
    return std::nullopt;
  }
  Value q = node.value, mask;
  Node k = addInput(key, element);
  // A key that is left out counts 0 times its value: eager has NaN for an infinite one or not, as its algorithm goes.
  bool wasSpecial = std::exchange(isSpecial, false);
  Node v = addInput(value, element);
  isSpecial = wasSpecial;
  if (chance(40)) {
    Dims all{query[0], query[1], query[2], key[2]};
    all.erase(all.begin(), all.begin() + below(3));
    mask = addInput(all, element).value;
  }
  return Node{make<prims::AttentionOp>(result, element, q, k.value, v.value, mask, builder.getF64FloatAttr(0.25),
                                       builder.getBoolAttr(chance(30))), false};
}

std::optional<GraphGenerator::Node> GraphGenerator::recurrent() {
  Node &node = pickNode();
  Dims gates = dimsOf(node.value);
  Type element = getElement(node.value);
  auto cell = static_cast<prims::Cell>(below(4));
  int64_t each = cell == prims::Cell::Lstm ? 4 : cell == prims::Cell::Gru ? 3 : 1;
  std::optional<int64_t> width = gates.size() == 3 ? getStatic(gates[2]) : std::nullopt;
  if (!element.isF32() || !width || *width == 0 || *width % each != 0 || sizeOf(gates[0]) == 0) { // eager refuses 0 steps
    return std::nullopt;
  }
  Dim units = dim(*width / each);
  Dims state{gates[1], units};
  Value in = node.value, weight = addWeight({gates[2], units}, element).value, bias, memory;
  if (chance(50)) {
    bias = addWeight({gates[2]}, element).value;
  }
  // Large ones would make chaos of the last bits.
  weight = pointwise<prims::DivOp>(weight, numberLike(weight, 16));
  Value hidden = addInput(state, element).value;
  Type output = getTensorType({gates[0], gates[1], units}, element), last = getTensorType(state, element), lastCell;
  if (cell == prims::Cell::Lstm) {
    memory = addInput(state, element).value;
    lastCell = last;
  }
  auto op = prims::RecurrentOp::create(builder, builder.getUnknownLoc(), output, last, lastCell, cell, in, weight, bias, hidden,
                                       memory, chance(30));
  return Node{chance(70) ? op.getOutput() : op.getLastHidden(), false};
}

} // namespace graphmill::fuzz
