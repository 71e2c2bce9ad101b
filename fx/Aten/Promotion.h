//===- Promotion.h - PyTorch's dtype rules ---------------------------------===//
#pragma once
#include "fx/IR/Dims.h"
#include "mlir/IR/ValueRange.h"

namespace graphmill {

/// Bool < Integer < Float < Complex.
enum class Category { Bool, Integer, Float, Complex };
Category categoryOf(mlir::Type element);
bool isFloat(mlir::Type element);
/// Bytes of one element in memory; bool takes one.
unsigned sizeOf(mlir::Type element);
/// As PyTorch spells it: "float32", "int64", "bool", …
std::string dtypeName(mlir::Type element);

/// The smallest dtype that holds both, by PyTorch's table (int64 + float16 = float16,
/// float16 + bfloat16 = float32, uint8 + int8 = int16).
mlir::Type promote(mlir::Type a, mlir::Type b);
/// torch.result_type: tensors with dims before 0-d tensors before numbers; a lower group
/// decides only if its category is higher.
mlir::Type resultType(mlir::ValueRange operands);
/// float32: the dtype that integers become in exp, sqrt, true division, …
mlir::Type floatResultType(mlir::ValueRange operands);

} // namespace graphmill
