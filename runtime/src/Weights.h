#ifndef GRAPHMILL_RUNTIME_WEIGHTS_H
#define GRAPHMILL_RUNTIME_WEIGHTS_H

#include "graphmill/runtime.h"
#include "runtime/PlanAbi.h"

/// Where the weights are in memory: in the library, or in a mapped file. Each
/// context maps the file for itself; the pages are the same physical ones in
/// all contexts and processes.
typedef struct Weights {
  const char *bytes;
  void *mapping; ///< NULL if there is nothing to unmap
  size_t mappingBytes;
} Weights;

/// `path` may be NULL: then the file named in the plan, in the library's own
/// folder.
gm_status openWeights(Weights *weights, const Plan *plan, const char *path);
void closeWeights(Weights *weights);

#endif
