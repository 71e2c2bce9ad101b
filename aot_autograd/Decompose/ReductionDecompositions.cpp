#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;
using prims::Reducer;

SmallVector<int64_t> reducedDims(Value self, std::optional<ArrayRef<int64_t>> dims) {
  int64_t rank = dimsOf(self).size();
  SmallVector<int64_t> result;
  if (!dims || dims->empty()) {
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  }
  for (int64_t dim : *dims) {
    if (rank > 0) {
      result.push_back(fromFront(dim, rank));
    }
  }
  llvm::sort(result);
  return result;
}

/// self in the type to compute in, and the dims to reduce.
struct Reduction {
  PrimBuilder &b;
  Type element, compute;
  Value x;
  SmallVector<int64_t> dims;
  bool keepdim;

  Reduction(PrimBuilder &b, Operation *op, Value self, std::optional<ArrayRef<int64_t>> over, bool keepdim)
      : b(b), element(resultElement(op)), compute(b.opmath(element)), x(b.convert(b.convert(self, element), compute)),
        dims(reducedDims(self, over)), keepdim(keepdim) {}
  Value reduce(Reducer reducer, Value value) const { return b.reduce(reducer, value, dims, keepdim); }
  /// How many elements are reduced to one.
  Dim count() const {
    Dim n = b.dim(1);
    for (int64_t dim : dims) {
      n = n * dimOf(x, dim);
    }
    return simplify(n);
  }
  Value done(Value result) const { return b.convert(result, element); }
};

template <typename Op, Reducer reducer> static Value reduced(PrimBuilder &b, Op op) {
  Reduction r(b, op, op.getSelf(), op.getDim(), op.getKeepdim());
  return r.done(r.reduce(reducer, r.x));
}

static Value mean(PrimBuilder &b, aten::MeanOp op) {
  Reduction r(b, op, op.getSelf(), op.getDim(), op.getKeepdim());
  return r.done(b.mean(r.x, r.dims, r.keepdim));
}

template <typename Op, bool average> static Value withoutNan(PrimBuilder &b, Op op) {
  Reduction r(b, op, op.getSelf(), op.getDim(), op.getKeepdim());
  if (!isFloat(r.compute)) {
    return r.done(r.reduce(Reducer::Sum, r.x));
  }
  Value isNumber = b.compare(Predicate::Eq, r.x, r.x);
  Value sum = r.reduce(Reducer::Sum, b.select(isNumber, r.x, b.constant(0.0, r.compute)));
  if (!average) {
    return r.done(sum);
  }
  return r.done(b.div(sum, r.reduce(Reducer::Sum, b.convert(isNumber, r.compute))));
}

/// amax and amin keep narrow dtypes: nothing is rounded.
template <typename Op, Reducer reducer> static Value extreme(PrimBuilder &b, Op op) {
  return b.reduce(reducer, op.getSelf(), reducedDims(op.getSelf(), op.getDim()), op.getKeepdim());
}

static Decompositions::Results aminmax(PrimBuilder &b, aten::AminmaxOp op) {
  SmallVector<int64_t> given;
  if (op.getDim()) {
    given.push_back(*op.getDim());
  }
  SmallVector<int64_t> dims = reducedDims(op.getSelf(), ArrayRef<int64_t>(given));
  return {b.reduce(Reducer::Min, op.getSelf(), dims, op.getKeepdim()), b.reduce(Reducer::Max, op.getSelf(), dims, op.getKeepdim())};
}

template <typename Op, Reducer reducer> static Decompositions::Results extremeAndIndex(PrimBuilder &b, Op op) {
  Value x = op.getSelf();
  int64_t rank = dimsOf(x).size();
  if (rank == 0) {
    return {x, b.constant(0, b.i64())};
  }
  int64_t dim = fromFront(op.getDim(), rank);
  Value values = b.reduce(reducer, x, {dim}, op.getKeepdim());
  return {values, b.reshape(b.argReduce(reducer, x, dim), dimsOf(values))};
}

