// One run: shapes, memory, then the steps in order.
#include "Context.h"
#include "ErrorText.h"
#include "Libc.h"
#include "PlaceTensors.h"
#include "Strided.h"

/// Work (flops plus four times the bytes) under which a step runs on the
/// calling thread alone. Measured on a 2-core EPYC: splitting a streaming step
/// of this size, 1.8 us, among two threads takes as long as doing it alone.
enum { kSmallWork = 100000 };

typedef struct StepCall {
  const gm_context *context;
  PlanKernel kernel;
  char *const *arguments;
  char *scratch;
  uint64_t scratchStride;
  int64_t firstTile; ///< of the phase
} StepCall;

static void callKernel(void *argument, int32_t thread, int64_t begin,
                       int64_t end) {
  const StepCall *call = argument;
  call->kernel(call->arguments, call->context->shapes.symbols,
               call->firstTile + begin, call->firstTile + end,
               call->scratch + (uint64_t)thread * call->scratchStride);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(kClockMonotonic, &time);
  return (uint64_t)time.seconds * 1000000000 + (uint64_t)time.nanoseconds;
}

static char *bufferBase(const gm_context *context, const PlanBuffer *buffer) {
  const Plan *plan = context->plan;
  switch ((PlanBufferKind)buffer->kind) {
  case PlanBufferInput:
    return context->addresses[buffer->index];
  case PlanBufferOutput:
    return context->addresses[plan->numInputs + buffer->index];
  case PlanBufferWeight:
    return (char *)context->weights.bytes +
           plan->weights[buffer->index].offsetBytes;
  case PlanBufferState:
    return context->states.bytes + plan->states[buffer->index].offsetBytes;
  case PlanBufferArena:
    return context->arena.bytes;
  case PlanBufferRandomState:
    return (char *)context->randomState;
  case PlanBufferFaults:
    return (char *)context->faults;
  }
  return NULL;
}

/// Turns the plan's buffers into this run's addresses, then into the kernels'
/// arguments.
static void bindBuffers(gm_context *context) {
  const Plan *plan = context->plan;
  for (uint32_t b = 0; b < plan->numBuffers; ++b) {
    const PlanBuffer *buffer = &plan->buffers[b];
    context->buffers[b] = bufferBase(context, buffer) +
                          context->shapes.values[buffer->offsetValue];
  }
  char **argument = context->arguments;
  for (uint32_t s = 0; s < plan->numSteps; ++s) {
    const PlanStep *step = &plan->steps[s];
    for (uint32_t i = 0; i < step->numBuffers; ++i) {
      *argument++ = context->buffers[step->buffers[i]];
    }
  }
}

/// What a kernel has found wrong with the data.
static gm_status takeFault(gm_context *context, const PlanStep *step) {
  context->faults[0] = 0;
  bool hasLocation = step->location[0] != '\0';
  return failWith(GM_OUT_OF_RANGE,
                  "%s%sindex %lld is out of range for a dim of size %lld (%s)",
                  step->location, hasLocation ? ": " : "",
                  (long long)context->faults[1], (long long)context->faults[2],
                  step->name);
}

static gm_status runSteps(gm_context *context, const ArenaLayout *layout) {
  const Plan *plan = context->plan;
  const int64_t *values = context->shapes.values;
  StepCall call = {.context = context,
                   .arguments = context->arguments,
                   .scratch = context->arena.bytes + layout->scratchOffset,
                   .scratchStride = layout->scratchStride};
  for (uint32_t s = 0; s < plan->numSteps; ++s) {
    const PlanStep *step = &plan->steps[s];
    if (!step->kernel) {
      gm_status status = bindSize(&context->shapes, (uint32_t)step->symbol,
                                  (const int64_t *)call.arguments[0]);
      if (status != GM_OK) {
        return status;
      }
      call.arguments += step->numBuffers;
      continue;
    }
    int64_t grid = values[step->gridValue], flops = values[step->flopsValue];
    int64_t bytes = values[step->bytesValue];
    int64_t phases = values[step->phasesValue];
    call.kernel = step->kernel;
    uint64_t start = context->costs ? now() : 0;
    // Work that nobody has estimated (0) may be any amount.
    bool isSmall =
        flops + bytes > 0 && flops + 4 * bytes < kSmallWork * phases;
    for (int64_t p = 0; p < phases; ++p) {
      call.firstTile = p * grid;
      if (grid > 0 && isSmall) {
        callKernel(&call, 0, 0, grid);
      } else {
        runTiles(context->pool, callKernel, &call, grid);
      }
    }
    if (context->costs) {
      StepCost *cost = &context->costs[s];
      cost->calls += 1;
      cost->nanoseconds += now() - start;
      cost->flops += (uint64_t)flops;
      cost->bytes += (uint64_t)bytes;
    }
    call.arguments += step->numBuffers;
    if (context->faults[0]) {
      return takeFault(context, step);
    }
  }
  return GM_OK;
}

/// Outputs that no kernel wrote, and what the run changes: contexts' states and
/// callers' inputs.
static void runCopies(gm_context *context, const gm_tensor *inputs) {
  const Plan *plan = context->plan;
  for (uint32_t c = 0; c < plan->numCopies; ++c) {
    const PlanCopy *copy = &plan->copies[c];
    const PlanBuffer *to = &plan->buffers[copy->to];
    memcpy(context->buffers[copy->to], context->buffers[copy->from],
           (size_t)context->shapes.values[copy->bytesValue]);
    bool isInput = to->kind == PlanBufferInput;
    if (isInput && context->buffers[copy->to] != inputs[to->index].data) {
      copyFromContiguous(&inputs[to->index], context->buffers[copy->to]);
    }
  }
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
  gm_status status = resolveShapes(&context->shapes, inputs, numInputs);
  ArenaLayout layout;
  if (status == GM_OK) {
    status = layOutArena(&context->shapes, context->numThreads, &layout);
  }
  if (status == GM_OK) {
    status =
        growRegion(&context->arena, layout.totalBytes, "intermediate results");
  }
  if (status == GM_OK) {
    status = placeTensors(context, inputs, outputs);
  }
  if (status == GM_OK) {
    bindBuffers(context);
    status = runSteps(context, &layout);
  }
  if (status == GM_OK) {
    runCopies(context, inputs);
    context->randomState[1] += 1;
    returnOutputs(context, outputs);
  }
  return status;
}
