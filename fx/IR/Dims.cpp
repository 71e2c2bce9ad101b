#include "fx/IR/Dims.h"
#include "fx/IR/FxDialect.h"

using namespace mlir;

namespace graphmill {

Dim constantDim(MLIRContext *context, int64_t value) {
  return getAffineConstantExpr(value, context);
}

unsigned countSymbols(Dim dim) {
  unsigned count = 0;
  dim.walk([&](AffineExpr e) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(e)) {
      count = std::max(count, symbol.getPosition() + 1);
    }
  });
  return count;
}

Dim simplify(Dim dim) {
  if (isa<AffineConstantExpr, AffineSymbolExpr>(dim)) {
    return dim;
  }
  return simplifyAffineExpr(dim, 0, countSymbols(dim));
}

bool equal(Dim a, Dim b) {
  return a == b || simplify(a - b) == constantDim(a.getContext(), 0);
}

std::optional<int64_t> getStatic(Dim dim) {
  if (auto constant = dyn_cast<AffineConstantExpr>(dim)) {
    return constant.getValue();
  }
  return std::nullopt;
}

Dim product(MLIRContext *context, ArrayRef<Dim> dims) {
  Dim result = constantDim(context, 1);
  for (Dim dim : dims) {
    result = result * dim;
  }
  return simplify(result);
}

std::string toString(Dim dim) {
  std::string text;
  llvm::raw_string_ostream(text) << dim;
  return text;
}

std::string toString(ArrayRef<Dim> dims) {
  std::string text = "[";
  for (auto [i, dim] : llvm::enumerate(dims)) {
    text += (i ? ", " : "") + toString(dim);
  }
  return text + "]";
}

Dims dimsOf(RankedTensorType type) {
  if (auto dims = dyn_cast_or_null<fx::DimsAttr>(type.getEncoding())) {
    return Dims(dims.getExprs());
  }
  Dims result;
  for (int64_t size : type.getShape()) {
    result.push_back(constantDim(type.getContext(), size));
  }
  return result;
}

Dims dimsOf(Value value) { return dimsOf(cast<RankedTensorType>(value.getType())); }
Dim dimOf(Value value, unsigned index) { return dimsOf(value)[index]; }

RankedTensorType getTensorType(ArrayRef<Dim> dims, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> exprs;
  bool isStatic = true;
  for (Dim dim : dims) {
    exprs.push_back(simplify(dim));
    std::optional<int64_t> size = getStatic(exprs.back());
    isStatic &= size.has_value();
    shape.push_back(size.value_or(ShapedType::kDynamic));
  }
  Attribute encoding;
  if (!isStatic) {
    encoding = fx::DimsAttr::get(element.getContext(), exprs);
  }
  return RankedTensorType::get(shape, element, encoding);
}

RankedTensorType withElement(RankedTensorType type, Type element) {
  return RankedTensorType::get(type.getShape(), element,
                               dyn_cast_or_null<fx::DimsAttr>(type.getEncoding()));
}

Type getElement(Value value) { return cast<RankedTensorType>(value.getType()).getElementType(); }

bool isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    bool isWhole = width == 8 || width == 16 || width == 32 || width == 64;
    return !integer.isSigned() && (isWhole || (width == 1 && integer.isSignless()));
  }
  if (auto complex = dyn_cast<ComplexType>(type)) {
    return isa<Float16Type, Float32Type, Float64Type>(complex.getElementType());
  }
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float8E4M3FNType, Float8E5M2Type,
             Float8E4M3FNUZType, Float8E5M2FNUZType, Float8E8M0FNUType>(type);
}

bool isNumber(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa_and_nonnull<fx::NumberAttr>(tensor.getEncoding());
}

} // namespace graphmill
