#include "tools/StandardOutput.h"
#include "tools/graphmill/Checks.h"
#include "tools/graphmill/Command.h"
#include "tools/graphmill/KernelTable.h"
#include "tools/graphmill/RandomInputs.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <fmt/format.h>

using namespace llvm;
namespace graphmill::tools {
namespace {

using Clock = std::chrono::steady_clock;

class BenchCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("library", library, "The compiled library")->required();
    app.add_option("--threads", threads, "0: one a physical core")
        ->capture_default_str();
    app.add_option("--seconds", seconds, "How long to measure")
        ->capture_default_str()
        ->check(positive());
    app.add_option("--in", inputs, "One .npy file an input; default: random");
    app.add_option("--sizes", sizes,
                   "Values of symbolic sizes, as in batch=4,seq=128; `graphmill inspect` lists them");
    app.add_option("--int-limit", intLimit,
                   "Random integers are below this; 1 makes them zero. Default: for each input "
                   "the largest of 32768, 2048, 128, 8, 2 and 1 with which the model runs (no index is out of range)")
        ->check(positive());
    app.add_flag("--steps", eachStep, "A row a step, not a row a kernel");
    app.add_flag("--peak", withPeak, "Measure the machine, too, and say what share of its multiply-adds or its memory's "
                                     "bandwidth each kernel makes use of");
    app.add_option("--rows", maxRows, "Rows of the table")
        ->capture_default_str();
  }

  Expected<int> run() override;

private:
  Error measure(const LoadedLibrary &loaded, ArrayRef<gm_tensor> tensors);
  Error profile(const LoadedLibrary &loaded, ArrayRef<gm_tensor> tensors);
  Expected<std::vector<double>>
  timeRuns(Context &context, ArrayRef<gm_tensor> tensors, double budget);

  std::string library, sizes;
  std::vector<std::string> inputs;
  int threads = 0;
  double seconds = 3;
  std::optional<int64_t> intLimit;
  bool eachStep = false, withPeak = false;
  size_t maxRows = 20;
};

/// Milliseconds of each run, in ascending order; at least three runs.
Expected<std::vector<double>>
BenchCommand::timeRuns(Context &context, ArrayRef<gm_tensor> tensors,
                       double budget) {
  std::vector<double> times;
  double spent = 0;
  while (spent < budget * 1e3 || times.size() < 3) {
    Clock::time_point start = Clock::now();
    Expected<std::vector<gm_tensor>> outputs = context.run(tensors);
    std::chrono::duration<double, std::milli> elapsed = Clock::now() - start;
    if (!outputs) {
      return outputs.takeError();
    }
    times.push_back(elapsed.count());
    spent += elapsed.count();
  }
  llvm::sort(times);
  return times;
}

/// `share` of the runs were at most so slow.
double quantile(ArrayRef<double> sorted, double share) {
  return sorted[size_t(share * double(sorted.size() - 1))];
}

Error BenchCommand::measure(const LoadedLibrary &loaded,
                            ArrayRef<gm_tensor> tensors) {
  Clock::time_point start = Clock::now();
  Expected<Context> context = Context::create(loaded, threads);
  if (!context) {
    return context.takeError();
  }
  std::chrono::duration<double, std::milli> creation = Clock::now() - start;
  uint64_t arenaBytes = 0;
  if (loaded.api().arena_bytes(tensors.data(), tensors.size(), threads,
                               &arenaBytes) != GM_OK) {
    return loaded.lastError();
  }
  // Warm-up: pages, caches, the processor's clock. A tenth: a guess.
  Expected<std::vector<double>> warmUp =
      timeRuns(*context, tensors, seconds / 10);
  if (!warmUp) {
    return warmUp.takeError();
  }
  Expected<std::vector<double>> times = timeRuns(*context, tensors, seconds);
  if (!times) {
    return times.takeError();
  }
  out() << fmt::format("median {:.4g} ms, p99 {:.4g} ms, fastest {:.4g} ms "
                        "({} runs)\n",
                        quantile(*times, 0.5), quantile(*times, 0.99),
                        times->front(), times->size());
  out() << fmt::format("context made in {:.3g} ms, arena {:.3g} MB\n",
                        creation.count(), double(arenaBytes) / 1e6);
  return Error::success();
}

/// A context of its own, so that reading clocks doesn't count as latency.
Error BenchCommand::profile(const LoadedLibrary &loaded,
                            ArrayRef<gm_tensor> tensors) {
  Expected<Context> context =
      Context::create(loaded, threads, /*profile=*/true);
  if (!context) {
    return context.takeError();
  }
  Expected<std::vector<double>> warmUp =
      timeRuns(*context, tensors, seconds / 10);
  if (!warmUp) {
    return warmUp.takeError();
  }
  loaded.api().reset_profile(context->get());
  Expected<std::vector<double>> times =
      timeRuns(*context, tensors, seconds / 3);
  if (!times) {
    return times.takeError();
  }
  std::vector<gm_step_profile> steps(loaded.info().num_steps);
  if (loaded.api().read_profile(context->get(), steps.data(), steps.size()) !=
      GM_OK) {
    return loaded.lastError();
  }
  printKernelTable(out(), steps, times->size(), eachStep, maxRows,
                   withPeak ? std::optional(measurePeak(threads)) : std::nullopt);
  return Error::success();
}

Expected<int> BenchCommand::run() {
  Expected<LoadedLibrary> loaded = LoadedLibrary::open(library);
  if (!loaded) {
    return loaded.takeError();
  }
  Expected<InputFiles> files = InputFiles::read(inputs);
  if (!files) {
    return files.takeError();
  }
  ArrayRef<gm_tensor> tensors = files->tensors();
  std::optional<RandomInputs> random;
  if (inputs.empty()) {
    Expected<std::vector<int64_t>> values = chooseSizes(*loaded, sizes);
    if (!values) {
      return values.takeError();
    }
    std::vector<int64_t> limits(loaded->info().num_inputs, intLimit.value_or(1));
    Expected<RandomInputs> made = RandomInputs::make(*loaded, *values, limits);
    if (!made) {
      return made.takeError();
    }
    random.emplace(std::move(*made));
    tensors = random->tensors();
    for (auto [symbol, value] : zip_equal(loaded->symbols(), *values)) {
      out() << symbol.name << " = " << value << "\n";
    }
    if (!intLimit) {
      Expected<std::vector<int64_t>> spread = random->spreadIntegers(*loaded, threads);
      if (!spread) {
        return spread.takeError();
      }
      for (auto [input, limit] : zip_equal(loaded->inputs(), *spread)) {
        if (limit > 0) {
          out() << "'" << input.name << "': integers below " << limit << "\n";
        }
      }
    }
  } else if (!sizes.empty()) {
    return createStringError("--sizes is for random inputs, without --in");
  }
  if (Error error = measure(*loaded, tensors)) {
    return std::move(error);
  }
  if (Error error = profile(*loaded, tensors)) {
    return std::move(error);
  }
  return 0;
}

} // namespace

std::unique_ptr<Command> makeBenchCommand() {
  return std::make_unique<BenchCommand>();
}

} // namespace graphmill::tools
