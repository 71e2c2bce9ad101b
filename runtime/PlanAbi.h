/*===- PlanAbi.h - Tables that codegen/host writes and the runtime walks
----===*\
|*
|* Private to one graphmill: a library's tables and its runtime are always made
by
|* the same build, so there is no version here. EmitPlan.cpp builds constants of
|* exactly these layouts; change both together (TableWriter asserts the sizes).
|*
|* Every size, offset and grid is an index into `values`, an array whose first
|* `numConstants` entries are static and whose rest `eval` computes from the
symbols.
|*
\*===----------------------------------------------------------------------===*/
#ifndef GRAPHMILL_RUNTIME_PLANABI_H
#define GRAPHMILL_RUNTIME_PLANABI_H

#include <stdint.h>

/// Does tiles [begin, end) of a step's grid.
typedef void (*PlanKernel)(char *const *buffers, const int64_t *symbols,
                           int64_t begin, int64_t end, char *scratch);

typedef enum PlanBufferKind {
  PlanBufferInput = 0,
  PlanBufferOutput = 1,
  PlanBufferWeight = 2,
  PlanBufferArena = 3,
  PlanBufferRandomState = 4, ///< the context's seed and run number
  PlanBufferState = 5,       ///< a tensor that runs change, the context's own
  PlanBufferFaults = 6       ///< where kernels report bad indices
} PlanBufferKind;

typedef struct PlanSymbol {
  const char *name;
  int64_t min, max, divisor;
  /// The input's dim that its value is read from; -1 if no input mentions it.
  int32_t input, dim;
  /// 1 if that dim is the symbol itself, 0 if it was solved for.
  int64_t isBare;
} PlanSymbol;

typedef struct PlanTensor {
  const char *name;
  int32_t dtype, rank;
  const int64_t *dims;         ///< -1 if symbolic
  const char *const *dimTexts; ///< with the user's symbol names
  const uint32_t *dimValues;
  int64_t dependsOnData; ///< 1 if a dim is known only when the model has run
} PlanTensor;

typedef struct PlanWeight {
  const char *name;
  uint64_t offsetBytes, sizeBytes; ///< within the weights' bytes
} PlanWeight;

typedef struct PlanBuffer {
  int32_t kind;
  uint32_t index;
  uint32_t offsetValue;
} PlanBuffer;

/// A tensor that runs change: starts as a weight.
typedef struct PlanState {
  uint64_t offsetBytes; ///< in the context's states
  uint32_t weight, reserved;
} PlanState;

/// Done in order when all steps are.
typedef struct PlanCopy {
  uint32_t from, to; ///< buffers
  uint32_t bytesValue, reserved;
} PlanCopy;

typedef struct PlanStep {
  PlanKernel kernel;
  const char *kernelName, *name, *location;
  const uint32_t *buffers;
  uint32_t numBuffers;
  uint32_t gridValue, phasesValue, scratchValue, flopsValue, bytesValue;
  /// Without a kernel: the symbol whose value the only buffer holds. Until then
  /// the symbol has its bound, which memory is planned for.
  int32_t symbol;
} PlanStep;

typedef struct Plan {
  const char *modelName, *target, *compiler;
  const PlanSymbol *symbols;
  const PlanTensor *inputs, *outputs;
  const PlanWeight *weights;
  const PlanBuffer *buffers;
  const PlanStep *steps;
  const PlanState *states;
  const PlanCopy *copies;
  const int64_t *constants;
  /// Reads the symbols out of all inputs' dims, laid end to end.
  void (*solve)(const int64_t *dims, int64_t *symbols);
  /// Fills values[numConstants..numValues); 0 if one doesn't fit 64 bits.
  int32_t (*eval)(const int64_t *symbols, int64_t *values);
  /// The weights within the library; null if they are in a file or there are
  /// none.
  const char *weightsBase;
  /// File beside the library and what its header must hash to; null if
  /// embedded.
  const char *weightsFile;
  uint64_t weightsHeaderBytes, weightsHeaderHash, weightsDataBytes;
  uint64_t processorFeatures; ///< bits as in ProcessorFeatures.h
  uint32_t numSymbols, numInputs, numOutputs, numWeights, numBuffers, numSteps,
      numKernels;
  uint32_t numInputDims, numConstants, numValues;
  uint32_t arenaValue, numStates, numCopies, reserved;
  uint64_t stateBytes;
} Plan;

#endif
