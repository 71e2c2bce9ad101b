//===- main.cpp - Every pass and pipeline, on MLIR text or bytecode
//--------===//
#include "aot_autograd/Transforms/Passes.h"
#include "aot_autograd/Transforms/Pipelines.h"
#include "fx/Aten/AtenDialect.h"
#include "fx/Prims/PrimsDialect.h"
#include "inductor/Transforms/Passes.h"
#include "inductor/Transforms/Pipelines.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry
      .insert<graphmill::fx::FxDialect, graphmill::aten::AtenDialect,
              graphmill::prims::PrimsDialect, graphmill::loop::LoopDialect>();
  mlir::registerTransformsPasses();
  graphmill::registerAotPasses();
  graphmill::registerInductorPasses();
  graphmill::registerAotPipelines();
  graphmill::registerInductorPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "graphmill's passes\n", registry));
}
