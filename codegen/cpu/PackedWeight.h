//===- PackedWeight.h - Weights that are put in order when written ---------===//
#pragma once
#include "codegen/host/HostPlan.h"
#include "fx/IR/FxDialect.h"

namespace graphmill::cpu {

/// What the tensor's `packed` makes of its value's bytes (one element's if all are equal), as the
/// library's writer takes it.
host::Weight packedWeight(fx::TensorOp tensor, llvm::ArrayRef<char> value);

/// A tensor of equal elements, which takes no memory before it is written.
host::Weight splatWeight(fx::TensorOp tensor, mlir::DenseElementsAttr splat);

} // namespace graphmill::cpu
