#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

Type complexOf(Type element) {
  if (isa<ComplexType>(element)) {
    return element;
  }
  return ComplexType::get(isFloat(element) ? element : Float32Type::get(element.getContext()));
}

Type partOf(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

LogicalResult magnitude(Rule &r, Value self) { return r.result(dimsOf(self), partOf(getElement(self))); }

LogicalResult realPart(Rule &r, Value self) { return magnitude(r, self); }

LogicalResult angle(Rule &r, Value self) { return r.result(dimsOf(self), partOf(floatOf(self))); }

LogicalResult viewAsReal(Rule &r, Value self) {
  if (categoryOf(getElement(self)) != Category::Complex) {
    return r.error() << "takes complex numbers, self is " << dtypeName(getElement(self));
  }
  Dims dims = dimsOf(self);
  dims.push_back(constantDim(r.context, 2));
  return r.result(dims, partOf(getElement(self)));
}

LogicalResult viewAsComplex(Rule &r, Value self) {
  Dims dims = dimsOf(self);
  if (dims.empty() || getStatic(dims.back()) != 2 || !isFloat(getElement(self))) { // view_as_complex.c1
    return r.error() << "self is " << dtypeName(getElement(self)) << " " << toString(dims) << ", expected floats with a last dim of size 2";
  }
  dims.pop_back();
  return r.result(dims, complexOf(getElement(self)));
}

LogicalResult complexOf(Rule &r, Value first, Value second) {
  FailureOr<Dims> dims = broadcast(r, {dimsOf(first), dimsOf(second)});
  return failed(dims) ? failure() : r.result(*dims, complexOf(getElement(first)));
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

/// Frequencies that the others of a real signal follow from.
static Dim halfSpectrum(Dim size) { return simplify(size.floorDiv(2) + 1); }

LogicalResult fftR2c(Rule &r, Value self, ArrayRef<int64_t> dims, bool onesided) {
  Dims result = dimsOf(self);
  if (dims.empty()) {
    return r.error() << "takes at least one dim";
  }
  FailureOr<int64_t> last = normalizeDim(r, dims.back(), result.size());
  if (failed(last)) {
    return failure();
  }
  result[*last] = onesided ? halfSpectrum(result[*last]) : result[*last];
  return r.result(result, complexOf(getElement(self)));
}

LogicalResult fftC2r(Rule &r, Value self, ArrayRef<int64_t> dims, Dim lastSize) {
  Dims result = dimsOf(self);
  if (dims.empty()) {
    return r.error() << "takes at least one dim";
  }
  FailureOr<int64_t> last = normalizeDim(r, dims.back(), result.size());
  if (failed(last)) {
    return failure();
  }
  result[*last] = lastSize;
  return r.result(result, partOf(getElement(self)));
}

static bool givesReal(StringRef name) { return name == "irfft" || name == "hfft"; }
static bool takesReal(StringRef name) { return name == "rfft" || name == "ihfft"; }

Dim signalSize(Dim size, std::optional<Dim> n, StringRef name) {
  return n ? *n : givesReal(name) ? simplify((size - 1) * 2) : size;
}

static Dim spectrumSize(Dim signal, StringRef name) { return takesReal(name) ? halfSpectrum(signal) : signal; }

static Type fourierElement(Value self, StringRef name) {
  Type element = complexOf(getElement(self));
  return givesReal(name) ? partOf(element) : element;
}

LogicalResult fourierLine(Rule &r, Value self, std::optional<fx::DimAttr> n, int64_t dim, StringRef name) {
  Dims dims = dimsOf(self);
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size());
  if (failed(at) || dims.empty()) {
    return failure();
  }
  dims[*at] = spectrumSize(signalSize(dims[*at], n ? std::optional(n->getExpr()) : std::nullopt, name), name);
  return r.result(dims, fourierElement(self, name));
}

FailureOr<Box> boxOf(Rule &r, Value self, std::optional<fx::DimsAttr> s, OptionalDims dims, bool plane, StringRef name) {
  Dims sizes = dimsOf(self);
  int64_t rank = sizes.size();
  Box box;
  if (dims) {
    for (int64_t dim : *dims) {
      FailureOr<int64_t> at = normalizeDim(r, dim, rank);
      if (failed(at)) {
        return failure();
      }
      box.dims.push_back(*at);
    }
  } else {
    int64_t count = plane ? 2 : s ? s->getExprs().size() : rank;
    for (int64_t i = rank - count; i < rank; ++i) {
      box.dims.push_back(i);
    }
  }
  if (box.dims.empty() || box.dims.front() < 0 || (s && s->getExprs().size() != box.dims.size())) {
    return r.error() << "dim and s don't fit self, which is " << toString(sizes);
  }
  for (auto [i, dim] : llvm::enumerate(box.dims)) {
    bool isLast = i + 1 == box.dims.size();
    std::optional<Dim> n = s ? std::optional(s->getExprs()[i]) : std::nullopt;
    // -1: as it is.
    n = n && getStatic(*n) == -1 ? std::nullopt : n;
    box.sizes.push_back(signalSize(sizes[dim], n, isLast ? name : "fft"));
  }
  return box;
}

LogicalResult fourierBox(Rule &r, Value self, std::optional<fx::DimsAttr> s, OptionalDims dims, bool plane, StringRef name) {
  FailureOr<Box> box = boxOf(r, self, s, dims, plane, name);
  if (failed(box)) {
    return failure();
  }
  Dims result = dimsOf(self);
  for (auto [dim, size] : llvm::zip(box->dims, box->sizes)) {
    result[dim] = size;
  }
  result[box->dims.back()] = spectrumSize(box->sizes.back(), name);
  return r.result(result, fourierElement(self, name));
}

LogicalResult fourierFrequencies(Rule &r, int64_t n, std::optional<Type> dtype, StringRef name) {
  return r.result({constantDim(r.context, name == "rfftfreq" ? n / 2 + 1 : n)}, dtype.value_or(Float32Type::get(r.context)));
}

//===----------------------------------------------------------------------===//
// Short-time Fourier transforms
//===----------------------------------------------------------------------===//

LogicalResult stft(Rule &r, const Stft &stft) {
  Dims dims = dimsOf(stft.self);
  Type element = getElement(stft.self);
  int64_t hop = stft.hop.value_or(stft.size / 4);
  if ((dims.size() != 1 && dims.size() != 2) || stft.size < 1 || hop < 1) {
    return r.error() << "self is " << toString(dims) << ", expected a signal or a batch of them, n_fft and hop_length positive";
  }
  Dim length = dims.back() + (stft.center ? stft.size / 2 * 2 : 0);
  dims.pop_back();
  bool onesided = stft.onesided.value_or(!isa<ComplexType>(element));
  dims.push_back(constantDim(r.context, onesided ? stft.size / 2 + 1 : stft.size));
  dims.push_back(simplify((length - stft.size).floorDiv(hop) + 1));
  if (stft.returnsComplex.value_or(isa<ComplexType>(element))) {
    return r.result(dims, complexOf(element));
  }
  dims.push_back(constantDim(r.context, 2));
  return r.result(dims, partOf(element));
}

SignalRange istftRange(Dim frames, int64_t size, int64_t hop, bool center, std::optional<int64_t> length) {
  Dim all = (frames - 1) * hop + size;
  MLIRContext *context = frames.getContext();
  int64_t start = center ? size / 2 : 0;
  if (length) {
    return {constantDim(context, start), constantDim(context, *length)};
  }
  return {constantDim(context, start), simplify(all - (center ? size / 2 * 2 : 0))};
}

LogicalResult istft(Rule &r, Value self, int64_t size, std::optional<int64_t> hop, bool center, std::optional<int64_t> length,
                    bool returnsComplex) {
  Dims dims = dimsOf(self);
  if (!isa<ComplexType>(getElement(self)) || dims.size() < 2) {
    return r.error() << "self is " << dtypeName(getElement(self)) << " " << toString(dims) << ", expected complex frames";
  }
  SignalRange range = istftRange(dims.back(), size, hop.value_or(size / 4), center, length);
  dims.resize(dims.size() - 2);
  dims.push_back(range.size);
  return r.result(dims, returnsComplex ? getElement(self) : partOf(getElement(self)));
}

} // namespace graphmill::aten::rules
