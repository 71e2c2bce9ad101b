#ifndef GRAPHMILL_RUNTIME_STRIDED_H
#define GRAPHMILL_RUNTIME_STRIDED_H

#include "graphmill/runtime.h"
#include <stdbool.h>

/// Whether the elements lie end to end in row-major order. Dims of size 1 may
/// have any stride, and an empty tensor any strides.
bool isContiguous(const gm_tensor *tensor);

/// Writes the elements end to end in row-major order.
void copyToContiguous(char *to, const gm_tensor *from);
/// And back.
void copyFromContiguous(const gm_tensor *to, char *from);

#endif
