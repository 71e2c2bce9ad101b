#include "aot_autograd/Decompose/Decompositions.h"
#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;

static Value linear(PrimBuilder &b, aten::LinearOp op) {
  Value x = op.getInput(), w = op.getWeight();
  bool isRow = dimsOf(x).size() == 1, isVector = dimsOf(w).size() == 1;
  Value lhs = isRow ? b.unsqueeze(x, 0) : x;
  Value rhs = isVector ? b.unsqueeze(w, 1) : b.swapDims(w, 0, 1);
  Value y = b.reshape(b.matmul(lhs, rhs), resultDims(op));
  return op.getBias() ? b.add(y, b.convert(op.getBias(), resultElement(op))) : y;
}

/// Vectors become a row or a column, which the result loses again.
static Value multiplied(PrimBuilder &b, Value lhs, Value rhs, const Dims &result) {
  lhs = dimsOf(lhs).size() == 1 ? b.unsqueeze(lhs, 0) : lhs;
  rhs = dimsOf(rhs).size() == 1 ? b.unsqueeze(rhs, 1) : rhs;
  return b.reshape(b.matmul(lhs, rhs), result);
}

static Value matmul(PrimBuilder &b, aten::MatmulOp op) {
  return multiplied(b, op.getSelf(), op.getOther(), resultDims(op));
}

/// Each row by the matrix of its group, written as sums of products: a row's matrix is known
/// from the data only, so there is no block of rows to share it.
static Value groupedMm(PrimBuilder &b, aten::GroupedMmOp op) {
  Type element = resultElement(op), compute = b.opmath(getElement(op.getSelf()));
  if (op.getBias()) {
    op.emitOpError("with a bias isn't supported");
    return {};
  }
  if (!op.getOffs()) {
    return b.convert(b.matmul(op.getSelf(), op.getMat2()), element);
  }
  Dims x = dimsOf(op.getSelf()), w = dimsOf(op.getMat2()), grid{x[0], w[0]}, products{x[0], x[1], w[2]};
  // Group g ends before row offs[g].
  Value rows = b.iotaAlong(grid, 0, b.i64()), ends = b.broadcastDims(b.convert(op.getOffs(), b.i64()), grid, {1});
  Value group = b.sum(b.convert(b.compare(Predicate::Ge, rows, ends), b.i64()), {1});
  Value groups = b.size(w[0], b.i64()), last = b.sub(groups, b.constant(1, b.i64()));
  Value weights = b.index(op.getMat2(), b.minimum(group, last), {0});
  Value lhs = b.broadcastDims(b.convert(op.getSelf(), compute), products, {0, 1});
  Value y = b.sum(b.mul(lhs, b.convert(weights, compute)), {1});
  Value isIn = b.broadcastDims(b.compare(Predicate::Lt, group, b.broadcast(groups, {x[0]})), dimsOf(y), {0});
  return b.convert(b.select(isIn, y, b.constant(0.0, compute)), element);
}

/// beta * self + alpha * product. With beta 0, self doesn't count, not even as NaN.
static Value scaledSum(PrimBuilder &b, Value self, Value product, Attribute beta, Attribute alpha) {
  Type element = getElement(product), compute = b.opmath(element);
  bool plain = numberOf(beta) == 1.0 && numberOf(alpha) == 1.0;
  if (plain) {
    return b.add(product, b.convert(self, element));
  }
  Value scaled = b.mul(b.convert(product, compute), b.scalar(alpha, compute));
  if (numberOf(beta) != 0.0) {
    scaled = b.add(scaled, b.mul(b.convert(self, compute), b.scalar(beta, compute)));
  }
  return b.convert(scaled, element);
}

static Value addmm(PrimBuilder &b, aten::AddmmOp op) {
  Value product = multiplied(b, op.getMat1(), op.getMat2(), resultDims(op));
  return scaledSum(b, op.getSelf(), product, op.getBeta(), op.getAlpha());
}

static Value addbmm(PrimBuilder &b, aten::AddbmmOp op) {
  Value product = b.contract(op.getBatch1(), "bmk", op.getBatch2(), "bkn", "mn");
  return scaledSum(b, op.getSelf(), product, op.getBeta(), op.getAlpha());
}

static Value crossed(PrimBuilder &b, Value column, Value row, Operation *op) {
  Dims dims = resultDims(op);
  Type element = resultElement(op);
  return b.mul(b.broadcastDims(b.convert(column, element), dims, {0}), b.broadcastDims(b.convert(row, element), dims, {1}));
}

