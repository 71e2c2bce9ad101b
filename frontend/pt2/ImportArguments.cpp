#include "frontend/pt2/ImportNodes.h"
#include "frontend/pt2/ImportWeights.h"
#include "fx/Aten/AtenDialect.h"

using namespace mlir;

namespace graphmill::pt2 {

using Kind = aten::ArgumentKind;
using aten::ArgumentRecord;

//===----------------------------------------------------------------------===//
// Sizes and numbers
//===----------------------------------------------------------------------===//

std::optional<Dim> NodeImporter::importDim(Scope &scope, const SymIntArg &argument) {
  if (auto *constant = std::get_if<int64_t>(&argument.value)) {
    return constantDim(builder.getContext(), *constant);
  }
  StringRef name = std::get<std::string>(argument.value);
  auto found = scope.graph.symIntValues.find(name);
  if (found == scope.graph.symIntValues.end()) {
    report(loc, "the archive has no expression for size '" + name + "'");
    return std::nullopt;
  }
  llvm::Expected<Dim> dim = symbols.convert(found->second);
  if (!dim) {
    report(loc, llvm::toString(dim.takeError()));
    return std::nullopt;
  }
  return *dim;
}

std::optional<Dim> NodeImporter::importDim(Scope &scope, const Argument &argument) {
  if (auto *integer = argument.getIf<int64_t>()) {
    return constantDim(builder.getContext(), *integer);
  }
  if (auto *symInt = argument.getIf<SymIntArg>()) {
    return importDim(scope, *symInt);
  }
  report(loc, "expected a size");
  return std::nullopt;
}

std::optional<SmallVector<Dim>> NodeImporter::importDims(Scope &scope, const Argument &argument) {
  SmallVector<Dim> dims;
  if (auto *list = argument.getIf<std::vector<int64_t>>()) {
    for (int64_t size : *list) {
      dims.push_back(constantDim(builder.getContext(), size));
    }
    return dims;
  }
  if (auto *list = argument.getIf<std::vector<SymIntArg>>()) {
    for (const SymIntArg &size : *list) {
      std::optional<Dim> dim = importDim(scope, size);
      if (!dim) {
        return std::nullopt;
      }
      dims.push_back(*dim);
    }
    return dims;
  }
  // `expand_as` and kin take a tensor for its sizes.
  if (argument.is<TensorArg>()) {
    Value tensor = importTensor(scope, argument);
    return tensor ? std::optional(SmallVector<Dim>(dimsOf(tensor))) : std::nullopt;
  }
  // An empty list has no type of its own in the archive; one size stands for a list of one.
  if (argument.is<std::vector<TensorArg>>()) {
    return dims;
  }
  std::optional<Dim> dim = importDim(scope, argument);
  return dim ? std::optional(SmallVector<Dim>{*dim}) : std::nullopt;
}

Attribute NodeImporter::importNumber(Scope &scope, const Argument &argument) {
  MLIRContext *context = builder.getContext();
  if (auto *integer = argument.getIf<int64_t>()) {
    return builder.getI64IntegerAttr(*integer);
  }
  if (auto *real = argument.getIf<double>()) {
    return builder.getF64FloatAttr(*real);
  }
  if (auto *truth = argument.getIf<bool>()) {
    return builder.getBoolAttr(*truth);
  }
  if (auto *symInt = argument.getIf<SymIntArg>()) {
    std::optional<Dim> dim = importDim(scope, *symInt);
    if (!dim) {
      return {};
    }
    if (std::optional<int64_t> known = getStatic(*dim)) {
      return builder.getI64IntegerAttr(*known);
    }
    return fx::DimAttr::get(context, *dim);
  }
  if (auto *symFloat = argument.getIf<SymFloatArg>()) {
    if (auto *constant = std::get_if<double>(&symFloat->value)) {
      return builder.getF64FloatAttr(*constant);
    }
    auto found = scope.graph.symFloatValues.find(std::get<std::string>(symFloat->value));
    if (found != scope.graph.symFloatValues.end()) {
      const SymFloat &value = found->second;
      if (std::optional<double> known = value.expr ? symbols.evaluate(*value.expr) : value.constant) {
        return builder.getF64FloatAttr(*known);
      }
      report(loc, "the number " + value.expr->str() + " is known at run time only, which isn't supported here");
      return {};
    }
  }
  if (auto *symBool = argument.getIf<SymBoolArg>()) {
    if (auto *constant = std::get_if<bool>(&symBool->value)) {
      return builder.getBoolAttr(*constant);
    }
    auto found = scope.graph.symBoolValues.find(std::get<std::string>(symBool->value));
    if (found != scope.graph.symBoolValues.end()) {
      const SymBool &value = found->second;
      if (std::optional<bool> known = value.expr ? symbols.decide(*value.expr) : value.constant) {
        return builder.getBoolAttr(*known);
      }
      report(loc, "the truth of " + value.expr->str() + " is known at run time only, which isn't supported here");
      return {};
    }
  }
  report(loc, "expected a number");
  return {};
}

Attribute NodeImporter::importFloats(const Argument &argument) {
  std::vector<double> values;
  if (auto *list = argument.getIf<std::vector<double>>()) {
    values = *list;
  } else if (auto *integers = argument.getIf<std::vector<int64_t>>()) {
    values.assign(integers->begin(), integers->end());
  } else if (auto *mixed = argument.getIf<std::vector<SymFloatArg>>()) {
    for (const SymFloatArg &value : *mixed) {
      auto *constant = std::get_if<double>(&value.value);
      if (!constant) {
        report(loc, "a list of numbers has one that is known at run time only");
        return {};
      }
      values.push_back(*constant);
    }
  } else if (!argument.is<std::vector<TensorArg>>()) {
    report(loc, "expected a list of numbers");
    return {};
  }
  return builder.getDenseF64ArrayAttr(values);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value NodeImporter::importTensor(Scope &scope, const Argument &argument) {
  if (auto *tensor = argument.getIf<TensorArg>()) {
    return lookup(scope, tensor->name);
  }
  if (auto *optional = argument.getIf<OptionalTensorArg>(); optional && optional->tensor) {
    return lookup(scope, optional->tensor->name);
  }
  // A number that came out of a tensor is that tensor.
  auto fromData = [&](const auto *symbol) -> Value {
    auto *name = symbol ? std::get_if<std::string>(&symbol->value) : nullptr;
    return name ? scope.numbers.lookup(*name) : Value();
  };
  for (Value value : {fromData(argument.getIf<SymIntArg>()), fromData(argument.getIf<SymFloatArg>()),
                      fromData(argument.getIf<SymBoolArg>())}) {
    if (value) {
      return value;
    }
  }
  auto numberType = [&](Type element) {
    return RankedTensorType::get({}, element, fx::NumberAttr::get(builder.getContext()));
  };
  if (auto *complex = argument.getIf<std::complex<double>>()) {
    Attribute parts = builder.getDenseF64ArrayAttr({complex->real(), complex->imag()});
    return fx::NumberOp::create(builder, loc, numberType(ComplexType::get(builder.getF64Type())), parts);
  }
  if (auto *real = argument.getIf<SymFloatArg>(); real && std::holds_alternative<std::string>(real->value)) {
    auto found = scope.graph.symFloatValues.find(std::get<std::string>(real->value));
    if (found != scope.graph.symFloatValues.end() && found->second.expr && !symbols.evaluate(*found->second.expr)) {
      if (Value value = importExpression(scope, *found->second.expr)) {
        return value;
      }
    }
  }
  if (auto *integer = argument.getIf<SymIntArg>(); integer && std::holds_alternative<std::string>(integer->value)) {
    auto found = scope.graph.symIntValues.find(std::get<std::string>(integer->value));
    if (found != scope.graph.symIntValues.end() && symbols.comesFromData(found->second)) {
      if (Value value = importExpression(scope, *found->second.expr)) {
        return value;
      }
    }
  }
  Attribute number = importNumber(scope, argument);
  if (!number) {
    return {};
  }
  Type element = isa<FloatAttr>(number)     ? Type(builder.getF64Type())
                 : isa<fx::DimAttr>(number) ? Type(builder.getI64Type())
                                            : cast<IntegerAttr>(number).getType();
  return fx::NumberOp::create(builder, loc, numberType(element), number);
}

bool NodeImporter::addOptionalTensors(Scope &scope, const ArgumentRecord &record, const Argument &argument,
                                      OperationState &state, int32_t &count) {
  SmallVector<int64_t> places;
  auto add = [&](size_t at, const TensorArg *tensor) {
    if (!tensor) {
      return true;
    }
    Value value = lookup(scope, tensor->name);
    if (!value) {
      return false;
    }
    state.addOperands(value);
    places.push_back(at);
    return true;
  };
  if (auto *list = argument.getIf<std::vector<TensorArg>>()) {
    for (auto [i, tensor] : llvm::enumerate(*list)) {
      if (!add(i, &tensor)) {
        return false;
      }
    }
  } else if (auto *optionals = argument.getIf<std::vector<OptionalTensorArg>>()) {
    for (auto [i, optional] : llvm::enumerate(*optionals)) {
      if (!add(i, optional.tensor ? &*optional.tensor : nullptr)) {
        return false;
      }
    }
  } else {
    report(loc, "argument '" + record.name + "' is not a list of tensors");
    return false;
  }
  count = places.size();
  // The op's Places argument, by convention named after the list.
  state.addAttribute((record.name + "_dims").str(), builder.getDenseI64ArrayAttr(places));
  return true;
}

//===----------------------------------------------------------------------===//
// By kind
//===----------------------------------------------------------------------===//

Attribute NodeImporter::importAttribute(Scope &scope, Kind kind, const Argument &argument) {
  MLIRContext *context = builder.getContext();
  switch (kind) {
  case Kind::Scalar:
    return importNumber(scope, argument);
  case Kind::Float: {
    Attribute number = importNumber(scope, argument);
    if (auto integer = dyn_cast_or_null<IntegerAttr>(number)) {
      return builder.getF64FloatAttr(integer.getValue().getSExtValue());
    }
    if (isa_and_nonnull<fx::DimAttr>(number)) {
      report(loc, "a number is needed that is known when compiling, not a symbolic size");
      return {};
    }
    return number;
  }
  case Kind::Bool: {
    Attribute number = importNumber(scope, argument);
    if (auto integer = dyn_cast_or_null<IntegerAttr>(number)) {
      return builder.getBoolAttr(!integer.getValue().isZero());
    }
    return {};
  }
  case Kind::Str:
    if (auto *text = argument.getIf<std::string>()) {
      return builder.getStringAttr(*text);
    }
    break;
  case Kind::Int:
  case Kind::SymInt: {
    if (auto *truth = argument.getIf<bool>()) {
      return builder.getI64IntegerAttr(*truth);
    }
    std::optional<Dim> dim = importDim(scope, argument);
    if (!dim) {
      return {};
    }
    if (kind == Kind::SymInt) {
      return fx::DimAttr::get(context, *dim);
    }
    if (std::optional<int64_t> known = getStatic(*dim)) {
      return builder.getI64IntegerAttr(*known);
    }
    report(loc, "a number is needed that is known when compiling, got " + toString(*dim));
    return {};
  }
  case Kind::Ints:
  case Kind::SymInts: {
    std::optional<SmallVector<Dim>> dims = importDims(scope, argument);
    if (!dims) {
      return {};
    }
    auto attribute = fx::DimsAttr::get(context, *dims);
    if (kind == Kind::SymInts) {
      return attribute;
    }
    if (std::optional<SmallVector<int64_t>> known = attribute.getStatic()) {
      return builder.getDenseI64ArrayAttr(*known);
    }
    report(loc, "numbers are needed that are known when compiling, got " + toString(*dims));
    return {};
  }
  case Kind::Floats:
    return importFloats(argument);
  case Kind::Dtype:
    if (auto *dtype = argument.getIf<ScalarType>()) {
      return TypeAttr::get(elementType(context, *dtype));
    }
    // `type_as` and kin take a tensor for its dtype.
    if (argument.is<TensorArg>()) {
      Value tensor = importTensor(scope, argument);
      return tensor ? Attribute(TypeAttr::get(getElement(tensor))) : Attribute();
    }
    break;
  default:
    break;
  }
  report(loc, "an argument has a kind that isn't supported");
  return {};
}

bool NodeImporter::addArgument(Scope &scope, const ArgumentRecord &record, const Argument *argument,
                               OperationState &state, SmallVectorImpl<int32_t> &segments) {
  bool isAbsent = !argument || argument->is<NoneArg>() ||
                  (argument->is<OptionalTensorArg>() && !argument->getIf<OptionalTensorArg>()->tensor);
  bool isOperand = record.kind == Kind::Tensor || record.kind == Kind::Tensors ||
                   record.kind == Kind::OptTensors;
  if (isAbsent) {
    if (isOperand) {
      segments.push_back(0);
    }
    if (!record.isOptional) {
      report(loc, "argument '" + record.name + "' is missing");
    }
    return record.isOptional;
  }
  if (!isOperand) {
    Attribute attribute = importAttribute(scope, record.kind, *argument);
    if (attribute) {
      state.addAttribute(record.name, attribute);
    }
    return bool(attribute);
  }
  if (record.kind == Kind::OptTensors) {
    return addOptionalTensors(scope, record, *argument, state, segments.emplace_back());
  }
  if (record.kind == Kind::Tensor) {
    Value value = importTensor(scope, *argument);
    if (value) {
      state.addOperands(value);
      segments.push_back(1);
    }
    return bool(value);
  }
  auto *list = argument->getIf<std::vector<TensorArg>>();
  if (!list) {
    report(loc, "argument '" + record.name + "' is not a list of tensors");
    return false;
  }
  for (const TensorArg &tensor : *list) {
    Value value = lookup(scope, tensor.name);
    if (!value) {
      return false;
    }
    state.addOperands(value);
  }
  segments.push_back(list->size());
  return true;
}

/// The number of results that only the data tells: the size of the output that has a symbol
/// of its own.
bool NodeImporter::addCount(Scope &scope, const Node &node, const aten::OverloadRecord &record, OperationState &state) {
  auto *argument = llvm::find_if(record.arguments, [](const ArgumentRecord &a) { return a.name == "count"; });
  if (argument == record.arguments.end()) {
    return true;
  }
  for (StringRef output : tensorOutputs(node)) {
    auto found = scope.graph.tensorValues.find(output);
    if (output.empty() || found == scope.graph.tensorValues.end()) {
      continue;
    }
    for (const SymInt &size : found->second.sizes) {
      if (!symbols.comesFromData(size)) {
        continue;
      }
      symbols.defineFromData(size);
      llvm::Expected<Dim> dim = symbols.convert(size);
      if (!dim) {
        report(loc, llvm::toString(dim.takeError()));
        return false;
      }
      state.addAttribute("count", fx::DimAttr::get(builder.getContext(), *dim));
      return true;
    }
  }
  if (!argument->isOptional) {
    // Exported with the answer: the number is part of the archive.
    StringRef first = tensorOutputs(node).front();
    RankedTensorType type = typeOf(scope, first);
    if (!type || type.getRank() == 0) {
      return false;
    }
    state.addAttribute("count", fx::DimAttr::get(builder.getContext(), dimsOf(type)[0]));
  }
  return true;
}

/// A number that the overload's name implies: `zeros` is `full` with 0.
static Argument fixedArgument(StringRef text) {
  int64_t integer;
  if (!text.getAsInteger(10, integer)) {
    return Argument{integer};
  }
  double real;
  if (!text.getAsDouble(real)) {
    return Argument{real};
  }
  if (text == "true" || text == "false") {
    return Argument{text == "true"};
  }
  return Argument{text.str()};
}

bool NodeImporter::addArguments(Scope &scope, const Node &node, const aten::OverloadRecord &record,
                                OperationState &state) {
  llvm::StringMap<const Argument *> given;
  for (const NamedArgument &input : node.inputs) {
    bool isKnown;
    if (const ArgumentRecord *argument = record.findArgument(input.name, isKnown)) {
      given[argument->name] = &input.arg;
    } else if (!isKnown && !input.arg.is<NoneArg>()) {
      report(loc, "aten." + record.name + " has an argument '" + input.name + "' that isn't supported");
      return false;
    }
  }
  std::vector<std::unique_ptr<Argument>> fixed;
  for (const aten::FixedArgument &argument : record.fixed) {
    fixed.push_back(std::make_unique<Argument>(fixedArgument(argument.value)));
    given[argument.name] = fixed.back().get();
  }
  SmallVector<int32_t> segments;
  for (const ArgumentRecord &argument : record.arguments) {
    if (argument.kind != Kind::Places && argument.name != "count" &&
        !addArgument(scope, argument, given.lookup(argument.name), state, segments)) {
      return false;
    }
  }
  if (state.name.hasTrait<OpTrait::AttrSizedOperandSegments>()) {
    state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr(segments));
  }
  return true;
}

} // namespace graphmill::pt2
