#include "tools/graphmill/Reducer.h"
#include "fx/Transforms/ConstantTensors.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace graphmill::tools {

static fx::GraphOp graphOf(ModuleOp module) { return *module.getOps<fx::GraphOp>().begin(); }

/// Those that may be cut: what fetches weights costs nothing, and what gives a size its value must stay.
static SmallVector<Operation *> opsOf(ModuleOp module) {
  SmallVector<Operation *> ops;
  for (Operation &op : graphOf(module).getBlock().without_terminator()) {
    if (!isa<fx::FxDialect>(op.getDialect())) {
      ops.push_back(&op);
    }
  }
  return ops;
}

static void setOutputs(fx::GraphOp graph, ArrayRef<Value> values, ArrayRef<Attribute> roles) {
  graph.getOutput().getValuesMutable().assign(values);
  graph.setOutputsAttr(ArrayAttr::get(graph.getContext(), roles));
}

/// A new input in the place of a value; a Python number can't be one.
static void replaceByInput(fx::GraphOp graph, Value value) {
  if (value.use_empty() || isNumber(value.getType())) {
    return;
  }
  SmallVector<Attribute> names(graph.getInputs().getValue());
  Value input = graph.getBlock().addArgument(value.getType(), value.getLoc());
  // Names must differ; the model's own may look like ours.
  std::string name;
  for (unsigned i = names.size(); name.empty() || llvm::is_contained(names, StringAttr::get(graph.getContext(), name)); ++i) {
    name = "cut_" + std::to_string(i);
  }
  names.push_back(StringAttr::get(graph.getContext(), name));
  graph.setInputsAttr(ArrayAttr::get(graph.getContext(), names));
  value.replaceAllUsesWith(input);
}

/// Inputs that nothing reads nor writes.
static void dropInputs(fx::GraphOp graph) {
  SmallVector<Attribute> names(graph.getInputs().getValue());
  for (unsigned i = names.size(); i-- > 0;) {
    bool isWritten = llvm::any_of(graph.getOutputs().getAsRange<fx::RoleAttr>(), [&](fx::RoleAttr role) {
      return role.getKind() == fx::RoleKind::MutatesInput && role.getName() == cast<StringAttr>(names[i]).getValue();
    });
    if (graph.getBlock().getArgument(i).use_empty() && !isWritten) {
      graph.getBlock().eraseArgument(i);
      names.erase(names.begin() + i);
    }
  }
  graph.setInputsAttr(ArrayAttr::get(graph.getContext(), names));
}

/// 1 everywhere: zeros would make nothing of what they are multiplied with.
static Attribute oneOf(Type element) {
  if (auto type = dyn_cast<FloatType>(element)) {
    return FloatAttr::get(type, 1.0);
  }
  return isa<IntegerType>(element) ? IntegerAttr::get(element, 1) : Attribute();
}

/// Weights whose elements differ.
static SmallVector<fx::TensorOp> wholeWeights(ModuleOp module) {
  SmallVector<fx::TensorOp> tensors;
  for (auto tensor : module.getOps<fx::TensorOp>()) {
    if (!isa<SplatElementsAttr>(tensor.getValue()) && oneOf(tensor.getValue().getElementType())) {
      tensors.push_back(tensor);
    }
  }
  return tensors;
}

/// What is to become less, the first first.
static auto sizeOf(ModuleOp module) {
  return std::tuple(opsOf(module).size(), graphOf(module).getOutputs().size(), wholeWeights(module).size());
}

unsigned Reducer::numOps() { return opsOf(*module).size(); }

bool Reducer::tryChange(function_ref<void(ModuleOp)> change) {
  OwningOpRef<ModuleOp> candidate = module->clone();
  fx::GraphOp graph = graphOf(*candidate);
  change(*candidate);
  eraseUnused(*candidate);
  dropInputs(graph);
  // They describe PyTorch's signature, which this no longer is.
  graph.removeInSpecAttr();
  graph.removeOutSpecAttr();
  ScopedDiagnosticHandler quiet(candidate->getContext(), [](Diagnostic &) { return success(); });
  if (sizeOf(*candidate) >= sizeOf(*module) || failed(verify(*candidate)) || !isInteresting(*candidate)) {
    return false;
  }
  module = std::move(candidate);
  return true;
}