static Value outer(PrimBuilder &b, aten::OuterOp op) { return crossed(b, op.getSelf(), op.getVec2(), op); }

static Value addr(PrimBuilder &b, aten::AddrOp op) {
  return scaledSum(b, op.getSelf(), crossed(b, op.getVec1(), op.getVec2(), op), op.getBeta(), op.getAlpha());
}

//===----------------------------------------------------------------------===//
// Contractions by letters
//===----------------------------------------------------------------------===//

static std::string letters(char first, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += static_cast<char>(first + i);
  }
  return text;
}

static Value inner(PrimBuilder &b, aten::InnerOp op) {
  Value x = op.getSelf(), y = op.getOther();
  size_t n = dimsOf(x).size(), m = dimsOf(y).size();
  if (n == 0 || m == 0) {
    return b.mul(x, y);
  }
  std::string left = letters('A', n - 1), right = letters('a', m - 1);
  return b.contract(x, left + "z", y, right + "z", left + right);
}

static Value tensordot(PrimBuilder &b, aten::TensordotOp op) {
  size_t n = dimsOf(op.getSelf()).size(), m = dimsOf(op.getOther()).size();
  std::string left = letters('A', n), right = letters('a', m), out = left;
  for (auto [x, y] : llvm::zip(op.getDimsSelf(), op.getDimsOther())) {
    char letter = left[fromFront(x, n)];
    right[fromFront(y, m)] = letter;
    out.erase(out.find(letter), 1);
  }
  for (char letter : right) {
    if (left.find(letter) == std::string::npos) {
      out += letter;
    }
  }
  return b.contract(op.getSelf(), left, op.getOther(), right, out);
}

static Value bilinear(PrimBuilder &b, aten::BilinearOp op) {
  std::string batch = letters('A', dimsOf(op.getInput1()).size() - 1);
  Value left = b.contract(op.getInput1(), batch + "i", op.getWeight(), "oij", batch + "oj");
  Value y = b.contract(left, batch + "oj", op.getInput2(), batch + "j", batch + "o");
  return op.getBias() ? b.add(y, op.getBias()) : y;
}

