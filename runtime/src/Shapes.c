// Checks the inputs of a run and computes the sizes that depend on them.
//
// The order matters: a symbol is read from the dim that defines it, its range
// is checked, and only then are the expressions evaluated, so that nothing is
// computed from a value the compiler didn't allow for.
#include "Shapes.h"
#include "ErrorText.h"
#include "Libc.h"

typedef long long Wide; // for printf: int64_t is long on some targets

size_t dtypeBytes(gm_dtype dtype) {
  switch (dtype) {
  case GM_I8:
  case GM_U8:
  case GM_BOOL:
    return 1;
  case GM_F16:
  case GM_BF16:
  case GM_I16:
    return 2;
  case GM_F32:
  case GM_I32:
    return 4;
  case GM_F64:
  case GM_I64:
  case GM_C64:
    return 8;
  case GM_C128:
    return 16;
  default:
    return 0;
  }
}

const char *dtypeName(gm_dtype dtype) {
  switch (dtype) {
  case GM_F32:
    return "float32";
  case GM_F64:
    return "float64";
  case GM_F16:
    return "float16";
  case GM_BF16:
    return "bfloat16";
  case GM_I8:
    return "int8";
  case GM_I16:
    return "int16";
  case GM_I32:
    return "int32";
  case GM_I64:
    return "int64";
  case GM_U8:
    return "uint8";
  case GM_BOOL:
    return "bool";
  case GM_C64:
    return "complex64";
  case GM_C128:
    return "complex128";
  default:
    return "an unknown dtype";
  }
}

int64_t countElements(const int64_t *dims, int32_t rank) {
  int64_t count = 1;
  for (int32_t d = 0; d < rank; ++d) {
    count *= dims[d];
  }
  return count;
}

/// calloc(0) may be null, which would look like a failure.
static void *allocateArray(size_t count, size_t bytes) {
  return calloc(count ? count : 1, bytes);
}

gm_status initShapes(Shapes *shapes, const Plan *plan) {
  size_t numOutputDims = 0;
  for (uint32_t i = 0; i < plan->numOutputs; ++i) {
    numOutputDims += (size_t)plan->outputs[i].rank;
  }
  *shapes = (Shapes){.plan = plan};
  shapes->inputDims = allocateArray(plan->numInputDims, sizeof(int64_t));
  shapes->symbols = allocateArray(plan->numSymbols, sizeof(int64_t));
  shapes->values = allocateArray(plan->numValues, sizeof(int64_t));
  shapes->outputDims = allocateArray(numOutputDims, sizeof(int64_t));
  if (!shapes->inputDims || !shapes->symbols || !shapes->values ||
      !shapes->outputDims) {
    return failWith(GM_OUT_OF_MEMORY, "no memory for the sizes of %u values",
                    plan->numValues);
  }
  memcpy(shapes->values, plan->constants, plan->numConstants * sizeof(int64_t));
  return GM_OK;
}

void freeShapes(Shapes *shapes) {
  free(shapes->inputDims);
  free(shapes->symbols);
  free(shapes->values);
  free(shapes->outputDims);
  *shapes = (Shapes){0};
}

/// The parts of the signature that no symbol can change.
static gm_status checkSignature(const Plan *plan, const gm_tensor *inputs,
                                size_t numInputs) {
  if (numInputs != plan->numInputs) {
    return failWith(GM_INVALID_ARGUMENT, "%zu inputs given, '%s' takes %u",
                    numInputs, plan->modelName, plan->numInputs);
  }
  if (numInputs && !inputs) {
    return failWith(GM_INVALID_ARGUMENT, "inputs is NULL, '%s' takes %u",
                    plan->modelName, plan->numInputs);
  }
  for (uint32_t i = 0; i < plan->numInputs; ++i) {
    const PlanTensor *expected = &plan->inputs[i];
    if (inputs[i].dtype != expected->dtype) {
      return failWith(GM_INVALID_ARGUMENT,
                      "input %u '%s': dtype is %s, must be %s", i,
                      expected->name, dtypeName(inputs[i].dtype),
                      dtypeName(expected->dtype));
    }
    if (inputs[i].rank != expected->rank) {
      return failWith(GM_INVALID_ARGUMENT,
                      "input %u '%s': rank is %d, must be %d", i,
                      expected->name, inputs[i].rank, expected->rank);
    }
    if (expected->rank && !inputs[i].shape) {
      return failWith(GM_INVALID_ARGUMENT, "input %u '%s': shape is NULL", i,
                      expected->name);
    }
    for (int32_t d = 0; d < expected->rank; ++d) {
      if (inputs[i].shape[d] < 0) {
        return failWith(GM_SHAPE_MISMATCH,
                        "input %u '%s': dim %d is %lld, which is negative", i,
                        expected->name, d, (Wide)inputs[i].shape[d]);
      }
    }
  }
  return GM_OK;
}

