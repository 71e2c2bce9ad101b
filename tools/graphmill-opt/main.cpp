//===- main.cpp - Every pass and pipeline, on MLIR or on an archive --------===//
#include "aot_autograd/Transforms/Passes.h"
#include "aot_autograd/Transforms/Pipelines.h"
#include "frontend/pt2/Importer.h"
#include "frontend/pt2/Reader.h"
#include "fx/Aten/AtenDialect.h"
#include "fx/Check/CheckDialect.h"
#include "fx/Prims/PrimsDialect.h"
#include "fx/Transforms/Passes.h"
#include "inductor/Transforms/Passes.h"
#include "inductor/Transforms/Pipelines.h"
#include "tools/StandardOutput.h"
#include "tools/graphmill-opt/VerifyNumerics.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static LogicalResult fail(const Twine &message) {
  graphmill::tools::err() << message << "\n";
  return failure();
}

/// `graphmill-opt model.pt2 --aten-functionalize …`: imports, runs the passes, prints.
/// Weights are elided: 8 bytes say no less than 400 million.
static LogicalResult runOnArchive(StringRef input, StringRef output, const DialectRegistry &registry) {
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  llvm::Expected<graphmill::pt2::ExportedProgram> program = graphmill::pt2::readArchive(input);
  if (!program) {
    return fail(llvm::toString(program.takeError()));
  }
  auto module = graphmill::pt2::importProgram(context, *program);
  if (!module) {
    return fail(llvm::toString(module.takeError()));
  }
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
    graphmill::tools::err() << diagnostic.getLocation() << ": " << diagnostic.str() << "\n";
  });
  PassManager passes(&context);
  passes.enableVerifier(config.shouldVerifyPasses());
  if (failed(applyPassManagerCLOptions(passes)) || failed(config.setupPassPipeline(passes)) ||
      failed(passes.run(module->get()))) {
    return failure();
  }
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &message);
  if (!file) {
    return fail(message);
  }
  module->get()->print(file->os(), OpPrintingFlags().elideLargeResourceString(64).elideLargeElementsAttrs(64));
  file->os() << "\n";
  file->keep();
  return success();
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<graphmill::fx::FxDialect, graphmill::aten::AtenDialect,
                  graphmill::prims::PrimsDialect, graphmill::loop::LoopDialect,
                  graphmill::check::CheckDialect>();
  registerTransformsPasses();
  graphmill::registerFxPasses();
  graphmill::registerAotPasses();
  graphmill::registerInductorPasses();
  graphmill::registerAotPipelines();
  graphmill::registerInductorPipelines();
  graphmill::tools::registerVerifyNumerics();
  auto [input, output] = registerAndParseCLIOptions(argc, argv, "graphmill's passes\n", registry);
  LogicalResult result = StringRef(input).ends_with(".pt2") ? runOnArchive(input, output, registry)
                                                            : MlirOptMain(argc, argv, input, output, registry);
  if (llvm::Error error = graphmill::tools::finishOutput()) {
    result = fail(llvm::toString(std::move(error)));
  }
  return asMainReturnCode(result);
}
