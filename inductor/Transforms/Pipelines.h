//===- Pipelines.h - The stage as one pipeline -----------------------------===//
#pragma once
#include "mlir/Pass/PassManager.h"

namespace graphmill {

struct InductorOptions {
  /// Columns in a panel of packed weights: two vector registers of the target.
  int64_t panel = 16;
  /// Sums are made of the products that the model says: no Winograd convolutions.
  bool exact = false;
};

/// Prims to scheduled kernels. Registered as --inductor-pipeline.
void buildInductorPipeline(mlir::OpPassManager &passes, const InductorOptions &options);
void registerInductorPipelines();

} // namespace graphmill
