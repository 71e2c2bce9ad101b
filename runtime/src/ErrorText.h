#ifndef GRAPHMILL_RUNTIME_ERRORTEXT_H
#define GRAPHMILL_RUNTIME_ERRORTEXT_H

#include "graphmill/runtime.h"

/// Keeps the message for gm_error_text() and returns `status`.
gm_status failWith(gm_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
