#include "aot_autograd/Complex/ComplexSplit.h"
#include "aot_autograd/Complex/Fourier.h"
#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using Results = ComplexFunctions::Results;

/// A known size along `at`; nothing after a report.
static std::optional<int64_t> knownSize(Operation *op, Dim size, int64_t at) {
  std::optional<int64_t> known = getStatic(size);
  if (!known || *known < 1) {
    op->emitOpError("needs a known, positive size along dim ") << at << ", which is " << toString(size);
    return std::nullopt;
  }
  return known;
}

/// "forward" scales transforms there, "backward" (the default) those back.
static Normalization normalizationOf(std::optional<StringRef> norm, bool inverse) {
  if (norm == StringRef("ortho")) {
    return Normalization::ByRoot;
  }
  return (norm == StringRef("forward")) != inverse ? Normalization::BySize : Normalization::None;
}

//===----------------------------------------------------------------------===//
// ATen's own
//===----------------------------------------------------------------------===//

/// Over `dims`, all of known sizes, by which the result is yet to be divided.
static std::optional<Complex> overDims(PrimBuilder &b, Operation *op, Complex x, ArrayRef<int64_t> dims, bool inverse, double &count) {
  for (int64_t dim : dims) {
    int64_t at = fromFront(dim, dimsOf(x.re).size());
    std::optional<int64_t> n = knownSize(op, dimOf(x.re, at), at);
    if (!n) {
      return std::nullopt;
    }
    x = fourier(b, x, at, *n, *n, inverse);
    count *= static_cast<double>(*n);
  }
  return x;
}

static Results fftC2c(ComplexSplit &s, aten::FftC2cOp op) {
  double count = 1;
  std::optional<Complex> x = overDims(s.b, op, s.as(op.getSelf(), resultPart(op)), op.getDim(), !op.getForward(), count);
  if (!x) {
    return {};
  }
  return {normalized(s.b, *x, static_cast<Normalization>(static_cast<int64_t>(op.getNormalization())), count)};
}

static Results fftR2c(ComplexSplit &s, aten::FftR2cOp op) {
  Complex x = s.as(op.getSelf(), resultPart(op));
  int64_t at = fromFront(op.getDim().back(), dimsOf(x.re).size());
  std::optional<int64_t> n = knownSize(op, dimOf(x.re, at), at);
  if (!n) {
    return {};
  }
  double count = static_cast<double>(*n);
  x = fourier(s.b, x, at, *n, op.getOnesided() ? *n / 2 + 1 : *n, /*inverse=*/false);
  std::optional<Complex> y = overDims(s.b, op, x, op.getDim().drop_back(), false, count);
  if (!y) {
    return {};
  }
  return {normalized(s.b, *y, static_cast<Normalization>(static_cast<int64_t>(op.getNormalization())), count)};
}

static Results fftC2r(ComplexSplit &s, aten::FftC2rOp op) {
  double count = 1;
  std::optional<Complex> x = overDims(s.b, op, s.as(op.getSelf(), resultPart(op)), op.getDim().drop_back(), true, count);
  int64_t at = fromFront(op.getDim().back(), resultDims(op).size());
  std::optional<int64_t> n = knownSize(op, op.getLastDimSize().getExpr(), at);
  if (!x || !n) {
    return {};
  }
  Complex y{fourierToReal(s.b, resized(s.b, *x, at, s.b.dim(*n / 2 + 1)), at, *n), {}};
  return {normalized(s.b, y, static_cast<Normalization>(static_cast<int64_t>(op.getNormalization())), count * static_cast<double>(*n))};
}

//===----------------------------------------------------------------------===//
// torch.fft
//===----------------------------------------------------------------------===//

/// Along one dim; `name` as in torch.fft. Not scaled.
static std::optional<Complex> line(PrimBuilder &b, Operation *op, Complex x, int64_t at, Dim size, StringRef name) {
  std::optional<int64_t> n = knownSize(op, size, at);
  if (!n) {
    return std::nullopt;
  }
  int64_t half = *n / 2 + 1;
  if (name == "irfft" || name == "hfft") {
    x = resized(b, x, at, b.dim(half));
    return Complex{fourierToReal(b, name == "hfft" ? conjugate(b, x) : x, at, *n), {}};
  }
  bool takesReal = name == "rfft" || name == "ihfft";
  Complex y = fourier(b, resized(b, x, at, size), at, *n, takesReal ? half : *n, name == "ifft");
  return name == "ihfft" ? conjugate(b, y) : y;
}

static bool isInverse(StringRef name) { return name == "ifft" || name == "irfft" || name == "ihfft"; }

