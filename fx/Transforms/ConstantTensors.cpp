#include "fx/Transforms/ConstantTensors.h"

using namespace mlir;

namespace graphmill {

static void addMutated(fx::GraphOp graph, llvm::StringSet<> &names) {
  for (auto role : graph.getOutputs().getAsRange<fx::RoleAttr>()) {
    if (role.getKind() == fx::RoleKind::MutatesTensor) {
      names.insert(role.getName());
    }
  }
}

ConstantTensors::ConstantTensors(fx::GraphOp graph) { addMutated(graph, mutated); }

bool ConstantTensors::isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !cast<RankedTensorType>(value.getType()).hasStaticShape()) {
    return false;
  }
  if (auto get = dyn_cast<fx::GetOp>(op)) {
    return !isMutated(get.getTensor());
  }
  if (!isa<prims::PrimsDialect>(op->getDialect()) || isa<prims::RandomOp>(op)) {
    return false;
  }
  auto found = known.find(value);
  if (found != known.end()) {
    return found->second;
  }
  bool result = llvm::all_of(op->getOperands(), [&](Value operand) { return isConstant(operand); });
  known[value] = result;
  return result;
}

bool isViewPrim(Operation *op) {
  return isa<prims::BroadcastOp, prims::ReshapeOp, prims::TransposeOp, prims::SliceOp, prims::ReverseOp, prims::AsStridedOp, prims::ViewAsRealOp>(op);
}

void eraseUnused(ModuleOp module) {
  llvm::StringSet<> used;
  for (auto graph : module.getOps<fx::GraphOp>()) {
    addMutated(graph, used);
    // Backwards: an op goes after those that use it.
    for (Operation *op = graph.getOutput()->getPrevNode(), *before; op; op = before) {
      before = op->getPrevNode();
      if (isOpTriviallyDead(op)) {
        op->erase();
      } else if (auto get = dyn_cast<fx::GetOp>(op)) {
        used.insert(get.getTensor());
      }
    }
  }
  for (auto tensor : llvm::make_early_inc_range(module.getOps<fx::TensorOp>())) {
    if (!used.contains(tensor.getSymName())) {
      tensor.erase();
    }
  }
}

} // namespace graphmill
