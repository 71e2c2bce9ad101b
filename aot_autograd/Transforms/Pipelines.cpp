#include "aot_autograd/Transforms/Pipelines.h"
#include "aot_autograd/Transforms/Passes.h"
#include "fx/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace graphmill {

void buildAotPipeline(OpPassManager &passes) {
  passes.addPass(createFunctionalizePass());
  passes.addPass(createFunctionalizePass());
  passes.addPass(createSplitComplexPass());
  passes.addPass(createDecomposePass());
  passes.addPass(createCSEPass());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createFoldScalesPass());
  passes.addPass(createFoldConstantsPass());
}

void registerAotPipelines() {
  PassPipelineRegistration<>("aot-pipeline", "ATen ops to simplified prims", buildAotPipeline);
}

} // namespace graphmill
