#pragma once
#include "frontend/pt2/ScalarType.h"
#include "frontend/pt2/SymExpr.h"
#include "frontend/pt2/Weights.h"
#include "llvm/ADT/StringMap.h"
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace graphmill::pt2 {

// The contents of models/MODEL.json as plain structs, field by field what
// torch's torch/_export/serde/schema.py (schema 8) defines. A schema union
// becomes a std::variant of one struct a field, so that the reader of it can't
// forget one.

class Archive;
struct Graph;

/// A pair of keys and values in the file's order.
template <typename T> using Table = std::vector<std::pair<std::string, T>>;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

struct NoneArg {};
/// A tensor by its SSA name, which `Graph::tensorValues` describes.
struct TensorArg {
  std::string name;
};
/// A symbolic scalar: a value's SSA name, or a constant among symbolic ones.
struct SymIntArg {
  std::variant<std::string, int64_t> value;
};
struct SymFloatArg {
  std::variant<std::string, double> value;
};
struct SymBoolArg {
  std::variant<std::string, bool> value;
};
struct OptionalTensorArg {
  std::optional<TensorArg> tensor;
};
struct DeviceArg {
  std::string type;
  std::optional<int64_t> index;
};
enum class MemoryFormat {
  Unknown,
  Contiguous,
  ChannelsLast,
  ChannelsLast3d,
  Preserve
};
enum class Layout {
  Unknown,
  SparseCoo,
  SparseCsr,
  SparseCsc,
  SparseBsr,
  SparseBsc,
  Mkldnn,
  Strided
};
/// A subgraph of a higher-order op: `name` is the attribute it came from.
struct GraphArg {
  std::string name;
  std::shared_ptr<const Graph> graph;
};
struct CustomObjectArg {
  std::string name, className;
};
/// An op passed as an argument, by its target string.
struct OperatorArg {
  std::string target;
};
struct DictEntry;
struct DictArg {
  std::vector<DictEntry> entries;
};

/// One value given to or made by a node.
struct Argument {
  using Value = std::variant<
      NoneArg, TensorArg, std::vector<TensorArg>, int64_t, std::vector<int64_t>,
      double, std::vector<double>, std::string, std::vector<std::string>,
      SymIntArg, std::vector<SymIntArg>, SymFloatArg, std::vector<SymFloatArg>,
      SymBoolArg, std::vector<SymBoolArg>, bool, std::vector<bool>, ScalarType,
      MemoryFormat, Layout, DeviceArg, OptionalTensorArg,
      std::vector<OptionalTensorArg>, GraphArg, CustomObjectArg, OperatorArg,
      std::complex<double>, std::vector<std::vector<TensorArg>>,
      std::vector<std::vector<int64_t>>, std::vector<std::vector<double>>,
      DictArg>;
  Value value;

  template <typename T> bool is() const {
    return std::holds_alternative<T>(value);
  }
  /// Null if the argument is something else.
  template <typename T> const T *getIf() const {
    return std::get_if<T>(&value);
  }
};

struct DictEntry {
  std::string key;
  Argument value;
};

//===----------------------------------------------------------------------===//
// Values and nodes
//===----------------------------------------------------------------------===//

/// An integer or, where `expr` is set, a symbolic one with the value it had
/// when the model was exported.
struct SymInt {
  int64_t constant = 0;
  std::shared_ptr<const SymExpr> expr;
  std::optional<int64_t> hint;
};
struct SymFloat {
  double constant = 0;
  std::shared_ptr<const SymExpr> expr;
  std::optional<double> hint;
};
struct SymBool {
  bool constant = false;
  std::shared_ptr<const SymExpr> expr;
  std::optional<bool> hint;
};

struct TensorMeta {
  ScalarType dtype = ScalarType::Float32;
  std::vector<SymInt> sizes;
  /// In elements, as is the offset.
  std::vector<SymInt> strides;
  SymInt storageOffset;
  bool requiresGrad = false;
  DeviceArg device;
  Layout layout = Layout::Strided;
};

enum class ArgumentKind { Unknown, Positional, Keyword };

struct NamedArgument {
  /// The op schema's name for it; empty for higher-order ops.
  std::string name;
  Argument arg;
  ArgumentKind kind = ArgumentKind::Unknown;
};

struct Node {
  /// Empty in archives older than schema 8.9 or so.
  std::string name;
  /// "torch.ops.aten.linear.default", "_operator.mul", "math.trunc".
  std::string target;
  std::vector<NamedArgument> inputs;
  std::vector<Argument> outputs;
  /// The user's stack, innermost frame last, as Python prints it. May be empty.
  std::string stackTrace;
  /// "KEY,PATH,TYPE;..." from the outermost module in. May be empty.
  std::string moduleStack;
  /// What else the exporter noted: torch_fn, source_fn_stack, from_node,
  /// custom.
  Table<std::string> metadata;
  /// A higher-order op that returns a tensor, not a tuple of one.
  std::optional<bool> returnsSingleTensor;
};

struct Graph {
  std::vector<Argument> inputs;
  std::vector<Argument> outputs;
  std::vector<Node> nodes;
  llvm::StringMap<TensorMeta> tensorValues;
  llvm::StringMap<SymInt> symIntValues;
  llvm::StringMap<SymFloat> symFloatValues;
  llvm::StringMap<SymBool> symBoolValues;
  llvm::StringMap<CustomObjectArg> customObjectValues;
  bool returnsSingleTensor = false;
};

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

struct UserInput {
  Argument arg;
};
struct ParameterInput {
  std::string valueName, parameterName;
};
struct BufferInput {
  std::string valueName, bufferName;
  /// Part of the state dict; the others are saved among the constants.
  bool isPersistent = true;
};
struct TensorConstantInput {
  std::string valueName, constantName;
};
struct CustomObjectInput {
  CustomObjectArg arg;
  std::string objectName;
};
struct TokenInput {
  std::string valueName;
};
/// A user input that was specialized to a constant.
struct ConstantInput {
  std::string valueName;
  std::variant<NoneArg, int64_t, double, std::string, bool> value;
};
using InputSpec =
    std::variant<UserInput, ParameterInput, BufferInput, TensorConstantInput,
                 CustomObjectInput, TokenInput, ConstantInput>;

struct UserOutput {
  Argument arg;
};
struct LossOutput {
  std::string valueName;
};
struct BufferMutation {
  std::string valueName, bufferName;
};
struct ParameterMutation {
  std::string valueName, parameterName;
};
struct UserInputMutation {
  std::string valueName, inputName;
};
struct ParameterGradient {
  std::string valueName, parameterName;
};
struct UserInputGradient {
  std::string valueName, inputName;
};
struct TokenOutput {
  std::string valueName;
};
using OutputSpec =
    std::variant<UserOutput, LossOutput, BufferMutation, ParameterMutation,
                 UserInputMutation, ParameterGradient, UserInputGradient,
                 TokenOutput>;

/// One entry for each of the graph's inputs and outputs, in their order.
struct GraphSignature {
  std::vector<InputSpec> inputs;
  std::vector<OutputSpec> outputs;
};

/// How a module was called: nested inputs and outputs as pytree specs (JSON).
struct ModuleCallSignature {
  std::vector<Argument> inputs, outputs;
  std::string inSpec, outSpec;
  std::vector<std::string> forwardArgNames;
};
struct ModuleCallEntry {
  /// The module's path; empty for the whole model.
  std::string path;
  std::optional<ModuleCallSignature> signature;
};

/// Bounds of a symbol; an absent one is infinite.
struct SymbolRange {
  std::optional<int64_t> min, max;
};

struct ExportedProgram {
  /// What the weights' spans point into.
  std::shared_ptr<Archive> archive;
  /// "model", unless the archive was packed with another name.
  std::string modelName;

  Graph graph;
  GraphSignature signature;
  std::vector<ModuleCallEntry> moduleCallGraph;
  Table<std::string> metadata;
  /// Field names of named tuples in the pytree specs.
  Table<std::vector<std::string>> namedTupleFields;
  Table<SymbolRange> rangeConstraints;
  /// Python expressions over `L['args']` that held at export.
  std::vector<std::string> guards;
  Table<int64_t> opsetVersions;
  std::vector<std::string> verifiers;
  int64_t schemaMajor = 0, schemaMinor = 0;
  std::string torchVersion;

  /// Parameters and persistent buffers.
  WeightTable weights;
  /// Tensor constants and non-persistent buffers.
  WeightTable constants;

  /// The stored bytes behind a graph input; null for inputs that have none.
  const StoredTensor *findStoredTensor(const InputSpec &input) const;
};

} // namespace graphmill::pt2
