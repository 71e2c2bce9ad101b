#include "frontend/pt2/Decode.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

namespace graphmill::pt2 {
namespace {

TensorArg decodeTensor(JsonValue json) { return {json["name"].text()}; }

std::vector<TensorArg> decodeTensors(JsonValue json) {
  return json.list(decodeTensor);
}

int64_t decodeInt(JsonValue json) { return json.integer(); }

std::vector<int64_t> decodeInts(JsonValue json) { return json.list(decodeInt); }

double decodeFloat(JsonValue json) { return json.real(); }

std::vector<double> decodeFloats(JsonValue json) {
  return json.list(decodeFloat);
}

bool decodeBool(JsonValue json) { return json.boolean(); }

SymIntArg decodeSymIntArg(JsonValue json) {
  auto [kind, value] = json.onlyField();
  if (kind == "as_name") {
    return {value.text()};
  }
  if (kind != "as_int") {
    value.fail("expected as_name or as_int");
  }
  return {value.integer()};
}

SymFloatArg decodeSymFloatArg(JsonValue json) {
  auto [kind, value] = json.onlyField();
  if (kind == "as_name") {
    return {value.text()};
  }
  if (kind != "as_float") {
    value.fail("expected as_name or as_float");
  }
  return {value.real()};
}

SymBoolArg decodeSymBoolArg(JsonValue json) {
  auto [kind, value] = json.onlyField();
  if (kind == "as_name") {
    return {value.text()};
  }
  if (kind != "as_bool") {
    value.fail("expected as_name or as_bool");
  }
  return {value.boolean()};
}

OptionalTensorArg decodeOptionalTensor(JsonValue json) {
  auto [kind, value] = json.onlyField();
  if (kind == "as_tensor") {
    return {decodeTensor(value)};
  }
  if (kind != "as_none") {
    value.fail("expected as_tensor or as_none");
  }
  return {};
}

GraphArg decodeGraphArg(JsonValue json) {
  return {json["name"].text(),
          std::make_shared<const Graph>(decodeGraph(json["graph"]))};
}

DictArg decodeDict(JsonValue json) {
  DictArg dict;
  json.forEachField([&](llvm::StringRef key, JsonValue value) {
    dict.entries.push_back({key.str(), decodeArgument(value)});
  });
  return dict;
}

std::complex<double> decodeComplex(JsonValue json) {
  return {json["real"].real(), json["imag"].real()};
}

/// The schema's enums are dense, from 0 ("unknown") up.
template <typename Enum> Enum decodeEnum(JsonValue json, Enum last) {
  int64_t number = json.integer();
  if (number < 0 || number > int64_t(last)) {
    json.fail("is " + llvm::Twine(number) + ", expected at most " +
              llvm::Twine(int64_t(last)));
    return Enum(0);
  }
  return Enum(number);
}

DeviceArg decodeDevice(JsonValue json) {
  DeviceArg device{json["type"].text(), std::nullopt};
  if (std::optional<JsonValue> index = json.find("index")) {
    device.index = index->integer();
  }
  return device;
}

ScalarType decodeScalarType(JsonValue json) {
  int64_t number = json.integer();
  std::optional<ScalarType> type = scalarTypeFromNumber(number);
  if (!type) {
    json.fail("element type " + llvm::Twine(number) +
              " isn't one that schema 8 defines");
  }
  return type.value_or(ScalarType::Float32);
}

Layout decodeLayout(JsonValue json) {
  return decodeEnum(json, Layout::Strided);
}

MemoryFormat decodeMemoryFormat(JsonValue json) {
  return decodeEnum(json, MemoryFormat::Preserve);
}

template <auto decode> Argument::Value make(JsonValue json) {
  return decode(json);
}

template <auto decode> Argument::Value makeList(JsonValue json) {
  return json.list(decode);
}

/// A schema union's field -> how its value is read.
struct ArgumentKindReader {
  llvm::StringLiteral field;
  Argument::Value (*read)(JsonValue);
};
constexpr ArgumentKindReader kArgumentKinds[] = {
    {"as_none", [](JsonValue) -> Argument::Value { return NoneArg(); }},
    {"as_tensor", make<decodeTensor>},
    {"as_tensors", make<decodeTensors>},
    {"as_int", make<decodeInt>},
    {"as_ints", make<decodeInts>},
    {"as_float", make<decodeFloat>},
    {"as_floats", make<decodeFloats>},
    {"as_string",
     [](JsonValue json) -> Argument::Value { return json.text(); }},
    {"as_strings",
     [](JsonValue json) -> Argument::Value {
       return json.list([](JsonValue element) { return element.text(); });
     }},
    {"as_sym_int", make<decodeSymIntArg>},
    {"as_sym_ints", makeList<decodeSymIntArg>},
    {"as_sym_float", make<decodeSymFloatArg>},
    {"as_sym_floats", makeList<decodeSymFloatArg>},
    {"as_sym_bool", make<decodeSymBoolArg>},
    {"as_sym_bools", makeList<decodeSymBoolArg>},
    {"as_bool", make<decodeBool>},
    {"as_bools", makeList<decodeBool>},
    {"as_scalar_type", make<decodeScalarType>},
    {"as_memory_format", make<decodeMemoryFormat>},
    {"as_layout", make<decodeLayout>},
    {"as_device", make<decodeDevice>},
    {"as_optional_tensor", make<decodeOptionalTensor>},
    {"as_optional_tensors", makeList<decodeOptionalTensor>},
    {"as_graph", make<decodeGraphArg>},
    {"as_custom_obj", make<decodeCustomObject>},
    {"as_operator",
     [](JsonValue json) -> Argument::Value {
       return OperatorArg{json.text()};
     }},
    {"as_complex", make<decodeComplex>},
    {"as_nested_tensors", makeList<decodeTensors>},
    {"as_int_lists", makeList<decodeInts>},
    {"as_float_lists", makeList<decodeFloats>},
    {"as_string_to_argument", make<decodeDict>},
};

/// A schema union of an expression with a hint, or a plain value.
template <typename Sym, typename Read>
Sym decodeSym(JsonValue json, llvm::StringRef plainKind, Read read) {
  Sym sym;
  auto [kind, value] = json.onlyField();
  if (kind == plainKind) {
    sym.constant = read(value);
    return sym;
  }
  if (kind != "as_expr") {
    value.fail("expected as_expr or " + plainKind);
    return sym;
  }
  JsonValue text = value["expr_str"];
  if (llvm::Expected<SymExpr> expr = parseSymExpr(text.text())) {
    sym.expr = std::make_shared<const SymExpr>(std::move(*expr));
  } else {
    text.fail(llvm::toString(expr.takeError()));
  }
  if (std::optional<JsonValue> hint = value.find("hint")) {
    auto [hintKind, hintValue] = hint->onlyField();
    if (hintKind != plainKind) {
      hintValue.fail("expected " + plainKind);
    }
    sym.hint = read(hintValue);
  }
  return sym;
}

/// SSA names are unique in a graph: two descriptions of one leave no way to
/// choose.
template <typename Decode> auto decodeValues(JsonValue json, Decode decode) {
  llvm::StringMap<std::invoke_result_t<Decode, JsonValue>> values;
  json.forEachField([&](llvm::StringRef name, JsonValue value) {
    if (!values.try_emplace(name, decode(value)).second) {
      value.fail("is described twice");
    }
  });
  return values;
}

NamedArgument decodeNamedArgument(JsonValue json) {
  NamedArgument argument{json["name"].text(), decodeArgument(json["arg"])};
  if (std::optional<JsonValue> kind = json.find("kind")) {
    argument.kind = decodeEnum(*kind, ArgumentKind::Keyword);
  }
  return argument;
}

Node decodeNode(JsonValue json) {
  Node node;
  node.target = json["target"].text();
  node.inputs = json["inputs"].list(decodeNamedArgument);
  node.outputs = json["outputs"].list(decodeArgument);
  json["metadata"].forEachField([&](llvm::StringRef key, JsonValue value) {
    if (key == "stack_trace") {
      node.stackTrace = value.text();
    } else if (key == "nn_module_stack") {
      node.moduleStack = value.text();
    } else {
      node.metadata.emplace_back(key.str(), value.text());
    }
  });
  if (std::optional<JsonValue> name = json.find("name")) {
    node.name = name->text();
  }
  if (std::optional<JsonValue> single =
          json.find("is_hop_single_tensor_return")) {
    node.returnsSingleTensor = single->boolean();
  }
  return node;
}

} // namespace

CustomObjectArg decodeCustomObject(JsonValue json) {
  return {json["name"].text(), json["class_fqn"].text()};
}

Argument decodeArgument(JsonValue json) {
  auto [field, value] = json.onlyField();
  for (const ArgumentKindReader &kind : kArgumentKinds) {
    if (kind.field == field) {
      return {kind.read(value)};
    }
  }
  value.fail("isn't a kind of argument that schema 8.20 has");
  return {};
}

SymInt decodeSymInt(JsonValue json) {
  return decodeSym<SymInt>(json, "as_int", decodeInt);
}

TensorMeta decodeTensorMeta(JsonValue json) {
  TensorMeta meta;
  meta.dtype = decodeScalarType(json["dtype"]);
  meta.sizes = json["sizes"].list(decodeSymInt);
  meta.strides = json["strides"].list(decodeSymInt);
  meta.storageOffset = decodeSymInt(json["storage_offset"]);
  meta.requiresGrad = json["requires_grad"].boolean();
  meta.device = decodeDevice(json["device"]);
  meta.layout = decodeLayout(json["layout"]);
  if (meta.sizes.size() != meta.strides.size()) {
    json.fail("has " + llvm::Twine(meta.sizes.size()) + " sizes but " +
              llvm::Twine(meta.strides.size()) + " strides");
  }
  return meta;
}

Graph decodeGraph(JsonValue json) {
  Graph graph;
  graph.inputs = json["inputs"].list(decodeArgument);
  graph.outputs = json["outputs"].list(decodeArgument);
  graph.nodes = json["nodes"].list(decodeNode);
  graph.tensorValues = decodeValues(json["tensor_values"], decodeTensorMeta);
  graph.symIntValues = decodeValues(json["sym_int_values"], decodeSymInt);
  graph.symBoolValues =
      decodeValues(json["sym_bool_values"], [](JsonValue value) {
        return decodeSym<SymBool>(value, "as_bool", decodeBool);
      });
  if (std::optional<JsonValue> floats = json.find("sym_float_values")) {
    graph.symFloatValues = decodeValues(*floats, [](JsonValue value) {
      return decodeSym<SymFloat>(value, "as_float", decodeFloat);
    });
  }
  if (std::optional<JsonValue> objects = json.find("custom_obj_values")) {
    graph.customObjectValues = decodeValues(*objects, decodeCustomObject);
  }
  if (std::optional<JsonValue> single = json.find("is_single_tensor_return")) {
    graph.returnsSingleTensor = single->boolean();
  }
  return graph;
}

} // namespace graphmill::pt2
