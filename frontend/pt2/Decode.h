#pragma once
#include "frontend/pt2/ExportedProgram.h"
#include "frontend/pt2/Json.h"

namespace graphmill::pt2 {

// JSON to the structs of ExportedProgram.h. Mistakes are recorded in the
// value's document, which the caller asks afterwards.

Argument decodeArgument(JsonValue json);
SymInt decodeSymInt(JsonValue json);
TensorMeta decodeTensorMeta(JsonValue json);
Graph decodeGraph(JsonValue json);
GraphSignature decodeSignature(JsonValue json);
CustomObjectArg decodeCustomObject(JsonValue json);

/// Everything but the weights.
ExportedProgram decodeExportedProgram(JsonValue json);

/// `{"key": value, ...}` as a table, in the file's order.
template <typename Decode> auto decodeTable(JsonValue json, Decode decode) {
  Table<std::invoke_result_t<Decode, JsonValue>> table;
  json.forEachField([&](llvm::StringRef key, JsonValue value) {
    table.emplace_back(key.str(), decode(value));
  });
  return table;
}

} // namespace graphmill::pt2
