//===- Evaluate.h - Runs primitive ops on this machine, plainly ------------===//
//
// The meaning of prims, executable: loops that can be checked by reading them, sums in
// float64, no code shared with what compiles. It is what compiled code is compared with,
// and it folds constants.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "fx/Eval/HostTensor.h"
#include "fx/IR/FxDialect.h"

namespace graphmill::eval {

/// What `prims.random` draws from: as a context's in a compiled library.
struct RandomState {
  uint64_t seed = 0, run = 0;
};

struct EvaluateOptions {
  /// Values of the graph's symbols. If there are none, they are solved from the inputs' sizes.
  llvm::ArrayRef<int64_t> symbols;
  RandomState random = {};
  /// Told before each op: how many are done, of how many.
  std::function<void(unsigned, unsigned)> onOp = [](unsigned, unsigned) {};
};

/// Runs a graph of prims; its results in the order of `fx.output`.
llvm::Expected<std::vector<HostTensor>> evaluate(fx::GraphOp graph, llvm::ArrayRef<HostTensor> inputs,
                                                 const EvaluateOptions &options = {});

/// Runs one op. Fails on ops that aren't prims, on random ones without a state, on dtypes it
/// doesn't know and on operands that the op isn't defined for (an index out of range).
llvm::Expected<std::vector<HostTensor>> evaluateOp(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands,
                                                   llvm::ArrayRef<int64_t> symbols = {},
                                                   std::optional<RandomState> random = std::nullopt);

/// Values of a graph's symbols that give the arguments these shapes.
llvm::Expected<llvm::SmallVector<int64_t>> solveSymbols(fx::GraphOp graph, llvm::ArrayRef<HostTensor> inputs);

/// A size with the symbols' values put in; nothing if it divides by 0 or uses an unknown symbol.
std::optional<int64_t> evaluateDim(Dim dim, llvm::ArrayRef<int64_t> symbols);

} // namespace graphmill::eval
