#include "tools/graphmill/Verification.h"
#include "codegen/cpu/BuildPlan.h"
#include "inductor/Analysis/KernelInfo.h"
#include "tools/compiler/CompileModule.h"
#include "tools/graphmill/Origins.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include <fmt/format.h>

using namespace llvm;
namespace graphmill::tools {
namespace {

using eval::HostTensor;

fx::GraphOp graphOf(mlir::ModuleOp module) { return *module.getOps<fx::GraphOp>().begin(); }

/// The file is gone when this returns, the library stays as long as it is loaded.
Expected<LoadedLibrary> compileAndLoad(mlir::ModuleOp module, StringRef name, std::function<void(StringRef)> onStage) {
  SmallString<128> path;
  if (std::error_code code = sys::fs::createTemporaryFile("graphmill", "so", path)) {
    return createStringError(code, "no temporary file: " + code.message());
  }
  scope_exit remove([&] { sys::fs::remove(path); });
  ModuleOptions options;
  options.name = name.str();
  options.path = path.str();
  options.onStage = std::move(onStage);
  auto summary = compileModule(module, options);
  if (!summary) {
    return summary.takeError();
  }
  return LoadedLibrary::open(path);
}

/// Roundings of the narrowest floats in the graph are all over its results; the numbers are the fuzzer's.
double roundingOf(fx::GraphOp graph) {
  double largest = 1e-9;
  for (mlir::Operation &op : graph.getBlock()) {
    for (mlir::Value result : op.getResults()) {
      mlir::Type element = getElement(result);
      double here = element.isBF16()                                       ? 1.5e-1
                    : element.isF16()                                      ? 2e-2
                    : isa<mlir::Float32Type>(element)                      ? 1e-4
                    : element == mlir::ComplexType::get(mlir::Float32Type::get(op.getContext())) ? 1e-4
                                                                           : 0;
      largest = std::max(largest, here);
    }
  }
  return largest;
}

class Judge {
public:
  Judge(fx::GraphOp graph, const VerifyOptions &options) : options(options), rounding(roundingOf(graph)) {}

