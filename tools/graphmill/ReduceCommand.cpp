#include "codegen/host/FileBytes.h"
#include "tools/StandardOutput.h"
#include "tools/compiler/CompileModule.h"
#include "tools/graphmill/Command.h"
#include "tools/graphmill/InputModule.h"
#include "tools/graphmill/Reducer.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

using namespace llvm;
namespace graphmill::tools {
namespace {

class ReduceCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("model", model, "A .pt2 archive, or a graph as MLIR text or bytecode")->required();
    app.add_option("--test", test,
                   "A shell command that ends with status 0 if the graph in the file \"$1\" still shows what you look for, "
                   "as '! graphmill verify \"$1\"'")
        ->required();
    app.add_option("-o,--output", output, "The reduced graph, as MLIR; default: the model's name with .reduced.mlir, in the "
                                           "current folder");
  }

  Expected<int> run() override;

private:
  Expected<bool> isInteresting(mlir::ModuleOp candidate, StringRef path) const;
  std::string model, test, output;
};

/// The file appears whole or not at all.
Error writeText(mlir::ModuleOp module, StringRef path) {
  std::string text;
  raw_string_ostream stream(text);
  module.print(stream, mlir::OpPrintingFlags().enableDebugInfo(/*enable=*/true, /*prettyForm=*/false));
  Expected<host::PendingFile> file = host::PendingFile::create(path);
  if (!file) {
    return file.takeError();
  }
  if (Error error = host::writeBytes(file->descriptor(), ArrayRef(text.data(), text.size()), path)) {
    return error;
  }
  return file->commit(/*executable=*/false);
}

Expected<bool> ReduceCommand::isInteresting(mlir::ModuleOp candidate, StringRef path) const {
  if (Error error = writeText(candidate, path)) {
    return std::move(error);
  }
  std::string message;
  bool isMissing = false;
  std::optional<StringRef> nowhere[] = {StringRef(""), StringRef(""), StringRef("")};
  int status = sys::ExecuteAndWait("/bin/sh", {"sh", "-c", test, "sh", path}, std::nullopt, nowhere, 0, 0, &message, &isMissing);
  if (isMissing) {
    return createStringError("can't run the test: " + message);
  }
  return status == 0;
}

Expected<int> ReduceCommand::run() {
  mlir::MLIRContext context;
  loadDialects(context);
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = readModule(model, context);
  if (!module) {
    return module.takeError();
  }
  if (Error error = checkWeights(**module, model)) {
    return std::move(error);
  }
  if (!hasSingleElement((*module)->getOps<fx::GraphOp>())) {
    return createStringError("'" + model + "' must hold exactly one graph");
  }
  if (output.empty()) {
    output = (sys::path::stem(model) + ".reduced.mlir").str();
  }
  SmallString<128> path;
  if (std::error_code code = sys::fs::createTemporaryFile("graphmill", "mlir", path)) {
    return createStringError(code, "no temporary file: " + code.message());
  }
  scope_exit remove([&] { sys::fs::remove(path); });
  Error failure = Error::success();
  unsigned tried = 0;
  auto passes = [&](mlir::ModuleOp candidate) {
    if (failure) {
      return false; // ends soon: nothing is taken any more
    }
    ++tried;
    Expected<bool> interesting = isInteresting(candidate, path);
    if (!interesting) {
      failure = interesting.takeError();
      return false;
    }
    return *interesting;
  };
  bool begins = passes(**module);
  if (!failure && !begins) {
    return createStringError("the test fails for '" + model + "' itself: it must end with status 0 for a graph to keep");
  }
  Reducer reducer(std::move(*module), passes);
  unsigned before = reducer.numOps();
  if (!failure) {
    reducer.run();
  }
  if (failure) {
    return std::move(failure);
  }
  if (Error error = writeText(reducer.result(), output)) {
    return std::move(error);
  }
  out() << fmt::format("{}: {} of {} ops are left, after {} tests\n", output, reducer.numOps(), before, tried);
  return 0;
}

} // namespace

std::unique_ptr<Command> makeReduceCommand() { return std::make_unique<ReduceCommand>(); }

} // namespace graphmill::tools
