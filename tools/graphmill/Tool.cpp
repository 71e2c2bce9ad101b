#include "codegen/host/Version.h"
#include "tools/StandardOutput.h"
#include "tools/graphmill/Command.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>

namespace graphmill::tools {
namespace {

struct CommandRow {
  const char *name, *summary;
  std::unique_ptr<Command> (*make)();
};

/// In the order in which --help lists them.
constexpr CommandRow kCommands[] = {
    {"compile", "Compile a model to a library", makeCompileCommand},
    {"run", "Run a compiled library on .npy files", makeRunCommand},
    {"bench", "Measure a compiled library's speed", makeBenchCommand},
    {"inspect", "Say what is in a library, an archive or a graph", makeInspectCommand},
    {"verify", "Compare a model's compiled code with the reference evaluator", makeVerifyCommand},
    {"reduce", "Shrink a model for as long as a test accepts it", makeReduceCommand},
};

} // namespace

/// What CLI11 calls a missing subcommand: a word that is none.
static bool isUnknownWord(llvm::StringRef word) {
  return !word.empty() && !word.starts_with("-") &&
         llvm::none_of(kCommands, [&](const CommandRow &row) { return word == row.name; });
}

int runTool(int argc, const char *const *argv) {
  if (argc > 1 && isUnknownWord(argv[1])) {
    err() << "graphmill: error: there is no subcommand '" << argv[1] << "'; --help lists them\n";
    return kFailed;
  }
  CLI::App app("graphmill, an ahead-of-time compiler of deep-learning graphs",
               "graphmill");
  app.set_version_flag("--version", host::kCompilerVersion);
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App *, std::unique_ptr<Command>>> commands;
  for (const CommandRow &row : kCommands) {
    commands.emplace_back(app.add_subcommand(row.name, row.summary),
                          row.make());
    commands.back().second->declare(*commands.back().first);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    // --help and --version come this way too, with status 0.
    return app.exit(error) == 0 ? 0 : kFailed;
  }
  for (auto &[parsed, command] : commands) {
    if (!parsed->parsed()) {
      continue;
    }
    llvm::Expected<int> status = command->run();
    if (llvm::Error error = finishOutput()) {
      err() << "graphmill: error: " << llvm::toString(std::move(error)) << "\n";
      llvm::consumeError(status.takeError());
      return kFailed;
    }
    if (!status) {
      err() << "graphmill " << parsed->get_name()
                   << ": error: " << llvm::toString(status.takeError()) << "\n";
      return kFailed;
    }
    return *status;
  }
  return kFailed;
}

} // namespace graphmill::tools
