#include "tools/Compare.h"
#include "tools/StandardOutput.h"
#include "tools/graphmill/Checks.h"
#include "tools/graphmill/Command.h"
#include "tools/graphmill/LoadedLibrary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

using namespace llvm;
namespace graphmill::tools {
namespace {

class RunCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("library", library, "The compiled library")->required();
    app.add_option("--in", inputs, "One .npy file an input, in order");
    app.add_option("--out", outFolder, "Write out0.npy, out1.npy ... here");
    app.add_option("--expect", expectFolder,
                   "Compare with out0.npy, out1.npy ... from here; exit with "
                   "1 if they differ");
    app.add_option("--atol", absolute,
                   "Allowed error, plus --rtol times the expected value; default: "
                   "1e-4, times the largest expected value if that is above 1")
        ->check(notNegative());
    app.add_option("--rtol", relative, "See --atol")->check(notNegative())->capture_default_str();
    app.add_option("--seed", seed, "Of the random numbers, for models that draw some")
        ->capture_default_str();
    app.add_option("--threads", threads, "0: one a physical core")
        ->capture_default_str();
  }

  Expected<int> run() override;

private:
  std::string outputFile(StringRef folder, size_t index) const {
    SmallString<256> path(folder);
    sys::path::append(path, "out" + Twine(index) + ".npy");
    return path.str().str();
  }
  Error writeOutputs(ArrayRef<gm_tensor> outputs);
  Expected<bool> compareOutput(const gm_tensor &output, size_t index,
                               StringRef name);

  std::string library, outFolder, expectFolder;
  std::vector<std::string> inputs;
  std::optional<double> absolute;
  double relative = 1e-4;
  int threads = 0;
  uint64_t seed = 0;
};

std::string formatShape(gm_dtype dtype, ArrayRef<int64_t> shape) {
  return fmt::format(
      "{} [{}]", dtypeName(dtype).str(),
      join(map_range(shape, [](int64_t d) { return std::to_string(d); }),
           ", "));
}

Error RunCommand::writeOutputs(ArrayRef<gm_tensor> outputs) {
  if (std::error_code code = sys::fs::create_directories(outFolder, /*IgnoreExisting=*/true, sys::fs::perms::all_all)) {
    return createStringError(code, "can't make folder '" + outFolder +
                                       "': " + code.message());
  }
  for (auto [i, output] : enumerate(outputs)) {
    if (Error error = writeNpy(outputFile(outFolder, i), output.dtype,
                               shapeOf(output), bytesOf(output))) {
      return error;
    }
  }
  return Error::success();
}

/// Prints a line and returns whether the output is as expected.
Expected<bool> RunCommand::compareOutput(const gm_tensor &output, size_t index,
                                         StringRef name) {
  Expected<NpyArray> expected = readNpy(outputFile(expectFolder, index));
  if (!expected) {
    return expected.takeError();
  }
  std::string label = fmt::format("output {} '{}'", index, name.str());
  if (expected->dtype != output.dtype ||
      ArrayRef<int64_t>(expected->shape) != shapeOf(output)) {
    out() << label << ": is " << formatShape(output.dtype, shapeOf(output))
           << ", expected " << formatShape(expected->dtype, expected->shape)
           << "\n";
    return false;
  }
  auto compare = [&](double atol) {
    return compareArrays(output.dtype, bytesOf(output), expected->bytes(),
                         {atol, relative});
  };
  // Sums that cancel are as exact as their terms, not as they are.
  double atol = absolute ? *absolute
                         : 1e-4 * std::max(1.0, compare(0).maxExpected);
  Comparison result = compare(atol);
  out() << label << ": "
         << describe(result, shapeOf(output), {atol, relative}) << "\n";
  return result.numOutside == 0;
}

Expected<int> RunCommand::run() {
  Expected<LoadedLibrary> loaded = LoadedLibrary::open(library);
  if (!loaded) {
    return loaded.takeError();
  }
  Expected<InputFiles> files = InputFiles::read(inputs);
  if (!files) {
    return files.takeError();
  }
  Expected<Context> context = Context::create(*loaded, threads);
  if (!context) {
    return context.takeError();
  }
  if (Error error = context->seed(seed)) {
    return std::move(error);
  }
  Expected<std::vector<gm_tensor>> outputs = context->run(files->tensors());
  if (!outputs) {
    return outputs.takeError();
  }
  std::vector<gm_tensor_info> infos = loaded->outputs();
  if (!outFolder.empty()) {
    if (Error error = writeOutputs(*outputs)) {
      return std::move(error);
    }
  }
  if (expectFolder.empty()) {
    for (auto [i, output] : enumerate(*outputs)) {
      out() << fmt::format("output {} '{}': {}\n", i, infos[i].name,
                            formatShape(output.dtype, shapeOf(output)));
    }
    return 0;
  }
  bool allAgree = true;
  for (auto [i, output] : enumerate(*outputs)) {
    Expected<bool> agrees = compareOutput(output, i, infos[i].name);
    if (!agrees) {
      return agrees.takeError();
    }
    allAgree &= *agrees;
  }
  return allAgree ? 0 : int(kDiffers);
}

} // namespace

std::unique_ptr<Command> makeRunCommand() {
  return std::make_unique<RunCommand>();
}

} // namespace graphmill::tools