template <typename Op, Reducer reducer> static Value argExtreme(PrimBuilder &b, Op op) {
  Value x = op.getSelf();
  int64_t rank = dimsOf(x).size();
  if (!op.getDim() || rank == 0) {
    x = b.reshape(x, {product(b.context(), dimsOf(x))});
  }
  int64_t dim = op.getDim() && rank ? fromFront(*op.getDim(), rank) : 0;
  return b.reshape(b.argReduce(reducer, x, dim), resultDims(op));
}

template <typename Op, Reducer reducer> static Value truths(PrimBuilder &b, Op op) {
  Value result = b.reduce(reducer, truth(b, op.getSelf()), reducedDims(op.getSelf(), op.getDim()), op.getKeepdim());
  return b.convert(result, resultElement(op));
}

static Value countNonzero(PrimBuilder &b, aten::CountNonzeroOp op) {
  return b.sum(b.convert(truth(b, op.getSelf()), b.i64()), reducedDims(op.getSelf(), op.getDim()));
}

/// Two passes, so that a large mean costs no digits. n - correction may reach 0: the
/// result is then NaN or infinite, as in eager.
static std::pair<Value, Value> varianceAndMean(const Reduction &r, Attribute correction) {
  PrimBuilder &b = r.b;
  Value mean = b.mean(r.x, r.dims, /*keepdim=*/true);
  Value centered = b.sub(r.x, mean);
  Value divisor = b.maximum(b.sub(b.size(r.count(), r.compute), b.scalar(correction, r.compute)), 0.0);
  Value variance = b.div(r.reduce(Reducer::Sum, b.mul(centered, centered)), divisor);
  return {variance, b.reshape(mean, dimsOf(variance))};
}

template <typename Op, bool root> static Decompositions::Results spreadAndMean(PrimBuilder &b, Op op) {
  Reduction r(b, op, op.getSelf(), op.getDim(), op.getKeepdim());
  auto [variance, mean] = varianceAndMean(r, op.getCorrection());
  return {r.done(root ? b.unary<prims::SqrtOp>(variance) : variance), r.done(mean)};
}
template <typename Op, bool root> static Value spread(PrimBuilder &b, Op op) {
  return spreadAndMean<Op, root>(b, op)[0];
}

template <typename Op> static Value vectorNorm(PrimBuilder &b, Op op, Attribute given) {
  Reduction r(b, op, op.getSelf(), op.getDim(), op.getKeepdim());
  std::optional<double> order = given ? numberOf(given) : 2.0;
  if (!order) {
    op.emitOpError("needs an order that is known when compiling");
    return {};
  }
  Value absolute = b.unary<prims::AbsOp>(r.x);
  if (std::isinf(*order)) {
    return r.done(r.reduce(*order > 0 ? Reducer::Max : Reducer::Min, absolute));
  }
  if (*order == 0) {
    return r.done(r.reduce(Reducer::Sum, b.convert(truth(b, r.x), r.compute)));
  }
  if (*order == 1) {
    return r.done(r.reduce(Reducer::Sum, absolute));
  }
  if (*order == 2) {
    return r.done(b.unary<prims::SqrtOp>(r.reduce(Reducer::Sum, b.mul(r.x, r.x))));
  }
  Value sum = r.reduce(Reducer::Sum, power(b, absolute, *order));
  return r.done(power(b, sum, 1.0 / *order));
}

static Value norm(PrimBuilder &b, aten::NormOp op) { return vectorNorm(b, op, op.getOrd()); }

/// An order that is given means another norm for a matrix than for its elements.
static Value linalgNorm(PrimBuilder &b, aten::LinalgNormOp op) {
  size_t numDims = op.getDim() ? op.getDim()->size() : dimsOf(op.getSelf()).size();
  if (op.getOrdAttr() && numDims != 1) {
    op.emitOpError("has the order of a matrix norm, which isn't supported; that of a vector is");
    return {};
  }
  return vectorNorm(b, op, op.getOrdAttr());
}

