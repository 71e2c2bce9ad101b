#include "codegen/cpu/PackedWeight.h"
#include "fx/Aten/Promotion.h"
#include "inductor/Analysis/Winograd.h"

using namespace llvm;

namespace graphmill::cpu {

namespace {
/// Makes stored elements from a value's, a row of the last dim at a time.
class Packer {
public:
  /// `value` holds the elements from `first` on.
  Packer(fx::PackingAttr packing, ArrayRef<char> value, unsigned width, bool isSplat, int64_t first = 0)
      : sizes(packing.getSizes()), strides(packing.getStrides()), columns(packing.getColumns()), step(packing.getStep()),
        limit(packing.getLimit()), offset(packing.getOffset() - first), value(value), width(width) {
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

/// Transforms the taps of the filters that a part of the stored elements is made of, then puts
/// them in order.
class WinogradPacker {
public:
  WinogradPacker(fx::PackingAttr packing, ArrayRef<char> value, bool isSplat)
      : packing(packing), value(value), isSplat(isSplat), winograd(packing.getWinograd()) {}

  void fill(uint64_t begin, MutableArrayRef<char> out) const {
    int64_t area = winograd.size() * winograd.size();
    auto [lowest, highest] = reach(begin / 4, (begin + out.size()) / 4 - 1);
    int64_t first = lowest / area, count = highest / area - first + 1;
    std::vector<float> transformed(count * area);
    for (int64_t filter = 0; filter < count; filter += kAtOnce) {
      transform(first + filter, std::min<int64_t>(kAtOnce, count - filter), &transformed[filter * area]);
    }
    Packer(packing, ArrayRef(reinterpret_cast<char *>(transformed.data()), transformed.size() * 4), 4, false, first * area)
        .fill(begin, out);
  }

private:
  static constexpr int kAtOnce = 16; // the innermost loops', which compilers make vectors of
  using Lanes = double[kAtOnce];

  /// The smallest and largest element of the value that stored elements begin … last come from,
  /// by the outermost dim that they are in.
  std::pair<int64_t, int64_t> reach(int64_t begin, int64_t last) const {
    ArrayRef<int64_t> sizes = packing.getSizes(), strides = packing.getStrides(), columns = packing.getColumns();
    int64_t inner = 1, lowest = packing.getOffset(), highest = lowest, firstColumn = 0, lastColumn = 0;
    for (int64_t size : sizes.drop_front()) {
      inner *= size;
    }
    for (size_t d = 0; d < sizes.size(); ++d) {
      int64_t from = d == 0 ? begin / inner : 0, to = d == 0 ? last / inner : sizes[d] - 1;
      auto [low, high] = std::minmax(from * strides[d], to * strides[d]);
      lowest += low;
      highest += high;
      firstColumn += from * columns[d];
      lastColumn += to * columns[d];
    }
    int64_t limit = std::max<int64_t>(packing.getLimit(), 1) - 1;
    auto [low, high] = std::minmax(std::min(firstColumn, limit) * packing.getStep(), std::min(lastColumn, limit) * packing.getStep());
    return {lowest + low, highest + high};
  }

  /// G g G^T, for `count` filters g.
  void transform(int64_t first, int64_t count, float *out) const {
    const float *in = reinterpret_cast<const float *>(value.data());
    unsigned size = winograd.size();
    Lanes taps[9], half[6 * 3];
    for (int tap = 0; tap < 9; ++tap) {
      for (int64_t i = 0; i < kAtOnce; ++i) {
        taps[tap][i] = isSplat ? in[0] : i < count ? in[(first + i) * 9 + tap] : 0;
      }
    }
    for (unsigned row = 0; row < size; ++row) {
      for (unsigned j = 0; j < 3; ++j) {
        for (int i = 0; i < kAtOnce; ++i) {
          half[row * 3 + j][i] = winograd.weight(row, 0) * taps[j][i] + winograd.weight(row, 1) * taps[3 + j][i] +
                                 winograd.weight(row, 2) * taps[6 + j][i];
        }
      }
    }
    for (unsigned place = 0; place < size * size; ++place) {
      const Lanes *row = half + place / size * 3;
      unsigned column = place % size;
      Lanes all;
      for (int i = 0; i < kAtOnce; ++i) {
        all[i] = winograd.weight(column, 0) * row[0][i] + winograd.weight(column, 1) * row[1][i] +
                 winograd.weight(column, 2) * row[2][i];
      }
      for (int64_t i = 0; i < count; ++i) {
        out[i * size * size + place] = static_cast<float>(all[i]);
      }
    }
  }

  fx::PackingAttr packing;
  ArrayRef<char> value;
  bool isSplat;
  loop::Winograd winograd;
};
} // namespace

host::Weight packedWeight(fx::TensorOp tensor, ArrayRef<char> value) {
  fx::PackingAttr packing = *tensor.getPacking();
  host::Weight weight{tensor.getSymName().str(), value};
  unsigned width = sizeOf(tensor.getTensorType().getElementType());
  weight.storedBytes = tensor.getTensorType().getNumElements() * width;
  raw_string_ostream(weight.layout) << packing;
  bool isSplat = weight.bytes.size() == width;
  if (packing.getWinograd()) {
    weight.fill = [packer = WinogradPacker(packing, weight.bytes, isSplat)](uint64_t begin, MutableArrayRef<char> out) {
      packer.fill(begin, out);
    };
    return weight;
  }
  weight.fill = [packer = Packer(packing, weight.bytes, width, isSplat)](uint64_t begin, MutableArrayRef<char> out) {
    packer.fill(begin, out);
  };
  return weight;
}

host::Weight splatWeight(fx::TensorOp tensor, mlir::DenseElementsAttr splat) {
  static constexpr char kBools[] = {0, 1};
  bool isBool = splat.getElementType().isInteger(1);
  ArrayRef<char> one = isBool ? ArrayRef(&kBools[splat.getSplatValue<bool>()], 1) : splat.getRawData();
  host::Weight weight{tensor.getSymName().str(), one};
  weight.storedBytes = splat.getNumElements() * one.size();
  weight.layout = "one element, " + std::to_string(weight.storedBytes) + " bytes";
  weight.fill = [one](uint64_t begin, MutableArrayRef<char> out) {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = one[(begin + i) % one.size()];
    }
  };
  return weight;
}

} // namespace graphmill::cpu
