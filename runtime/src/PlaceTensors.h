#ifndef GRAPHMILL_RUNTIME_PLACETENSORS_H
#define GRAPHMILL_RUNTIME_PLACETENSORS_H

#include "Context.h"

/// Sets context->addresses to where kernels find the inputs, then the outputs.
/// The shapes have been resolved. Changes no output: the run may be refused.
gm_status placeTensors(gm_context *context, const gm_tensor *inputs,
                       const gm_tensor *outputs);

/// Fills in the outputs that the context owns.
void returnOutputs(const gm_context *context, gm_tensor *outputs);

#endif
