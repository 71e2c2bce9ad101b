//===- Blocks.h - Elements a block at a time, in the type computed in ------===//
//
// Loops are written once for each type that is computed in (float, double, int64_t,
// complex<double>); a block of any other dtype is converted on its way in and out. A
// block that has that type and lies densely is used where it is.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "fx/Eval/HostTensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace graphmill::eval {

using Complex = std::complex<double>;

/// Elements of a block: a few of them stay in the first level cache.
constexpr size_t kBlock = 1024;

template <typename C> void loadBlock(Dtype dtype, const char *from, int64_t strideElems, size_t n, C *to) {
  withStorage(dtype, [&](auto zero) {
    using S = decltype(zero);
    auto *source = reinterpret_cast<const S *>(from);
    if (strideElems == 0) {
      std::fill_n(to, n, convertElement<C>(*source));
      return;
    }
    for (size_t i = 0; i < n; ++i) {
      to[i] = convertElement<C>(source[static_cast<int64_t>(i) * strideElems]);
    }
  });
}

template <typename C> void storeBlock(Dtype dtype, const C *from, size_t n, char *to) {
  withStorage(dtype, [&](auto zero) {
    using S = decltype(zero);
    auto *target = reinterpret_cast<S *>(to);
    for (size_t i = 0; i < n; ++i) {
      target[i] = convertElement<S>(from[i]);
    }
  });
}

template <typename C> constexpr Dtype kNative = Dtype::Other;
template <> inline constexpr Dtype kNative<float> = Dtype::F32;
template <> inline constexpr Dtype kNative<double> = Dtype::F64;
template <> inline constexpr Dtype kNative<int64_t> = Dtype::I64;
template <> inline constexpr Dtype kNative<Complex> = Dtype::C128;

/// Dims merged as far as all tensors' strides allow; the last one is walked by blocks.
struct Rows {
  Shape outer;                       ///< all dims but the last
  int64_t length = 1;                ///< the last dim
  llvm::SmallVector<Shape> outerStrides; ///< of each tensor
  llvm::SmallVector<int64_t> steps;      ///< of each tensor along the last dim

  Rows(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<const HostTensor *> tensors);
};

/// Calls body(n, out, in) for all blocks in row-major order. Operands have result's shape.
template <typename C, typename Body>
void mapBlocks(HostTensor &result, llvm::ArrayRef<const HostTensor *> operands, Body body) {
  if (result.size() == 0) {
    return;
  }
  Rows rows(result.shape, operands);
  size_t numOperands = operands.size();
  Dtype to = result.dtype();
  bool direct = to == kNative<C>;
  std::vector<C> buffers((numOperands + 1) * std::min<size_t>(kBlock, rows.length));
  size_t capacity = buffers.size() / (numOperands + 1);
  llvm::SmallVector<const C *> in(numOperands);
  llvm::SmallVector<Dtype> dtypes;
  for (const HostTensor *operand : operands) {
    dtypes.push_back(operand->dtype());
  }
  char *out = result.mutableData();
  Shape index(rows.outer.size(), 0);
  do {
    for (int64_t start = 0; start < rows.length; start += capacity) {
      size_t n = std::min<int64_t>(capacity, rows.length - start);
      for (size_t k = 0; k < numOperands; ++k) {
        int64_t offset = start * rows.steps[k];
        for (size_t d = 0; d < index.size(); ++d) {
          offset += index[d] * rows.outerStrides[k][d];
        }
        const char *from = operands[k]->data + offset * operands[k]->width();
        if (dtypes[k] == kNative<C> && rows.steps[k] == 1) {
          in[k] = reinterpret_cast<const C *>(from);
        } else {
          C *buffer = buffers.data() + (k + 1) * capacity;
          loadBlock(dtypes[k], from, rows.steps[k], n, buffer);
          in[k] = buffer;
        }
      }
      C *target = direct ? reinterpret_cast<C *>(out) : buffers.data();
      body(n, target, in.data());
      if (!direct) {
        storeBlock(to, target, n, out);
      }
      out += n * result.width();
    }
  } while (advance(index, rows.outer));
}

/// All elements in row-major order, as the type computed in.
template <typename C> std::vector<C> loadAll(const HostTensor &tensor) {
  HostTensor dense = tensor.contiguous();
  std::vector<C> values(dense.size());
  loadBlock(dense.dtype(), dense.data, 1, values.size(), values.data());
  return values;
}
template <typename C> void storeAll(HostTensor &tensor, llvm::ArrayRef<C> values) {
  storeBlock(tensor.dtype(), values.data(), values.size(), tensor.mutableData());
}

/// Calls `f` with a zero of the wide type of a dtype: double, int64_t or Complex; false if
/// there is none.
template <typename F> bool withWide(Dtype dtype, F f) {
  if (isReal(dtype)) {
    f(double{});
  } else if (isWhole(dtype)) {
    f(int64_t{});
  } else if (isComplex(dtype)) {
    f(Complex{});
  } else {
    return false;
  }
  return true;
}

} // namespace graphmill::eval
