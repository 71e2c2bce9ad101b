//===- Rules.h - Shape and dtype rules of ATen ops -------------------------===//
//
// One function a family. Each reports what it refuses at the op's location, in the
// words of PyTorch's users: which operand, which dim, what was expected.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "fx/Aten/Promotion.h"
#include "fx/IR/FxDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include <initializer_list>

namespace graphmill::aten::rules {

struct Rule {
  mlir::MLIRContext *context;
  std::optional<mlir::Location> location;
  mlir::StringRef opName;
  mlir::SmallVectorImpl<mlir::Type> &types;

  mlir::LogicalResult result(mlir::ArrayRef<Dim> dims, mlir::Type element) {
    types.push_back(getTensorType(dims, element));
    return mlir::success();
  }
  mlir::InFlightDiagnostic error() {
    return mlir::emitError(location.value_or(mlir::UnknownLoc::get(context))) << opName << ": ";
  }
};

using Values = std::initializer_list<mlir::Value>;

using Values = std::initializer_list<mlir::Value>;
using OptionalDims = std::optional<mlir::ArrayRef<int64_t>>;
using mlir::LogicalResult;
using mlir::Type;
using mlir::Value;
using mlir::ValueRange;

/// Whether result types given agree with those inferred: dtypes equal, sizes equal or,
/// where semi-affine expressions can't be compared, both symbolic.
bool compatible(mlir::TypeRange a, mlir::TypeRange b);

/// A dim counted from the end if negative; error unless in [-rank, rank).
mlir::FailureOr<int64_t> normalizeDim(Rule &r, int64_t dim, int64_t rank);
mlir::FailureOr<Dims> broadcast(Rule &r, mlir::ArrayRef<Dims> shapes);
/// An `int[n]` argument: one number stands for all n.
mlir::SmallVector<int64_t> expandInts(mlir::ArrayRef<int64_t> values, size_t n);

//===----------------------------------------------------------------------===//
// PointwiseRules.cpp
//===----------------------------------------------------------------------===//

/// Broadcast and promoted; `unpromoted` take part in the shape only.
LogicalResult pointwise(Rule &r, Values operands, Values unpromoted = {});
/// Error unless each operand that is there has elements of that kind.
LogicalResult requireFloats(Rule &r, Values operands);
/// pointwise, of floats, or of integers and bools.
LogicalResult pointwiseFloats(Rule &r, Values operands);
LogicalResult bits(Rule &r, Values operands);
LogicalResult floating(Rule &r, Values operands);
LogicalResult predicate(Rule &r, Values operands);
LogicalResult division(Rule &r, Value self, Value other, std::optional<mlir::StringRef> rounding);
/// Broadcast, in the dtype of the first.
LogicalResult likeFirst(Rule &r, Values operands);
LogicalResult square(Rule &r, Value self);
/// Like self, but real.
LogicalResult magnitude(Rule &r, Value self);
LogicalResult glu(Rule &r, Value self, int64_t dim);
LogicalResult nativeDropout(Rule &r, Value input);
/// `reduction`: 0 none, 1 mean, 2 sum.
LogicalResult loss(Rule &r, Values operands, int64_t reduction);
LogicalResult nllLoss(Rule &r, Value self, Value target, int64_t reduction);

//===----------------------------------------------------------------------===//
// ShapeRules.cpp, PartRules.cpp, CreationRules.cpp
//===----------------------------------------------------------------------===//

LogicalResult view(Rule &r, Value self, mlir::ArrayRef<Dim> size);
LogicalResult flatten(Rule &r, Value self, int64_t start, int64_t end);
LogicalResult unflatten(Rule &r, Value self, int64_t dim, mlir::ArrayRef<Dim> sizes);
LogicalResult permute(Rule &r, Value self, mlir::ArrayRef<int64_t> dims);
LogicalResult transpose(Rule &r, Value self, int64_t dim0, int64_t dim1);
LogicalResult reverseDims(Rule &r, Value self);
/// Where each of self's dims goes: result's dim i is self's dim order[i].
mlir::FailureOr<mlir::SmallVector<int64_t>> movedOrder(Rule &r, int64_t rank, mlir::ArrayRef<int64_t> source,
                                                      mlir::ArrayRef<int64_t> destination);
LogicalResult movedim(Rule &r, Value self, mlir::ArrayRef<int64_t> source, mlir::ArrayRef<int64_t> destination);
LogicalResult unsqueeze(Rule &r, Value self, int64_t dim);
LogicalResult squeeze(Rule &r, Value self, OptionalDims dims);
LogicalResult atLeast(Rule &r, Value self, int64_t rank);
LogicalResult expand(Rule &r, Value self, mlir::ArrayRef<Dim> size);
LogicalResult broadcastTensors(Rule &r, ValueRange tensors);
LogicalResult cast(Rule &r, Value self, std::optional<Type> dtype);
LogicalResult bitcast(Rule &r, Value self, Type dtype);
/// Any shape, in self's dtype or `dtype`.
LogicalResult resized(Rule &r, Value self, mlir::ArrayRef<Dim> size, std::optional<Type> dtype = std::nullopt);
LogicalResult repeat(Rule &r, Value self, mlir::ArrayRef<Dim> repeats);
LogicalResult repeatInterleave(Rule &r, Value self, Dim repeats, std::optional<int64_t> dim);
LogicalResult cat(Rule &r, ValueRange tensors, int64_t dim);
LogicalResult stack(Rule &r, ValueRange tensors, int64_t dim);
LogicalResult hstack(Rule &r, ValueRange tensors);
LogicalResult vstack(Rule &r, ValueRange tensors);
LogicalResult dstack(Rule &r, ValueRange tensors);
LogicalResult roll(Rule &r, Value self, mlir::ArrayRef<Dim> shifts, mlir::ArrayRef<int64_t> dims);
LogicalResult rot90(Rule &r, Value self, int64_t k, mlir::ArrayRef<int64_t> dims);
LogicalResult diagEmbed(Rule &r, Value self, int64_t offset, int64_t dim1, int64_t dim2);
LogicalResult diag(Rule &r, Value self, int64_t diagonal);
LogicalResult meshgrid(Rule &r, ValueRange tensors, mlir::StringRef indexing);
LogicalResult pixelShuffle(Rule &r, Value self, int64_t factor);
LogicalResult pixelUnshuffle(Rule &r, Value self, int64_t factor);
/// From the last dim to the front, two numbers each.
LogicalResult pad(Rule &r, Value self, mlir::ArrayRef<Dim> pad);
LogicalResult im2col(Rule &r, Value self, mlir::ArrayRef<int64_t> kernel, mlir::ArrayRef<int64_t> dilation,
                     mlir::ArrayRef<int64_t> padding, mlir::ArrayRef<int64_t> stride);
LogicalResult col2im(Rule &r, Value self, mlir::ArrayRef<int64_t> outputSize, mlir::ArrayRef<int64_t> kernel);

LogicalResult select(Rule &r, Value self, int64_t dim);
/// Python's slice bounds, as far as they are known: start in [0, size], and the length.
struct SliceBounds {
  Dim start, length;
};
SliceBounds sliceBounds(Dim size, std::optional<Dim> start, std::optional<Dim> end, int64_t step);
LogicalResult slice(Rule &r, Value self, int64_t dim, std::optional<fx::DimAttr> start, std::optional<fx::DimAttr> end,
                    int64_t step);
LogicalResult narrow(Rule &r, Value self, int64_t dim, Dim length);
LogicalResult split(Rule &r, Value self, Dim size, int64_t dim);
LogicalResult splitWithSizes(Rule &r, Value self, mlir::ArrayRef<Dim> sizes, int64_t dim);
LogicalResult chunk(Rule &r, Value self, int64_t chunks, int64_t dim);
LogicalResult tensorSplit(Rule &r, Value self, std::optional<int64_t> sections, std::optional<fx::DimsAttr> indices,
                          int64_t dim);
LogicalResult unbind(Rule &r, Value self, int64_t dim);
LogicalResult diagonal(Rule &r, Value self, int64_t offset, int64_t dim1, int64_t dim2);
LogicalResult unfold(Rule &r, Value self, int64_t dim, int64_t size, int64_t step);

/// That shape, in `dtype` or `otherwise`.
LogicalResult typed(Rule &r, mlir::ArrayRef<Dim> size, std::optional<Type> dtype, Type otherwise);
LogicalResult full(Rule &r, mlir::ArrayRef<Dim> size, mlir::Attribute fill, std::optional<Type> dtype);
LogicalResult arange(Rule &r, mlir::Attribute start, mlir::Attribute end, mlir::Attribute step, std::optional<Type> dtype);
LogicalResult eye(Rule &r, Dim n, std::optional<fx::DimAttr> m, std::optional<Type> dtype);
/// Number of elements on or below (`lower`) or on or above a diagonal.
int64_t triangleSize(int64_t rows, int64_t columns, int64_t offset, bool lower);
LogicalResult triangleIndices(Rule &r, int64_t rows, int64_t columns, int64_t offset, std::optional<Type> dtype, bool lower);
LogicalResult oneHot(Rule &r, Value self, int64_t classes);
LogicalResult multinomial(Rule &r, Value self, int64_t samples);

//===----------------------------------------------------------------------===//
// ReductionRules.cpp, SortRules.cpp
//===----------------------------------------------------------------------===//

/// What a reduction does to dtypes: keep them, make integers int64, or demand floats.
enum class Accumulate { Same, WideInt, Float };
/// Sorted, distinct, non-negative dims to reduce; none or an empty list means all.
mlir::FailureOr<mlir::SmallVector<int64_t>> reducedDims(Rule &r, Value self, OptionalDims dims);
LogicalResult reduction(Rule &r, Value self, OptionalDims dims, bool keepdim, std::optional<Type> dtype, Accumulate accumulate);
LogicalResult reductionTwice(Rule &r, Value self, OptionalDims dims, bool keepdim, Accumulate accumulate);
/// bool, but uint8 for uint8.
Type truthType(Value self);
Type floatOf(Value self);
LogicalResult aminmax(Rule &r, Value self, std::optional<int64_t> dim, bool keepdim);
LogicalResult valuesAndIndices(Rule &r, Value self, int64_t dim, bool keepdim);
LogicalResult argReduction(Rule &r, Value self, std::optional<int64_t> dim, bool keepdim);
LogicalResult trace(Rule &r, Value self);
LogicalResult softmax(Rule &r, Value self, int64_t dim, std::optional<Type> dtype);
LogicalResult cumulative(Rule &r, Value self, int64_t dim, std::optional<Type> dtype);
LogicalResult sorted(Rule &r, Value self, int64_t dim);
LogicalResult argsorted(Rule &r, Value self, int64_t dim);
LogicalResult topk(Rule &r, Value self, Dim k, int64_t dim);
LogicalResult searchsorted(Rule &r, Value self, bool int32);
LogicalResult histc(Rule &r, Value self, int64_t bins);
LogicalResult diff(Rule &r, Value self, int64_t n, int64_t dim, Value prepend, Value append);
LogicalResult pairReduction(Rule &r, Value x1, Value x2, int64_t dim, bool keepdim);
LogicalResult cdist(Rule &r, Value x1, Value x2);
LogicalResult pdist(Rule &r, Value self);

//===----------------------------------------------------------------------===//
// NormRules.cpp
//===----------------------------------------------------------------------===//

LogicalResult layerNorm(Rule &r, Value input, mlir::ArrayRef<Dim> normalized);
LogicalResult nativeLayerNorm(Rule &r, Value input, mlir::ArrayRef<Dim> normalized);
LogicalResult groupNorm(Rule &r, Value input, int64_t groups);
LogicalResult nativeGroupNorm(Rule &r, Value input, Dim n, int64_t groups);
LogicalResult nativeBatchNorm(Rule &r, Value input, bool training);
LogicalResult weightNorm(Rule &r, Value v, Value g);

//===----------------------------------------------------------------------===//
// IndexingRules.cpp
//===----------------------------------------------------------------------===//

/// The dims of self that each index takes the place of: a mask of bools, as many as it has.
mlir::SmallVector<mlir::SmallVector<int64_t>> indexedDims(ValueRange indices, mlir::ArrayRef<int64_t> places);
LogicalResult index(Rule &r, Value self, ValueRange indices, mlir::ArrayRef<int64_t> places, std::optional<fx::DimAttr> count);
LogicalResult nonzero(Rule &r, Value self, Dim count);
LogicalResult nonzeroColumns(Rule &r, Value self, Dim count);
LogicalResult maskedSelect(Rule &r, Value self, Value mask, Dim count);
LogicalResult unique(Rule &r, Value self, bool inverse, bool counts, Dim count);
LogicalResult indexPut(Rule &r, Value self, ValueRange indices, mlir::ArrayRef<int64_t> places, Value values);
LogicalResult indexSelect(Rule &r, Value self, int64_t dim, Value index);
/// self with slices along `dim` changed, at the places in a vector.
LogicalResult indexedSlices(Rule &r, Value self, int64_t dim, Value index);
LogicalResult gather(Rule &r, Value self, int64_t dim, Value index);
LogicalResult take(Rule &r, Value self, Value index);
LogicalResult scatter(Rule &r, Value self, int64_t dim, Value index, Value src);
LogicalResult takeAlongDim(Rule &r, Value self, Value indices, std::optional<int64_t> dim);
LogicalResult embedding(Rule &r, Value weight, Value indices);
LogicalResult embeddingBag(Rule &r, Value weight, Value indices, Value offsets, int64_t mode, bool includeLastOffset,
                           int64_t paddingIdx);

//===----------------------------------------------------------------------===//
// ProductRules.cpp, StructuredRules.cpp, WindowRules.cpp
//===----------------------------------------------------------------------===//

LogicalResult linear(Rule &r, Value input, Value weight, Value bias);
LogicalResult matmul(Rule &r, Value self, Value other);
LogicalResult groupedMm(Rule &r, Value self, Value mat2, Value offs, std::optional<Type> dtype);
LogicalResult addmm(Rule &r, Value self, Value mat1, Value mat2);
LogicalResult addbmm(Rule &r, Value self, Value batch1, Value batch2);
LogicalResult outer(Rule &r, Value a, Value b);
LogicalResult inner(Rule &r, Value a, Value b);
/// An equation with its ellipses spelled out as capital letters that it doesn't use.
struct Einsum {
  std::vector<std::string> inputs;
  std::string output;
};
mlir::FailureOr<Einsum> parseEinsum(Rule &r, mlir::StringRef equation, ValueRange tensors);
LogicalResult einsum(Rule &r, mlir::StringRef equation, ValueRange tensors);
LogicalResult tensordot(Rule &r, Value a, Value b, mlir::ArrayRef<int64_t> dimsA, mlir::ArrayRef<int64_t> dimsB);
LogicalResult bilinear(Rule &r, Value input1, Value weight);

struct ConvolutionShape {
  Value input, weight;
  mlir::ArrayRef<int64_t> stride, padding, dilation, outputPadding;
  bool transposed;
  int64_t groups;
};
LogicalResult convolution(Rule &r, const ConvolutionShape &shape);
LogicalResult convolutionPadded(Rule &r, Value input, Value weight, mlir::ArrayRef<int64_t> stride, mlir::StringRef padding,
                                mlir::ArrayRef<int64_t> dilation, int64_t groups);
LogicalResult attention(Rule &r, Value query, Value key, Value value);
LogicalResult flashAttention(Rule &r, Value query, Value key, Value value);
LogicalResult multiHeadAttention(Rule &r, Value query, Value key, Value value, int64_t heads);
/// The second result: the weights of each head or their mean, or nothing ([0]).
LogicalResult attentionWithWeights(Rule &r, Value query, Value key, Value value, int64_t heads, bool needsWeights, bool averages);
LogicalResult recurrent(Rule &r, Value input, ValueRange states, bool bidirectional);
LogicalResult cells(Rule &r, ValueRange states);

struct Pooling {
  Value self;
  int64_t spatial;
  mlir::ArrayRef<int64_t> kernel, stride, padding, dilation;
  bool ceilMode;
};
LogicalResult pooling(Rule &r, const Pooling &pooling);
LogicalResult poolingWithIndices(Rule &r, const Pooling &pooling);
LogicalResult adaptivePool(Rule &r, Value self, int64_t spatial, mlir::ArrayRef<Dim> size);
LogicalResult adaptiveMaxPool(Rule &r, Value self, int64_t spatial, mlir::ArrayRef<Dim> size);
LogicalResult upsample(Rule &r, Value input, int64_t spatial, std::optional<fx::DimsAttr> size,
                       std::optional<mlir::ArrayRef<double>> factors);
LogicalResult gridSampler(Rule &r, Value input, Value grid);
LogicalResult affineGrid(Rule &r, Value theta, mlir::ArrayRef<Dim> size);

//===----------------------------------------------------------------------===//
// BackwardRules.cpp, ComplexRules.cpp
//===----------------------------------------------------------------------===//

LogicalResult convolutionBackward(Rule &r, Value gradOutput, Value input, Value weight);
/// Gradients of a normalization whose weight and bias have the sizes `affine`.
LogicalResult normBackward(Rule &r, Value input, mlir::ArrayRef<Dim> affine);
LogicalResult embeddingBackward(Rule &r, Value gradOutput, Dim rows);

/// float32 for integers, complex64 for float32, ….
Type complexOf(Type element);
/// The dtype of a complex number's parts; other dtypes stay.
Type partOf(Type element);
LogicalResult viewAsReal(Rule &r, Value self);
LogicalResult viewAsComplex(Rule &r, Value self);
LogicalResult realPart(Rule &r, Value self);
LogicalResult angle(Rule &r, Value self);
LogicalResult complexOf(Rule &r, Value first, Value second);
LogicalResult fftR2c(Rule &r, Value self, mlir::ArrayRef<int64_t> dims, bool onesided);
LogicalResult fftC2r(Rule &r, Value self, mlir::ArrayRef<int64_t> dims, Dim lastSize);
/// The size of the signal that a transform of torch.fft works on, along one dim of `size`.
Dim signalSize(Dim size, std::optional<Dim> n, mlir::StringRef name);
LogicalResult fourierLine(Rule &r, Value self, std::optional<fx::DimAttr> n, int64_t dim, mlir::StringRef name);
/// The dims of a transform over several, counted from the front, and the sizes of the signal along them.
struct Box {
  mlir::SmallVector<int64_t> dims;
  mlir::SmallVector<Dim> sizes;
};
mlir::FailureOr<Box> boxOf(Rule &r, Value self, std::optional<fx::DimsAttr> s, OptionalDims dims, bool plane, mlir::StringRef name);
LogicalResult fourierBox(Rule &r, Value self, std::optional<fx::DimsAttr> s, OptionalDims dims, bool plane, mlir::StringRef name);
LogicalResult fourierFrequencies(Rule &r, int64_t n, std::optional<Type> dtype, mlir::StringRef name);
struct Stft {
  Value self;
  int64_t size;
  std::optional<int64_t> hop;
  std::optional<bool> onesided, returnsComplex;
  bool center;
};
LogicalResult stft(Rule &r, const Stft &stft);
/// Where the signal of an istft begins and ends among the windows added up.
struct SignalRange {
  Dim start, size;
};
SignalRange istftRange(Dim frames, int64_t size, int64_t hop, bool center, std::optional<int64_t> length);
LogicalResult istft(Rule &r, Value self, int64_t size, std::optional<int64_t> hop, bool center, std::optional<int64_t> length,
                    bool returnsComplex);

} // namespace graphmill::aten::rules
