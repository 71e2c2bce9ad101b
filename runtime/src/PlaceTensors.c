// Where the inputs and outputs of a run are in memory.
#include "PlaceTensors.h"
#include "ErrorText.h"
#include "Libc.h"
#include "Strided.h"

static uint64_t tensorBytes(const gm_tensor *tensor) {
  return (uint64_t)countElements(tensor->shape, tensor->rank) *
         dtypeBytes(tensor->dtype);
}

/// An empty output too gets an address of its own.
static uint64_t outputBytes(const PlanTensor *output, const int64_t *dims) {
  uint64_t bytes =
      (uint64_t)countElements(dims, output->rank) * dtypeBytes(output->dtype);
  return alignUp(bytes ? bytes : 1);
}

/// Kernels read contiguous elements at addresses that are multiples of their
/// size.
static bool needsCopy(const gm_tensor *input) {
  return !isContiguous(input) ||
         (uintptr_t)input->data % dtypeBytes(input->dtype) != 0;
}

static gm_status placeInputs(gm_context *context, const gm_tensor *inputs,
                             char **addresses) {
  const Plan *plan = context->plan;
  uint64_t copyBytes = 0;
  for (uint32_t i = 0; i < plan->numInputs; ++i) {
    addresses[i] = inputs[i].data;
    if (!inputs[i].data && tensorBytes(&inputs[i])) {
      return failWith(GM_INVALID_ARGUMENT, "input %u '%s': data is NULL", i,
                      plan->inputs[i].name);
    }
    if (needsCopy(&inputs[i])) {
      copyBytes += alignUp(tensorBytes(&inputs[i]));
    }
  }
  gm_status status =
      growRegion(&context->inputCopies, copyBytes, "copied inputs");
  if (status != GM_OK) {
    return status;
  }
  char *to = context->inputCopies.bytes;
  for (uint32_t i = 0; i < plan->numInputs; ++i) {
    if (needsCopy(&inputs[i])) {
      copyToContiguous(to, &inputs[i]);
      addresses[i] = to;
      to += alignUp(tensorBytes(&inputs[i]));
    }
  }
  return GM_OK;
}

/// A caller's output must be exactly what the run writes.
static gm_status checkOutput(const PlanTensor *expected, uint32_t index,
                             const gm_tensor *given, const int64_t *dims) {
  if (given->dtype != expected->dtype || given->rank != expected->rank) {
    return failWith(GM_INVALID_ARGUMENT,
                    "output %u '%s' is %s of rank %d, must be %s of rank %d",
                    index, expected->name, dtypeName(given->dtype), given->rank,
                    dtypeName(expected->dtype), expected->rank);
  }
  if (expected->rank && !given->shape) {
    return failWith(GM_INVALID_ARGUMENT, "output %u '%s': shape is NULL", index,
                    expected->name);
  }
  for (int32_t d = 0; d < expected->rank; ++d) {
    if (given->shape[d] != dims[d]) {
      return failWith(
          GM_SHAPE_MISMATCH,
          "output %u '%s': dim %d is %lld, these inputs make it %s = %lld",
          index, expected->name, d, (long long)given->shape[d],
          expected->dimTexts[d], (long long)dims[d]);
    }
  }
  if (!isContiguous(given)) {
    return failWith(GM_INVALID_ARGUMENT, "output %u '%s' is not contiguous",
                    index, expected->name);
  }
  if ((uintptr_t)given->data % dtypeBytes(given->dtype) != 0) {
    return failWith(GM_INVALID_ARGUMENT,
                    "output %u '%s' is at %p, not at a multiple of %zu", index,
                    expected->name, given->data, dtypeBytes(given->dtype));
  }
  return GM_OK;
}

static bool overlap(const char *a, uint64_t aBytes, const char *b,
                    uint64_t bBytes) {
  return aBytes && bBytes && (uintptr_t)a < (uintptr_t)b + bBytes &&
         (uintptr_t)b < (uintptr_t)a + aBytes;
}

/// Steps may read an input after they have begun to write an output.
static gm_status checkOverlap(const gm_context *context, uint32_t index,
                              const gm_tensor *inputs,
                              const gm_tensor *outputs) {
  const Plan *plan = context->plan;
  const char *data = outputs[index].data;
  uint64_t bytes = tensorBytes(&outputs[index]);
  for (uint32_t i = 0; i < plan->numInputs; ++i) {
    if (overlap(data, bytes, context->addresses[i], tensorBytes(&inputs[i]))) {
      return failWith(GM_INVALID_ARGUMENT,
                      "output %u '%s' overlaps input %u '%s'", index,
                      plan->outputs[index].name, i, plan->inputs[i].name);
    }
  }
  for (uint32_t o = 0; o < index; ++o) {
    if (outputs[o].data &&
        overlap(data, bytes, outputs[o].data, tensorBytes(&outputs[o]))) {
      return failWith(GM_INVALID_ARGUMENT,
                      "output %u '%s' overlaps output %u '%s'", index,
                      plan->outputs[index].name, o, plan->outputs[o].name);
    }
  }
  return GM_OK;
}

static gm_status placeOutputs(gm_context *context, const gm_tensor *inputs,
                              const gm_tensor *outputs, char **addresses) {
  const Plan *plan = context->plan;
  const int64_t *dims = context->shapes.outputDims;
  uint64_t ownBytes = 0;
  for (uint32_t i = 0; i < plan->numOutputs; ++i) {
    const PlanTensor *expected = &plan->outputs[i];
    if (outputs[i].data && expected->dependsOnData) {
      return failWith(GM_INVALID_ARGUMENT,
                      "output %u '%s': its size depends on the data; leave "
                      "its data NULL",
                      i, expected->name);
    }
    if (outputs[i].data) {
      gm_status status = checkOutput(expected, i, &outputs[i], dims);
      if (status == GM_OK) {
        status = checkOverlap(context, i, inputs, outputs);
      }
      if (status != GM_OK) {
        return status;
      }
    } else {
      ownBytes += outputBytes(expected, dims);
    }
    dims += expected->rank;
  }
  gm_status status = growRegion(&context->outputs, ownBytes, "outputs");
  if (status != GM_OK) {
    return status;
  }
  char *to = context->outputs.bytes;
  dims = context->shapes.outputDims;
  for (uint32_t i = 0; i < plan->numOutputs; ++i) {
    addresses[i] = outputs[i].data ? outputs[i].data : to;
    if (!outputs[i].data) {
      to += outputBytes(&plan->outputs[i], dims);
    }
    dims += plan->outputs[i].rank;
  }
  return GM_OK;
}

gm_status placeTensors(gm_context *context, const gm_tensor *inputs,
                       const gm_tensor *outputs) {
  gm_status status = placeInputs(context, inputs, context->addresses);
  if (status == GM_OK) {
    status = placeOutputs(context, inputs, outputs,
                          context->addresses + context->plan->numInputs);
  }
  return status;
}

void returnOutputs(const gm_context *context, gm_tensor *outputs) {
  const Plan *plan = context->plan;
  const int64_t *dims = context->shapes.outputDims;
  for (uint32_t i = 0; i < plan->numOutputs; ++i) {
    const PlanTensor *output = &plan->outputs[i];
    if (!outputs[i].data) {
      outputs[i] = (gm_tensor){.data = context->addresses[plan->numInputs + i],
                               .dtype = output->dtype,
                               .rank = output->rank,
                               .shape = dims};
    }
    dims += output->rank;
  }
}