bool Reducer::tryRuns(function_ref<unsigned()> count, function_ref<bool(unsigned, unsigned)> tryRun) {
  bool any = false;
  for (unsigned length = count(); length > 0; length /= 2) {
    for (unsigned first = 0; first < count();) {
      if (tryRun(first, std::min(length, count() - first))) {
        any = true; // others have moved to its place
      } else {
        first += length;
      }
    }
  }
  return any;
}

/// Of the ops in their order, as few as possible; what the last ones compute becomes the outputs. By bisection: if
/// some are enough, more of them are.
void Reducer::keepShortestPrefix() {
  unsigned tooFew = 0, enough = numOps();
  while (tooFew + 1 < enough) {
    unsigned middle = (tooFew + enough) / 2;
    bool works = tryChange([&](ModuleOp candidate) {
      SmallVector<Operation *> ops = opsOf(candidate);
      fx::GraphOp graph = graphOf(candidate);
      setOutputs(graph, {}, {});
      while (graph.getOutput()->getPrevNode() != ops[middle - 1]) {
        graph.getOutput()->getPrevNode()->erase();
      }
      SmallVector<Value> outputs;
      SmallVector<Attribute> roles;
      for (Operation *op : ArrayRef(ops).take_front(middle)) {
        for (Value result : op->getResults()) {
          if (result.use_empty() && !isNumber(result.getType())) {
            outputs.push_back(result);
            roles.push_back(fx::RoleAttr::get(op->getContext(), fx::RoleKind::Result, "y" + std::to_string(roles.size())));
          }
        }
      }
      setOutputs(graph, outputs, roles);
    });
    (works ? enough : tooFew) = middle;
    enough = std::min(enough, numOps());
  }
}

bool Reducer::dropOutputs() {
  auto count = [&] { return graphOf(*module).getOutputs().size(); };
  return tryRuns(count, [&](unsigned first, unsigned length) {
    return length < count() && tryChange([&](ModuleOp candidate) {
             fx::GraphOp graph = graphOf(candidate);
             SmallVector<Value> values(graph.getOutput().getValues());
             SmallVector<Attribute> roles(graph.getOutputs().getValue());
             values.erase(values.begin() + first, values.begin() + first + length);
             roles.erase(roles.begin() + first, roles.begin() + first + length);
             setOutputs(graph, values, roles);
           });
  });
}

/// An operand that may stand for an op's result; null if there is none.
static Value bypassOf(Operation *op) {
  for (Value operand : op->getOperands()) {
    if (op->getNumResults() == 1 && operand.getType() == op->getResult(0).getType()) {
      return operand;
    }
  }
  return {};
}

bool Reducer::cutOps(bool bypass) {
  return tryRuns([&] { return numOps(); }, [&](unsigned first, unsigned length) {
    return tryChange([&](ModuleOp candidate) {
      SmallVector<Operation *> ops = opsOf(candidate);
      for (Operation *op : llvm::reverse(ArrayRef(ops).slice(first, length))) {
        Value operand = bypass ? bypassOf(op) : Value();
        for (Value result : op->getResults()) {
          if (operand) {
            result.replaceAllUsesWith(operand);
          } else {
            replaceByInput(graphOf(candidate), result);
          }
        }
        if (op->use_empty()) {
          op->erase();
        }
      }
    });
  });
}

void Reducer::splatWeights() {
  tryRuns([&] { return wholeWeights(*module).size(); }, [&](unsigned first, unsigned length) {
    return tryChange([&](ModuleOp candidate) {
      SmallVector<fx::TensorOp> tensors = wholeWeights(candidate);
      for (fx::TensorOp tensor : ArrayRef(tensors).slice(first, length)) {
        auto type = cast<ShapedType>(tensor.getValue().getType());
        tensor.setValueAttr(SplatElementsAttr::get(type, oneOf(type.getElementType())));
      }
    });
  });
}

void Reducer::run() {
  splatWeights(); // small variants are quickly tested
  keepShortestPrefix();
  // What one leaves out makes way for the others.
  for (bool any = true; any;) {
    any = cutOps(/*bypass=*/false);
    any |= cutOps(/*bypass=*/true);
    any |= dropOutputs();
  }
}

} // namespace graphmill::tools
