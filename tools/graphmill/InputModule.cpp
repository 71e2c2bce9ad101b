#include "tools/graphmill/InputModule.h"
#include "frontend/pt2/Importer.h"
#include "frontend/pt2/Reader.h"
#include "fx/IR/FxDialect.h"
#include "tools/InputFile.h"
#include "tools/compiler/CompileModule.h"
#include "tools/graphmill/TextLimits.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace graphmill::tools {

static constexpr StringLiteral kBytecodeMagic = "ML\xefR";

bool startsWith(StringRef path, StringRef bytes) {
  if (!sys::fs::is_regular_file(path)) {
    return false; // a pipe can be opened once
  }
  auto start = MemoryBuffer::getFileSlice(path, bytes.size(), /*Offset=*/0);
  return start && (*start)->getBuffer() == bytes;
}

Error checkWeights(mlir::ModuleOp module, StringRef path) {
  StringRef missing;
  module.walk([&](mlir::Operation *op) {
    for (mlir::NamedAttribute attribute : op->getAttrs()) {
      auto resource = dyn_cast<mlir::DenseResourceElementsAttr>(attribute.getValue());
      if (resource && !resource.getRawHandle().getBlob()) {
        missing = resource.getRawHandle().getKey();
        return mlir::WalkResult::interrupt();
      }
    }
    return mlir::WalkResult::advance();
  });
  return missing.empty() ? Error::success()
                         : createStringError("'" + path + "' was printed without its weights ('" + missing +
                                             "' has no bytes); compile the model that it was printed from");
}

Expected<mlir::OwningOpRef<mlir::ModuleOp>> readModule(StringRef path, mlir::MLIRContext &context,
                                                       mlir::Timer timing) {
  // "-" is standard input.
  if (Error error = path == "-" ? Error::success() : checkReadable(path)) {
    return std::move(error);
  }
  bool isElf = startsWith(path, "\177ELF");
  if (isElf || path.ends_with(".so")) {
    return createStringError("'" + path + (isElf ? "' is a library, not a model: those" : "' is named as a library, but models") +
                             " are .pt2 archives, and graphs as MLIR");
  }
  if (startsWith(path, "PK") || path.ends_with(".pt2")) { // a zip file, or meant to be one
    mlir::TimingScope read(timing.nest("read"));
    Expected<pt2::ExportedProgram> program = pt2::readArchive(path);
    if (!program) {
      return program.takeError();
    }
    read.stop();
    mlir::TimingScope import(timing.nest("import"));
    return pt2::importProgram(context, *program);
  }
  mlir::TimingScope read(timing.nest("read"));
  auto buffer = MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    return createStringError(buffer.getError(), "can't read '" + path + "': " + buffer.getError().message());
  }
  StringRef text = (*buffer)->getBuffer();
  if (!text.starts_with(kBytecodeMagic)) {
    if (Error error = checkText(text, path)) {
      return std::move(error);
    }
  }
  DiagnosticCollector diagnostics(&context);
  SourceMgr source;
  source.AddNewSourceBuffer(std::move(*buffer), SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceFile<mlir::ModuleOp>(source, &context);
  if (!module) {
    bool isNamedMlir = path == "-" || path.ends_with(".mlir") || path.ends_with(".mlirbc");
    return diagnostics.toError(isNamedMlir ? path.str() : (path + ", no .pt2 archive and so read as MLIR,").str());
  }
  if (module->getOps<fx::GraphOp>().empty()) {
    return createStringError("'" + path + "' holds no graph: it is no .pt2 archive, nor a graph as MLIR");
  }
  return std::move(module);
}

} // namespace graphmill::tools
