#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

LogicalResult typed(Rule &r, ArrayRef<Dim> size, std::optional<Type> dtype, Type otherwise) {
  return r.result(size, dtype.value_or(otherwise));
}

/// float32, int64 or bool: what a number becomes when nothing else says.
static Type defaultType(MLIRContext *context, Attribute number) {
  if (isa<FloatAttr>(number)) {
    return Float32Type::get(context);
  }
  auto integer = dyn_cast<IntegerAttr>(number);
  return integer ? integer.getType() : Type(IntegerType::get(context, 64));
}

LogicalResult full(Rule &r, ArrayRef<Dim> size, Attribute fill, std::optional<Type> dtype) {
  return typed(r, size, dtype, defaultType(r.context, fill));
}

LogicalResult arange(Rule &r, Attribute start, Attribute end, Attribute step, std::optional<Type> dtype) {
  bool anyFloat = false;
  for (Attribute number : {start, end, step}) {
    anyFloat |= isa<FloatAttr>(number);
  }
  Type element = dtype.value_or(anyFloat ? Type(Float32Type::get(r.context)) : Type(IntegerType::get(r.context, 64)));
  if (anyFloat) {
    auto real = [](Attribute number) -> std::optional<double> {
      if (auto value = dyn_cast<FloatAttr>(number)) {
        return value.getValueAsDouble();
      }
      auto value = dyn_cast<IntegerAttr>(number);
      return value ? std::optional<double>(value.getInt()) : std::nullopt;
    };
    std::optional<double> a = real(start), b = real(end), s = real(step);
    if (!a || !b || !s) {
      return r.error() << "mixes fractions with sizes that aren't known when compiling";
    }
    if (*s == 0 || (*b - *a) / *s < 0) {
      return r.error() << "goes from " << *a << " to " << *b << " by steps of " << *s;
    }
    return r.result({constantDim(r.context, static_cast<int64_t>(std::ceil((*b - *a) / *s)))}, element);
  }
  auto expr = [&](Attribute number) -> Dim {
    auto dim = dyn_cast<fx::DimAttr>(number);
    return dim ? dim.getExpr() : constantDim(r.context, cast<IntegerAttr>(number).getInt());
  };
  std::optional<int64_t> s = getStatic(expr(step));
  if (!s || *s == 0) {
    return r.error() << "step must be a number other than 0, known when compiling";
  }
  Dim span = *s > 0 ? expr(end) - expr(start) : expr(start) - expr(end);
  Dim count = simplify(simplify(span).ceilDiv(std::abs(*s)));
  if (getStatic(count) && *getStatic(count) < 0) {
    return r.error() << "goes from " << toString(expr(start)) << " to " << toString(expr(end)) << " by steps of " << *s;
  }
  return r.result({count}, element);
}

LogicalResult eye(Rule &r, Dim n, std::optional<fx::DimAttr> m, std::optional<Type> dtype) {
  return typed(r, {n, m ? m->getExpr() : n}, dtype, Float32Type::get(r.context));
}

int64_t triangleSize(int64_t rows, int64_t columns, int64_t offset, bool lower) {
  int64_t count = 0;
  for (int64_t i = 0; i < rows; ++i) {
    // Row i has columns 0 … i + offset (lower), or i + offset … columns - 1.
    int64_t upTo = std::clamp<int64_t>(lower ? i + offset + 1 : i + offset, 0, columns);
    count += lower ? upTo : columns - upTo;
  }
  return count;
}

LogicalResult triangleIndices(Rule &r, int64_t rows, int64_t columns, int64_t offset, std::optional<Type> dtype, bool lower) {
  Dim count = constantDim(r.context, triangleSize(rows, columns, offset, lower));
  return typed(r, {constantDim(r.context, 2), count}, dtype, IntegerType::get(r.context, 64));
}

LogicalResult oneHot(Rule &r, Value self, int64_t classes) {
  if (classes < 0) {
    return r.error() << "num_classes must be given: without it, the result's size depends on the data";
  }
  Dims dims = dimsOf(self);
  dims.push_back(constantDim(r.context, classes));
  return r.result(dims, IntegerType::get(r.context, 64));
}

LogicalResult multinomial(Rule &r, Value self, int64_t samples) {
  Dims dims = dimsOf(self);
  if (dims.size() != 1 && dims.size() != 2) {
    return r.error() << "self is " << toString(dims) << ", expected weights or rows of them";
  }
  dims.back() = constantDim(r.context, samples);
  return r.result(dims, IntegerType::get(r.context, 64));
}

} // namespace graphmill::aten::rules
