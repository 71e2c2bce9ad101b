#include "tools/fuzz/GraphGenerator.h"

using namespace mlir;

namespace graphmill::fuzz {

// No larger tensors: what goes wrong does so at vector widths and their neighbours.
constexpr int64_t kMaxElements = 6000;

uint64_t GraphGenerator::next() {
  // splitmix64
  uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

Dim GraphGenerator::randomDim() {
  if (!symbols.empty() && chance(40)) {
    Dim symbol = getAffineSymbolExpr(below(symbols.size()), context);
    return chance(80) ? symbol : simplify(symbol + 1);
  }
  return dim(chance(3) ? 0 : pick<int64_t>({1, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33}));
}

Type GraphGenerator::randomElement() {
  Type f32 = builder.getF32Type();
  return pick<Type>({f32, f32, f32, f32, f32, builder.getF64Type(), builder.getF16Type(), builder.getBF16Type(),
                     builder.getI64Type(), builder.getI32Type(), builder.getIntegerType(8),
                     IntegerType::get(context, 8, IntegerType::Unsigned), builder.getI1Type()});
}

int64_t GraphGenerator::sizeOf(Dim dim) {
  SmallVector<AffineExpr> values;
  for (int64_t symbol : symbols) {
    values.push_back(constantDim(context, symbol));
  }
  return *getStatic(simplify(dim.replaceSymbols(values)));
}

bool GraphGenerator::isSmall(ArrayRef<Dim> dims) {
  int64_t count = 1;
  for (Dim dim : dims) {
    count *= sizeOf(dim);
  }
  return count <= kMaxElements;
}

GraphGenerator::Node &GraphGenerator::pickNode() {
  // Later ones more often: chains, not bushes.
  size_t n = nodes.size();
  return nodes[chance(60) ? n - 1 - below(std::min<size_t>(n, 3)) : below(n)];
}

/// Small multiples of 1/4: exact in all dtypes, and so are their sums. In a special graph, one in
/// eight is none of these.
eval::HostTensor GraphGenerator::randomTensor(ArrayRef<int64_t> shape, Type element) {
  eval::HostTensor tensor = eval::HostTensor::allocate(shape, element);
  eval::withStorage(tensor.dtype(), [&](auto zero) {
    using S = decltype(zero);
    for (int64_t i = 0; i < tensor.size(); ++i) {
      S &to = tensor.mutableElements<S>()[i];
      double value = static_cast<int>(below(33)) - 16;
      if constexpr (std::is_integral_v<S>) {
        using Limits = std::numeric_limits<S>;
        to = isSpecial && chance(12) ? pick<S>({Limits::min(), Limits::max(), S(0), S(-1)}) : eval::convertElement<S>(value);
      } else {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        // 6e-8 is a denormal of float16, 1e-40 of float32 and bfloat16, 5e-324 of float64.
        double odd = pick<double>({std::nan(""), kInfinity, -kInfinity, -0.0, 6e-8, -1e-40, 5e-324});
        to = eval::convertElement<S>(isSpecial && chance(12) ? odd : value / 4);
      }
    }
  });
  return tensor;
}

GraphGenerator::Node GraphGenerator::addInput(ArrayRef<Dim> dims, Type element) {
  eval::Shape shape;
  for (Dim dim : dims) {
    shape.push_back(sizeOf(dim));
  }
  if (shape.size() > 1 && chance(25)) { // the user's tensor may lie in any order
    std::reverse(shape.begin(), shape.end());
    SmallVector<int64_t> perm(llvm::reverse(llvm::seq<int64_t>(0, shape.size())));
    inputs.push_back(randomTensor(shape, element).transpose(perm));
  } else {
    inputs.push_back(randomTensor(shape, element));
  }
  return {body->addArgument(getTensorType(dims, element), builder.getUnknownLoc()), true};
}

GraphGenerator::Node GraphGenerator::addWeight(ArrayRef<Dim> dims, Type element) {
  auto type = cast<RankedTensorType>(getTensorType(dims, element));
  if (!type.hasStaticShape() || element.isInteger(1) || chance(40)) {
    return addInput(dims, element);
  }
  eval::HostTensor value = randomTensor(type.getShape(), element);
  OpBuilder atModule = OpBuilder::atBlockEnd(module.getBody());
  std::string name = "w" + std::to_string(std::distance(module.getOps<fx::TensorOp>().begin(), module.getOps<fx::TensorOp>().end()));
  auto tensor = fx::TensorOp::create(atModule, builder.getUnknownLoc(), name, fx::TensorKind::Parameter,
                                     DenseElementsAttr::getFromRawBuffer(type, value.bytes()), fx::PackingAttr());
  return {fx::GetOp::create(builder, builder.getUnknownLoc(), type, tensor.getSymName()), true};
}

Value GraphGenerator::constant(ArrayRef<int64_t> shape, Type element, ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get(shape, element);
  SmallVector<Attribute> attrs;
  for (int64_t value : values) {
    if (auto real = dyn_cast<FloatType>(element)) {
      attrs.push_back(builder.getFloatAttr(real, static_cast<double>(value)));
    } else {
      attrs.push_back(IntegerAttr::get(element, APInt(64, value).trunc(element.getIntOrFloatBitWidth())));
    }
  }
  return prims::ConstantOp::create(builder, builder.getUnknownLoc(), type, DenseElementsAttr::get(type, attrs));
}

Value GraphGenerator::numberLike(Value like, int64_t value) {
  Value scalar = constant({}, getElement(like), value);
  return rankOf(like) == 0 ? scalar : make<prims::BroadcastOp>(dimsOf(like), getElement(like), scalar, ArrayRef<int64_t>());
}

Value GraphGenerator::convert(Value value, Type element) {
  return getElement(value) == element ? value : make<prims::ConvertOp>(dimsOf(value), element, value);
}

Value GraphGenerator::broadcastTo(Value value, ArrayRef<Dim> dims) {
  SmallVector<int64_t> map;
  for (size_t i = dims.size() - rankOf(value); i < dims.size(); ++i) {
    map.push_back(i);
  }
  return value.getType() == getTensorType(dims, getElement(value))
             ? value
             : make<prims::BroadcastOp>(dims, getElement(value), value, map);
}

GraphGenerator::Node GraphGenerator::partnerOf(const Node &node) {
  Dims dims = dimsOf(node.value);
  Type element = getElement(node.value);
  for (int attempt = 0; attempt < 4; ++attempt) {
    Node &other = nodes[below(nodes.size())];
    Dims from = dimsOf(other.value);
    bool fits = from.size() <= dims.size() && (getElement(other.value) == element || other.exact);
    for (size_t i = 0; fits && i < from.size(); ++i) {
      Dim to = dims[dims.size() - from.size() + i];
      fits = getStatic(from[i]) == 1 || equal(from[i], to);
    }
    if (fits) {
      ++other.uses;
      return {broadcastTo(convert(other.value, element), dims), other.exact};
    }
  }
  if (chance(50)) {
    return {numberLike(node.value, static_cast<int>(below(7)) - 3), true};
  }
  Dims small;
  for (Dim d : dims) {
    small.push_back(chance(40) ? dim(1) : d);
  }
  small.erase(small.begin(), small.begin() + below(small.size() + 1));
  Node input = addInput(small, element);
  return {broadcastTo(input.value, dims), true};
}

GeneratedGraph GraphGenerator::generate(unsigned numOps) {
  GeneratedGraph result;
  Location loc = builder.getUnknownLoc();
  result.module = ModuleOp::create(loc);
  module = *result.module;
  isSpecial = chance(20);
  body = new Block();
  builder.setInsertionPointToEnd(body);
  for (unsigned i = below(3); i > 0; --i) {
    symbols.push_back(chance(5) ? 0 : pick<int64_t>({1, 2, 3, 5, 8, 13}));
  }
  for (unsigned i = 1 + below(3); i > 0; --i) {
    Dims dims;
    for (unsigned rank = below(5); rank > 0; --rank) {
      dims.push_back(randomDim());
    }
    while (!isSmall(dims)) {
      dims.pop_back();
    }
    nodes.push_back(addInput(dims, randomElement()));
  }
  // Each symbol is told by an input.
  for (size_t i = 0; i < symbols.size(); ++i) {
    nodes.push_back(addInput({getAffineSymbolExpr(i, context), randomDim()}, builder.getF32Type()));
  }

  using G = GraphGenerator;
  static constexpr Rule kRules[] = {
      &G::unary,  &G::unary,     &G::unary,        &G::binary,  &G::binary, &G::binary, &G::compareSelect, &G::conversion,
      &G::broadcast, &G::reshape, &G::reshape,     &G::transpose, &G::slice, &G::pad,   &G::concatenate,   &G::reverse,
      &G::reduce, &G::reduce,    &G::argReduce,    &G::reduceWindow, &G::scan, &G::sort, &G::index,        &G::scatter,
      &G::matmul, &G::convolution, &G::softmax,    &G::attention, &G::recurrent};
  for (unsigned done = 0, tries = 0; done < numOps && tries < 20 * numOps; ++tries) {
    std::optional<Node> node = (this->*kRules[below(std::size(kRules))])();
    if (node && isSmall(dimsOf(node->value))) {
      nodes.push_back(*node);
      ++done;
    }
  }

  SmallVector<Attribute> names, roles, symbolAttrs;
  SmallVector<Value> outputs;
  for (const Node &node : nodes) {
    if (node.value.use_empty() && !isa<BlockArgument>(node.value)) {
      outputs.push_back(node.value);
      result.isExact.push_back(node.exact);
      roles.push_back(fx::RoleAttr::get(context, fx::RoleKind::Result, "y" + std::to_string(roles.size())));
    }
  }
  fx::OutputOp::create(builder, loc, outputs);
  for (size_t i = 0; i < inputs.size(); ++i) {
    names.push_back(builder.getStringAttr("x" + Twine(i)));
  }
  for (size_t i = 0; i < symbols.size(); ++i) {
    symbolAttrs.push_back(fx::SymbolAttr::get(context, "n" + std::to_string(i), 0, 4096, 1));
  }
  builder.setInsertionPointToEnd(result.module->getBody());
  auto graph = fx::GraphOp::create(builder, loc, "main", builder.getArrayAttr(names), builder.getArrayAttr(roles),
                                   builder.getArrayAttr(symbolAttrs), nullptr, nullptr);
  graph.getBody().push_back(body);
  result.inputs = std::move(inputs);
  return result;
}

} // namespace graphmill::fuzz
