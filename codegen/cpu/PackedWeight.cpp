#include "codegen/cpu/PackedWeight.h"
#include "fx/Aten/Promotion.h"

using namespace llvm;

namespace graphmill::cpu {

namespace {
/// Makes stored elements from a value's, a row of the last dim at a time.
class Packer {
public:
  Packer(fx::PackingAttr packing, ArrayRef<char> value, unsigned width, bool isSplat)
      : sizes(packing.getSizes()), strides(packing.getStrides()), columns(packing.getColumns()), step(packing.getStep()),
        limit(packing.getLimit()), offset(packing.getOffset()), value(value), width(width) {
    if (isSplat) {
      std::fill(strides.begin(), strides.end(), 0);
      step = offset = 0;
    }
  }

  void fill(uint64_t begin, MutableArrayRef<char> out) const {
    switch (width) {
    case 1:
      return fillAs<uint8_t>(begin, out);
    case 2:
      return fillAs<uint16_t>(begin, out);
    case 4:
      return fillAs<uint32_t>(begin, out);
    default:
      return fillAs<uint64_t>(begin, out);
    }
  }

private:
  template <typename T> void fillAs(uint64_t begin, MutableArrayRef<char> out) const {
    const T *in = reinterpret_cast<const T *>(value.data());
    T *to = reinterpret_cast<T *>(out.data()), *end = to + out.size() / sizeof(T);
    // Where `begin` is, then an odometer whose last digit runs freely.
    size_t rank = sizes.size(), last = rank - 1;
    SmallVector<int64_t> index(rank);
    int64_t rest = begin / sizeof(T), source = offset, column = 0;
    for (size_t d = rank; d-- > 0;) {
      index[d] = rest % sizes[d];
      rest /= sizes[d];
      source += index[d] * strides[d];
      column += index[d] * columns[d];
    }
    auto move = [&](size_t d, int64_t by) {
      index[d] += by;
      source += by * strides[d];
      column += by * columns[d];
    };
    int64_t apart = strides[last] + columns[last] * step;
    // A transposition: the elements of a row are far from each other, those of a column near.
    bool transposes = rank > 1 && columns[last - 1] == 0 && strides[last - 1] < apart;
    int64_t below = transposes ? strides[last - 1] : 0;
    while (to < end) {
      int64_t count = std::min<int64_t>(sizes[last] - index[last], end - to), rows = 1;
      if (transposes && count == sizes[last]) {
        // What is near is read together: eight lines of memory.
        rows = std::min<int64_t>({512 / sizeof(T), sizes[last - 1] - index[last - 1], (end - to) / count});
      }
      int64_t valid = columns[last] == 0 ? (column < limit ? count : 0)
                                         : std::clamp<int64_t>((limit - column + columns[last] - 1) / columns[last], 0, count);
      const T *from = in + source + column * step;
      for (int64_t i = 0; i < valid; ++i) {
        for (int64_t row = 0; row < rows; ++row) {
          to[row * count + i] = from[i * apart + row * below];
        }
      }
      for (int64_t row = 0; row < rows; ++row) {
        std::fill(to + row * count + valid, to + (row + 1) * count, T(0));
      }
      to += rows * count;
      if (rows > 1) {
        move(last - 1, rows - 1);
      }
      move(last, count);
      for (size_t d = last; d > 0 && index[d] == sizes[d]; --d) {
        move(d, -sizes[d]);
        move(d - 1, 1);
      }
    }
  }

  SmallVector<int64_t> sizes, strides, columns;
  int64_t step, limit, offset;
  ArrayRef<char> value;
  unsigned width;
};
} // namespace

host::Weight packedWeight(fx::TensorOp tensor, ArrayRef<char> value) {
  fx::PackingAttr packing = *tensor.getPacking();
  host::Weight weight{tensor.getSymName().str(), value};
  unsigned width = sizeOf(tensor.getTensorType().getElementType());
  weight.storedBytes = tensor.getTensorType().getNumElements() * width;
  raw_string_ostream(weight.layout) << packing;
  bool isSplat = weight.bytes.size() == width;
  weight.fill = [packer = Packer(packing, weight.bytes, width, isSplat)](uint64_t begin, MutableArrayRef<char> out) {
    packer.fill(begin, out);
  };
  return weight;
}

} // namespace graphmill::cpu
