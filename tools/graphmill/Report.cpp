#include "tools/graphmill/Report.h"
#include "codegen/host/Version.h"
#include "fx/Aten/Promotion.h"
#include "fx/Eval/Evaluate.h"
#include "fx/Support/Printable.h"
#include "inductor/Analysis/KernelInfo.h"
#include "tools/graphmill/Origins.h"
#include "tools/graphmill/RandomInputs.h"

using namespace llvm;
namespace graphmill::tools {
namespace {

/// Text from archives may be anything.
std::string safe(StringRef text) { return printableLines(text); }

template <typename T> std::string printed(T value) {
  std::string text;
  raw_string_ostream(text) << value;
  return safe(text);
}

json::Array textOf(ArrayRef<Dim> dims) {
  json::Array texts;
  for (Dim dim : dims) {
    texts.push_back(toString(dim));
  }
  return texts;
}

/// "32x24xf32", with names of symbols.
std::string shapeOf(mlir::Value value) {
  std::string text;
  for (Dim dim : dimsOf(value)) {
    text += toString(dim) + "x";
  }
  return text + printed(getElement(value));
}

const char *kindOf(host::Buffer::Kind kind) {
  switch (kind) {
  case host::Buffer::Kind::Input: return "input";
  case host::Buffer::Kind::Output: return "output";
  case host::Buffer::Kind::Weight: return "weight";
  case host::Buffer::Kind::Arena: return "arena";
  case host::Buffer::Kind::RandomState: return "random state";
  case host::Buffer::Kind::State: return "state";
  case host::Buffer::Kind::Faults: return "faults";
  }
  return "";
}

class PlanReader {
public:
  explicit PlanReader(const cpu::GraphPlan &planned) : planned(planned), plan(planned.plan) {
    for (const host::Symbol &symbol : plan.symbols) {
      int64_t value = chooseSize(symbol.min, symbol.max, symbol.divisor);
      std::optional<int64_t> bound = symbol.bound ? eval::evaluateDim(symbol.bound, sizes) : std::nullopt;
      sizes.push_back(bound.value_or(value));
    }
    for (auto [i, kernel] : enumerate(planned.kernels)) {
      if (kernel) {
        stepOf[kernel] = i;
      }
    }
  }

  json::Array symbols() const {
    json::Array all;
    for (auto [symbol, value] : zip(plan.symbols, sizes)) {
      all.push_back(json::Object{{"name", safe(symbol.name)}, {"value", value}});
    }
    return all;
  }

  json::Array tensors(ArrayRef<host::TensorSpec> specs) const {
    json::Array all;
    for (const host::TensorSpec &spec : specs) {
      all.push_back(json::Object{{"name", safe(spec.name)}, {"dims", textOf(spec.dims)}});
    }
    return all;
  }

  /// At the sizes that the page is drawn for.
  int64_t numberOf(Dim dim) const { return dim ? eval::evaluateDim(dim, sizes).value_or(0) : 0; }

  json::Array steps() const {
    json::Array all;
    for (auto [i, step] : enumerate(plan.steps)) {
      loop::KernelOp kernel = planned.kernels[i];
      all.push_back(kernel ? describeKernel(i, kernel) : json::Object{{"name", "size from data"}, {"place", safe(step.location)}});
    }
    return all;
  }

private:
  json::Object describeKernel(unsigned number, loop::KernelOp kernel) const {
    const host::Step &step = plan.steps[number];
    json::Array ops;
    for (unsigned op : opsIn(kernel)) {
      ops.push_back(op);
    }
    int64_t bytesRead = 0, bytesWritten = 0;
    json::Array inputs, results;
    for (auto [i, value] : enumerate(kernel.getInputs())) {
      inputs.push_back(describeTensor(kernel, i, value));
      bytesRead += bytesOf(value);
    }
    for (auto [i, value] : enumerate(kernel.getResults())) {
      results.push_back(describeTensor(kernel, kernel.getInputs().size() + i, value));
      bytesWritten += bytesOf(value);
    }
    return json::Object{{"name", loop::describe(kernel)}, {"place", safe(step.location)},
            {"symbol", step.kernel},          {"form", formOf(kernel)},
            {"axes", textOf(kernel.getAxes().getExprs())},
            {"inner", innerAxes(kernel)},     {"ops", std::move(ops)},
            {"inputs", std::move(inputs)},    {"results", std::move(results)},
            {"flops", numberOf(step.flops)},  {"read", bytesRead},
            {"written", bytesWritten},        {"scratch", numberOf(step.scratchBytes)},
            {"grid", numberOf(step.grid)}};
  }

  static std::string formOf(loop::KernelOp kernel) {
    if (kernel.getForm() != loop::Template::None) {
      return stringifyTemplate(kernel.getForm()).str();
    }
    bool reduces = false;
    kernel.walk([&](loop::ReduceOp) { reduces = true; });
    return reduces ? "reduction" : kernel.getSequential() ? "sequential" : "plain";
  }

