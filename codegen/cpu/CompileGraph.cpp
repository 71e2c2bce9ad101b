#include "codegen/cpu/CompileGraph.h"
#include "codegen/cpu/BuildPlan.h"
#include "codegen/cpu/KernelCache.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ThreadPool.h"
#include <chrono>
#include <mutex>

using namespace mlir;

namespace graphmill::cpu {

/// Equal text, equal code: the kernel with its types, without names and locations.
static std::string fingerprint(loop::KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  flags.enableDebugInfo(false).useLocalScope().printGenericOpForm();
  // Operands are printed by name, which isn't part of what is compiled.
  stream << kernel.getAxes() << kernel.getInits() << kernel.getSequential() << static_cast<int>(kernel.getForm())
         << kernel->getAttr("orders");
  for (BlockArgument argument : kernel.getBlock().getArguments()) {
    stream << argument.getType() << ';';
  }
  AsmState state(kernel, flags);
  for (Operation &op : kernel.getBlock()) {
    op.print(stream, state);
    stream << '\n';
  }
  return text;
}

static double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

namespace {
struct DistinctKernel {
  loop::KernelOp kernel;
  std::string fingerprint, symbol;
  EmittedKernel emitted;
  bool isCached = false;
  double seconds = 0;
  std::optional<host::ObjectFile> object;
  std::string text;
};
} // namespace

static llvm::Error compileKernel(DistinctKernel &distinct, const CpuTarget &target, const KernelCache &cache,
                                 const CompileGraphOptions &options) {
  std::string key = cache.keyOf(distinct.fingerprint, target.spec);
  // One name for one content: an object from the cache must define what is called.
  distinct.symbol = "kernel_" + key.substr(0, 16);
  if (options.stage == EmitStage::Library) {
    if (auto entry = cache.find(key, distinct.kernel.getContext())) {
      distinct.emitted = entry->emitted;
      distinct.object = std::move(entry->object);
      distinct.isCached = true;
      return llvm::Error::success();
    }
  }
  llvm::LLVMContext context;
  llvm::Module module(distinct.symbol, context);
  target.spec.applyTo(module);
  distinct.emitted = emitKernel(module, distinct.kernel, target, distinct.symbol);
  host::CompileOptions compile;
  compile.hoistInvariants = true;
  compile.hoistConstants = distinct.kernel.getForm() == loop::Template::None;
  compile.verify = options.stage != EmitStage::Library;
  llvm::raw_string_ostream text(distinct.text);
  if (options.stage == EmitStage::Llvm) {
    module.print(text, nullptr);
    return llvm::Error::success();
  }
  if (options.stage == EmitStage::Asm) {
    llvm::Expected<std::string> assembly = host::compileToAssembly(module, target.spec, compile);
    if (!assembly) {
      return assembly.takeError();
    }
    text << *assembly;
    return llvm::Error::success();
  }
  llvm::Expected<host::ObjectFile> object = host::compileModule(module, target.spec, compile);
  if (!object) {
    return object.takeError();
  }
  cache.insert(key, {*object, distinct.emitted});
  distinct.object = std::move(*object);
  return llvm::Error::success();
}

llvm::Expected<CompileSummary> compileGraph(ModuleOp module, StringRef modelName, const CompileGraphOptions &options) {
  auto graphs = module.getOps<fx::GraphOp>();
  if (!llvm::hasSingleElement(graphs)) {
    return llvm::createStringError("the module must hold exactly one fx.graph");
  }
  llvm::Expected<CpuTarget> target = CpuTarget::of(options.target);
  if (!target) {
    return target.takeError();
  }
  mlir::Timer stages = options.timing;
  TimingScope timing(stages.nest("plan"));
  llvm::Expected<GraphPlan> planned = buildPlan(module, *graphs.begin(), modelName);
  if (!planned) {
    return planned.takeError();
  }
  std::vector<DistinctKernel> distinct;
  std::vector<unsigned> indexOf;
  llvm::StringMap<unsigned> known;
  for (loop::KernelOp kernel : planned->kernels) {
    if (!kernel) {
      indexOf.push_back(~0u);
      continue;
    }
    std::string text = fingerprint(kernel);
    auto [found, isNew] = known.try_emplace(text, distinct.size());
    if (isNew) {
      distinct.push_back({kernel, std::move(text), "", {}, false, 0, std::nullopt, ""});
    }
    indexOf.push_back(found->second);
  }
  // Kernels make expressions and types in the module's context, which without multithreading has no locks.
  unsigned threads = module->getContext()->isMultithreadingEnabled() ? options.threads : 1;
  KernelCache cache = KernelCache::open();
  timing = stages.nest("generate");
  std::mutex mutex;
  llvm::Error failure = llvm::Error::success();
  unsigned done = 0;
  {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
    // What takes long first, the rest fills the gaps at the end: templates become much code, others
    // as much as their text says.
    SmallVector<DistinctKernel *> order;
    for (DistinctKernel &kernel : distinct) {
      order.push_back(&kernel);
    }
    auto cost = [](DistinctKernel *kernel) {
      return std::pair(kernel->kernel.getForm() != loop::Template::None, kernel->fingerprint.size());
    };
    llvm::sort(order, [&](DistinctKernel *a, DistinctKernel *b) { return cost(a) > cost(b); });
    for (DistinctKernel *kernel : order) {
      pool.async([&, kernel] {
        auto start = std::chrono::steady_clock::now();
        llvm::Error error = compileKernel(*kernel, *target, cache, options);
        kernel->seconds = secondsSince(start);
        std::lock_guard lock(mutex);
        failure = llvm::joinErrors(std::move(failure), std::move(error));
        options.onKernel(++done, distinct.size());
      });
    }
    pool.wait();
  }
  timing.stop();
  if (failure) {
    return std::move(failure);
  }
  CompileSummary summary;
  summary.kernels = llvm::count_if(planned->kernels, [](loop::KernelOp kernel) { return bool(kernel); });
  summary.distinctKernels = distinct.size();
  summary.cachedKernels = llvm::count_if(distinct, [](auto &kernel) { return kernel.isCached; });
  summary.arena = toString(planned->plan.arenaBytes);
  for (const DistinctKernel &kernel : distinct) {
    summary.times.push_back({kernel.kernel, kernel.seconds, kernel.isCached});
  }
  if (options.stage != EmitStage::Library) {
    for (DistinctKernel &kernel : distinct) {
      *options.text << kernel.text;
    }
    return summary;
  }
  std::vector<host::ObjectFile> objects;
  for (auto [step, index] : llvm::zip(planned->plan.steps, indexOf)) {
    if (step.symbol >= 0) {
      continue;
    }
    step.kernel = distinct[index].symbol;
    step.grid = distinct[index].emitted.grid;
    step.scratchBytes = distinct[index].emitted.scratchBytes;
    step.phases = distinct[index].emitted.phases;
  }
  for (DistinctKernel &kernel : distinct) {
    objects.push_back(std::move(*kernel.object));
  }
  host::LibraryOptions library = options.library;
  library.threads = threads;
  library.timing = Timer(stages);
  if (llvm::Error error = host::buildLibrary(planned->plan, objects, options.target, library)) {
    return std::move(error);
  }
  for (const host::Weight &weight : planned->plan.weights) {
    summary.weightBytes += weight.sizeBytes();
  }
  summary.planned = std::move(*planned);
  return summary;
}

} // namespace graphmill::cpu
