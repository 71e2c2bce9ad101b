// Inputs with strides: told apart from contiguous ones, and copied.
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

static void copyRow(char *to, const char *from, int64_t count, int64_t stride,
                    size_t bytes) {
  if (stride == 1) {
    memcpy(to, from, (size_t)count * bytes);
    return;
  }
  int64_t step = stride * (int64_t)bytes;
  // The size as a constant lets each loop be one load and one store.
#define COPY_EACH(size)                                                        \
  for (int64_t i = 0; i < count; ++i, to += (size), from += step) {            \
    memcpy(to, from, (size));                                                  \
  }                                                                            \
  break
  switch (bytes) {
  case 1:
    COPY_EACH(1);
  case 2:
    COPY_EACH(2);
  case 4:
    COPY_EACH(4);
  default:
    COPY_EACH(8);
  }
#undef COPY_EACH
}

/// Copies the sub-tensor from dim `d` on and returns the end of what was
/// written.
static char *copyFrom(char *to, const char *from, const gm_tensor *tensor,
                      int32_t d) {
  size_t bytes = dtypeBytes(tensor->dtype);
  if (d == tensor->rank - 1) {
    copyRow(to, from, tensor->shape[d], tensor->strides[d], bytes);
    return to + (size_t)tensor->shape[d] * bytes;
  }
  for (int64_t i = 0; i < tensor->shape[d]; ++i) {
    to = copyFrom(to, from + i * tensor->strides[d] * (int64_t)bytes, tensor,
                  d + 1);
  }
  return to;
}

void copyToContiguous(char *to, const gm_tensor *from) {
  if (isContiguous(from)) {
    memcpy(to, from->data,
           (size_t)countElements(from->shape, from->rank) *
               dtypeBytes(from->dtype));
    return;
  }
  copyFrom(to, from->data, from, 0);
}
