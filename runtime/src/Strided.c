// Inputs with strides: told apart from contiguous ones, and copied both ways.
#include "Strided.h"
#include "Libc.h"
#include "Shapes.h"

bool isContiguous(const gm_tensor *tensor) {
  if (!tensor->strides) {
    return true;
  }
  bool contiguous = true;
  int64_t expected = 1;
  for (int32_t d = tensor->rank - 1; d >= 0; --d) {
    if (tensor->shape[d] == 0) {
      return true;
    }
    contiguous &= tensor->shape[d] == 1 || tensor->strides[d] == expected;
    expected *= tensor->shape[d];
  }
  return contiguous;
}

/// Between `packed` elements and ones that are `stride` apart.
static void copyRow(char *packed, char *strided, int64_t count, int64_t stride,
                    size_t bytes, bool isGather) {
  int64_t step = stride * (int64_t)bytes;
  // The size as a constant lets each loop be one load and one store.
#define COPY_EACH(size)                                                        \
  for (int64_t i = 0; i < count; ++i, packed += (size), strided += step) {     \
    memcpy(isGather ? packed : strided, isGather ? strided : packed, (size));  \
  }                                                                            \
  break
  switch (bytes) {
  case 1:
    COPY_EACH(1);
  case 2:
    COPY_EACH(2);
  case 4:
    COPY_EACH(4);
  case 8:
    COPY_EACH(8);
  default:
    COPY_EACH(bytes);
  }
#undef COPY_EACH
}

/// Copies the sub-tensor from dim `d` on and returns the end of its packed form.
static char *copyDims(char *packed, char *strided, const gm_tensor *tensor,
                      int32_t d, bool isGather) {
  size_t bytes = dtypeBytes(tensor->dtype);
  if (d == tensor->rank - 1) {
    copyRow(packed, strided, tensor->shape[d], tensor->strides[d], bytes,
            isGather);
    return packed + (size_t)tensor->shape[d] * bytes;
  }
  for (int64_t i = 0; i < tensor->shape[d]; ++i) {
    packed =
        copyDims(packed, strided + i * tensor->strides[d] * (int64_t)bytes,
                 tensor, d + 1, isGather);
  }
  return packed;
}

static size_t packedBytes(const gm_tensor *tensor) {
  return (size_t)countElements(tensor->shape, tensor->rank) *
         dtypeBytes(tensor->dtype);
}

void copyToContiguous(char *to, const gm_tensor *from) {
  if (isContiguous(from)) {
    memcpy(to, from->data, packedBytes(from));
    return;
  }
  copyDims(to, from->data, from, 0, true);
}

void copyFromContiguous(const gm_tensor *to, char *from) {
  if (isContiguous(to)) {
    memcpy(to->data, from, packedBytes(to));
    return;
  }
  copyDims(from, to->data, to, 0, false);
}
