#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

LogicalResult convolutionBackward(Rule &r, Value gradOutput, Value input, Value weight) {
  Dims grad = dimsOf(gradOutput), w = dimsOf(weight);
  if (grad.size() != dimsOf(input).size() || grad.size() != w.size() || grad.size() < 3) {
    return r.error() << "grad_output, input and weight are " << toString(grad) << ", " << toString(dimsOf(input)) << " and "
                     << toString(w) << ", expected one rank of at least 3";
  }
  (void)r.result(dimsOf(input), getElement(input));
  (void)r.result(w, getElement(weight));
  return r.result({grad[1]}, getElement(gradOutput));
}

LogicalResult normBackward(Rule &r, Value input, ArrayRef<Dim> affine) {
  (void)r.result(dimsOf(input), getElement(input));
  (void)r.result(affine, getElement(input));
  return r.result(affine, getElement(input));
}

LogicalResult embeddingBackward(Rule &r, Value gradOutput, Dim rows) {
  Dims grad = dimsOf(gradOutput);
  if (grad.empty()) {
    return r.error() << "grad_output is 0-d, expected rows";
  }
  return r.result({rows, grad.back()}, getElement(gradOutput));
}

} // namespace graphmill::aten::rules
