//===- Pipelines.h - The stage as one pipeline -----------------------------===//
#pragma once
#include "mlir/Pass/PassManager.h"

namespace graphmill {

/// ATen ops to simplified prims. Registered as --aot-pipeline.
void buildAotPipeline(mlir::OpPassManager &passes);
void registerAotPipelines();

} // namespace graphmill
