//===- CompileModule.h - All stages, for the program and the library -------===//
#pragma once
#include "codegen/cpu/CompileGraph.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

namespace graphmill::tools {

/// Keeps the errors that passes report at user's locations, to show them as one message.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext *context);
  ~DiagnosticCollector();
  llvm::Error toError(llvm::StringRef file);

private:
  mlir::MLIRContext *context;
  mlir::DiagnosticEngine::HandlerID handler;
  std::vector<std::string> errors;
};

struct ModuleOptions {
  std::string name;           ///< of the model, for messages and the library
  std::string target = "native";
  unsigned threads = 0;       ///< 0: one a core
  std::string stopAfter;      ///< "prims", "loop", "llvm", "asm", or empty
  std::string path, weightsFile;
  unsigned level = 2;         ///< of optimization, 0 to 2, as in InductorOptions
  bool exact = false;         ///< no algorithm that rounds otherwise than the model's sums
  bool verifyPasses = false;  ///< check the IR after each pass: for tests
  llvm::raw_ostream *text = nullptr;    ///< what `stopAfter` prints
  /// If given, told what was fused and what wasn't.
  std::function<void(mlir::Location, llvm::StringRef)> onRemark;
  mlir::Timer timing = {};              ///< gets the stages, and the passes in them
  /// Told when a stage has ended: "decompose", "schedule", "generate". May look at the module
  /// and change it.
  std::function<void(llvm::StringRef)> onStage = [](llvm::StringRef) {};
  /// Told how many kernels are generated, of how many distinct ones.
  std::function<void(unsigned, unsigned)> onKernel = [](unsigned, unsigned) {};
};

/// Registers and loads every dialect that a module goes through.
void loadDialects(mlir::MLIRContext &context);

/// Nothing is returned but no error if it stopped early.
struct ModuleSummary : cpu::CompileSummary {
  unsigned primitiveOps = 0; ///< that kernels were made of
};

/// Compiles a module to a library, or prints a stage of it (then there is no summary).
llvm::Expected<std::optional<ModuleSummary>> compileModule(mlir::ModuleOp module, const ModuleOptions &options);

} // namespace graphmill::tools
