#include "inductor/Transforms/StoredConstants.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace graphmill::loop {

static constexpr remark::RemarkOpts kPacking = remark::RemarkOpts::name("pack").category("packing");

fx::TensorOp StoredConstants::packable(fx::GetOp get, KernelOp kernel) {
  fx::TensorOp tensor = lookup(get);
  if (readers(tensor) > 1) {
    remark::missed(kernel.getLoc(), kPacking) << remark::add("not packed: '{0}' is also read in another order", tensor.getSymName());
    return nullptr;
  }
  if (constants.isMutated(tensor.getSymName())) {
    remark::missed(kernel.getLoc(), kPacking) << remark::add("not packed: '{0}' is changed by each run", tensor.getSymName());
    return nullptr;
  }
  return tensor;
}

fx::GetOp StoredConstants::replace(fx::GetOp get, fx::PackingAttr packing, StringRef prefix) {
  fx::TensorOp tensor = lookup(get);
  OpBuilder builder(tensor);
  auto stored = fx::TensorOp::create(builder, tensor.getLoc(), (prefix + tensor.getSymName()).str(), tensor.getKind(),
                                     tensor.getValue(), packing);
  symbols.insert(stored);
  builder.setInsertionPoint(get);
  return fx::GetOp::create(builder, get.getLoc(), stored.getTensorType(), stored.getSymName());
}

void StoredConstants::eraseIfUnused(fx::GetOp get) {
  if (get->use_empty()) {
    fx::TensorOp tensor = lookup(get);
    get.erase();
    symbols.erase(tensor);
  }
}

void StoredConstants::replaceOperand(KernelOp kernel, unsigned operand, fx::PackingAttr packing, StringRef prefix) {
  auto get = kernel.getInputs()[operand].getDefiningOp<fx::GetOp>();
  fx::GetOp stored = replace(get, packing, prefix);
  kernel.getInputsMutable()[operand].assign(stored);
  kernel.getInputArg(operand).setType(stored.getType());
  if (auto orders = kernel->getAttrOfType<ArrayAttr>("orders")) {
    SmallVector<Attribute> all(orders.getValue());
    all[operand] = DenseI64ArrayAttr::get(kernel.getContext(), {});
    kernel->setAttr("orders", ArrayAttr::get(kernel.getContext(), all));
  }
  eraseIfUnused(get);
}

fx::GetOp StoredConstants::add(OpBuilder &builder, Location loc, StringRef name, DenseElementsAttr value) {
  auto tensor = symbols.lookup<fx::TensorOp>(name);
  if (!tensor || tensor.getValue() != value) {
    OpBuilder atModule(module.getBodyRegion());
    tensor = fx::TensorOp::create(atModule, loc, name, fx::TensorKind::Constant, value, fx::PackingAttr());
    symbols.insert(tensor);
  }
  return fx::GetOp::create(builder, loc, cast<RankedTensorType>(value.getType()), tensor.getSymName());
}

unsigned StoredConstants::readers(fx::TensorOp tensor) {
  unsigned count = 0;
  module.walk([&](fx::GetOp get) {
    if (get.getTensor() == tensor.getSymName()) {
      count += std::distance(get->use_begin(), get->use_end());
    }
  });
  return count;
}

} // namespace graphmill::loop