  ArrayVerdict judge(StringRef name, gm_dtype dtype, ArrayRef<char> actual, const HostTensor &expected) const {
    ArrayRef<char> want = expected.bytes();
    if (actual.size() != want.size()) {
      return {name.str(), false, fmt::format("DIFFERS: has {} bytes, expected {}", actual.size(), want.size())};
    }
    double scale = std::max(1.0, compareArrays(dtype, actual, want, {}).maxExpected);
    Tolerance tolerance{options.absolute.value_or(rounding * scale), options.relative};
    Comparison comparison = compareArrays(dtype, actual, want, tolerance);
    return {name.str(), comparison.numOutside == 0, describe(comparison, expected.shape, tolerance)};
  }

private:
  const VerifyOptions &options;
  double rounding;
};

/// Inputs that a run may write to.
class InputCopies {
public:
  explicit InputCopies(ArrayRef<gm_tensor> inputs) : tensors(inputs) {
    for (gm_tensor &tensor : tensors) {
      ArrayRef<char> bytes = bytesOf(tensor);
      copies.emplace_back(bytes.begin(), bytes.end());
      tensor.data = copies.back().data();
    }
  }
  std::vector<gm_tensor> tensors;

private:
  std::vector<std::vector<char>> copies;
};

Expected<std::vector<HostTensor>> runEvaluator(fx::GraphOp graph, ArrayRef<gm_tensor> inputs, const VerifyOptions &options) {
  std::vector<HostTensor> tensors;
  for (auto [input, argument] : zip(inputs, graph.getBlock().getArguments())) {
    tensors.push_back(HostTensor::borrow(ArrayRef(input.shape, input.rank), getElement(argument), bytesOf(input)));
  }
  eval::EvaluateOptions evaluate;
  evaluate.onOp = options.onOp;
  return eval::evaluate(graph, tensors, evaluate);
}

/// Random numbers begin as the evaluator's.
Expected<Context> createContext(const LoadedLibrary &library) {
  Expected<Context> context = Context::create(library, /*threads=*/0);
  if (context) {
    if (Error error = context->seed(0)) {
      return std::move(error);
    }
  }
  return context;
}

/// A kernel's result that has become an output.
struct Exposed {
  unsigned kernel; ///< its number
  std::string name, place;
  SmallVector<unsigned> ops;
  mlir::Value expected; ///< of the graph of prims
  SmallVector<int64_t> order; ///< outermost dim first; empty: the type's
};

SmallVector<int64_t> orderOf(mlir::OpResult result) {
  auto orders = result.getOwner()->getAttrOfType<mlir::ArrayAttr>("orders");
  unsigned place = result.getOwner()->getNumOperands() + result.getResultNumber();
  return orders ? SmallVector<int64_t>(cast<mlir::DenseI64ArrayAttr>(orders[place]).asArrayRef()) : SmallVector<int64_t>();
}

/// Makes outputs of all kernels' results that are values of the graph of prims.
std::vector<Exposed> exposeKernels(fx::GraphOp graph, const NumberedOps &prims) {
  std::vector<Exposed> all;
  SmallVector<mlir::Value> outputs(graph.getOutput().getValues());
  SmallVector<mlir::Attribute> roles(graph.getOutputs().getValue());
  for (auto [number, kernel] : enumerate(graph.getBlock().getOps<loop::KernelOp>())) {
    for (mlir::OpResult result : kernel->getResults()) {
      mlir::Value expected = prims.valueOf(result);
      if (!expected || !cpu::dtypeOf(getElement(result))) {
        continue;
      }
      all.push_back({unsigned(number), loop::describe(kernel), placeOf(kernel.getLoc()), opsIn(kernel), expected, orderOf(result)});
      outputs.push_back(result);
      roles.push_back(fx::RoleAttr::get(graph.getContext(), fx::RoleKind::Result, "kernel_" + std::to_string(all.size())));
    }
  }
  graph.getOutput().getValuesMutable().assign(outputs);
  graph.setOutputsAttr(mlir::ArrayAttr::get(graph.getContext(), roles));
  return all;
}

} // namespace

fx::GraphOp Verification::reference() { return graphOf(*evaluated); }

Expected<Verification> Verification::compile(mlir::ModuleOp module, StringRef name) {
  if (!hasSingleElement(module.getOps<fx::GraphOp>())) {
    return createStringError("the module must hold exactly one fx.graph");
  }
  mlir::OwningOpRef<mlir::ModuleOp> decomposed;
  Expected<LoadedLibrary> loaded = compileAndLoad(module, name, [&](StringRef stage) {
    if (stage == "decompose") {
      numberOps(graphOf(module));
      decomposed = module.clone();
    }
  });
  if (!loaded) {
    return loaded.takeError();
  }
  Verification result(std::move(*loaded));
  result.name = name.str();
  result.evaluated = decomposed->clone();
  result.compiled = std::move(decomposed);
  return std::move(result);
}

Expected<std::vector<ArrayVerdict>> Verification::compareOutputs(ArrayRef<gm_tensor> inputs, const VerifyOptions &options) {
  Expected<Context> context = createContext(loaded);
  if (!context) {
    return context.takeError();
  }
  InputCopies written(inputs);
  Expected<std::vector<gm_tensor>> outputs = context->run(written.tensors);
  if (!outputs) {
    return outputs.takeError();
  }
  fx::GraphOp graph = reference();
  Expected<std::vector<HostTensor>> expected = runEvaluator(graph, inputs, options);
  if (!expected) {
    return expected.takeError();
  }
  Judge judge(graph, options);
  std::vector<ArrayVerdict> verdicts, ofInputs;
  std::vector<gm_tensor_info> inputInfos = loaded.inputs();
  for (auto [role, want] : zip(graph.getOutputs().getAsRange<fx::RoleAttr>(), *expected)) {
    std::string name = role.getName().str();
    if (role.getKind() == fx::RoleKind::Result) {
      const gm_tensor &output = (*outputs)[verdicts.size()];
      verdicts.push_back(judge.judge(fmt::format("output {} '{}'", verdicts.size(), name), output.dtype, bytesOf(output), want));
    } else if (role.getKind() == fx::RoleKind::MutatesInput) {
      size_t i = find_if(inputInfos, [&](const gm_tensor_info &info) { return info.name == name; }) - inputInfos.begin();
      const gm_tensor &input = written.tensors[i];
      ofInputs.push_back(judge.judge(fmt::format("written input {} '{}'", i, name), input.dtype, bytesOf(input), want));
    }
  }
  append_range(verdicts, ofInputs);
  return verdicts;
}

Expected<std::optional<FaultyKernel>> Verification::findKernel(ArrayRef<gm_tensor> inputs, const VerifyOptions &options) {
  NumberedOps numbered(reference());
  mlir::OwningOpRef<mlir::ModuleOp> copy = compiled->clone();
  std::vector<Exposed> exposed;
  unsigned total = 0;
  Expected<LoadedLibrary> library = compileAndLoad(*copy, name, [&](StringRef stage) {
    if (stage == "schedule") {
      total = range_size(graphOf(*copy).getBlock().getOps<loop::KernelOp>());
      exposed = exposeKernels(graphOf(*copy), numbered);
    }
  });
  if (!library) {
    return library.takeError();
  }
  Expected<Context> context = createContext(*library);
  if (!context) {
    return context.takeError();
  }
  Expected<std::vector<gm_tensor>> outputs = context->run(InputCopies(inputs).tensors);
  if (!outputs) {
    return outputs.takeError();
  }
  // The evaluator's graph with the same outputs; its own come back in the end.
  auto output = reference().getOutput();
  SmallVector<mlir::Value> own(output.getValues());
  output.getValuesMutable().assign(map_to_vector(exposed, [](const Exposed &e) { return e.expected; }));
  Expected<std::vector<HostTensor>> expected = runEvaluator(reference(), inputs, options);
  output.getValuesMutable().assign(own);
  if (!expected) {
    return expected.takeError();
  }
  Judge judge(reference(), options);
  for (auto [kernel, actual, want] : zip(exposed, ArrayRef(*outputs).take_back(exposed.size()), *expected)) {
    HostTensor stored = kernel.order.empty() ? want : want.transpose(kernel.order).contiguous();
    ArrayVerdict verdict = judge.judge("result", actual.dtype, bytesOf(actual), stored);
    if (!verdict.agrees) {
      auto ops = map_to_vector(kernel.ops, [&](unsigned number) { return numbered.lookup(number); });
      return FaultyKernel{kernel.kernel, total, kernel.name, kernel.place, describeOrigins(ops), std::move(verdict)};
    }
  }
  return std::nullopt;
}

} // namespace graphmill::tools
