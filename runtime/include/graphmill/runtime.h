/*===- runtime.h - The C interface of a compiled graphmill library
---------===*\
|*
|* Every library that `graphmill compile` writes exports the functions below and
|* nothing else. Use one of two ways:
|*
|*   - link with the library and call the functions; or
|*   - dlopen() it, look up `gm_get_api` and call through the table it returns
|*     (the only way to have several models in one process). Its path needs a
|*     slash, as in "./model.so": other names are searched for in the system.
|*
|* A minimal run:
|*
|*   int64_t shape[] = {32, 784};
|*   gm_tensor x = {pixels, GM_F32, 2, shape, NULL};
|*   gm_tensor y = {0};                       // data == NULL: context allocates
|*   gm_context *context;
|*   if (gm_context_create(NULL, &context) != GM_OK ||
|*       gm_run(context, &x, 1, &y, 1) != GM_OK)
|*     puts(gm_error_text());
|*
|* Threads: any number of contexts may run at once, and they share the weights.
|* One context is used by one thread at a time.
|*
\*===----------------------------------------------------------------------===*/
#ifndef GRAPHMILL_RUNTIME_H
#define GRAPHMILL_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Raised when a change would break a program compiled against this header.
#define GM_ABI_VERSION 1

#if defined(__GNUC__)
#define GM_EXPORT __attribute__((visibility("default")))
#else
#define GM_EXPORT
#endif

/// What every function that can fail returns; gm_error_text() says more.
typedef int32_t gm_status;
enum {
  GM_OK = 0,
  GM_INVALID_ARGUMENT = 1, ///< null pointer, wrong count, dtype or rank
  GM_SHAPE_MISMATCH = 2,   ///< a dim is out of range or contradicts another
  GM_OUT_OF_MEMORY = 3,    ///< no memory, or the caller's arena is too small
  GM_IO_ERROR = 4,       ///< the weights file is missing, cut short or another
  GM_WRONG_PROCESSOR = 5, ///< it lacks instructions that the library uses
  GM_OUT_OF_RANGE = 6 ///< an index in the data is outside of what it indexes
};

/// Element types. Bool is one byte, 0 or 1; complex numbers are two floats, the
/// real part first.
typedef int32_t gm_dtype;
enum {
  GM_F32 = 0,
  GM_F64 = 1,
  GM_F16 = 2,
  GM_BF16 = 3,
  GM_I8 = 4,
  GM_I16 = 5,
  GM_I32 = 6,
  GM_I64 = 7,
  GM_U8 = 8,
  GM_BOOL = 9,
  GM_C64 = 10,
  GM_C128 = 11
};

/// An input or an output.
typedef struct gm_tensor {
  void *data; ///< inputs are only read, but for those with `is_mutated`
  gm_dtype dtype;
  int32_t rank;           ///< 0 for a scalar
  const int64_t *shape;   ///< `rank` sizes
  const int64_t *strides; ///< in elements, may be 0 or negative; NULL:
                          ///< contiguous, last dim fastest
} gm_tensor;

/// What the library is. Set `struct_size` to sizeof(gm_library_info) first;
/// fields that a library older than the caller doesn't know are left as they
/// were.
typedef struct gm_library_info {
  size_t struct_size;
  const char *model_name;
  const char *target;   ///< triple, CPU and features it was compiled for
  const char *compiler; ///< "graphmill 0.1.0"
  uint32_t num_inputs, num_outputs, num_symbols, num_weights;
  uint32_t num_steps;   ///< kernel calls in one run
  uint32_t num_kernels; ///< distinct kernels among them
  uint64_t weight_bytes;
  const char
      *weights_file; ///< name of the file beside the library; NULL if embedded
} gm_library_info;

/// The signature of one input or output.
typedef struct gm_tensor_info {
  const char *name;
  gm_dtype dtype;
  int32_t rank;
  const int64_t *dims;         ///< -1 where the size differs from run to run
  const char *const *dim_text; ///< "784", "batch", "2*s0 + 1"
  int32_t is_mutated;          ///< an input that runs write to
} gm_tensor_info;

/// A size that is known only when the model runs.
typedef struct gm_symbol_info {
  const char *name;
  int64_t min, max; ///< inclusive; max is INT64_MAX if unbounded
  int64_t divisor;  ///< the value is a multiple of it
} gm_symbol_info;

/// One kernel call of the plan.
typedef struct gm_step_info {
  const char *name;     ///< what it computes, e.g. "conv_relu_3"
  const char *kernel;   ///< the function that does it; equal steps share one
  const char *location; ///< the user's source line, "" if unknown
} gm_step_info;

/// How a context is to work. Set `struct_size` to sizeof(gm_options), zero the
/// rest.
typedef struct gm_options {
  size_t struct_size;
  int32_t threads; ///< 0: one a physical core of the process's affinity mask
  int32_t profile; ///< nonzero: measure each step
  void *arena; ///< memory for intermediate results, 64-byte aligned; NULL: own
  uint64_t
      arena_bytes; ///< size of `arena`; gm_arena_bytes() says what is needed
  const char *weights_file; ///< NULL: the file named at compile time, beside
                            ///< the library
} gm_options;

