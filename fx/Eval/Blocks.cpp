#include "fx/Eval/Blocks.h"

using namespace llvm;

namespace graphmill::eval {

Rows::Rows(ArrayRef<int64_t> shape, ArrayRef<const HostTensor *> tensors) {
  Shape merged;
  SmallVector<Shape> strides(tensors.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) {
      continue;
    }
    bool joins = !merged.empty();
    for (size_t k = 0; joins && k < tensors.size(); ++k) {
      joins = strides[k].back() == tensors[k]->strides[i] * shape[i];
    }
    if (joins) {
      merged.back() *= shape[i];
    } else {
      merged.push_back(shape[i]);
    }
    for (size_t k = 0; k < tensors.size(); ++k) {
      if (joins) {
        strides[k].back() = tensors[k]->strides[i];
      } else {
        strides[k].push_back(tensors[k]->strides[i]);
      }
    }
  }
  steps.assign(tensors.size(), 0);
  if (!merged.empty()) {
    length = merged.pop_back_val();
    for (size_t k = 0; k < tensors.size(); ++k) {
      steps[k] = strides[k].pop_back_val();
    }
  }
  outer = std::move(merged);
  outerStrides = std::move(strides);
}

} // namespace graphmill::eval
