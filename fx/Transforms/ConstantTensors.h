//===- ConstantTensors.h - Which values of a graph are constants -----------===//
#pragma once
#include "fx/Prims/PrimsDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace graphmill {

/// Values that depend only on constants and on owned tensors that no output writes back.
class ConstantTensors {
public:
  explicit ConstantTensors(fx::GraphOp graph);

  /// Whether running the graph never changes this value.
  bool isConstant(mlir::Value value);
  bool isMutated(llvm::StringRef tensor) const { return mutated.contains(tensor); }

private:
  llvm::StringSet<> mutated;
  llvm::DenseMap<mlir::Value, bool> known;
};

/// Reads its operand's elements, or a subset or repetition of them, in another order.
bool isViewPrim(mlir::Operation *op);

/// Erases what nothing uses: ops without effects, then owned tensors that neither an
/// `fx.get` nor a graph's output names.
void eraseUnused(mlir::ModuleOp module);

} // namespace graphmill
