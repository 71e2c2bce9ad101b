//===- Verification.h - Compiled code beside the evaluator -----------------===//
#pragma once
#include "fx/Eval/Evaluate.h"
#include "tools/Compare.h"
#include "tools/graphmill/LoadedLibrary.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace graphmill::tools {

/// What a tolerance is if none is given: `absolute` times the largest expected value, at least 1.
struct VerifyOptions {
  std::optional<double> absolute;
  double relative = 1e-4;
  /// Told while the evaluator runs: how many ops are done, of how many.
  std::function<void(unsigned, unsigned)> onOp = [](unsigned, unsigned) {};
};

/// An array of the compiled code beside the evaluator's.
struct ArrayVerdict {
  std::string name;
  bool agrees;
  std::string text; ///< how far they are apart
};

/// The first kernel whose result differs though all results before it agree.
struct FaultyKernel {
  unsigned number, total;   ///< among the graph's kernels
  std::string name, place;  ///< "contraction_relu 1x64", "model.py:41"
  std::vector<std::string> ops; ///< that it was made of
  ArrayVerdict result;
};

/// A graph, compiled for this machine and loaded, and its primitive ops for the evaluator.
class Verification {
public:
  /// Compiles a module of one graph of ATen ops or prims, which it changes.
  static llvm::Expected<Verification> compile(mlir::ModuleOp module, llvm::StringRef name);

  const LoadedLibrary &library() const { return loaded; }
  /// The prims that the evaluator runs.
  fx::GraphOp reference();

  /// Runs both; a verdict on each output, then on each input that is written.
  llvm::Expected<std::vector<ArrayVerdict>> compareOutputs(llvm::ArrayRef<gm_tensor> inputs, const VerifyOptions &options);

  /// Compiles the graph again with the result of every kernel as an output, which leaves the kernels as they
  /// are, and compares each with the evaluator's value of the op that the kernel ends in. Nothing if all agree:
  /// then it isn't a kernel that is wrong, but how results share memory.
  llvm::Expected<std::optional<FaultyKernel>> findKernel(llvm::ArrayRef<gm_tensor> inputs, const VerifyOptions &options);

private:
  explicit Verification(LoadedLibrary loaded) : loaded(std::move(loaded)) {}

  std::string name;
  LoadedLibrary loaded;
  mlir::OwningOpRef<mlir::ModuleOp> compiled, evaluated; ///< the same primitive ops
};

} // namespace graphmill::tools
