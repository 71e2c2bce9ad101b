// Making and freeing contexts.
#include "Context.h"
#include "ErrorText.h"
#include "Libc.h"
#include "Processor.h"

/// More threads than any machine has cores: a wrong number rather than a wish.
enum { kMaxThreads = 4096 };

static size_t countArguments(const Plan *plan) {
  size_t count = 0;
  for (uint32_t s = 0; s < plan->numSteps; ++s) {
    count += plan->steps[s].numBuffers;
  }
  return count;
}

/// Copies as much of the caller's options as both sides know.
static gm_status readOptions(const gm_options *given, gm_options *options) {
  *options = (gm_options){.struct_size = sizeof(gm_options)};
  if (given) {
    if (given->struct_size < sizeof(size_t) || given->struct_size > 4096) {
      return failWith(
          GM_INVALID_ARGUMENT,
          "gm_options.struct_size is %zu, must be sizeof(gm_options) = %zu",
          given->struct_size, sizeof(gm_options));
    }
    size_t known = given->struct_size < sizeof(gm_options) ? given->struct_size
                                                           : sizeof(gm_options);
    memcpy(options, given, known);
  }
  if (options->threads < 0 || options->threads > kMaxThreads) {
    return failWith(GM_INVALID_ARGUMENT,
                    "gm_options.threads is %d, allowed are 0 to %d",
                    options->threads, kMaxThreads);
  }
  if ((uintptr_t)options->arena % kRegionAlignment != 0) {
    return failWith(GM_INVALID_ARGUMENT,
                    "gm_options.arena is at %p, must be a multiple of %d",
                    options->arena, kRegionAlignment);
  }
  return GM_OK;
}

static void resetStates(gm_context *context) {
  const Plan *plan = context->plan;
  for (uint32_t s = 0; s < plan->numStates; ++s) {
    const PlanState *state = &plan->states[s];
    const PlanWeight *weight = &plan->weights[state->weight];
    memcpy(context->states.bytes + state->offsetBytes,
           (const char *)context->weights.bytes + weight->offsetBytes,
           weight->sizeBytes);
  }
}

static gm_status initContext(gm_context *context, const gm_options *options) {
  const Plan *plan = &graphmillPlan;
  context->plan = plan;
  gm_status status = checkProcessor(plan->processorFeatures, plan->modelName);
  if (status == GM_OK) {
    status = initShapes(&context->shapes, plan);
  }
  if (status == GM_OK) {
    status = openWeights(&context->weights, plan, options->weights_file);
  }
  if (status != GM_OK) {
    return status;
  }
  context->numThreads =
      options->threads ? options->threads : defaultThreadCount();
  if (options->arena) {
    context->arena = (Region){options->arena, options->arena_bytes, true};
  }
  status = growRegion(&context->states, plan->stateBytes, "states");
  if (status != GM_OK) {
    return status;
  }
  resetStates(context);
  context->addresses =
      calloc((size_t)plan->numInputs + plan->numOutputs + 1, sizeof(char *));
  context->buffers = calloc(plan->numBuffers + (size_t)1, sizeof(char *));
  context->arguments = calloc(countArguments(plan) + 1, sizeof(char *));
  context->pool = createThreadPool(context->numThreads);
  if (options->profile) {
    context->costs = calloc(plan->numSteps + (size_t)1, sizeof(StepCost));
  }
  if (!context->addresses || !context->buffers || !context->arguments ||
      !context->pool || (options->profile && !context->costs)) {
    return failWith(GM_OUT_OF_MEMORY, "no memory for a context");
  }
  return GM_OK;
}

gm_status gm_context_create(const gm_options *given, gm_context **result) {
  if (!result) {
    return failWith(GM_INVALID_ARGUMENT, "context is NULL");
  }
  *result = NULL;
  gm_options options;
  gm_status status = readOptions(given, &options);
  if (status != GM_OK) {
    return status;
  }
  gm_context *context = calloc(1, sizeof(gm_context));
  if (!context) {
    return failWith(GM_OUT_OF_MEMORY, "no memory for a context");
  }
  status = initContext(context, &options);
  if (status != GM_OK) {
    gm_context_destroy(context);
    return status;
  }
  *result = context;
  return GM_OK;
}

void gm_context_destroy(gm_context *context) {
  if (!context) {
    return;
  }
  destroyThreadPool(context->pool);
  freeShapes(&context->shapes);
  closeWeights(&context->weights);
  if (!context->arena.isCallers) {
    free(context->arena.bytes);
  }
  free(context->states.bytes);
  free(context->inputCopies.bytes);
  free(context->outputs.bytes);
  free(context->addresses);
  free(context->buffers);
  free(context->arguments);
  free(context->costs);
  free(context);
}

gm_status gm_context_seed(gm_context *context, uint64_t seed) {
  if (!context) {
    return failWith(GM_INVALID_ARGUMENT, "context is NULL");
  }
  context->randomState[0] = seed;
  context->randomState[1] = 0;
  return GM_OK;
}

gm_status gm_context_reset(gm_context *context) {
  if (!context) {
    return failWith(GM_INVALID_ARGUMENT, "context is NULL");
  }
  resetStates(context);
  return GM_OK;
}

gm_status gm_arena_bytes(const gm_tensor *inputs, size_t numInputs,
                         int32_t threads, uint64_t *bytes) {
  if (!bytes) {
    return failWith(GM_INVALID_ARGUMENT, "bytes is NULL");
  }
  if (threads < 0 || threads > kMaxThreads) {
    return failWith(GM_INVALID_ARGUMENT, "threads is %d, allowed are 0 to %d",
                    threads, kMaxThreads);
  }
  Shapes shapes;
  gm_status status = initShapes(&shapes, &graphmillPlan);
  if (status == GM_OK) {
    status = resolveShapes(&shapes, inputs, numInputs);
  }
  ArenaLayout layout;
  if (status == GM_OK) {
    status =
        layOutArena(&shapes, threads ? threads : defaultThreadCount(), &layout);
  }
  if (status == GM_OK) {
    *bytes = layout.totalBytes;
  }
  freeShapes(&shapes);
  return status;
}

gm_status gm_output_shapes(gm_context *context, const gm_tensor *inputs,
                           size_t numInputs, gm_tensor *outputs,
                           size_t numOutputs) {
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
  if (status != GM_OK) {
    return status;
  }
  const int64_t *dims = context->shapes.outputDims;
  for (uint32_t i = 0; i < plan->numOutputs; ++i) {
    int32_t rank = plan->outputs[i].rank;
    outputs[i] = (gm_tensor){
        .dtype = plan->outputs[i].dtype, .rank = rank, .shape = dims};
    dims += rank;
  }
  return GM_OK;
}
