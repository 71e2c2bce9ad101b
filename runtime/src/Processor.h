#ifndef GRAPHMILL_RUNTIME_PROCESSOR_H
#define GRAPHMILL_RUNTIME_PROCESSOR_H

#include "graphmill/runtime.h"

/// Whether this processor has the features of the mask, bits as in
/// ProcessorFeatures.h.
gm_status checkProcessor(uint64_t features, const char *modelName);

#endif
