// Numbers that come out of tensors: what is computed from them, and sizes that they are.
#include "frontend/pt2/ImportNodes.h"
#include "fx/Aten/AtenDialect.h"
#include "fx/Aten/Promotion.h"

using namespace mlir;

namespace graphmill::pt2 {

/// The number stays a tensor where a tensor may stand. A whole number whose range is known may
/// be a size too.
void NodeImporter::importItem(Scope &scope, const Node &node) {
  if (node.inputs.empty() || node.outputs.empty()) {
    return;
  }
  Value value = importTensor(scope, node.inputs[0].arg);
  auto bind = [&](const auto *output, const auto &expressions) {
    if (!value || !output || !std::holds_alternative<std::string>(output->value)) {
      return;
    }
    const std::string &name = std::get<std::string>(output->value);
    scope.numbers[name] = value;
    auto found = expressions.find(name);
    if (found != expressions.end() && found->second.expr && found->second.expr->op == SymOp::Symbol) {
      scope.symbolNumbers[found->second.expr->name] = value;
    }
  };
  bind(node.outputs[0].getIf<SymFloatArg>(), scope.graph.symFloatValues);
  bind(node.outputs[0].getIf<SymBoolArg>(), scope.graph.symBoolValues);
  auto *size = node.outputs[0].getIf<SymIntArg>();
  bind(size, scope.graph.symIntValues);
  if (!size || !value || !std::holds_alternative<std::string>(size->value)) {
    return;
  }
  auto found = scope.graph.symIntValues.find(std::get<std::string>(size->value));
  if (found == scope.graph.symIntValues.end() || !found->second.expr || found->second.expr->op != SymOp::Symbol) {
    return;
  }
  std::optional<int64_t> bound = symbols.upperBound(found->second.expr->name);
  if (!bound) {
    return;
  }
  symbols.defineFromData(found->second);
  llvm::Expected<Dim> dim = symbols.convert(found->second);
  if (!dim) {
    return report(loc, llvm::toString(dim.takeError()));
  }
  auto type = RankedTensorType::get({}, builder.getI64Type());
  if (value.getType() != type) {
    value = aten::ToOp::create(builder, loc, type, value, TypeAttr::get(builder.getI64Type()));
  }
  fx::BindSizeOp::create(builder, loc, value, cast<AffineSymbolExpr>(*dim).getPosition(),
                         fx::DimAttr::get(builder.getContext(), constantDim(builder.getContext(), *bound)));
}

Value NodeImporter::numberOf(Attribute value, Type element) {
  auto type = RankedTensorType::get({}, element, fx::NumberAttr::get(builder.getContext()));
  return fx::NumberOp::create(builder, loc, type, value);
}

Value NodeImporter::importExpression(Scope &scope, const SymExpr &expr) {
  Type f64 = builder.getF64Type();
  auto toFloat = [&](Value x) -> Value {
    return aten::ToOp::create(builder, loc, RankedTensorType::get({}, f64), x, TypeAttr::get(f64));
  };
  switch (expr.op) {
  case SymOp::Integer:
    return numberOf(builder.getI64IntegerAttr(expr.value), builder.getI64Type());
  case SymOp::Rational:
    return numberOf(builder.getF64FloatAttr(static_cast<double>(expr.value) / expr.denominator), f64);
  case SymOp::Float:
    return numberOf(builder.getF64FloatAttr(expr.number), f64);
  case SymOp::Symbol: {
    if (Value value = scope.symbolNumbers.lookup(expr.name)) {
      // Python's floats are double.
      return isFloat(getElement(value)) ? toFloat(value) : value;
    }
    SymInt size{0, std::make_shared<const SymExpr>(expr), std::nullopt};
    llvm::Expected<Dim> dim = symbols.convert(size);
    if (!dim) {
      llvm::consumeError(dim.takeError());
      return {};
    }
    return numberOf(fx::DimAttr::get(builder.getContext(), *dim), builder.getI64Type());
  }
  default:
    break;
  }
  SmallVector<Value> x;
  for (const SymExpr &operand : expr.operands) {
    Value value = importExpression(scope, operand);
    if (!value) {
      return {};
    }
    x.push_back(value);
  }
  auto fold = [&](auto combine) {
    Value result = x[0];
    for (Value next : ArrayRef(x).drop_front()) {
      result = combine(result, next);
    }
    return result;
  };
  switch (expr.op) {
  case SymOp::Add:
    return fold([&](Value a, Value b) -> Value { return aten::AddOp::create(builder, loc, a, b, builder.getI64IntegerAttr(1)); });
  case SymOp::Mul:
    return fold([&](Value a, Value b) -> Value { return aten::MulOp::create(builder, loc, a, b); });
  case SymOp::Max:
    return fold([&](Value a, Value b) -> Value { return aten::MaximumOp::create(builder, loc, a, b); });
  case SymOp::Min:
    return fold([&](Value a, Value b) -> Value { return aten::MinimumOp::create(builder, loc, a, b); });
  case SymOp::TrueDiv:
    return aten::DivOp::create(builder, loc, toFloat(x[0]), toFloat(x[1]), StringAttr());
  case SymOp::FloorDiv:
    return aten::DivOp::create(builder, loc, x[0], x[1], builder.getStringAttr("floor"));
  case SymOp::Pow:
    return aten::PowOp::create(builder, loc, x[0], x[1]);
  case SymOp::ToFloat:
    return toFloat(x[0]);
  case SymOp::Sqrt:
    return aten::SqrtOp::create(builder, loc, toFloat(x[0]));
  case SymOp::Abs:
    return aten::AbsOp::create(builder, loc, x[0]);
  default:
    return {};
  }
}

bool NodeImporter::importFilled(Scope &scope, const Node &node, const aten::OverloadRecord &record) {
  if (record.op != "aten.full" && record.op != "aten.full_like" && record.op != "aten.new_full") {
    return false;
  }
  auto isFill = [](const NamedArgument &input) { return input.name == "fill_value"; };
  auto found = llvm::find_if(node.inputs, isFill);
  StringRef name = tensorOutputs(node).front();
  auto comesFromData = [&](const auto *symbol, const auto &expressions) {
    auto *own = symbol ? std::get_if<std::string>(&symbol->value) : nullptr;
    auto at = own ? expressions.find(*own) : expressions.end();
    return at != expressions.end() && at->second.expr && importExpression(scope, *at->second.expr);
  };
  if (found == node.inputs.end() || !(comesFromData(found->arg.getIf<SymFloatArg>(), scope.graph.symFloatValues) ||
                                      comesFromData(found->arg.getIf<SymIntArg>(), scope.graph.symIntValues))) {
    return false;
  }
  RankedTensorType type = typeOf(scope, name);
  Value value = importTensor(scope, found->arg);
  if (!type || !value) {
    addPlaceholder(scope, node);
    return true;
  }
  Type element = type.getElementType();
  value = aten::ToOp::create(builder, loc, RankedTensorType::get({}, element), value, TypeAttr::get(element));
  Dims dims = dimsOf(type);
  scope.values[name] = aten::ExpandOp::create(builder, loc, type, value, fx::DimsAttr::get(builder.getContext(), dims));
  return true;
}

} // namespace graphmill::pt2
