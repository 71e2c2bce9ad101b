#include "frontend/pt2/Importer.h"
#include "frontend/pt2/Archive.h"
#include "frontend/pt2/ImportNames.h"
#include "frontend/pt2/ImportNodes.h"
#include "frontend/pt2/ImportWeights.h"
#include "fx/Aten/AtenDialect.h"
#include "fx/Aten/Promotion.h"
#include "fx/Support/Printable.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace graphmill::pt2 {
namespace {

class ProgramImporter {
public:
  ProgramImporter(MLIRContext &context, const ExportedProgram &program)
      : context(context), program(program), symbols(&context, program),
        module(ModuleOp::create(UnknownLoc::get(&context), StringRef(program.modelName))),
        weights(*module, program), builder(&context), nodes(builder, symbols, problems) {
    problems.archive = program.archive->getPath().str() + ": models/" + program.modelName + ".json";
  }

  llvm::Expected<OwningOpRef<ModuleOp>> run(const ImportOptions &options);

private:
  void importInputs();
  void importUserInput(const Argument &placeholder, StringRef userName);
  void importStored(const InputSpec &spec, const Argument &placeholder);
  void importOutputs();
  void importOutput(const OutputSpec &spec, const Argument &output);
  void addOutput(fx::RoleKind kind, StringRef name, Value value);
  Value readWeight(const StoredTensor &stored, fx::TensorKind kind);
  StringAttr ownedName(StringRef storedName, bool isParameter);

  MLIRContext &context;
  const ExportedProgram &program;
  ImportSymbols symbols;
  ImportProblems problems;
  OwningOpRef<ModuleOp> module;
  ImportWeights weights;
  OpBuilder builder;
  NodeImporter nodes;
  NodeImporter::Scope scope{program.graph, {}, {}, {}, {}};

  Block *body = nullptr;
  Operation *lastWeight = nullptr;
  SmallVector<Attribute> inputNames, roles;
  /// Inputs that export specialized to a constant: the user's name and the value.
  SmallVector<NamedAttribute> specialized;
  llvm::StringMap<std::string> userNameOf;
  SmallVector<Value> results;
  std::vector<std::string> resultNames;
  size_t nextResult = 0;
};

Attribute constantAttr(Builder &b, const ConstantInput &input) {
  return std::visit(
      [&](const auto &value) -> Attribute {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, NoneArg>) {
          return b.getUnitAttr();
        } else if constexpr (std::is_same_v<T, std::string>) {
          return b.getStringAttr(value);
        } else if constexpr (std::is_same_v<T, bool>) {
          return b.getBoolAttr(value);
        } else if constexpr (std::is_same_v<T, double>) {
          return b.getF64FloatAttr(value);
        } else {
          return b.getI64IntegerAttr(value);
        }
      },
      input.value);
}

void ProgramImporter::importUserInput(const Argument &placeholder, StringRef userName) {
  Location loc = NameLoc::get(builder.getStringAttr(userName));
  if (auto *tensor = placeholder.getIf<TensorArg>()) {
    if (RankedTensorType type = nodes.typeOf(scope, tensor->name)) {
      scope.values[tensor->name] = body->addArgument(type, loc);
      userNameOf[tensor->name] = userName;
      inputNames.push_back(builder.getStringAttr(userName));
    }
    return;
  }
  auto addNumber = [&](const auto &name, Type element) {
    scope.numbers[name] = body->addArgument(RankedTensorType::get({}, element), loc);
    inputNames.push_back(builder.getStringAttr(userName));
  };
  if (auto *symInt = placeholder.getIf<SymIntArg>(); symInt && std::holds_alternative<std::string>(symInt->value)) {
    return addNumber(std::get<std::string>(symInt->value), builder.getI64Type());
  }
  if (auto *real = placeholder.getIf<SymFloatArg>(); real && std::holds_alternative<std::string>(real->value)) {
    return addNumber(std::get<std::string>(real->value), builder.getF64Type());
  }
  if (placeholder.is<CustomObjectArg>()) {
    nodes.report(loc, "input '" + userName + "' is a custom object, which isn't supported");
  }
  // Numbers, strings and None are part of what was exported.
}

void ProgramImporter::importStored(const InputSpec &spec, const Argument &placeholder) {
  const StoredTensor *stored = program.findStoredTensor(spec);
  auto *tensor = placeholder.getIf<TensorArg>();
  if (!stored || !tensor) {
    return;
  }
  fx::TensorKind kind = std::holds_alternative<ParameterInput>(spec) ? fx::TensorKind::Parameter
                        : std::holds_alternative<BufferInput>(spec)  ? fx::TensorKind::Buffer
                                                                     : fx::TensorKind::Constant;
  // Weights that nothing reads don't get into the module.
  scope.pending[tensor->name] = [this, stored, kind] {
    return readWeight(*stored, kind);
  };
}

/// Weights are read at the graph's start, in the order of first use.
Value ProgramImporter::readWeight(const StoredTensor &stored, fx::TensorKind kind) {
  OpBuilder::InsertionGuard guard(builder);
  if (lastWeight) {
    builder.setInsertionPointAfter(lastWeight);
  } else {
    builder.setInsertionPointToStart(body);
  }
  Value value = weights.read(builder, NameLoc::get(builder.getStringAttr(stored.name)), stored, kind);
  lastWeight = value.getDefiningOp();
  return value;
}

