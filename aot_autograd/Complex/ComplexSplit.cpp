#include "aot_autograd/Complex/ComplexSplit.h"

using namespace mlir;

namespace graphmill {

Value ComplexSplit::zeroLike(Value part) const {
  if (isNumber(part.getType())) {
    auto type = RankedTensorType::get({}, b.builder.getF64Type(), fx::NumberAttr::get(b.context()));
    return fx::NumberOp::create(b.builder, b.loc, type, b.builder.getF64FloatAttr(0.0));
  }
  return b.full(dimsOf(part), 0.0, getElement(part));
}

Operation *ComplexSplit::realTwin(Operation *op, ValueRange operands) const {
  Operation *twin = b.builder.clone(*op);
  twin->setOperands(operands);
  for (Value result : twin->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    result.setType(withElement(type, aten::rules::partOf(type.getElementType())));
  }
  if (auto dtype = twin->getAttrOfType<TypeAttr>("dtype")) {
    twin->setAttr("dtype", TypeAttr::get(aten::rules::partOf(dtype.getValue())));
  }
  return twin;
}

void addAllComplexFunctions(ComplexFunctions &functions) {
  addComplexArithmetic(functions);
  addComplexShapes(functions);
  addFourierTransforms(functions);
  addShortTimeFourier(functions);
}

} // namespace graphmill
