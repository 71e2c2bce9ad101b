// What a library says about itself.
#include "Context.h"
#include "ErrorText.h"
#include "Libc.h"

uint32_t gm_abi_version(void) { return GM_ABI_VERSION; }

gm_status gm_get_library_info(gm_library_info *info) {
  if (!info || info->struct_size < sizeof(size_t)) {
    return failWith(
        GM_INVALID_ARGUMENT,
        "info is NULL or info->struct_size isn't sizeof(gm_library_info)");
  }
  const Plan *plan = &graphmillPlan;
  gm_library_info full = {.struct_size = info->struct_size,
                          .model_name = plan->modelName,
                          .target = plan->target,
                          .compiler = plan->compiler,
                          .num_inputs = plan->numInputs,
                          .num_outputs = plan->numOutputs,
                          .num_symbols = plan->numSymbols,
                          .num_weights = plan->numWeights,
                          .num_steps = plan->numSteps,
                          .num_kernels = plan->numKernels,
                          .weight_bytes = plan->weightsDataBytes,
                          .weights_file = plan->weightsFile};
  memcpy(info, &full,
         info->struct_size < sizeof(full) ? info->struct_size : sizeof(full));
  return GM_OK;
}

static gm_status checkIndex(const void *info, uint32_t index, uint32_t count,
                            const char *what) {
  if (!info) {
    return failWith(GM_INVALID_ARGUMENT, "info is NULL");
  }
  if (index >= count) {
    return failWith(GM_INVALID_ARGUMENT, "there is no %s %u, '%s' has %u", what,
                    index, graphmillPlan.modelName, count);
  }
  return GM_OK;
}

/// Whether runs write to the caller's input.
static int32_t isMutated(const PlanTensor *tensor) {
  const Plan *plan = &graphmillPlan;
  for (uint32_t c = 0; c < plan->numCopies; ++c) {
    const PlanBuffer *to = &plan->buffers[plan->copies[c].to];
    if (to->kind == PlanBufferInput && &plan->inputs[to->index] == tensor) {
      return 1;
    }
  }
  return 0;
}

static gm_tensor_info describeTensor(const PlanTensor *tensor) {
  return (gm_tensor_info){.name = tensor->name,
                          .is_mutated = isMutated(tensor),
                          .dtype = tensor->dtype,
                          .rank = tensor->rank,
                          .dims = tensor->dims,
                          .dim_text = tensor->dimTexts};
}

gm_status gm_get_input_info(uint32_t index, gm_tensor_info *info) {
  gm_status status = checkIndex(info, index, graphmillPlan.numInputs, "input");
  if (status == GM_OK) {
    *info = describeTensor(&graphmillPlan.inputs[index]);
  }
  return status;
}

gm_status gm_get_output_info(uint32_t index, gm_tensor_info *info) {
  gm_status status =
      checkIndex(info, index, graphmillPlan.numOutputs, "output");
  if (status == GM_OK) {
    *info = describeTensor(&graphmillPlan.outputs[index]);
  }
  return status;
}

gm_status gm_get_symbol_info(uint32_t index, gm_symbol_info *info) {
  gm_status status =
      checkIndex(info, index, graphmillPlan.numSymbols, "symbol");
  if (status == GM_OK) {
    const PlanSymbol *symbol = &graphmillPlan.symbols[index];
    *info = (gm_symbol_info){symbol->name, symbol->min, symbol->max,
                             symbol->divisor};
  }
  return status;
}