AllowedText allowedValues(const PlanSymbol *symbol, int64_t value) {
  AllowedText allowed;
  if (value >= symbol->min && value <= symbol->max) {
    snprintf(allowed.text, sizeof(allowed.text), "multiples of %lld",
             (Wide)symbol->divisor);
  } else if (symbol->max == INT64_MAX) {
    snprintf(allowed.text, sizeof(allowed.text), "at least %lld",
             (Wide)symbol->min);
  } else {
    snprintf(allowed.text, sizeof(allowed.text), "%lld to %lld",
             (Wide)symbol->min, (Wide)symbol->max);
  }
  return allowed;
}

static gm_status failSymbol(const Plan *plan, const PlanSymbol *symbol,
                            int64_t value, const gm_tensor *inputs) {
  const PlanTensor *input = &plan->inputs[symbol->input];
  AllowedText allowed = allowedValues(symbol, value);
  int64_t dim = inputs[symbol->input].shape[symbol->dim];
  if (symbol->isBare) {
    return failWith(GM_SHAPE_MISMATCH,
                    "input %d '%s': dim %d is %lld, allowed are %s (symbol %s)",
                    symbol->input, input->name, symbol->dim, (Wide)dim, allowed.text,
                    symbol->name);
  }
  return failWith(
      GM_SHAPE_MISMATCH,
      "input %d '%s': dim %d is %lld = %s, which makes %s %lld; allowed are %s",
      symbol->input, input->name, symbol->dim, (Wide)dim,
      input->dimTexts[symbol->dim], symbol->name, (Wide)value, allowed.text);
}

static gm_status solveSymbols(Shapes *shapes, const gm_tensor *inputs) {
  const Plan *plan = shapes->plan;
  plan->solve(shapes->inputDims, shapes->symbols);
  for (uint32_t s = 0; s < plan->numSymbols; ++s) {
    const PlanSymbol *symbol = &plan->symbols[s];
    int64_t value = shapes->symbols[s];
    bool inRange = value >= symbol->min && value <= symbol->max;
    if (symbol->input >= 0 && (!inRange || value % symbol->divisor != 0)) {
      return failSymbol(plan, symbol, value, inputs);
    }
  }
  return GM_OK;
}

/// Writes where the symbols of `text` came from: " (dim 1 of input 0 'ids' gave
/// s1 = 9)".
static void describeSymbols(char *to, size_t bytes, const Shapes *shapes,
                            const char *text) {
  const Plan *plan = shapes->plan;
  size_t length = 0;
  to[0] = '\0';
  for (uint32_t s = 0; s < plan->numSymbols; ++s) {
    const PlanSymbol *symbol = &plan->symbols[s];
    size_t nameLength = strlen(symbol->name);
    bool mentioned = false;
    for (const char *at = text; *at && !mentioned; ++at) {
      char next = at[0] && strlen(at) >= nameLength ? at[nameLength] : '\0';
      bool startsWord =
          at == text || at[-1] == ' ' || at[-1] == '(' || at[-1] == '*';
      mentioned = startsWord && strlen(at) >= nameLength &&
                  memcmp(at, symbol->name, nameLength) == 0 &&
                  (next == '\0' || next == ' ' || next == ')' || next == '*');
    }
    if (!mentioned || symbol->input < 0) {
      continue;
    }
    int written =
        snprintf(to + length, bytes - length,
                 "%sdim %d of input %d '%s' gave %s = %lld", length ? ", " : "",
                 symbol->dim, symbol->input, plan->inputs[symbol->input].name,
                 symbol->name, (Wide)shapes->symbols[s]);
    if (written < 0 || (size_t)written >= bytes - length) {
      return;
    }
    length += (size_t)written;
  }
}

static gm_status checkDims(Shapes *shapes, const gm_tensor *inputs) {
  const Plan *plan = shapes->plan;
  for (uint32_t i = 0; i < plan->numInputs; ++i) {
    const PlanTensor *input = &plan->inputs[i];
    for (int32_t d = 0; d < input->rank; ++d) {
      int64_t expected = shapes->values[input->dimValues[d]],
              actual = inputs[i].shape[d];
      if (actual == expected) {
        continue;
      }
      if (input->dims[d] >= 0) {
        return failWith(GM_SHAPE_MISMATCH,
                        "input %u '%s': dim %d is %lld, must be %lld", i,
                        input->name, d, (Wide)actual, (Wide)expected);
      }
      for (uint32_t s = 0; s < plan->numSymbols; ++s) {
        if (plan->symbols[s].input == (int32_t)i && plan->symbols[s].dim == d) {
          return failWith(
              GM_SHAPE_MISMATCH,
              "input %u '%s': dim %d is %lld, which is not %s for any whole %s",
              i, input->name, d, (Wide)actual, input->dimTexts[d],
              plan->symbols[s].name);
        }
      }
      char reason[512];
      describeSymbols(reason, sizeof(reason), shapes, input->dimTexts[d]);
      bool isBare = false;
      for (uint32_t s = 0; s < plan->numSymbols; ++s) {
        isBare |= strcmp(plan->symbols[s].name, input->dimTexts[d]) == 0;
      }
      if (isBare) {
        return failWith(GM_SHAPE_MISMATCH,
                        "input %u '%s': dim %d is %lld but %s", i, input->name,
                        d, (Wide)actual, reason);
      }
      return failWith(GM_SHAPE_MISMATCH,
                      "input %u '%s': dim %d is %lld, must be %s = %lld (%s)",
                      i, input->name, d, (Wide)actual, input->dimTexts[d],
                      (Wide)expected, reason);
    }
  }
  return GM_OK;
}

