#include "codegen/host/Library.h"
#include "codegen/host/EmitPlan.h"
#include "codegen/host/Link.h"
#include "codegen/host/WeightsFile.h"

namespace graphmill::host {

llvm::Error buildLibrary(const Plan &plan, llvm::ArrayRef<ObjectFile> kernels,
                         const TargetSpec &target,
                         const LibraryOptions &options) {
  mlir::Timer stages = options.timing;
  WeightImage weights = layOutWeights(plan);
  bool isSeparate = !options.weightsFile.empty();
  std::optional<PendingWeightsFile> weightsFile;
  if (isSeparate) {
    mlir::TimingScope timing(stages.nest("weights"));
    llvm::Expected<PendingWeightsFile> written =
        writeWeightsFile(weights, options.weightsFile, options.path,
                         options.threads);
    if (!written) {
      return written.takeError();
    }
    weightsFile.emplace(std::move(*written));
  }
  mlir::TimingScope timing(stages.nest("tables"));
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> tables =
      emitPlan(plan, weights, isSeparate ? &weightsFile->header : nullptr,
               target, context);
  if (!tables) {
    return tables.takeError();
  }
  llvm::Expected<ObjectFile> tableObject = compileModule(**tables, target);
  if (!tableObject) {
    return tableObject.takeError();
  }
  timing.stop();
  std::vector<ObjectFile> objects(kernels.begin(), kernels.end());
  objects.push_back(std::move(*tableObject));
  llvm::Expected<PendingFile> library = linkLibrary(
      objects, isSeparate ? nullptr : &weights, target, options);
  if (!library) {
    return library.takeError();
  }
  if (isSeparate) {
    if (llvm::Error error = weightsFile->file.commit(/*executable=*/false)) {
      return error;
    }
  }
  return library->commit(/*executable=*/true);
}

} // namespace graphmill::host
