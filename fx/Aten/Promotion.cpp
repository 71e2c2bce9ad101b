#include "fx/Aten/Promotion.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace graphmill {

Category categoryOf(Type element) {
  if (element.isInteger(1)) {
    return Category::Bool;
  }
  if (isa<IntegerType>(element)) {
    return Category::Integer;
  }
  return isa<ComplexType>(element) ? Category::Complex : Category::Float;
}

bool isFloat(Type element) { return isa<FloatType>(element); }

unsigned sizeOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element)) {
    return 2 * sizeOf(complex.getElementType());
  }
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

std::string dtypeName(Type element) {
  return llvm::TypeSwitch<Type, std::string>(element)
      .Case([](BFloat16Type) { return "bfloat16"; })
      .Case([](FloatType type) { return "float" + std::to_string(type.getWidth()); })
      .Case([](ComplexType type) {
        return "complex" + std::to_string(2 * type.getElementType().getIntOrFloatBitWidth());
      })
      .Case([](IntegerType type) {
        return type.getWidth() == 1
                   ? std::string("bool")
                   : (type.isUnsigned() ? "uint" : "int") + std::to_string(type.getWidth());
      })
      .Default([](Type) { return "unknown"; });
}

static Type promoteIntegers(IntegerType a, IntegerType b) {
  if (a.isUnsigned() == b.isUnsigned()) {
    return a.getWidth() >= b.getWidth() ? a : b;
  }
  IntegerType unsignedType = a.isUnsigned() ? a : b, signedType = a.isUnsigned() ? b : a;
  // A signed type holds the unsigned one if it is wider; else the next wider signed does.
  unsigned width = std::max(signedType.getWidth(), std::min(64u, 2 * unsignedType.getWidth()));
  return IntegerType::get(a.getContext(), width);
}

Type promote(Type a, Type b) {
  if (a == b) {
    return a;
  }
  Category ca = categoryOf(a), cb = categoryOf(b);
  if (ca < cb) {
    std::swap(a, b);
    std::swap(ca, cb);
  }
  if (ca == Category::Complex) {
    Type part = cast<ComplexType>(a).getElementType();
    Type other = cb == Category::Complex ? cast<ComplexType>(b).getElementType() : b;
    return ComplexType::get(cb >= Category::Float ? promote(part, other) : part);
  }
  if (ca != cb) {
    return a;
  }
  if (ca == Category::Float) {
    unsigned wa = a.getIntOrFloatBitWidth(), wb = b.getIntOrFloatBitWidth();
    return wa == wb ? Float32Type::get(a.getContext()) : wa > wb ? a : b;
  }
  return promoteIntegers(cast<IntegerType>(a), cast<IntegerType>(b));
}

/// A number's own dtype is the default of its category, not float64.
static Type defaultOf(Type element) {
  Type real = Float32Type::get(element.getContext());
  Category category = categoryOf(element);
  return category == Category::Complex ? ComplexType::get(real) : category == Category::Float ? real : element;
}

Type resultType(ValueRange operands) {
  Type groups[3]; // tensors with dims, 0-d tensors, numbers
  for (Value operand : operands) {
    if (!operand) {
      continue;
    }
    auto type = cast<RankedTensorType>(operand.getType());
    unsigned group = isNumber(type) ? 2 : type.getRank() == 0 ? 1 : 0;
    Type element = group == 2 ? defaultOf(type.getElementType()) : type.getElementType();
    groups[group] = groups[group] ? promote(groups[group], element) : element;
  }
  Type result;
  for (Type group : groups) {
    if (group && (!result || categoryOf(group) > categoryOf(result))) {
      // A complex number meeting float64 gives complex128.
      result = result && isa<ComplexType>(group) && isFloat(result) ? promote(result, group) : group;
    }
  }
  return result;
}

Type floatResultType(ValueRange operands) {
  Type type = resultType(operands);
  return categoryOf(type) >= Category::Float ? type : Float32Type::get(type.getContext());
}

} // namespace graphmill
