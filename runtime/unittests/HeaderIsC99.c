// Compiled as pedantic C99: the public header must not ask for more.
#include "graphmill/runtime.h"

gm_status runOnce(const gm_tensor *input, gm_tensor *output);

gm_status runOnce(const gm_tensor *input, gm_tensor *output) {
  gm_options options = {0};
  gm_context *context = NULL;
  options.struct_size = sizeof(options);
  gm_status status = gm_context_create(&options, &context);
  if (status == GM_OK) {
    status = gm_run(context, input, 1, output, 1);
  }
  gm_context_destroy(context);
  return status;
}
