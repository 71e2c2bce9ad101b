#include "aot_autograd/Transforms/Passes.h"
#include "aot_autograd/Transforms/ViewOps.h"
#include "fx/Aten/AtenDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace graphmill {

#define GEN_PASS_DEF_FUNCTIONALIZEPASS
#include "aot_autograd/Transforms/Passes.h.inc"

namespace {

/// One graph. Values are followed through the block once, in order.
class Functionalizer {
public:
  explicit Functionalizer(fx::GraphOp graph) : graph(graph), builder(graph.getContext()) {}
  LogicalResult run();

private:
  /// What a value is a view of, and what it holds now.
  struct Tensor {
    /// The value that the view op was applied to; null for roots.
    Value base;
    /// What stands for the tensor now.
    Value current;
    /// Of the root, when `current` was made.
    unsigned version = 0;
  };

  Value rootOf(Value value);
  Tensor &tensorOf(Value value);
  Value currentOf(Value value, Location loc);
  LogicalResult write(aten::Copy_Op copy);
  Value converted(Value src, Value like, Location loc);
  void addMutations();

  fx::GraphOp graph;
  OpBuilder builder;
  DenseMap<Value, Tensor> tensors;
  DenseMap<Value, unsigned> versions;
  /// Reads of one owned tensor are one tensor.
  DenseMap<StringAttr, Value> owned;
  SmallVector<Operation *> erased;
};

Functionalizer::Tensor &Functionalizer::tensorOf(Value value) {
  auto [found, isNew] = tensors.try_emplace(value);
  if (isNew) {
    found->second.current = value;
    Operation *op = value.getDefiningOp();
    Value base;
    if (op && isView(op)) {
      base = op->getOperand(0);
    } else if (auto get = dyn_cast_or_null<fx::GetOp>(op)) {
      Value first = owned.try_emplace(get.getTensorAttr().getAttr(), value).first->second;
      base = first == value ? Value() : first;
    }
    found->second.base = base;
    if (base) {
      unsigned version = versions.lookup(rootOf(base));
      tensors[value].version = version;
    }
  }
  return tensors[value];
}

Value Functionalizer::rootOf(Value value) {
  while (Value base = tensorOf(value).base) {
    value = base;
  }
  return value;
}

/// What to use for `value` here: itself, its replacement, or the view made again.
Value Functionalizer::currentOf(Value value, Location loc) {
  Value base = tensorOf(value).base;
  unsigned now = versions.lookup(rootOf(value));
  if (!base || tensorOf(value).version == now) {
    return tensorOf(value).current;
  }
  Value source = currentOf(base, loc);
  Operation *op = value.getDefiningOp();
  Value again = source;
  if (isView(op)) {
    IRMapping mapping;
    mapping.map(op->getOperand(0), source);
    Operation *copy = builder.clone(*op, mapping);
    again = copy->getResult(cast<OpResult>(value).getResultNumber());
  }
  Tensor &tensor = tensorOf(value);
  tensor.current = again;
  tensor.version = now;
  return again;
}

Value Functionalizer::converted(Value src, Value like, Location loc) {
  auto type = cast<RankedTensorType>(like.getType());
  return src.getType() == type ? src : Value(aten::CopyOp::create(builder, loc, type, like, src));
}

LogicalResult Functionalizer::write(aten::Copy_Op copy) {
  Location loc = copy.getLoc();
  Value self = copy.getSelf();
  // From the view written to its root, as they are before the write.
  SmallVector<Value> chain, before;
  for (Value value = self; value; value = tensorOf(value).base) {
    chain.push_back(value);
    before.push_back(currentOf(value, loc));
  }
  Value part = converted(currentOf(copy.getSrc(), loc), before[0], loc);
  bool changes = part != before[0];
  unsigned version = versions.lookup(chain.back()) + changes;
  // The result is another name of self.
  tensors[copy.getResult()] = Tensor{self, part, version};
  erased.push_back(copy);
  if (!changes) {
    return success();
  }
  versions[chain.back()] = version;
  for (size_t i = 0; i < chain.size(); ++i) {
    Tensor &tensor = tensorOf(chain[i]);
    tensor.current = part;
    tensor.version = version;
    Operation *op = chain[i].getDefiningOp();
    if (i + 1 < chain.size() && isView(op)) {
      part = undoView(builder, loc, op, cast<OpResult>(chain[i]).getResultNumber(), before[i + 1], part);
      if (!part) {
        return failure();
      }
    }
  }
  return success();
}

/// Roots that were written and that somebody outside can see.
void Functionalizer::addMutations() {
  fx::OutputOp output = graph.getOutput();
  SmallVector<Value> values(output.getValues());
  SmallVector<Attribute> roles(graph.getOutputs().getValue());
  auto add = [&](fx::RoleKind kind, StringAttr name, Value value) {
    auto role = fx::RoleAttr::get(graph.getContext(), kind, name.getValue());
    if (!llvm::is_contained(roles, role)) {
      roles.push_back(role);
      values.push_back(value);
    }
  };
  builder.setInsertionPoint(output);
  for (auto [argument, name] : llvm::zip(graph.getBlock().getArguments(), graph.getInputs())) {
    if (versions.lookup(argument)) {
      add(fx::RoleKind::MutatesInput, cast<StringAttr>(name), currentOf(argument, output.getLoc()));
    }
  }
  for (auto get : graph.getBlock().getOps<fx::GetOp>()) {
    StringAttr name = get.getTensorAttr().getAttr();
    if (owned.lookup(name) == get.getResult() && versions.lookup(get.getResult())) {
      add(fx::RoleKind::MutatesTensor, name, currentOf(get.getResult(), output.getLoc()));
    }
  }
  output->setOperands(values);
  graph.setOutputsAttr(builder.getArrayAttr(roles));
}

LogicalResult Functionalizer::run() {
  for (Operation &op : llvm::make_early_inc_range(graph.getBlock())) {
    builder.setInsertionPoint(&op);
    if (auto copy = dyn_cast<aten::Copy_Op>(op)) {
      if (failed(write(copy))) {
        return failure();
      }
      continue;
    }
    for (Value result : op.getResults()) {
      // Views remember the base as it was written, so note it before operands change.
      (void)tensorOf(result);
    }
    for (OpOperand &operand : op.getOpOperands()) {
      operand.set(currentOf(operand.get(), op.getLoc()));
    }
  }
  addMutations();
  for (Operation *op : llvm::reverse(erased)) {
    op->erase();
  }
  return success();
}

struct Functionalize : impl::FunctionalizePassBase<Functionalize> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<fx::GraphOp>()) {
      bool writes = !graph.getBlock().getOps<aten::Copy_Op>().empty();
      if (writes && failed(Functionalizer(graph).run())) {
        return signalPassFailure();
      }
    }
  }
};

} // namespace
} // namespace graphmill
