//===- HostTensor.h - Tensors in this process's memory ---------------------===//
#pragma once
#include "fx/Eval/ElementType.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace graphmill::eval {

using Shape = llvm::SmallVector<int64_t, 6>;

/// Elements by strides in memory that is shared or borrowed. Views cost nothing: a
/// broadcast of a weight is a stride of 0.
struct HostTensor {
  Shape shape;
  Shape strides; ///< in elements
  mlir::Type element;
  const char *data = nullptr; ///< first element
  std::shared_ptr<char[]> storage; ///< null if `data` is borrowed

  /// Row-major, contents undefined.
  static HostTensor allocate(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  /// Row-major elements that outlive the tensor.
  static HostTensor borrow(llvm::ArrayRef<int64_t> shape, mlir::Type element, llvm::ArrayRef<char> bytes);
  /// Borrows what it can: a resource's bytes, or a dense attribute's that isn't packed.
  static llvm::Expected<HostTensor> of(mlir::ElementsAttr value);
  /// A row-major tensor of C++ values (`int64_t`, `float`, `Bool`, …).
  template <typename T>
  static HostTensor of(llvm::ArrayRef<int64_t> shape, mlir::Type element, llvm::ArrayRef<T> values) {
    HostTensor result = allocate(shape, element);
    std::memcpy(result.mutableData(), values.data(), values.size() * sizeof(T));
    return result;
  }

  int64_t rank() const { return shape.size(); }
  int64_t size() const;
  Dtype dtype() const { return dtypeOf(element); }
  unsigned width() const { return byteWidth(element); }
  bool isContiguous() const;
  /// The same elements row-major: this tensor if it is so already.
  HostTensor contiguous() const;
  /// The same memory, read otherwise. `offset` is in elements.
  HostTensor view(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides, int64_t offset = 0) const;
  HostTensor transpose(llvm::ArrayRef<int64_t> perm) const;

  /// Only of a tensor just allocated.
  char *mutableData() { return storage.get(); }
  template <typename T> T *mutableElements() { return reinterpret_cast<T *>(storage.get()); }
  /// Elements of a contiguous tensor.
  template <typename T> llvm::ArrayRef<T> elements() const {
    return llvm::ArrayRef<T>(reinterpret_cast<const T *>(data), size());
  }
  llvm::ArrayRef<char> bytes() const { return {data, static_cast<size_t>(size()) * width()}; }
};

Shape rowMajorStrides(llvm::ArrayRef<int64_t> shape);
/// Product of the sizes.
int64_t count(llvm::ArrayRef<int64_t> shape);
/// Steps a multi-index in row-major order; false after the last one.
bool advance(llvm::MutableArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape);

} // namespace graphmill::eval
