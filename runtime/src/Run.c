// One run: shapes, memory, then the steps in order.
#include "Context.h"
#include "ErrorText.h"
#include "Libc.h"
#include "Strided.h"

/// Work (flops plus four times the bytes) under which a step runs on the
/// calling thread alone: about what one core does while another wakes up. A
/// guess, unmeasured.
enum { kSmallWork = 100000 };

typedef struct StepCall {
  const gm_context *context;
  PlanKernel kernel;
  char *const *arguments;
  char *scratch;
  uint64_t scratchStride;
} StepCall;

static void callKernel(void *argument, int32_t thread, int64_t begin,
                       int64_t end) {
  const StepCall *call = argument;
  call->kernel(call->arguments, call->context->shapes.symbols, begin, end,
               call->scratch + (uint64_t)thread * call->scratchStride);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(kClockMonotonic, &time);
  return (uint64_t)time.seconds * 1000000000 + (uint64_t)time.nanoseconds;
}

static uint64_t tensorBytes(const gm_tensor *tensor) {
  return (uint64_t)countElements(tensor->shape, tensor->rank) *
         dtypeBytes(tensor->dtype);
}

/// Kernels read contiguous elements at addresses that are multiples of their
/// size.
static bool needsCopy(const gm_tensor *input) {
  return !isContiguous(input) ||
         (uintptr_t)input->data % dtypeBytes(input->dtype) != 0;
}

/// Fills `addresses` with where kernels find the inputs.
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

/// Fills `addresses`; writes to `outputs` nothing yet, for the run may still be
/// refused.
static gm_status placeOutputs(gm_context *context, const gm_tensor *outputs,
                              char **addresses) {
  const Plan *plan = context->plan;
  const int64_t *dims = context->shapes.outputDims;
  uint64_t ownBytes = 0;
  for (uint32_t i = 0; i < plan->numOutputs; ++i) {
    const PlanTensor *expected = &plan->outputs[i];
    if (outputs[i].data) {
      gm_status status = checkOutput(expected, i, &outputs[i], dims);
      if (status != GM_OK) {
        return status;
      }
    } else {
      uint64_t bytes = (uint64_t)countElements(dims, expected->rank) *
                       dtypeBytes(expected->dtype);
      // An empty output too gets an address of its own.
      ownBytes += alignUp(bytes ? bytes : 1);
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
    int32_t rank = plan->outputs[i].rank;
    addresses[i] = outputs[i].data ? outputs[i].data : to;
    if (!outputs[i].data) {
      uint64_t bytes = (uint64_t)countElements(dims, rank) *
                       dtypeBytes(plan->outputs[i].dtype);
      to += alignUp(bytes ? bytes : 1);
    }
    dims += rank;
  }
  return GM_OK;
}

static void returnOutputs(const gm_context *context, gm_tensor *outputs,
                          char *const *addresses) {
  const int64_t *dims = context->shapes.outputDims;
  for (uint32_t i = 0; i < context->plan->numOutputs; ++i) {
    const PlanTensor *output = &context->plan->outputs[i];
    if (!outputs[i].data) {
      outputs[i] = (gm_tensor){.data = addresses[i],
                               .dtype = output->dtype,
                               .rank = output->rank,
                               .shape = dims};
    }
    dims += output->rank;
  }
}

/// Turns the plan's buffers into this run's addresses, then into the kernels'
/// arguments.
static void bindBuffers(gm_context *context, char *const *inputs,
                        char *const *outputs) {
  const Plan *plan = context->plan;
  for (uint32_t b = 0; b < plan->numBuffers; ++b) {
    const PlanBuffer *buffer = &plan->buffers[b];
    char *base = NULL;
    switch ((PlanBufferKind)buffer->kind) {
    case PlanBufferInput:
      base = inputs[buffer->index];
      break;
    case PlanBufferOutput:
      base = outputs[buffer->index];
      break;
    case PlanBufferWeight:
      base = (char *)context->weights.bytes +
             plan->weights[buffer->index].offsetBytes;
      break;
    case PlanBufferArena:
      base = context->arena.bytes;
      break;
    }
    context->bufferBases[b] =
        base + context->shapes.values[buffer->offsetValue];
  }
  char **argument = context->arguments;
  for (uint32_t s = 0; s < plan->numSteps; ++s) {
    const PlanStep *step = &plan->steps[s];
    for (uint32_t i = 0; i < step->numBuffers; ++i) {
      *argument++ = context->bufferBases[step->buffers[i]];
    }
  }
}

static void runSteps(gm_context *context, const ArenaLayout *layout) {
  const Plan *plan = context->plan;
  const int64_t *values = context->shapes.values;
  StepCall call = {.context = context,
                   .arguments = context->arguments,
                   .scratch = context->arena.bytes + layout->scratchOffset,
                   .scratchStride = layout->scratchStride};
  for (uint32_t s = 0; s < plan->numSteps; ++s) {
    const PlanStep *step = &plan->steps[s];
    int64_t grid = values[step->gridValue], flops = values[step->flopsValue];
    int64_t bytes = values[step->bytesValue];
    call.kernel = step->kernel;
    uint64_t start = context->costs ? now() : 0;
    if (grid > 0 && flops + 4 * bytes < kSmallWork) {
      callKernel(&call, 0, 0, grid);
    } else {
      runTiles(context->pool, callKernel, &call, grid);
    }
    if (context->costs) {
      StepCost *cost = &context->costs[s];
      cost->calls += 1;
      cost->nanoseconds += now() - start;
      cost->flops += (uint64_t)flops;
      cost->bytes += (uint64_t)bytes;
    }
    call.arguments += step->numBuffers;
  }
}

/// The addresses of inputs and outputs are in the last run's tables until here,
/// so a run that is refused changes nothing that a later one reads.
static gm_status runBound(gm_context *context, const gm_tensor *inputs,
                          gm_tensor *outputs) {
  const Plan *plan = context->plan;
  char *addresses[plan->numInputs + plan->numOutputs + 1];
  ArenaLayout layout;
  gm_status status =
      layOutArena(&context->shapes, context->numThreads, &layout);
  if (status == GM_OK) {
    status =
        growRegion(&context->arena, layout.totalBytes, "intermediate results");
  }
  if (status == GM_OK) {
    status = placeInputs(context, inputs, addresses);
  }
  if (status == GM_OK) {
    status = placeOutputs(context, outputs, addresses + plan->numInputs);
  }
  if (status != GM_OK) {
    return status;
  }
  bindBuffers(context, addresses, addresses + plan->numInputs);
  runSteps(context, &layout);
  returnOutputs(context, outputs, addresses + plan->numInputs);
  return GM_OK;
}

gm_status gm_run(gm_context *context, const gm_tensor *inputs, size_t numInputs,
                 gm_tensor *outputs, size_t numOutputs) {
  if (!context) {
    return failWith(GM_INVALID_ARGUMENT, "context is NULL");
  }
  const Plan *plan = context->plan;
  if (numOutputs != plan->numOutputs || (numOutputs && !outputs)) {
    return failWith(
        GM_INVALID_ARGUMENT, "room for %zu outputs given, '%s' has %u",
        outputs ? numOutputs : 0, plan->modelName, plan->numOutputs);
  }
  bool changed;
  gm_status status =
      resolveShapes(&context->shapes, inputs, numInputs, &changed);
  return status == GM_OK ? runBound(context, inputs, outputs) : status;
}