/// Shifted by the maximum, unless that is infinite.
static Value logsumexp(PrimBuilder &b, aten::LogsumexpOp op) {
  Reduction r(b, op, op.getSelf(), op.getDim(), op.getKeepdim());
  Value max = b.reduce(Reducer::Max, r.x, r.dims, /*keepdim=*/true);
  Value finite = b.compare(Predicate::Lt, b.unary<prims::AbsOp>(max), std::numeric_limits<double>::infinity());
  Value shift = b.select(finite, max, b.constant(0.0, r.compute));
  Value sum = r.reduce(Reducer::Sum, b.exp(b.sub(r.x, shift)));
  return r.done(b.add(b.unary<prims::LogOp>(sum), b.reshape(shift, dimsOf(sum))));
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// x - max, and its exponential.
static std::pair<Value, Value> shiftedExponentials(PrimBuilder &b, Value x, int64_t dim) {
  Value shifted = b.sub(x, b.reduce(Reducer::Max, x, {dim}, /*keepdim=*/true));
  return {shifted, b.exp(shifted)};
}

template <typename Op, bool logarithm> static Value softmax(PrimBuilder &b, Op op) {
  Type element = resultElement(op), compute = b.opmath(element);
  Value x = b.convert(b.convert(op.getSelf(), element), compute);
  int64_t rank = dimsOf(x).size();
  if (rank == 0) {
    return b.constant(logarithm ? 0.0 : 1.0, element);
  }
  int64_t dim = fromFront(op.getDim(), rank);
  auto [shifted, exponentials] = shiftedExponentials(b, x, dim);
  Value sum = b.sum(exponentials, {dim}, /*keepdim=*/true);
  Value result = logarithm ? b.sub(shifted, b.unary<prims::LogOp>(sum)) : b.div(exponentials, sum);
  return b.convert(result, element);
}

void addReductionDecompositions(Decompositions &d) {
  d.add<aten::SumOp, reduced<aten::SumOp, Reducer::Sum>>();
  d.add<aten::ProdOp, reduced<aten::ProdOp, Reducer::Prod>>();
  d.add<aten::MeanOp, mean>();
  d.add<aten::NansumOp, withoutNan<aten::NansumOp, false>>();
  d.add<aten::NanmeanOp, withoutNan<aten::NanmeanOp, true>>();
  d.add<aten::AmaxOp, extreme<aten::AmaxOp, Reducer::Max>>();
  d.add<aten::AminOp, extreme<aten::AminOp, Reducer::Min>>();
  d.addMany<aten::AminmaxOp, aminmax>();
  d.addMany<aten::MaxDimOp, extremeAndIndex<aten::MaxDimOp, Reducer::Max>>();
  d.addMany<aten::MinDimOp, extremeAndIndex<aten::MinDimOp, Reducer::Min>>();
  d.add<aten::ArgmaxOp, argExtreme<aten::ArgmaxOp, Reducer::Max>>();
  d.add<aten::ArgminOp, argExtreme<aten::ArgminOp, Reducer::Min>>();
  d.add<aten::AnyOp, truths<aten::AnyOp, Reducer::Or>>();
  d.add<aten::AllOp, truths<aten::AllOp, Reducer::And>>();
  d.add<aten::CountNonzeroOp, countNonzero>();
  d.add<aten::VarOp, spread<aten::VarOp, false>>();
  d.add<aten::StdOp, spread<aten::StdOp, true>>();
  d.addMany<aten::VarMeanOp, spreadAndMean<aten::VarMeanOp, false>>();
  d.addMany<aten::StdMeanOp, spreadAndMean<aten::StdMeanOp, true>>();
  d.add<aten::NormOp, norm>();
  d.add<aten::LinalgNormOp, linalgNorm>();
  d.add<aten::LogsumexpOp, logsumexp>();
  d.add<aten::SoftmaxOp, softmax<aten::SoftmaxOp, false>>();
  d.add<aten::LogSoftmaxOp, softmax<aten::LogSoftmaxOp, true>>();
}

} // namespace graphmill