/// What one step has cost since the context was created or the profile reset.
typedef struct gm_step_profile {
  gm_step_info step;
  uint64_t calls;
  uint64_t nanoseconds;
  uint64_t flops; ///< floating-point operations, a fused multiply-add is two
  uint64_t bytes; ///< read and written, each buffer once
} gm_step_profile;

typedef struct gm_context gm_context;

/// GM_ABI_VERSION of the library.
GM_EXPORT uint32_t gm_abi_version(void);

/// Why the last call on this thread that failed did so. Valid until the next
/// failure on this thread; never NULL.
GM_EXPORT const char *gm_error_text(void);

GM_EXPORT gm_status gm_get_library_info(gm_library_info *info);
GM_EXPORT gm_status gm_get_input_info(uint32_t index, gm_tensor_info *info);
GM_EXPORT gm_status gm_get_output_info(uint32_t index, gm_tensor_info *info);
GM_EXPORT gm_status gm_get_symbol_info(uint32_t index, gm_symbol_info *info);
GM_EXPORT gm_status gm_get_step_info(uint32_t index, gm_step_info *info);

/// The dims of one input when the symbols have these values, in the order of
/// gm_get_symbol_info(). Writes at most `capacity` of them.
GM_EXPORT gm_status gm_input_dims(uint32_t input, const int64_t *symbols,
                                  size_t num_symbols, int64_t *dims,
                                  size_t capacity);

/// Makes a context. `options` may be NULL.
GM_EXPORT gm_status gm_context_create(const gm_options *options,
                                      gm_context **context);

/// Frees the context and the outputs it owns. NULL is fine.
GM_EXPORT void gm_context_destroy(gm_context *context);

/// Gives the tensors that runs change (a cache, running statistics: buffers that
/// the model writes) their first values. Each context has its own.
GM_EXPORT gm_status gm_context_reset(gm_context *context);

/// The outputs' dtypes and shapes for these inputs, whose data isn't read and
/// may be NULL. A dim that depends on the data is as large as it can be. Each output gets data = NULL and a shape that the context owns
/// until the next call.
GM_EXPORT gm_status gm_output_shapes(gm_context *context,
                                     const gm_tensor *inputs, size_t num_inputs,
                                     gm_tensor *outputs, size_t num_outputs);

/// Bytes that a caller's arena must have for inputs of these shapes (data may
/// be NULL) and this number of threads (0: the default).
GM_EXPORT gm_status gm_arena_bytes(const gm_tensor *inputs, size_t num_inputs,
                                   int32_t threads, uint64_t *bytes);

/// Runs the model. An output whose data is NULL is filled in: dtype, rank,
/// shape and data, all owned by the context until its next run. Any other
/// output must say its dtype and shape, and be contiguous; it must not overlap
/// an input. An output with a dim that depends on the data must have data NULL.
/// After GM_OUT_OF_RANGE the outputs hold no answer.
GM_EXPORT gm_status gm_run(gm_context *context, const gm_tensor *inputs,
                           size_t num_inputs, gm_tensor *outputs,
                           size_t num_outputs);

/// Starts the random numbers of a model that draws some anew: after the same
/// seed, the same runs draw the same numbers, whatever the number of threads.
/// Runs in between draw different ones. A new context has seed 0.
GM_EXPORT gm_status gm_context_seed(gm_context *context, uint64_t seed);

/// Writes the profile of up to `capacity` steps, in the order they run.
GM_EXPORT gm_status gm_read_profile(gm_context *context, gm_step_profile *steps,
                                    size_t capacity);

/// Forgets what was measured.
GM_EXPORT gm_status gm_reset_profile(gm_context *context);

/// All of the above as a table, for dlopen(). New entries come at its end.
typedef struct gm_api {
  size_t struct_size; ///< of the library: it has no entries beyond
  uint32_t (*abi_version)(void);
  const char *(*error_text)(void);
  gm_status (*get_library_info)(gm_library_info *);
  gm_status (*get_input_info)(uint32_t, gm_tensor_info *);
  gm_status (*get_output_info)(uint32_t, gm_tensor_info *);
  gm_status (*get_symbol_info)(uint32_t, gm_symbol_info *);
  gm_status (*get_step_info)(uint32_t, gm_step_info *);
  gm_status (*context_create)(const gm_options *, gm_context **);
  void (*context_destroy)(gm_context *);
  gm_status (*output_shapes)(gm_context *, const gm_tensor *, size_t,
                             gm_tensor *, size_t);
  gm_status (*arena_bytes)(const gm_tensor *, size_t, int32_t, uint64_t *);
  gm_status (*run)(gm_context *, const gm_tensor *, size_t, gm_tensor *,
                   size_t);
  gm_status (*read_profile)(gm_context *, gm_step_profile *, size_t);
  gm_status (*reset_profile)(gm_context *);
  gm_status (*input_dims)(uint32_t, const int64_t *, size_t, int64_t *, size_t);
  gm_status (*context_seed)(gm_context *, uint64_t);
  gm_status (*context_reset)(gm_context *);
} gm_api;

/// The table, or NULL if the library can't serve a caller built against
/// `version`.
GM_EXPORT const gm_api *gm_get_api(uint32_t version);

#ifdef __cplusplus
}
#endif
#endif
