#include "tools/graphmill/InputModule.h"
#include "frontend/pt2/Importer.h"
#include "frontend/pt2/Reader.h"
#include "tools/compiler/CompileModule.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace graphmill::tools {

/// Archives are zip files.
static bool isArchive(StringRef path) {
  auto start = MemoryBuffer::getFileSlice(path, /*MapSize=*/2, /*Offset=*/0);
  return start && (*start)->getBuffer() == "PK";
}

Expected<mlir::OwningOpRef<mlir::ModuleOp>> readModule(StringRef path, mlir::MLIRContext &context) {
  if (isArchive(path)) {
    Expected<pt2::ExportedProgram> program = pt2::readArchive(path);
    if (!program) {
      return program.takeError();
    }
    return pt2::importProgram(context, *program);
  }
  DiagnosticCollector diagnostics(&context, nullptr);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  if (!module) {
    return diagnostics.toError(path);
  }
  return std::move(module);
}

} // namespace graphmill::tools
