#include "aot_autograd/Decompose/PrimBuilder.h"

using namespace mlir;

namespace graphmill {

Type PrimBuilder::opmath(Type element) {
  return isFloat(element) && element.getIntOrFloatBitWidth() < 32 ? f32() : element;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Attribute numberAttr(Type element, double real, int64_t integer) {
  if (auto type = dyn_cast<FloatType>(element)) {
    APFloat value(real);
    bool lossy;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lossy);
    return FloatAttr::get(type, value);
  }
  auto type = cast<IntegerType>(element);
  if (type.getWidth() == 1) {
    return IntegerAttr::get(type, APInt(1, real != 0));
  }
  return IntegerAttr::get(type, APInt(64, integer).sextOrTrunc(type.getWidth()));
}

static Value splat(PrimBuilder &b, Type element, double real, int64_t integer) {
  auto type = RankedTensorType::get({}, element);
  DenseElementsAttr value;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    APFloat part(real);
    bool lossy;
    part.convert(cast<FloatType>(complex.getElementType()).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &lossy);
    value = DenseElementsAttr::get(
        type, std::complex<APFloat>(part, APFloat::getZero(part.getSemantics())));
  } else {
    value = DenseElementsAttr::get(type, numberAttr(element, real, integer));
  }
  return prims::ConstantOp::create(b.builder, b.loc, type, value);
}

Value PrimBuilder::constant(double value, Type element) {
  // Casting an infinity or NaN to an integer is undefined: only floats keep those.
  int64_t integer = std::isfinite(value) && std::abs(value) < 0x1p63 ? static_cast<int64_t>(value) : 0;
  return splat(*this, element, value, integer);
}

Value PrimBuilder::constant(int64_t value, Type element) {
  return splat(*this, element, static_cast<double>(value), value);
}

Value PrimBuilder::scalar(Attribute value, Type element) {
  if (auto dim = dyn_cast<fx::DimAttr>(value)) {
    return size(dim.getExpr(), element);
  }
  if (auto real = dyn_cast<FloatAttr>(value)) {
    return constant(real.getValueAsDouble(), element);
  }
  auto integer = cast<IntegerAttr>(value);
  bool isBool = integer.getType().isInteger(1);
  return constant(isBool ? int64_t(integer.getValue().getBoolValue()) : integer.getInt(), element);
}

Value PrimBuilder::size(Dim dim, Type element) {
  if (std::optional<int64_t> known = getStatic(dim)) {
    return constant(*known, element);
  }
  Value value = prims::SizeOp::create(builder, loc, RankedTensorType::get({}, i64()),
                                      fx::DimAttr::get(context(), dim));
  return convert(value, element);
}

Value PrimBuilder::iota(Dim n) {
  return prims::IotaOp::create(builder, loc, getTensorType({n}, i64()));
}

Value PrimBuilder::full(ArrayRef<Dim> dims, double value, Type element) {
  return broadcast(constant(value, element), dims);
}

//===----------------------------------------------------------------------===//
// Conversion and broadcasting
//===----------------------------------------------------------------------===//

Value PrimBuilder::convert(Value value, Type element) {
  if (auto number = value.getDefiningOp<fx::NumberOp>()) {
    return scalar(number.getValue(), element);
  }
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element) {
    return value;
  }
  return prims::ConvertOp::create(builder, loc, withElement(type, element), value);
}

Value PrimBuilder::broadcastDims(Value value, ArrayRef<Dim> dims, ArrayRef<int64_t> map) {
  RankedTensorType type = getTensorType(dims, getElement(value));
  if (type == value.getType()) {
    return value;
  }
  return prims::BroadcastOp::create(builder, loc, type, value, map);
}

Value PrimBuilder::broadcast(Value value, ArrayRef<Dim> dims) {
  int64_t rank = dimsOf(value).size(), added = dims.size() - rank;
  SmallVector<int64_t> map = llvm::to_vector(llvm::seq<int64_t>(added, added + rank));
  return broadcastDims(value, dims, map);
}

Dims PrimBuilder::commonDims(ValueRange values) {
  size_t rank = 0;
  for (Value value : values) {
    rank = std::max(rank, dimsOf(value).size());
  }
  Dims result(rank, dim(1));
  for (Value value : values) {
    Dims dims = dimsOf(value);
    for (size_t i = 0; i < dims.size(); ++i) {
      Dim &target = result[rank - dims.size() + i];
      // Sizes that differ only as expressions were proved equal by the exporter: keep the number.
      if (getStatic(target) == 1 || (!getStatic(target) && getStatic(dims[i]).value_or(1) != 1)) {
        target = dims[i];
      }
    }
  }
  return result;
}

std::pair<Value, Value> PrimBuilder::aligned(Value lhs, Value rhs) {
  if (lhs.getType() == rhs.getType()) {
    return {lhs, rhs};
  }
  Dims dims = commonDims({lhs, rhs});
  return {broadcast(lhs, dims), broadcast(rhs, dims)};
}

//===----------------------------------------------------------------------===//
// Pointwise
//===----------------------------------------------------------------------===//

Value PrimBuilder::sigmoid(Value x) { return div(1.0, add(exp(neg(x)), 1.0)); }

Value PrimBuilder::compare(prims::Predicate predicate, Value lhs, Value rhs) {
  auto [a, b] = aligned(lhs, rhs);
  auto type = withElement(cast<RankedTensorType>(a.getType()), boolean());
  return prims::CompareOp::create(builder, loc, type, predicate, a, b);
}