/// Refuses a tensor whose bytes don't fit 63 bits, so that later products can't
/// overflow.
static gm_status checkTensorBytes(const PlanTensor *tensor, const int64_t *dims,
                                  const char *role) {
  int64_t bytes = (int64_t)dtypeBytes(tensor->dtype);
  bool overflow = false;
  for (int32_t d = 0; d < tensor->rank; ++d) {
    if (dims[d] < 0) {
      return failWith(GM_SHAPE_MISMATCH, "%s '%s': dim %d would be %lld", role,
                      tensor->name, d, (Wide)dims[d]);
    }
    overflow |= __builtin_mul_overflow(bytes, dims[d] ? dims[d] : 1, &bytes);
  }
  if (overflow) {
    return failWith(GM_SHAPE_MISMATCH, "%s '%s' is too large for 64-bit sizes",
                    role, tensor->name);
  }
  return GM_OK;
}

static gm_status computeOutputDims(Shapes *shapes) {
  const Plan *plan = shapes->plan;
  int64_t *dims = shapes->outputDims;
  for (uint32_t i = 0; i < plan->numOutputs; ++i) {
    const PlanTensor *output = &plan->outputs[i];
    for (int32_t d = 0; d < output->rank; ++d) {
      dims[d] = shapes->values[output->dimValues[d]];
    }
    gm_status status = checkTensorBytes(output, dims, "output");
    if (status != GM_OK) {
      return status;
    }
    dims += output->rank;
  }
  return GM_OK;
}

/// Copies the inputs' dims into the flat array; whether they differ from the
/// last ones.
static bool takeDims(Shapes *shapes, const gm_tensor *inputs) {
  bool changed = !shapes->valid;
  int64_t *dims = shapes->inputDims;
  for (uint32_t i = 0; i < shapes->plan->numInputs; ++i) {
    for (int32_t d = 0; d < inputs[i].rank; ++d, ++dims) {
      changed |= *dims != inputs[i].shape[d];
      *dims = inputs[i].shape[d];
    }
  }
  return changed;
}

gm_status resolveShapes(Shapes *shapes, const gm_tensor *inputs,
                        size_t numInputs) {
  const Plan *plan = shapes->plan;
  gm_status status = checkSignature(plan, inputs, numInputs);
  if (status != GM_OK) {
    return status;
  }
  if (!takeDims(shapes, inputs)) {
    return GM_OK;
  }
  shapes->valid = false;
  for (uint32_t i = 0; i < plan->numInputs; ++i) {
    status = checkTensorBytes(&plan->inputs[i], inputs[i].shape, "input");
    if (status != GM_OK) {
      return status;
    }
  }
  status = solveSymbols(shapes, inputs);
  if (status != GM_OK) {
    return status;
  }
  if (!plan->eval(shapes->symbols, shapes->values)) {
    return failWith(GM_SHAPE_MISMATCH,
                    "these shapes make a size that doesn't fit 64 bits");
  }
  status = checkDims(shapes, inputs);
  if (status == GM_OK) {
    status = computeOutputDims(shapes);
  }
  shapes->valid = status == GM_OK;
  return status;
}

gm_status bindSize(Shapes *shapes, uint32_t symbol, const int64_t *value) {
  const Plan *plan = shapes->plan;
  // Until now the symbol was its bound.
  int64_t bound = shapes->symbols[symbol];
  // The next run starts from the bound again, even with the same shapes.
  shapes->valid = false;
  if (*value < 0 || *value > bound) {
    return failWith(GM_SHAPE_MISMATCH,
                    "the data makes size %s %lld, allowed are 0 to %lld",
                    plan->symbols[symbol].name, (Wide)*value, (Wide)bound);
  }
  shapes->symbols[symbol] = *value;
  if (!plan->eval(shapes->symbols, shapes->values)) {
    return failWith(GM_SHAPE_MISMATCH,
                    "with %s = %lld a size doesn't fit 64 bits or divides by 0",
                    plan->symbols[symbol].name, (Wide)*value);
  }
  return computeOutputDims(shapes);
}
