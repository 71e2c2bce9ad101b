//===- Command.h - What a subcommand of graphmill is
//-----------------------===//
//
// To add one: write XCommand.cpp with a class and makeXCommand(), declare that
// below, and add it to the list in Tool.cpp.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/Support/Error.h"
#include <memory>

namespace CLI {
class App;
}

namespace graphmill::tools {

/// Exit statuses beside 0.
enum ExitStatus { kDiffers = 1, kFailed = 2 };

class Command {
public:
  virtual ~Command() = default;

  /// Declares the options on the subcommand, bound to members of this object.
  virtual void declare(CLI::App &app) = 0;

  /// Does the work after the options have been read; returns the exit status.
  virtual llvm::Expected<int> run() = 0;
};

std::unique_ptr<Command> makeBenchCommand();
std::unique_ptr<Command> makeCompileCommand();
std::unique_ptr<Command> makeInspectCommand();
std::unique_ptr<Command> makeReduceCommand();
std::unique_ptr<Command> makeRunCommand();
std::unique_ptr<Command> makeVerifyCommand();

/// The whole program.
int runTool(int argc, const char *const *argv);

} // namespace graphmill::tools