void ProgramImporter::importInputs() {
  for (const InputSpec &spec : program.signature.inputs) {
    auto *user = std::get_if<UserInput>(&spec);
    auto *tensor = user ? user->arg.getIf<TensorArg>() : nullptr;
    if (!tensor) {
      continue;
    }
    if (auto meta = program.graph.tensorValues.find(tensor->name); meta != program.graph.tensorValues.end()) {
      for (const SymInt &size : meta->second.sizes) {
        symbols.define(size);
      }
    }
  }
  std::vector<std::string> names = userInputNames(program);
  size_t next = 0;
  for (auto [spec, placeholder] : llvm::zip(program.signature.inputs, program.graph.inputs)) {
    if (auto *constant = std::get_if<ConstantInput>(&spec)) {
      specialized.emplace_back(builder.getStringAttr(names[next++]), constantAttr(builder, *constant));
    } else if (std::holds_alternative<UserInput>(spec)) {
      importUserInput(placeholder, names[next++]);
    } else if (auto *object = std::get_if<CustomObjectInput>(&spec)) {
      nodes.report(builder.getUnknownLoc(), "the model holds a custom object ('" + object->objectName + "'), which isn't supported");
    } else if (!std::holds_alternative<TokenInput>(spec)) {
      importStored(spec, placeholder);
    }
  }
}

StringAttr ProgramImporter::ownedName(StringRef storedName, bool isParameter) {
  const StoredTensor *stored = program.weights.find(storedName);
  stored = stored ? stored : program.constants.find(storedName);
  StringAttr name = stored ? weights.symbolOf(*stored) : StringAttr();
  if (name || !stored) {
    return name;
  }
  // Written, never read: it is part of the model's state all the same.
  readWeight(*stored, isParameter ? fx::TensorKind::Parameter : fx::TensorKind::Buffer);
  return weights.symbolOf(*stored);
}

void ProgramImporter::addOutput(fx::RoleKind kind, StringRef name, Value value) {
  if (value) {
    roles.push_back(fx::RoleAttr::get(&context, kind, name));
    results.push_back(value);
  }
}

void ProgramImporter::importOutput(const OutputSpec &spec, const Argument &output) {
  Location loc = builder.getUnknownLoc();
  if (std::holds_alternative<UserOutput>(spec) || std::holds_alternative<LossOutput>(spec)) {
    const std::string &name = resultNames[nextResult++];
    if (output.is<NoneArg>() || output.is<std::string>()) {
      return;
    }
    Value value = nodes.importTensor(scope, output);
    if (value && isNumber(value.getType())) {
      Type element = getElement(value);
      element = isFloat(element) ? Type(builder.getF32Type()) : element;
      value = aten::ToOp::create(builder, loc, RankedTensorType::get({}, element), value, TypeAttr::get(element));
    }
    return addOutput(fx::RoleKind::Result, name, value);
  }
  if (auto *mutation = std::get_if<UserInputMutation>(&spec)) {
    auto found = userNameOf.find(mutation->inputName);
    StringRef name = found == userNameOf.end() ? StringRef(mutation->inputName) : StringRef(found->second);
    return addOutput(fx::RoleKind::MutatesInput, name, nodes.importTensor(scope, output));
  }
  auto addMutation = [&](StringRef owner, bool isParameter) {
    StringAttr name = ownedName(owner, isParameter);
    if (!name) {
      return nodes.report(loc, "'" + owner + "' is written, but it is a view of another tensor's storage, which isn't supported");
    }
    addOutput(fx::RoleKind::MutatesTensor, name, nodes.importTensor(scope, output));
  };
  if (auto *mutation = std::get_if<BufferMutation>(&spec)) {
    return addMutation(mutation->bufferName, false);
  }
  if (auto *mutation = std::get_if<ParameterMutation>(&spec)) {
    return addMutation(mutation->parameterName, true);
  }
  if (std::holds_alternative<TokenOutput>(spec)) {
    return;
  }
  nodes.report(loc, "the graph returns gradients (it is a training graph), which isn't supported");
}

void ProgramImporter::importOutputs() {
  resultNames = userOutputNames(program);
  for (auto [spec, output] : llvm::zip(program.signature.outputs, program.graph.outputs)) {
    importOutput(spec, output);
  }
}

llvm::Expected<OwningOpRef<ModuleOp>> ProgramImporter::run(const ImportOptions &options) {
  Location loc = builder.getUnknownLoc();
  builder.setInsertionPointToEnd(module->getBody());
  // The lists are filled in when they are known.
  auto graph = fx::GraphOp::create(builder, loc, "main", builder.getArrayAttr({}), builder.getArrayAttr({}),
                                   builder.getArrayAttr({}), StringAttr(), StringAttr());
  body = &graph.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(body);
  importInputs();
  nodes.importNodes(scope);
  importOutputs();
  fx::OutputOp::create(builder, loc, results);
  if (llvm::Error error = problems.take(options)) {
    return error;
  }
  graph.setInputsAttr(builder.getArrayAttr(inputNames));
  graph.setOutputsAttr(builder.getArrayAttr(roles));
  graph.setSymbolsAttr(builder.getArrayAttr(symbols.attributes()));
  for (const ModuleCallEntry &entry : program.moduleCallGraph) {
    if (entry.path.empty() && entry.signature) {
      graph.setInSpec(entry.signature->inSpec);
      graph.setOutSpec(entry.signature->outSpec);
    }
  }
  if (!specialized.empty()) {
    graph->setAttr("specialized", builder.getDictionaryAttr(specialized));
  }
  std::string invalid;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    invalid += "\n  " + printable(diagnostic.str());
    return success();
  });
  if (failed(verify(*module))) {
    return llvm::createStringError(printable(problems.archive) + " makes no valid graph:" + invalid);
  }
  return std::move(module);
}

} // namespace

llvm::Expected<OwningOpRef<ModuleOp>> importProgram(MLIRContext &context, const ExportedProgram &program,
                                                    const ImportOptions &options) {
  return ProgramImporter(context, program).run(options);
}

} // namespace graphmill::pt2
