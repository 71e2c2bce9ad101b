#include "tools/graphmill/InputModule.h"
#include "frontend/pt2/Importer.h"
#include "frontend/pt2/Reader.h"
#include "fx/IR/FxDialect.h"
#include "tools/InputFile.h"
#include "tools/compiler/CompileModule.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace graphmill::tools {

bool startsWith(StringRef path, StringRef bytes) {
  auto start = MemoryBuffer::getFileSlice(path, bytes.size(), /*Offset=*/0);
  return start && (*start)->getBuffer() == bytes;
}

Expected<mlir::OwningOpRef<mlir::ModuleOp>> readModule(StringRef path, mlir::MLIRContext &context) {
  // "-" is standard input.
  if (Error error = path == "-" ? Error::success() : checkReadable(path)) {
    return std::move(error);
  }
  if (startsWith(path, "PK")) { // a zip file
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
  if (module->getOps<fx::GraphOp>().empty()) {
    return createStringError("'" + path + "' holds no graph: it is no .pt2 archive, nor a graph as MLIR");
  }
  return std::move(module);
}

} // namespace graphmill::tools