/// Two at a time, from the left. What a later term needs stays.
static Value einsum(PrimBuilder &b, aten::EinsumOp op) {
  SmallVector<Type> types;
  aten::rules::Rule rule{b.context(), b.loc, "aten.einsum", types};
  FailureOr<aten::rules::Einsum> parsed = aten::rules::parseEinsum(rule, op.getEquation(), op.getTensors());
  if (failed(parsed)) {
    return {};
  }
  Type element = resultElement(op);
  Value x = b.convert(op.getTensors()[0], element);
  std::string term = parsed->inputs[0];
  if (parsed->inputs.size() == 1) {
    return b.sumTo(x, term, parsed->output);
  }
  for (size_t i = 1; i < parsed->inputs.size(); ++i) {
    bool isLast = i + 1 == parsed->inputs.size();
    std::string rest = parsed->output, out;
    for (size_t j = i + 1; j < parsed->inputs.size(); ++j) {
      rest += parsed->inputs[j];
    }
    for (char letter : term + parsed->inputs[i]) {
      if (rest.find(letter) != std::string::npos && out.find(letter) == std::string::npos) {
        out += letter;
      }
    }
    out = isLast ? parsed->output : out;
    x = b.contract(x, term, b.convert(op.getTensors()[i], element), parsed->inputs[i], out);
    term = out;
  }
  return x;
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

static Value cosineSimilarity(PrimBuilder &b, aten::CosineSimilarityOp op) {
  Type element = resultElement(op), compute = b.opmath(element);
  SmallVector<Value> x{b.convert(op.getX1(), compute), b.convert(op.getX2(), compute)};
  Dims dims = b.commonDims(x);
  int64_t dim = fromFront(op.getDim(), dims.size());
  double eps = op.getEps().convertToDouble();
  auto norm = [&](Value v) { return b.maximum(b.unary<prims::SqrtOp>(b.sum(b.mul(v, v), {dim})), eps); };
  Value a = b.broadcast(x[0], dims), c = b.broadcast(x[1], dims);
  return b.convert(b.div(b.sum(b.mul(a, c), {dim}), b.mul(norm(a), norm(c))), element);
}

/// The p-norm of differences along the last dim.
static Value distance(PrimBuilder &b, Value difference, double p, bool keepdim) {
  SmallVector<int64_t> last{static_cast<int64_t>(dimsOf(difference).size()) - 1};
  Value absolute = b.unary<prims::AbsOp>(difference);
  if (std::isinf(p)) {
    return b.reduce(prims::Reducer::Max, absolute, last, keepdim);
  }
  if (p == 0) {
    return b.sum(b.convert(truth(b, difference), getElement(difference)), last, keepdim);
  }
  if (p == 1) {
    return b.sum(absolute, last, keepdim);
  }
  if (p == 2) {
    return b.unary<prims::SqrtOp>(b.sum(b.mul(difference, difference), last, keepdim));
  }
  return power(b, b.sum(power(b, absolute, p), last, keepdim), 1.0 / p);
}

static Value pairwiseDistance(PrimBuilder &b, aten::PairwiseDistanceOp op) {
  Type element = resultElement(op), compute = b.opmath(element);
  Value difference = b.sub(b.convert(op.getX1(), compute), b.convert(op.getX2(), compute));
  difference = b.add(difference, op.getEps().convertToDouble());
  return b.convert(distance(b, difference, op.getP().convertToDouble(), op.getKeepdim()), element);
}

static Value cdist(PrimBuilder &b, aten::CdistOp op) {
  Type element = resultElement(op), compute = b.opmath(element);
  Value x = b.convert(op.getX1(), compute), y = b.convert(op.getX2(), compute);
  // [..., P, 1, M] - [..., 1, R, M]
  Value difference = b.sub(b.unsqueeze(x, dimsOf(x).size() - 1), b.unsqueeze(y, dimsOf(y).size() - 2));
  return b.convert(distance(b, difference, op.getP().convertToDouble(), false), element);
}

static Value pdist(PrimBuilder &b, aten::PdistOp op) {
  Type element = resultElement(op), compute = b.opmath(element);
  Value x = b.convert(op.getSelf(), compute);
  SmallVector<int64_t> first, second;
  int64_t n = *getStatic(dimsOf(x)[0]);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i + 1; j < n; ++j) {
      first.push_back(i);
      second.push_back(j);
    }
  }
  Value difference = b.sub(b.index(x, b.vector(ArrayRef<int64_t>(first)), {0}), b.index(x, b.vector(ArrayRef<int64_t>(second)), {0}));
  return b.convert(distance(b, difference, op.getP().convertToDouble(), false), element);
}

static Value cross(PrimBuilder &b, aten::CrossOp op) {
  SmallVector<Value> x = promoted(b, op);
  Dims dims = resultDims(op);
  int64_t dim = op.getDim() ? fromFront(*op.getDim(), dims.size()) : 0;
  while (!op.getDim() && dim + 1 < static_cast<int64_t>(dims.size()) && getStatic(dims[dim]) != 3) {
    ++dim;
  }
  if (getStatic(dims[dim]) != 3) {
    op.emitOpError("dim ") << dim << " has size " << toString(dims[dim]) << ", expected 3";
    return {};
  }
  // Component i by components i+1 and i+2.
  auto turned = [&](Value v, int64_t by) {
    return b.concatenate({b.slice(v, dim, b.dim(by), b.dim(3 - by)), b.slice(v, dim, b.dim(0), b.dim(by))}, dim);
  };
  return b.sub(b.mul(turned(x[0], 1), turned(x[1], 2)), b.mul(turned(x[0], 2), turned(x[1], 1)));
}

void addProductDecompositions(Decompositions &d) {
  d.add<aten::LinearOp, linear>();
  d.add<aten::MatmulOp, matmul>();
  d.add<aten::GroupedMmOp, groupedMm>();
  d.add<aten::AddmmOp, addmm>();
  d.add<aten::AddbmmOp, addbmm>();
  d.add<aten::OuterOp, outer>();
  d.add<aten::AddrOp, addr>();
  d.add<aten::InnerOp, inner>();
  d.add<aten::TensordotOp, tensordot>();
  d.add<aten::BilinearOp, bilinear>();
  d.add<aten::EinsumOp, einsum>();
  d.add<aten::CosineSimilarityOp, cosineSimilarity>();
  d.add<aten::PairwiseDistanceOp, pairwiseDistance>();
  d.add<aten::CdistOp, cdist>();
  d.add<aten::PdistOp, pdist>();
  d.add<aten::CrossOp, cross>();
}

} // namespace graphmill
