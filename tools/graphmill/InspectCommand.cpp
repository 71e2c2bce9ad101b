#include "tools/StandardOutput.h"
#include "tools/graphmill/Command.h"
#include "tools/graphmill/InputModule.h"
#include "tools/graphmill/Inspect.h"
#include "tools/graphmill/LoadedLibrary.h"
#include "llvm/Support/FileSystem.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

using namespace llvm;
namespace graphmill::tools {
namespace {

class InspectCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("file", file, "A compiled library, a .pt2 archive, or a graph as MLIR")->required();
    app.add_flag("--steps", listSteps, "List the kernel calls of a run");
  }

  Expected<int> run() override;

private:
  std::string file;
  bool listSteps = false;
};

void printTensors(StringRef role, ArrayRef<gm_tensor_info> tensors) {
  for (auto [i, tensor] : enumerate(tensors)) {
    out() << fmt::format("{:<9} {} '{}': {}{}\n", role.str(), i, tensor.name,
                          describe(tensor),
                          tensor.is_mutated ? ", written by each run" : "");
  }
}

Expected<int> InspectCommand::run() {
  if (!startsWith(file, "\177ELF") && !StringRef(file).ends_with(".so")) {
    if (Error error = inspectModule(file)) {
      return std::move(error);
    }
    return 0;
  }
  Expected<LoadedLibrary> loaded = LoadedLibrary::open(file);
  if (!loaded) {
    return loaded.takeError();
  }
  const gm_library_info &info = loaded->info();
  uint64_t fileBytes = 0;
  sys::fs::file_size(file, fileBytes);
  out() << fmt::format("model     {}\ncompiler  {}, interface {}\ntarget    "
                        "{}\nfile      {} bytes\n",
                        info.model_name, info.compiler,
                        loaded->api().abi_version(), info.target, fileBytes);
  out() << fmt::format(
      "weights   {} in {} bytes, {}\n", info.num_weights, info.weight_bytes,
      info.weights_file ? fmt::format("in '{}'", info.weights_file)
                        : "embedded");
  out() << fmt::format("steps     {}, of {} kernels\n", info.num_steps,
                        info.num_kernels);
  for (const gm_symbol_info &symbol : loaded->symbols()) {
    out() << fmt::format("size      {}: {}\n", symbol.name,
                          describeRange(symbol.min, symbol.max, symbol.divisor));
  }
  printTensors("input", loaded->inputs());
  printTensors("output", loaded->outputs());
  for (uint32_t s = 0; listSteps && s < info.num_steps; ++s) {
    gm_step_info step;
    loaded->api().get_step_info(s, &step);
    out() << fmt::format("step      {} '{}' by {} {}\n", s, step.name,
                          step.kernel, step.location);
  }
  return 0;
}

} // namespace

std::string describeRange(int64_t min, int64_t max, int64_t divisor) {
  std::string text = max == INT64_MAX ? fmt::format("{} or more", min)
                                      : fmt::format("{} to {}", min, max);
  return divisor == 1 ? text : text + fmt::format(", multiples of {}", divisor);
}

std::unique_ptr<Command> makeInspectCommand() {
  return std::make_unique<InspectCommand>();
}

} // namespace graphmill::tools