  /// Sizes of each reduction and each inner loop.
  static json::Array innerAxes(loop::KernelOp kernel) {
    json::Array all;
    kernel.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (auto reduce = dyn_cast<loop::ReduceOp>(op)) {
        all.push_back(json::Object{{"what", "reduce"}, {"axes", textOf(reduce.getAxes().getExprs())}});
      } else if (auto loop = dyn_cast<loop::ForOp>(op)) {
        all.push_back(json::Object{{"what", "loop"}, {"axes", textOf(loop.getAxes().getExprs())}});
      }
    });
    return all;
  }

  int64_t bytesOf(mlir::Value value) const {
    int64_t bytes = sizeOf(getElement(value));
    for (Dim dim : dimsOf(value)) {
      bytes *= numberOf(dim);
    }
    return bytes;
  }

  /// Operands first, then results, as the step's buffers are.
  json::Object describeTensor(loop::KernelOp kernel, unsigned place, mlir::Value value) const {
    const host::Buffer &buffer = plan.buffers[plan.steps[stepOf.lookup(kernel)].buffers[place]];
    json::Object tensor{{"shape", shapeOf(value)}, {"kind", kindOf(buffer.kind)}, {"bytes", bytesOf(value)}};
    if (buffer.kind == host::Buffer::Kind::Arena) {
      tensor["offset"] = numberOf(buffer.offsetBytes);
    }
    if (std::string name = nameOf(buffer); !name.empty()) {
      tensor["name"] = safe(name);
    }
    if (auto producer = value.getDefiningOp<loop::KernelOp>(); producer && producer != kernel) {
      tensor["from"] = stepOf.lookup(producer);
    }
    unsigned last = stepOf.lookup(kernel);
    for (mlir::Operation *user : value.getUsers()) {
      auto found = stepOf.find(user);
      last = found != stepOf.end() ? std::max(last, found->second) : last;
    }
    tensor["last"] = last;
    if (auto orders = kernel->getAttrOfType<mlir::ArrayAttr>("orders")) {
      if (ArrayRef<int64_t> order = cast<mlir::DenseI64ArrayAttr>(orders[place]).asArrayRef(); !order.empty()) {
        tensor["order"] = json::Array(order);
      }
    }
    return tensor;
  }

  std::string nameOf(const host::Buffer &buffer) const {
    switch (buffer.kind) {
    case host::Buffer::Kind::Input: return plan.inputs[buffer.index].name;
    case host::Buffer::Kind::Output: return plan.outputs[buffer.index].name;
    case host::Buffer::Kind::Weight: return plan.weights[buffer.index].name;
    case host::Buffer::Kind::State: return plan.weights[plan.states[buffer.index].weight].name;
    default: return "";
    }
  }

  const cpu::GraphPlan &planned;
  const host::Plan &plan;
  SmallVector<int64_t> sizes;
  DenseMap<mlir::Operation *, unsigned> stepOf;
};

} // namespace

Report::Report(mlir::ModuleOp module) {
  for (auto graph : module.getOps<fx::GraphOp>()) {
    numberOps(graph);
    for (mlir::Operation &op : graph.getBlock().without_terminator()) {
      ops.push_back(json::Object{{"op", op.getName().getStringRef()},
                                 {"node", safe(nodeOf(op.getLoc()))},
                                 {"place", safe(placeOf(op.getLoc()))},
                                 {"module", safe(modulePathOf(op.getLoc()))}});
    }
  }
}

void Report::addRemark(mlir::Location location, StringRef text) {
  json::Object remark{{"place", safe(placeOf(location))}, {"text", safe(text)}};
  if (std::optional<unsigned> op = numberOf(location)) {
    remark["op"] = *op;
  }
  remarks.push_back(std::move(remark));
}

void Report::finish(const ModuleSummary &summary, const ModuleOptions &options, uint64_t bytes) {
  const host::Plan &plan = summary.planned.plan;
  PlanReader reader(summary.planned);
  all = json::Object{{"model", safe(options.name)},
         {"target", safe(options.target)},
         {"compiler", host::kCompilerVersion},
         {"symbols", reader.symbols()},
         {"inputs", reader.tensors(plan.inputs)},
         {"outputs", reader.tensors(plan.outputs)},
         {"primitiveOps", summary.primitiveOps},
         {"distinctKernels", summary.distinctKernels},
         {"numWeights", plan.weights.size()},
         {"weightBytes", summary.weightBytes},
         {"fileBytes", bytes},
         {"arenaBytes", reader.numberOf(plan.arenaBytes)},
         {"arena", summary.arena},
         {"steps", reader.steps()},
         {"ops", std::move(ops)},
         {"remarks", std::move(remarks)}};
}

} // namespace graphmill::tools