gm_status gm_input_dims(uint32_t input, const int64_t *symbols,
                        size_t numSymbols, int64_t *dims, size_t capacity) {
  const Plan *plan = &graphmillPlan;
  if (!dims) {
    return failWith(GM_INVALID_ARGUMENT, "dims is NULL");
  }
  gm_status status = checkIndex(dims, input, plan->numInputs, "input");
  if (status != GM_OK) {
    return status;
  }
  if (numSymbols != plan->numSymbols) {
    return failWith(GM_INVALID_ARGUMENT,
                    "values of %zu symbols given, '%s' has %u", numSymbols,
                    plan->modelName, plan->numSymbols);
  }
  if (numSymbols && !symbols) {
    return failWith(GM_INVALID_ARGUMENT, "symbols is NULL");
  }
  for (size_t s = 0; s < numSymbols; ++s) {
    const PlanSymbol *symbol = &plan->symbols[s];
    if (symbols[s] < symbol->min || symbols[s] > symbol->max ||
        symbols[s] % symbol->divisor != 0) {
      return failWith(GM_SHAPE_MISMATCH,
                      "symbol '%s' is %lld, allowed are %s", symbol->name,
                      (long long)symbols[s],
                      allowedValues(symbol, symbols[s]).text);
    }
  }
  Shapes shapes;
  status = initShapes(&shapes, plan);
  if (status == GM_OK && !plan->eval(symbols, shapes.values)) {
    status = failWith(GM_SHAPE_MISMATCH,
                      "these symbols make a size that doesn't fit 64 bits");
  }
  const PlanTensor *tensor = &plan->inputs[input];
  for (int32_t d = 0; status == GM_OK && d < tensor->rank; ++d) {
    if ((size_t)d < capacity) {
      dims[d] = shapes.values[tensor->dimValues[d]];
    }
  }
  freeShapes(&shapes);
  return status;
}

static gm_step_info describeStep(const PlanStep *step) {
  return (gm_step_info){step->name, step->kernelName, step->location};
}

gm_status gm_get_step_info(uint32_t index, gm_step_info *info) {
  gm_status status = checkIndex(info, index, graphmillPlan.numSteps, "step");
  if (status == GM_OK) {
    *info = describeStep(&graphmillPlan.steps[index]);
  }
  return status;
}

static gm_status checkProfiling(const gm_context *context) {
  if (!context) {
    return failWith(GM_INVALID_ARGUMENT, "context is NULL");
  }
  if (!context->costs) {
    return failWith(GM_INVALID_ARGUMENT,
                    "the context was made without gm_options.profile");
  }
  return GM_OK;
}

gm_status gm_read_profile(gm_context *context, gm_step_profile *steps,
                          size_t capacity) {
  gm_status status = checkProfiling(context);
  if (status == GM_OK && capacity && !steps) {
    status = failWith(GM_INVALID_ARGUMENT, "steps is NULL");
  }
  for (size_t s = 0;
       status == GM_OK && s < capacity && s < context->plan->numSteps; ++s) {
    const StepCost *cost = &context->costs[s];
    steps[s] = (gm_step_profile){.step = describeStep(&context->plan->steps[s]),
                                 .calls = cost->calls,
                                 .nanoseconds = cost->nanoseconds,
                                 .flops = cost->flops,
                                 .bytes = cost->bytes};
  }
  return status;
}

gm_status gm_reset_profile(gm_context *context) {
  gm_status status = checkProfiling(context);
  if (status == GM_OK) {
    memset(context->costs, 0, context->plan->numSteps * sizeof(StepCost));
  }
  return status;
}

static const gm_api kApi = {
    .struct_size = sizeof(gm_api),
    .abi_version = gm_abi_version,
    .error_text = gm_error_text,
    .get_library_info = gm_get_library_info,
    .get_input_info = gm_get_input_info,
    .get_output_info = gm_get_output_info,
    .get_symbol_info = gm_get_symbol_info,
    .get_step_info = gm_get_step_info,
    .context_create = gm_context_create,
    .context_destroy = gm_context_destroy,
    .output_shapes = gm_output_shapes,
    .arena_bytes = gm_arena_bytes,
    .run = gm_run,
    .read_profile = gm_read_profile,
    .reset_profile = gm_reset_profile,
    .input_dims = gm_input_dims,
    .context_seed = gm_context_seed,
    .context_reset = gm_context_reset,
};

const gm_api *gm_get_api(uint32_t version) {
  return version == GM_ABI_VERSION ? &kApi : NULL;
}
