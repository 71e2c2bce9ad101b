//===- Pipelines.h - The stage as one pipeline -----------------------------===//
#pragma once
#include "mlir/Pass/PassManager.h"

namespace graphmill {

struct InductorOptions {
  /// 0: a kernel an op; 1: fused, too; 2: constants stored and convolutions made as is fastest, too.
  unsigned level = 2;
  /// Columns in a panel of packed weights: two vector registers of the target.
  int64_t panel = 16;
  /// Sums are made of the products that the model says: no Winograd convolutions.
  bool exact = false;
};

/// Prims to scheduled kernels. Registered as --inductor-pipeline.
void buildInductorPipeline(mlir::OpPassManager &passes, const InductorOptions &options);
void registerInductorPipelines();

} // namespace graphmill
