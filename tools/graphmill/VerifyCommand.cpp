#include "fx/IR/FxDialect.h"
#include "tools/StandardOutput.h"
#include "tools/compiler/CompileModule.h"
#include "tools/graphmill/Checks.h"
#include "tools/graphmill/Command.h"
#include "tools/graphmill/IndexLimits.h"
#include "tools/graphmill/InputModule.h"
#include "tools/graphmill/RandomInputs.h"
#include "tools/graphmill/Verification.h"
#include "llvm/Support/Path.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

using namespace llvm;
namespace graphmill::tools {
namespace {

class VerifyCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("model", model, "A .pt2 archive, or a graph as MLIR text or bytecode")->required();
    app.add_option("--in", inputs, "One .npy file an input; default: random, integers that are indices in range");
    app.add_option("--sizes", sizes, "Values of symbolic sizes, as in batch=4,seq=128");
    app.add_option("--atol", options.absolute,
                   "Allowed error, plus --rtol times the expected value; default: 1e-4 (of 16-bit floats more), "
                   "times the largest expected value if that is above 1")
        ->check(notNegative());
    app.add_option("--rtol", options.relative, "See --atol")->check(notNegative())->capture_default_str();
  }

  Expected<int> run() override;

private:
  Expected<int> compare(Verification &verification, ArrayRef<gm_tensor> tensors);
  std::string model, sizes;
  std::vector<std::string> inputs;
  VerifyOptions options;
};

void print(const FaultyKernel &kernel) {
  out() << fmt::format("the first kernel that differs is {} of {}, '{}'{}\n", kernel.number, kernel.total, kernel.name,
                        kernel.place.empty() ? "" : " at " + kernel.place);
  out() << "  its " << kernel.result.name << ": " << kernel.result.text << "\n";
  for (const std::string &op : kernel.ops) {
    out() << "  made of " << op << "\n";
  }
}

Expected<int> VerifyCommand::compare(Verification &verification, ArrayRef<gm_tensor> tensors) {
  if (errs().is_displayed()) {
    options.onOp = [](unsigned done, unsigned total) { errs() << fmt::format("  evaluate {} of {} ops\r", done, total); };
  }
  Expected<std::vector<ArrayVerdict>> verdicts = verification.compareOutputs(tensors, options);
  if (!verdicts) {
    return verdicts.takeError();
  }
  for (const ArrayVerdict &verdict : *verdicts) {
    out() << verdict.name << ": " << verdict.text << "\n";
  }
  if (all_of(*verdicts, [](const ArrayVerdict &verdict) { return verdict.agrees; })) {
    return 0;
  }
  outs().flush();
  Expected<std::optional<FaultyKernel>> kernel = verification.findKernel(tensors, options);
  if (!kernel) {
    return kernel.takeError();
  }
  if (*kernel) {
    print(**kernel);
  } else {
    out() << "every kernel's result agrees if none shares memory with another: it is the memory plan that is wrong\n";
  }
  return int(kDiffers);
}

Expected<int> VerifyCommand::run() {
  if (!inputs.empty() && !sizes.empty()) {
    return createStringError("--sizes is for random inputs, without --in");
  }
  mlir::MLIRContext context;
  loadDialects(context);
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = readModule(model, context);
  if (!module) {
    return module.takeError();
  }
  if (Error error = checkWeights(**module, model)) {
    return std::move(error);
  }
  Expected<Verification> verification = Verification::compile(**module, sys::path::stem(model));
  if (!verification) {
    return verification.takeError();
  }
  if (!inputs.empty()) {
    Expected<InputFiles> files = InputFiles::read(inputs);
    return files ? compare(*verification, files->tensors()) : files.takeError();
  }
  const LoadedLibrary &library = verification->library();
  Expected<std::vector<int64_t>> values = chooseSizes(library, sizes);
  if (!values) {
    return values.takeError();
  }
  for (auto [symbol, value] : zip_equal(library.symbols(), *values)) {
    out() << symbol.name << " = " << value << "\n";
  }
  Expected<RandomInputs> made = RandomInputs::make(library, *values, indexLimits(verification->reference(), *values));
  return made ? compare(*verification, made->tensors()) : made.takeError();
}

} // namespace

std::unique_ptr<Command> makeVerifyCommand() { return std::make_unique<VerifyCommand>(); }

} // namespace graphmill::tools
