#include "frontend/pt2/Decode.h"
#include "llvm/ADT/Twine.h"

namespace graphmill::pt2 {
namespace {

/// The SSA name in `{"arg": {"name": ...}}`.
std::string valueName(JsonValue json) { return json["arg"]["name"].text(); }

ConstantInput decodeConstantInput(JsonValue json) {
  ConstantInput input{json["name"].text(), NoneArg()};
  auto [kind, value] = json["value"].onlyField();
  if (kind == "as_int") {
    input.value = value.integer();
  } else if (kind == "as_float") {
    input.value = value.real();
  } else if (kind == "as_string") {
    input.value = value.text();
  } else if (kind == "as_bool") {
    input.value = value.boolean();
  } else if (kind != "as_none") {
    value.fail("isn't a kind of constant that schema 8.20 has");
  }
  return input;
}

InputSpec decodeInputSpec(JsonValue json) {
  auto [kind, spec] = json.onlyField();
  if (kind == "user_input") {
    return UserInput{decodeArgument(spec["arg"])};
  }
  if (kind == "parameter") {
    return ParameterInput{valueName(spec), spec["parameter_name"].text()};
  }
  if (kind == "buffer") {
    BufferInput buffer{valueName(spec), spec["buffer_name"].text()};
    if (std::optional<JsonValue> persistent = spec.find("persistent")) {
      buffer.isPersistent = persistent->boolean();
    }
    return buffer;
  }
  if (kind == "tensor_constant") {
    return TensorConstantInput{valueName(spec),
                               spec["tensor_constant_name"].text()};
  }
  if (kind == "custom_obj") {
    return CustomObjectInput{decodeCustomObject(spec["arg"]),
                             spec["custom_obj_name"].text()};
  }
  if (kind == "token") {
    return TokenInput{valueName(spec)};
  }
  if (kind == "constant_input") {
    return decodeConstantInput(spec);
  }
  spec.fail("isn't a kind of input that schema 8.20 has");
  return {};
}

OutputSpec decodeOutputSpec(JsonValue json) {
  auto [kind, spec] = json.onlyField();
  if (kind == "user_output") {
    return UserOutput{decodeArgument(spec["arg"])};
  }
  if (kind == "loss_output") {
    return LossOutput{valueName(spec)};
  }
  if (kind == "buffer_mutation") {
    return BufferMutation{valueName(spec), spec["buffer_name"].text()};
  }
  if (kind == "parameter_mutation") {
    return ParameterMutation{valueName(spec), spec["parameter_name"].text()};
  }
  if (kind == "user_input_mutation") {
    return UserInputMutation{valueName(spec), spec["user_input_name"].text()};
  }
  if (kind == "gradient_to_parameter") {
    return ParameterGradient{valueName(spec), spec["parameter_name"].text()};
  }
  if (kind == "gradient_to_user_input") {
    return UserInputGradient{valueName(spec), spec["user_input_name"].text()};
  }
  if (kind == "token") {
    return TokenOutput{valueName(spec)};
  }
  spec.fail("isn't a kind of output that schema 8.20 has");
  return {};
}

std::string decodeText(JsonValue json) { return json.text(); }

ModuleCallEntry decodeModuleCall(JsonValue json) {
  ModuleCallEntry entry{json["fqn"].text(), std::nullopt};
  if (std::optional<JsonValue> signature = json.find("signature")) {
    entry.signature =
        ModuleCallSignature{(*signature)["inputs"].list(decodeArgument),
                            (*signature)["outputs"].list(decodeArgument),
                            (*signature)["in_spec"].text(),
                            (*signature)["out_spec"].text(),
                            {}};
    if (std::optional<JsonValue> names = signature->find("forward_arg_names")) {
      entry.signature->forwardArgNames = names->list(decodeText);
    }
  }
  return entry;
}

/// An infinite bound is null, in archives of some versions the word.
std::optional<int64_t> decodeBound(JsonValue range, llvm::StringRef key) {
  std::optional<JsonValue> bound = range.find(key);
  if (!bound) {
    return std::nullopt;
  }
  if (bound->isText()) {
    bound->real();
    return std::nullopt;
  }
  return bound->integer();
}

SymbolRange decodeRange(JsonValue json) {
  SymbolRange range{decodeBound(json, "min_val"), decodeBound(json, "max_val")};
  if (range.min && range.max && *range.min > *range.max) {
    json.fail("is empty: " + llvm::Twine(*range.min) + " to " +
              llvm::Twine(*range.max));
  }
  return range;
}

} // namespace

GraphSignature decodeSignature(JsonValue json) {
  return {json["input_specs"].list(decodeInputSpec),
          json["output_specs"].list(decodeOutputSpec)};
}

ExportedProgram decodeExportedProgram(JsonValue json) {
  ExportedProgram program;
  program.schemaMajor = json["schema_version"]["major"].integer();
  program.schemaMinor = json["schema_version"]["minor"].integer();
  JsonValue module = json["graph_module"];
  program.graph = decodeGraph(module["graph"]);
  program.signature = decodeSignature(module["signature"]);
  program.moduleCallGraph = module["module_call_graph"].list(decodeModuleCall);
  if (std::optional<JsonValue> metadata = module.find("metadata")) {
    program.metadata = decodeTable(*metadata, decodeText);
  }
  if (std::optional<JsonValue> fields =
          module.find("treespec_namedtuple_fields")) {
    program.namedTupleFields = decodeTable(*fields, [](JsonValue value) {
      return value["field_names"].list(decodeText);
    });
  }
  program.opsetVersions = decodeTable(
      json["opset_version"], [](JsonValue value) { return value.integer(); });
  program.rangeConstraints =
      decodeTable(json["range_constraints"], decodeRange);
  // Fields that came with later minor versions, and what their absence means.
  program.torchVersion = "<=2.4";
  if (std::optional<JsonValue> version = json.find("torch_version")) {
    program.torchVersion = version->text();
  }
  if (std::optional<JsonValue> verifiers = json.find("verifiers")) {
    program.verifiers = verifiers->list(decodeText);
  }
  if (std::optional<JsonValue> guards = json.find("guards_code")) {
    program.guards = guards->list(decodeText);
  }
  return program;
}

} // namespace graphmill::pt2
