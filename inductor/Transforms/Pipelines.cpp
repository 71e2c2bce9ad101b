#include "inductor/Transforms/Pipelines.h"
#include "inductor/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace graphmill {

void buildInductorPipeline(OpPassManager &passes, const InductorOptions &options) {
  auto simplify = [&] {
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
  };
  passes.addPass(createLowerPrimsPass());
  if (options.level >= 1) {
    passes.addPass(createInlineProducersPass());
    simplify();
    passes.addPass(createFuseConsumersPass());
    simplify();
  }
  passes.addPass(createAssignLayoutsPass());
  if (options.level >= 2 && !options.exact) {
    TransformConvolutionsPassOptions transformed;
    transformed.panel = options.panel;
    passes.addPass(createTransformConvolutionsPass(transformed));
  }
  if (options.level >= 2) {
    PackWeightsPassOptions packing;
    packing.panel = options.panel;
    passes.addPass(createPackWeightsPass(packing));
  }
  passes.addPass(createReportFusionPass());
}

void registerInductorPipelines() {
  PassPipelineRegistration<>("inductor-pipeline", "Prims to scheduled kernels",
                             [](OpPassManager &passes) { buildInductorPipeline(passes, {}); });
}

} // namespace graphmill
