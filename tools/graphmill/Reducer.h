//===- Reducer.h - Shrinks a graph for as long as it is interesting --------===//
#pragma once
#include "fx/IR/FxDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace graphmill::tools {

/// Makes smaller variants of a module of one graph and keeps those that a test accepts: fewer ops, with new inputs
/// or operands in the places of what the others computed, fewer outputs, weights of one value. Variants are valid MLIR, but they
/// need not mean anything: that is for the test to say.
class Reducer {
public:
  using Test = std::function<bool(mlir::ModuleOp)>;

  Reducer(mlir::OwningOpRef<mlir::ModuleOp> module, Test isInteresting)
      : module(std::move(module)), isInteresting(std::move(isInteresting)) {}

  /// Until nothing more can be left out. The module must be interesting as it is.
  void run();

  mlir::ModuleOp result() { return *module; }
  /// Ops of the graph that aren't of the fx dialect.
  unsigned numOps();

private:
  /// Replaces the module by a changed clone, if that is valid and interesting.
  bool tryChange(llvm::function_ref<void(mlir::ModuleOp)> change);
  /// Offers runs of `count` things, shorter and shorter ones; `tryRun` gets the first and how many.
  /// Returns whether any was taken.
  bool tryRuns(llvm::function_ref<unsigned()> count, llvm::function_ref<bool(unsigned, unsigned)> tryRun);

  void keepShortestPrefix();
  bool dropOutputs();
  /// What ops compute becomes inputs; with `bypass`, it becomes an operand of the same type where there is one.
  bool cutOps(bool bypass);
  void splatWeights();

  mlir::OwningOpRef<mlir::ModuleOp> module;
  Test isInteresting;
};

} // namespace graphmill::tools
