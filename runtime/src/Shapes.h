#ifndef GRAPHMILL_RUNTIME_SHAPES_H
#define GRAPHMILL_RUNTIME_SHAPES_H

#include "graphmill/runtime.h"
#include "runtime/PlanAbi.h"
#include <stdbool.h>

/// The sizes of one run. Valid for as long as the inputs' shapes don't change.
typedef struct Shapes {
  const Plan *plan;
  int64_t *inputDims; ///< all inputs' dims end to end
  int64_t *symbols;
  int64_t *values;
  int64_t *outputDims; ///< all outputs' dims end to end
  bool valid;
} Shapes;

/// Allocates the arrays and fills in what is static. The result must be freed
/// even if this fails.
gm_status initShapes(Shapes *shapes, const Plan *plan);
void freeShapes(Shapes *shapes);

/// Checks the inputs' dtypes, ranks and dims against the plan and computes
/// every size. Costs a comparison when the dims are those of the last call.
gm_status resolveShapes(Shapes *shapes, const gm_tensor *inputs,
                        size_t numInputs);

/// Gives a symbol the value that the data has told and computes every size
/// anew; memory stays as it was planned.
gm_status bindSize(Shapes *shapes, uint32_t symbol, const int64_t *value);

/// Why `value` isn't the symbol's: "1 to 64", "at least 2", "multiples of 8".
typedef struct AllowedText {
  char text[96];
} AllowedText;
AllowedText allowedValues(const PlanSymbol *symbol, int64_t value);

/// Bytes of an element; 0 for what is no gm_dtype.
size_t dtypeBytes(gm_dtype dtype);
const char *dtypeName(gm_dtype dtype);

/// Elements of a tensor whose dims resolveShapes() has accepted.
int64_t countElements(const int64_t *dims, int32_t rank);

#endif
