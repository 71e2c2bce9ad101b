// Transforms of windows that slide over a signal, and back.
#include "aot_autograd/Complex/ComplexSplit.h"
#include "aot_autograd/Complex/Fourier.h"
#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using Results = ComplexFunctions::Results;

/// The window, ones if there is none, in the middle of `size` zeros.
static Value centeredWindow(PrimBuilder &b, Value window, std::optional<int64_t> length, int64_t size, Type element) {
  int64_t own = length.value_or(size), left = (size - own) / 2;
  Value values = window ? b.convert(window, element) : b.full({b.dim(own)}, 1.0, element);
  return b.pad(values, {b.dim(left)}, {b.dim(size - own - left)}, b.constant(0.0, element));
}

/// [B, L] to [B, frames, size].
static Value frames(PrimBuilder &b, Value x, int64_t size, int64_t hop) {
  Dims dims = dimsOf(x);
  Dim count = simplify((dims[1] - size).floorDiv(hop) + 1);
  auto type = getTensorType({dims[0], count, b.dim(size)}, getElement(x));
  return aten::UnfoldOp::create(b.builder, b.loc, type, x, 1, size, hop);
}

static Value padded(PrimBuilder &b, Value x, int64_t by, StringRef mode) {
  Dims dims = dimsOf(x), pads{b.dim(by), b.dim(by)};
  dims.back() = simplify(dims.back() + 2 * by);
  return aten::PadOp::create(b.builder, b.loc, getTensorType(dims, getElement(x)), x, fx::DimsAttr::get(b.context(), pads),
                             b.builder.getStringAttr(mode), Attribute());
}

static Results stft(ComplexSplit &s, aten::StftOp op) {
  PrimBuilder &b = s.b;
  Type element = resultPart(op);
  Complex x = s.as(op.getSelf(), element);
  int64_t size = op.getNFft(), hop = op.getHopLength().value_or(size / 4);
  bool onesided = op.getOnesided().value_or(x.isReal()), isBatch = dimsOf(x.re).size() == 2;
  Complex window = op.getWindow() ? s.of(op.getWindow()) : Complex{};
  if (window.im) {
    op.emitOpError("with a complex window isn't supported");
    return {};
  }
  Value weights = centeredWindow(b, window.re, op.getWinLength(), size, element);
  auto windows = [&](Value part) {
    part = isBatch ? part : b.unsqueeze(part, 0);
    part = op.getCenter() ? padded(b, part, size / 2, op.getPadMode()) : part;
    return b.mul(frames(b, part, size, hop), weights);
  };
  Complex rows{windows(x.re), x.im ? windows(x.im) : Value()};
  Complex y = fourier(b, rows, 2, size, onesided ? size / 2 + 1 : size, /*inverse=*/false);
  y = normalized(b, y, op.getNormalized() ? Normalization::ByRoot : Normalization::None, static_cast<double>(size));
  auto finished = [&](Value part) {
    part = b.swapDims(part, 1, 2);
    return isBatch ? part : b.squeeze(part, 0);
  };
  y = {finished(y.re), finished(imaginary(b, y))};
  bool isComplex = isa<ComplexType>(getElement(op.getResult()));
  return {isComplex ? y : Complex{interleave(b, y), {}}};
}

/// [B, frames, size], each frame `hop` after the one before, added up: [B, (frames - 1) hop + size].
/// Frames are cut into pieces of `hop`; piece i of all frames is one shifted row.
static Value overlapped(PrimBuilder &b, Value x, int64_t size, int64_t hop) {
  Dims dims = dimsOf(x);
  int64_t pieces = (size + hop - 1) / hop;
  Dim none = b.dim(0);
  Value zero = b.constant(0.0, getElement(x));
  x = b.pad(x, {none, none, none}, {none, none, b.dim(pieces * hop - size)}, zero);
  Value sum;
  for (int64_t i = 0; i < pieces; ++i) {
    Value piece = b.slice(x, 2, b.dim(i * hop), b.dim(hop));
    piece = b.pad(piece, {none, b.dim(i), none}, {none, b.dim(pieces - 1 - i), none}, zero);
    sum = sum ? b.add(sum, piece) : piece;
  }
  Dim all = simplify((dims[1] + (pieces - 1)) * hop), length = simplify((dims[1] - 1) * hop + size);
  return b.slice(b.reshape(sum, {dims[0], all}), 1, none, length);
}

static Results istft(ComplexSplit &s, aten::IstftOp op) {
  PrimBuilder &b = s.b;
  Type element = resultPart(op);
  Complex x = s.as(op.getSelf(), element);
  int64_t size = op.getNFft(), hop = op.getHopLength().value_or(size / 4);
  bool isBatch = dimsOf(x.re).size() == 3, isComplex = isa<ComplexType>(getElement(op.getResult()));
  auto rows = [&](Value part) { return b.swapDims(isBatch ? part : b.unsqueeze(part, 0), 1, 2); };
  Complex spectra{rows(x.re), rows(x.im)};
  bool onesided = op.getOnesided().value_or(getStatic(dimOf(spectra.re, 2)) != size);
  Complex y = onesided ? Complex{fourierToReal(b, spectra, 2, size), {}} : fourier(b, spectra, 2, size, size, /*inverse=*/true);
  y = normalized(b, y, op.getNormalized() ? Normalization::ByRoot : Normalization::BySize, static_cast<double>(size));
  Value window = op.getWindow() ? s.of(op.getWindow()).re : Value();
  Value weights = centeredWindow(b, window, op.getWinLength(), size, element);
  // What the windows' squares add up to where they overlap.
  Dim count = dimOf(spectra.re, 1);
  Value envelope = overlapped(b, b.broadcast(b.mul(weights, weights), {b.dim(1), count, b.dim(size)}), size, hop);
  aten::rules::SignalRange range =
      aten::rules::istftRange(count, size, hop, op.getCenter(), op.getLength() ? std::optional<int64_t>(*op.getLength()) : std::nullopt);
  auto signal = [&](Value part) {
    Value sum = b.div(overlapped(b, b.mul(part, weights), size, hop), envelope);
    Dim none = b.dim(0), available = simplify(dimOf(sum, 1) - range.start);
    sum = b.slice(sum, 1, range.start, available);
    // A signal longer than its frames ends in zeros.
    sum = b.pad(sum, {none, none}, {none, simplify(range.size - available)}, b.constant(0.0, element));
    return isBatch ? sum : b.squeeze(sum, 0);
  };
  return {Complex{signal(y.re), isComplex ? signal(imaginary(b, y)) : Value()}};
}

void addShortTimeFourier(ComplexFunctions &f) {
  f.addOwn<aten::StftOp, stft>();
  f.addOwn<aten::IstftOp, istft>();
}

} // namespace graphmill
