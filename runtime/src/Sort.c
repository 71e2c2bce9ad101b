/*===- Sort.c - Rows in order, for loop.sort -------------------------------===*\
|*
|* Called by kernels. Every element becomes an unsigned number in the order wanted, with
|* its place beside it; those pairs are merge-sorted, so that equal elements stay in order.
|*
\*===----------------------------------------------------------------------===*/
#include "graphmill/runtime.h"
#include "runtime/src/Libc.h"

typedef struct {
  uint64_t key;
  int64_t place;
} Pair;

/// Bits of a float of `width` bits to a number that grows with it; NaN is the largest, and
/// both zeros are one.
static uint64_t floatKey(uint64_t bits, int width, uint64_t infinity) {
  uint64_t sign = (uint64_t)1 << (width - 1), magnitude = bits & (sign - 1);
  if (magnitude > infinity) {
    return UINT64_MAX;
  }
  if (magnitude == 0) {
    return sign;
  }
  return bits & sign ? sign - magnitude : sign + magnitude;
}

static uint64_t signedKey(int64_t value) { return (uint64_t)value ^ ((uint64_t)1 << 63); }

static uint64_t keyAt(const char *row, gm_dtype dtype, int64_t offset) {
  switch (dtype) {
  case GM_F32: {
    uint32_t bits;
    memcpy(&bits, row + 4 * offset, 4);
    return floatKey(bits, 32, 0x7F800000u);
  }
  case GM_F64: {
    uint64_t bits;
    memcpy(&bits, row + 8 * offset, 8);
    return floatKey(bits, 64, 0x7FF0000000000000u);
  }
  case GM_F16:
    return floatKey(((const uint16_t *)row)[offset], 16, 0x7C00);
  case GM_BF16:
    return floatKey(((const uint16_t *)row)[offset], 16, 0x7F80);
  case GM_I8:
    return signedKey(((const int8_t *)row)[offset]);
  case GM_I16:
    return signedKey(((const int16_t *)row)[offset]);
  case GM_I32:
    return signedKey(((const int32_t *)row)[offset]);
  case GM_I64:
    return signedKey(((const int64_t *)row)[offset]);
  default: // unsigned bytes and bools
    return ((const uint8_t *)row)[offset];
  }
}

/// Merges [begin, middle) and [middle, end); the left one first where keys are equal.
static void merge(const Pair *from, Pair *to, int64_t begin, int64_t middle, int64_t end) {
  int64_t left = begin, right = middle;
  for (int64_t i = begin; i < end; ++i) {
    int takeLeft = right >= end || (left < middle && from[left].key <= from[right].key);
    to[i] = from[takeLeft ? left++ : right++];
  }
}

/// Strides are in elements; `scratch` holds 2 * length pairs of 16 bytes. `bytes` is the
/// size of an element.
void gmSortRow(const char *row, int64_t stride, int64_t length, int32_t dtype, int32_t bytes, int32_t descending,
               char *values, int64_t valueStride, int64_t *places, int64_t placeStride, char *scratch) {
  Pair *from = (Pair *)scratch, *to = from + length;
  for (int64_t i = 0; i < length; ++i) {
    uint64_t key = keyAt(row, dtype, i * stride);
    from[i] = (Pair){descending ? ~key : key, i};
  }
  for (int64_t width = 1; width < length; width *= 2) {
    for (int64_t begin = 0; begin < length; begin += 2 * width) {
      int64_t middle = begin + width < length ? begin + width : length;
      int64_t end = middle + width < length ? middle + width : length;
      merge(from, to, begin, middle, end);
    }
    Pair *swap = from;
    from = to;
    to = swap;
  }
  for (int64_t i = 0; i < length; ++i) {
    memcpy(values + bytes * i * valueStride, row + bytes * from[i].place * stride, (size_t)bytes);
    places[i * placeStride] = from[i].place;
  }
}
