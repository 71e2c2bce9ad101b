#include "tools/graphmill/InputModule.h"
#include "frontend/pt2/Importer.h"
#include "frontend/pt2/Reader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

using namespace llvm;

namespace graphmill::tools {

/// "model.py:41:12" of the innermost user line, else nothing.
static std::string placeOf(mlir::Location location) {
  if (auto file = location->findInstanceOf<mlir::FileLineColLoc>()) {
    return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ": ").str();
  }
  return "";
}

static std::string textOf(mlir::Diagnostic &diagnostic) {
  std::string text = placeOf(diagnostic.getLocation()) + diagnostic.str();
  for (mlir::Diagnostic &note : diagnostic.getNotes()) {
    text += "\n  note: " + placeOf(note.getLocation()) + note.str();
  }
  return text;
}

DiagnosticCollector::DiagnosticCollector(mlir::MLIRContext *context, raw_ostream *remarks) : context(context) {
  handler = context->getDiagEngine().registerHandler([this, remarks](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
      errors.push_back(textOf(diagnostic));
    } else if (remarks) {
      *remarks << textOf(diagnostic) << "\n";
    }
    return mlir::success();
  });
}

DiagnosticCollector::~DiagnosticCollector() { context->getDiagEngine().eraseHandler(handler); }

Error DiagnosticCollector::toError(StringRef file) {
  std::string all = (file + ": can't be compiled").str();
  for (const std::string &error : errors) {
    all += "\n  " + error;
  }
  return createStringError(all);
}

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