Value PrimBuilder::select(Value pred, Value onTrue, Value onFalse) {
  Dims dims = commonDims({pred, onTrue, onFalse});
  Value a = broadcast(onTrue, dims), b = broadcast(onFalse, dims);
  return prims::SelectOp::create(builder, loc, a.getType(), broadcast(pred, dims), a, b);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value PrimBuilder::reshape(Value value, ArrayRef<Dim> dims) {
  RankedTensorType type = getTensorType(dims, getElement(value));
  if (type == value.getType()) {
    return value;
  }
  return prims::ReshapeOp::create(builder, loc, type, value);
}

Value PrimBuilder::transpose(Value value, ArrayRef<int64_t> perm) {
  if (llvm::equal(perm, llvm::seq<int64_t>(0, perm.size()))) {
    return value;
  }
  Dims dims = dimsOf(value), result;
  for (int64_t p : perm) {
    result.push_back(dims[p]);
  }
  return prims::TransposeOp::create(builder, loc, getTensorType(result, getElement(value)), value, perm);
}

Value PrimBuilder::swapDims(Value value, int64_t a, int64_t b) {
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, dimsOf(value).size()));
  std::swap(perm[a], perm[b]);
  return transpose(value, perm);
}

Value PrimBuilder::unsqueeze(Value value, int64_t at) {
  Dims dims = dimsOf(value);
  dims.insert(dims.begin() + at, dim(1));
  return reshape(value, dims);
}

Value PrimBuilder::squeeze(Value value, int64_t at) {
  Dims dims = dimsOf(value);
  dims.erase(dims.begin() + at);
  return reshape(value, dims);
}

Value PrimBuilder::slice(Value value, int64_t at, Dim start, Dim size, int64_t step) {
  Dims dims = dimsOf(value);
  SmallVector<AffineExpr> starts(dims.size(), dim(0));
  SmallVector<int64_t> steps(dims.size(), 1);
  if (getStatic(start) == 0 && step == 1 && equal(size, dims[at])) {
    return value;
  }
  starts[at] = start;
  steps[at] = step;
  dims[at] = size;
  return prims::SliceOp::create(builder, loc, getTensorType(dims, getElement(value)), value,
                                fx::DimsAttr::get(context(), starts), steps);
}

Value PrimBuilder::pad(Value value, ArrayRef<Dim> low, ArrayRef<Dim> high, Value fill) {
  Dims dims = dimsOf(value);
  SmallVector<AffineExpr> lows(low);
  bool any = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    any |= getStatic(low[i]) != 0 || getStatic(high[i]) != 0;
    dims[i] = simplify(dims[i] + low[i] + high[i]);
  }
  if (!any) {
    return value;
  }
  return prims::PadOp::create(builder, loc, getTensorType(dims, getElement(value)), value, fill,
                              fx::DimsAttr::get(context(), lows));
}

Value PrimBuilder::concatenate(ValueRange values, int64_t at) {
  Dims dims = dimsOf(values[0]);
  if (values.size() == 1) {
    return values[0];
  }
  dims[at] = dim(0);
  for (Value value : values) {
    dims[at] = simplify(dims[at] + dimOf(value, at));
  }
  return prims::ConcatenateOp::create(builder, loc, getTensorType(dims, getElement(values[0])), values, at);
}

//===----------------------------------------------------------------------===//
// Reductions and products
//===----------------------------------------------------------------------===//

Value PrimBuilder::reduce(prims::Reducer reducer, Value value, ArrayRef<int64_t> dims, bool keepdim) {
  Dims kept, result;
  for (auto [i, d] : llvm::enumerate(dimsOf(value))) {
    bool reduced = llvm::is_contained(dims, static_cast<int64_t>(i));
    if (!reduced) {
      result.push_back(d);
    }
    kept.push_back(reduced ? dim(1) : d);
  }
  if (!dims.empty()) {
    value = prims::ReduceOp::create(builder, loc, getTensorType(result, getElement(value)), reducer,
                                    value, dims);
  }
  return keepdim ? reshape(value, kept) : value;
}

Value PrimBuilder::mean(Value value, ArrayRef<int64_t> dims, bool keepdim) {
  Dim count = dim(1);
  for (int64_t d : dims) {
    count = count * dimOf(value, d);
  }
  Value n = size(simplify(count), getElement(value));
  return div(sum(value, dims, keepdim), n);
}

Value PrimBuilder::matmul(Value lhs, Value rhs) {
  Dims a = dimsOf(lhs), b = dimsOf(rhs);
  if (b.size() == 2) {
    Dims result = a;
    result.back() = b.back();
    return prims::MatmulOp::create(builder, loc, getTensorType(result, getElement(lhs)), lhs, rhs);
  }
  size_t rank = std::max(a.size(), b.size());
  Dims batch(rank - 2, dim(1));
  for (const Dims &dims : {a, b}) {
    for (size_t i = 0; i + 2 < dims.size(); ++i) {
      Dim &target = batch[rank - dims.size() + i];
      target = getStatic(target) == 1 ? dims[i] : target;
    }
  }
  auto withBatch = [&](const Dims &dims) {
    Dims result = batch;
    result.append(dims.end() - 2, dims.end());
    return result;
  };
  Dims result = batch;
  result.push_back(a[a.size() - 2]);
  result.push_back(b.back());
  return prims::MatmulOp::create(builder, loc, getTensorType(result, getElement(lhs)),
                                 broadcast(lhs, withBatch(a)), broadcast(rhs, withBatch(b)));
}

} // namespace graphmill
