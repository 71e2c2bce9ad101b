#include "tools/RunGraph.h"
#include "fx/IR/FxDialect.h"
#include "tools/compiler/CompileModule.h"
#include "tools/graphmill/LoadedLibrary.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace graphmill::tools {

static Expected<gm_dtype> dtypeOf(mlir::Type element) {
  switch (eval::dtypeOf(element)) {
  case eval::Dtype::Bool: return GM_BOOL;
  case eval::Dtype::U8: return GM_U8;
  case eval::Dtype::I8: return GM_I8;
  case eval::Dtype::I16: return GM_I16;
  case eval::Dtype::I32: return GM_I32;
  case eval::Dtype::I64: return GM_I64;
  case eval::Dtype::F16: return GM_F16;
  case eval::Dtype::BF16: return GM_BF16;
  case eval::Dtype::F32: return GM_F32;
  case eval::Dtype::F64: return GM_F64;
  default: return createStringError("libraries have no inputs of this dtype");
  }
}

Expected<std::vector<eval::HostTensor>> runCompiled(mlir::ModuleOp module, ArrayRef<eval::HostTensor> inputs,
                                                    const RunOptions &how) {
  SmallString<128> path;
  if (std::error_code code = sys::fs::createTemporaryFile("graphmill", "so", path)) {
    return createStringError(code, "no temporary file");
  }
  scope_exit remove([&] { sys::fs::remove(path); });
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  ModuleOptions options;
  options.name = "graph";
  options.path = path.str();
  options.target = how.target;
  options.level = how.level;
  options.verifyPasses = true;
  auto summary = compileModule(*copy, options);
  if (!summary) {
    return summary.takeError();
  }
  Expected<LoadedLibrary> library = LoadedLibrary::open(path);
  if (!library) {
    return library.takeError();
  }
  Expected<Context> context = Context::create(*library, /*threads=*/2);
  if (!context) {
    return context.takeError();
  }
  std::vector<gm_tensor> arguments;
  for (const eval::HostTensor &input : inputs) {
    Expected<gm_dtype> dtype = dtypeOf(input.element);
    if (!dtype) {
      return dtype.takeError();
    }
    arguments.push_back({const_cast<char *>(input.data), *dtype, static_cast<int32_t>(input.rank()), input.shape.data(),
                         input.isContiguous() ? nullptr : input.strides.data()});
  }
  Expected<std::vector<gm_tensor>> outputs = context->run(arguments);
  if (!outputs) {
    return outputs.takeError();
  }
  auto graph = *module.getOps<fx::GraphOp>().begin();
  std::vector<eval::HostTensor> results;
  for (auto [output, value] : zip(*outputs, graph.getOutput().getValues())) {
    eval::HostTensor result =
        eval::HostTensor::allocate(ArrayRef(output.shape, output.rank), getElement(value));
    memcpy(result.mutableData(), output.data, result.bytes().size());
    results.push_back(std::move(result));
  }
  return results;
}

} // namespace graphmill::tools