template <typename Op> static Results fourierLine(ComplexSplit &s, Op op) {
  StringRef name = Op::getOperationName().drop_front(StringRef("aten.fft_").size());
  Complex x = s.as(op.getSelf(), resultPart(op));
  int64_t at = fromFront(op.getDim(), dimsOf(x.re).size());
  std::optional<Dim> wanted = op.getN() ? std::optional(op.getN()->getExpr()) : std::nullopt;
  Dim size = aten::rules::signalSize(dimOf(x.re, at), wanted, name);
  std::optional<Complex> y = line(s.b, op, x, at, size, name);
  if (!y) {
    return {};
  }
  return {normalized(s.b, *y, normalizationOf(op.getNorm(), isInverse(name)), static_cast<double>(*getStatic(size)))};
}

/// Real transforms take (or give) the last of the dims, complex ones the others.
template <typename Op> static Results fourierBox(ComplexSplit &s, Op op) {
  StringRef name = Op::getOperationName().drop_front(StringRef("aten.fft_").size()).drop_back();
  std::optional<Complex> x = s.as(op.getSelf(), resultPart(op));
  SmallVector<Type> none;
  aten::rules::Rule rule{s.b.context(), op.getLoc(), op->getName().getStringRef(), none};
  FailureOr<aten::rules::Box> box = aten::rules::boxOf(rule, op.getSelf(), op.getS(), op.getDim(), op.getPlane(), name);
  if (failed(box)) {
    return {};
  }
  size_t last = box->dims.size() - 1;
  bool lastFirst = name == "rfft";
  double count = 1;
  for (size_t i = 0; i <= last && x; ++i) {
    size_t which = lastFirst ? last - i : i;
    StringRef own = which == last ? name : isInverse(name) ? "ifft" : "fft";
    x = line(s.b, op, *x, box->dims[which], box->sizes[which], own);
    count *= static_cast<double>(getStatic(box->sizes[which]).value_or(1));
  }
  if (!x) {
    return {};
  }
  return {normalized(s.b, *x, normalizationOf(op.getNorm(), isInverse(name)), count)};
}

template <typename Op, bool back> static Results shift(ComplexSplit &s, Op op) {
  PrimBuilder &b = s.b;
  Complex x = s.of(op.getSelf());
  int64_t rank = dimsOf(x.re).size();
  SmallVector<int64_t> dims = reducedDims(op.getSelf(), op.getDim());
  auto rotated = [&](Value part) {
    for (int64_t dim : dims) {
      int64_t at = fromFront(dim, rank);
      Dim size = dimOf(part, at), front = simplify(back ? size.floorDiv(2) : (size + 1).floorDiv(2)), rest = simplify(size - front);
      part = b.concatenate({b.slice(part, at, front, rest), b.slice(part, at, b.dim(0), front)}, at);
    }
    return part;
  };
  return {{rotated(x.re), x.im ? rotated(x.im) : Value()}};
}

/// 0, 1, …, then the negative ones, over n d.
template <typename Op> static Results frequencies(ComplexSplit &s, Op op) {
  int64_t n = op.getN(), count = *getStatic(dimOf(op.getResult(), 0));
  bool isHalf = std::is_same_v<Op, aten::FourierRfftfreqOp>;
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) {
    int64_t k = isHalf || i < (n + 1) / 2 ? i : i - n;
    values.push_back(static_cast<double>(k) / (static_cast<double>(n) * op.getD().convertToDouble()));
  }
  return {{s.b.table(values, {count}, resultPart(op)), {}}};
}

void addFourierTransforms(ComplexFunctions &f) {
  using namespace aten;
  f.addOwn<FftC2cOp, fftC2c>();
  f.addOwn<FftR2cOp, fftR2c>();
  f.addOwn<FftC2rOp, fftC2r>();
  f.addOwn<FourierFftOp, fourierLine<FourierFftOp>>();
  f.addOwn<FourierIfftOp, fourierLine<FourierIfftOp>>();
  f.addOwn<FourierRfftOp, fourierLine<FourierRfftOp>>();
  f.addOwn<FourierIrfftOp, fourierLine<FourierIrfftOp>>();
  f.addOwn<FourierHfftOp, fourierLine<FourierHfftOp>>();
  f.addOwn<FourierIhfftOp, fourierLine<FourierIhfftOp>>();
  f.addOwn<FourierBoxFftOp, fourierBox<FourierBoxFftOp>>();
  f.addOwn<FourierBoxIfftOp, fourierBox<FourierBoxIfftOp>>();
  f.addOwn<FourierBoxRfftOp, fourierBox<FourierBoxRfftOp>>();
  f.addOwn<FourierBoxIrfftOp, fourierBox<FourierBoxIrfftOp>>();
  f.addOwn<FourierFftshiftOp, shift<FourierFftshiftOp, false>>();
  f.addOwn<FourierIfftshiftOp, shift<FourierIfftshiftOp, true>>();
  f.addOwn<FourierFftfreqOp, frequencies<FourierFftfreqOp>>();
  f.addOwn<FourierRfftfreqOp, frequencies<FourierRfftfreqOp>>();
}

} // namespace graphmill
