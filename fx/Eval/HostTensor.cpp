#include "fx/Eval/HostTensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace graphmill::eval {

Dtype dtypeOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element)) {
    return complex.getElementType().isF32() ? Dtype::C64 : complex.getElementType().isF64() ? Dtype::C128 : Dtype::Other;
  }
  if (auto integer = dyn_cast<IntegerType>(element)) {
    bool isUnsigned = integer.isUnsigned();
    switch (integer.getWidth()) {
    case 1: return Dtype::Bool;
    case 8: return isUnsigned ? Dtype::U8 : Dtype::I8;
    case 16: return isUnsigned ? Dtype::U16 : Dtype::I16;
    case 32: return isUnsigned ? Dtype::U32 : Dtype::I32;
    case 64: return isUnsigned ? Dtype::Other : Dtype::I64;
    default: return Dtype::Other;
    }
  }
  return element.isF16()    ? Dtype::F16
         : element.isBF16() ? Dtype::BF16
         : element.isF32()  ? Dtype::F32
         : element.isF64()  ? Dtype::F64
                            : Dtype::Other;
}

unsigned byteWidth(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element)) {
    return 2 * byteWidth(complex.getElementType());
  }
  if (!element.isIntOrFloat()) {
    return 0;
  }
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

int64_t count(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t size : shape) {
    product *= size;
  }
  return product;
}

Shape rowMajorStrides(ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * shape[i];
  }
  return strides;
}

bool advance(MutableArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  for (size_t i = shape.size(); i-- > 0;) {
    if (++index[i] < shape[i]) {
      return true;
    }
    index[i] = 0;
  }
  return false;
}

HostTensor HostTensor::allocate(ArrayRef<int64_t> shape, Type element) {
  HostTensor result;
  result.shape = Shape(shape);
  result.strides = rowMajorStrides(shape);
  result.element = element;
  // Vectors of any target can be read where a tensor begins.
  constexpr std::align_val_t kAlignment{64};
  size_t bytes = std::max<size_t>(1, count(shape) * byteWidth(element));
  result.storage = std::shared_ptr<char[]>(static_cast<char *>(::operator new(bytes, kAlignment)),
                                           [](char *p) { ::operator delete(p, kAlignment); });
  result.data = result.storage.get();
  return result;
}

HostTensor HostTensor::borrow(ArrayRef<int64_t> shape, Type element, ArrayRef<char> bytes) {
  HostTensor result;
  result.shape = Shape(shape);
  result.strides = rowMajorStrides(shape);
  result.element = element;
  result.data = bytes.data();
  return result;
}

llvm::Expected<HostTensor> HostTensor::of(ElementsAttr value) {
  auto type = cast<RankedTensorType>(value.getShapedType());
  Type element = type.getElementType();
  size_t expected = count(type.getShape()) * byteWidth(element);
  if (byteWidth(element) == 0) {
    return llvm::createStringError("constants of this dtype can't be evaluated");
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() < expected) {
      return llvm::createStringError("the values of resource '%s' were not loaded",
                                     resource.getRawHandle().getKey().str().c_str());
    }
    return borrow(type.getShape(), element, blob->getData());
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense) {
    return llvm::createStringError("constants of this form can't be evaluated");
  }
  if (element.isInteger(1)) { // packed in the attribute
    if (dense.isSplat()) {
      HostTensor result = allocate({}, element);
      *result.mutableData() = dense.getSplatValue<bool>();
      return result.view(type.getShape(), Shape(type.getRank(), 0));
    }
    HostTensor result = allocate(type.getShape(), element);
    llvm::copy(dense.getValues<bool>(), result.mutableData());
    return result;
  }
  HostTensor result = borrow(type.getShape(), element, dense.getRawData());
  if (dense.isSplat()) {
    result.strides.assign(result.rank(), 0);
  }
  return result;
}

int64_t HostTensor::size() const { return count(shape); }

bool HostTensor::isContiguous() const {
  Shape expected = rowMajorStrides(shape);
  for (auto [size, stride, want] : llvm::zip(shape, strides, expected)) {
    if (size > 1 && stride != want) {
      return false;
    }
  }
  return true;
}

HostTensor HostTensor::view(ArrayRef<int64_t> newShape, ArrayRef<int64_t> newStrides, int64_t offset) const {
  HostTensor result = *this;
  result.shape = Shape(newShape);
  result.strides = Shape(newStrides);
  result.data += offset * static_cast<int64_t>(width());
  return result;
}

HostTensor HostTensor::transpose(ArrayRef<int64_t> perm) const {
  Shape newShape, newStrides;
  for (int64_t p : perm) {
    newShape.push_back(shape[p]);
    newStrides.push_back(strides[p]);
  }
  return view(newShape, newStrides);
}

/// Copies `rows` of elements of a fixed width; the width is a constant in each copy of the loop.
template <size_t kWidth> static void copyStrided(char *to, const char *from, int64_t n, int64_t strideBytes) {
  for (int64_t i = 0; i < n; ++i) {
    std::memcpy(to + i * kWidth, from + i * strideBytes, kWidth);
  }
}

HostTensor HostTensor::contiguous() const {
  if (isContiguous()) {
    return *this;
  }
  HostTensor result = allocate(shape, element);
  if (size() == 0) {
    return result;
  }
  int64_t bytes = width(), n = shape.back(), step = strides.back() * bytes;
  Shape index(rank() - 1, 0);
  ArrayRef<int64_t> outer = ArrayRef(shape).drop_back();
  char *to = result.mutableData();
  do {
    int64_t offset = 0;
    for (auto [i, stride] : llvm::zip_first(index, strides)) {
      offset += i * stride;
    }
    const char *from = data + offset * bytes;
    switch (bytes) {
    case 1: copyStrided<1>(to, from, n, step); break;
    case 2: copyStrided<2>(to, from, n, step); break;
    case 4: copyStrided<4>(to, from, n, step); break;
    case 8: copyStrided<8>(to, from, n, step); break;
    default:
      for (int64_t i = 0; i < n; ++i) {
        std::memcpy(to + i * bytes, from + i * step, bytes);
      }
    }
    to += n * bytes;
  } while (advance(index, outer));
  return result;
}

} // namespace graphmill::eval
