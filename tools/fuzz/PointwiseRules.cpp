#include "tools/fuzz/GraphGenerator.h"

using namespace mlir;

namespace graphmill::fuzz {

std::optional<GraphGenerator::Node> GraphGenerator::unary() {
  Node &node = pickNode();
  Value x = node.value;
  if (!isFloat(x)) {
    bool isBool = getElement(x).isInteger(1);
    unsigned which = isBool ? 0 : below(4);
    Value y = which == 0   ? pointwise<prims::NotOp>(x)
              : which == 1 ? pointwise<prims::AbsOp>(x)
              : which == 2 ? pointwise<prims::NegOp>(x)
                           : pointwise<prims::SignOp>(x);
    return Node{y, true};
  }
  // Steps are taken of exact values only: a last bit would decide them.
  switch (below(node.exact ? 14 : 9)) {
  case 0: return Node{pointwise<prims::NegOp>(x), node.exact};
  case 1: return Node{pointwise<prims::AbsOp>(x), node.exact};
  case 2: return Node{pointwise<prims::TanhOp>(x), false};
  case 3: return Node{pointwise<prims::ErfOp>(x), false};
  case 4: // of a large rounded sum, the last bit would decide the sine
    x = pointwise<prims::MaximumOp>(pointwise<prims::MinimumOp>(x, numberLike(x, 3)), numberLike(x, -3));
    return Node{pointwise<prims::SinOp>(x), false};
  case 5: return Node{pointwise<prims::AtanOp>(x), false};
  case 6: return Node{pointwise<prims::ExpOp>(pointwise<prims::MinimumOp>(x, numberLike(x, 3))), false};
  case 7: return Node{pointwise<prims::Log1pOp>(pointwise<prims::AbsOp>(x)), false};
  case 8: return Node{pointwise<prims::DivOp>(numberLike(x, 1), pointwise<prims::AddOp>(pointwise<prims::AbsOp>(x), numberLike(x, 1))), node.exact};
  case 9: return Node{pointwise<prims::SqrtOp>(pointwise<prims::AbsOp>(x)), true};
  case 10: return Node{pointwise<prims::FloorOp>(x), true};
  case 11: return Node{pointwise<prims::RoundOp>(x), true};
  case 12: return Node{pointwise<prims::SignOp>(x), true};
  default: return Node{pointwise<prims::CeilOp>(x), true};
  }
}

std::optional<GraphGenerator::Node> GraphGenerator::binary() {
  Node node = pickNode(), other = partnerOf(node);
  Value x = node.value, y = other.value;
  bool exact = node.exact && other.exact;
  if (chance(30)) {
    std::swap(x, y);
  }
  if (getElement(x).isInteger(1)) {
    unsigned which = below(3);
    return Node{which == 0   ? pointwise<prims::AndOp>(x, y)
                : which == 1 ? pointwise<prims::OrOp>(x, y)
                             : pointwise<prims::XorOp>(x, y), true};
  }
  switch (below(isFloat(x) ? 6 : 9)) {
  case 0: return Node{pointwise<prims::AddOp>(x, y), exact};
  case 1: return Node{pointwise<prims::SubOp>(x, y), exact};
  case 2: return Node{pointwise<prims::MaximumOp>(x, y), exact};
  case 3: return Node{pointwise<prims::MinimumOp>(x, y), exact};
  case 4: // a product of products grows without end: one factor is kept small
    if (isFloat(x)) {
      y = pointwise<prims::MaximumOp>(pointwise<prims::MinimumOp>(y, numberLike(y, 2)), numberLike(y, -2));
    }
    return Node{pointwise<prims::MulOp>(x, y), exact};
  case 5:
    if (isFloat(x)) {
      return Node{pointwise<prims::CopysignOp>(x, numberLike(x, chance(50) ? 1 : -1)), exact};
    }
    return Node{pointwise<prims::XorOp>(x, y), true};
  case 6: return Node{pointwise<prims::AndOp>(x, y), true};
  case 7: return Node{pointwise<prims::DivOp>(x, numberLike(x, 1 + below(7))), true};
  default: return Node{pointwise<prims::FmodOp>(x, numberLike(x, 1 + below(7))), true};
  }
}

std::optional<GraphGenerator::Node> GraphGenerator::compareSelect() {
  Node node = pickNode();
  if (!node.exact) {
    return std::nullopt;
  }
  Node other = partnerOf(node);
  if (!other.exact) {
    return std::nullopt;
  }
  auto predicate = static_cast<prims::Predicate>(below(6));
  Dims dims = dimsOf(node.value);
  Value pred = make<prims::CompareOp>(dims, builder.getI1Type(), predicate, node.value, other.value);
  if (chance(40)) {
    return Node{pred, true};
  }
  Node third = partnerOf(node);
  return Node{make<prims::SelectOp>(dims, getElement(node.value), pred, node.value, third.value), third.exact};
}

std::optional<GraphGenerator::Node> GraphGenerator::conversion() {
  Node &node = pickNode();
  Type element = randomElement();
  // What was rounded stays in its dtype: a wider one would be held to its own precision.
  if (element == getElement(node.value) || !node.exact) {
    return std::nullopt;
  }
  Value x = node.value;
  bool becomesWhole = isFloat(x) && !isa<FloatType>(element);
  if (becomesWhole && isSpecial && !element.isInteger(1)) {
    return std::nullopt; // which integer a NaN becomes is up to the processor
  }
  if (becomesWhole) { // in range for every integer
    x = pointwise<prims::MaximumOp>(pointwise<prims::MinimumOp>(x, numberLike(x, 100)), numberLike(x, -100));
  }
  return Node{make<prims::ConvertOp>(dimsOf(x), element, x), node.exact};
}

/// What softmax decomposes to: the pattern that fusion is made for.
std::optional<GraphGenerator::Node> GraphGenerator::softmax() {
  Node &node = pickNode();
  int64_t rank = rankOf(node.value);
  if (!isFloat(node.value) || rank == 0) {
    return std::nullopt;
  }
  Dims dims = dimsOf(node.value), rest = dims;
  int64_t at = below(rank);
  rest.erase(rest.begin() + at);
  SmallVector<int64_t> map;
  for (int64_t i = 0; i < rank; ++i) {
    if (i != at) {
      map.push_back(i);
    }
  }
  Type element = getElement(node.value);
  auto reduced = [&](prims::Reducer reducer, Value x) {
    Value total = make<prims::ReduceOp>(rest, element, reducer, x, ArrayRef<int64_t>(at));
    return make<prims::BroadcastOp>(dims, element, total, map);
  };
  Value x = node.value, shifted = pointwise<prims::SubOp>(x, reduced(prims::Reducer::Max, x));
  Value exponentials = pointwise<prims::ExpOp>(shifted);
  return Node{pointwise<prims::DivOp>(exponentials, reduced(prims::Reducer::Sum, exponentials)), false};
}

} // namespace graphmill::fuzz
