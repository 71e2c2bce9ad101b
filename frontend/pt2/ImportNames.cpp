#include "frontend/pt2/ImportNames.h"
#include "fx/Support/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

namespace graphmill::pt2 {
namespace {

/// How deep lists and objects are nested; strings are skipped. LLVM's parser has no limit, and calls
/// itself once a level.
size_t depthOf(llvm::StringRef json) {
  size_t depth = 0, deepest = 0;
  bool isInString = false;
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    if (isInString) {
      i += c == '\\';
      isInString = c != '"';
    } else if (c == '"') {
      isInString = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      depth -= depth > 0;
    }
  }
  return deepest;
}

/// The value; null if the text can't be read.
llvm::json::Value parseJson(llvm::StringRef text) {
  // Each level of nested inputs takes two.
  constexpr size_t kMaxDepth = 200;
  if (depthOf(text) > kMaxDepth) {
    return nullptr;
  }
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return nullptr;
  }
  return std::move(*parsed);
}

/// Pytree specs are `[version, {type, context, children_spec}]`, where context is JSON in
/// a string: a dict's keys, a named tuple's type.
class SpecWalker {
public:
  SpecWalker(const ExportedProgram &program, std::vector<std::string> &names) : program(program), names(names) {}

  void walk(const llvm::json::Value &spec, const std::string &path) {
    const llvm::json::Object *node = spec.getAsObject();
    const llvm::json::Array *children = node ? node->getArray("children_spec") : nullptr;
    if (!children) {
      valid = false;
      return;
    }
    if (!node->getString("type")) {
      names.push_back(path); // a leaf
      return;
    }
    std::vector<std::string> keys = keysOf(*node, children->size());
    for (size_t i = 0; i < children->size(); ++i) {
      walk((*children)[i], path.empty() ? keys[i] : path + "." + keys[i]);
    }
  }

  std::vector<std::string> keysOf(const llvm::json::Object &node, size_t count) const {
    std::vector<std::string> keys;
    llvm::StringRef context = node.getString("context").value_or("");
    llvm::json::Value parsed = parseJson(context);
    if (const llvm::json::Array *list = parsed.getAsArray()) {
      for (const llvm::json::Value &key : *list) {
        keys.push_back(key.getAsString() ? key.getAsString()->str() : llvm::formatv("{0}", key).str());
      }
    } else if (auto type = parsed.getAsString()) {
      for (const auto &[name, fields] : program.namedTupleFields) {
        if (name == *type) {
          keys = fields;
        }
      }
    }
    if (keys.size() != count) {
      keys.clear();
      for (size_t i = 0; i < count; ++i) {
        keys.push_back(std::to_string(i));
      }
    }
    return keys;
  }

  const ExportedProgram &program;
  std::vector<std::string> &names;
  bool valid = true;
};

const ModuleCallSignature *rootSignature(const ExportedProgram &program) {
  for (const ModuleCallEntry &entry : program.moduleCallGraph) {
    if (entry.path.empty() && entry.signature) {
      return &*entry.signature;
    }
  }
  return nullptr;
}

/// The spec's root; null if it can't be read.
llvm::json::Value parseSpec(llvm::StringRef text) {
  llvm::json::Value spec = parseJson(text);
  llvm::json::Array *list = spec.getAsArray();
  return list && list->size() == 2 ? std::move((*list)[1]) : llvm::json::Value(nullptr);
}

bool areDistinct(const std::vector<std::string> &names) {
  llvm::StringSet<> seen;
  for (const std::string &name : names) {
    if (name.empty() || !seen.insert(name).second) {
      return false;
    }
  }
  return true;
}

std::string valueName(const InputSpec &spec, const Argument &placeholder) {
  if (auto *tensor = placeholder.getIf<TensorArg>()) {
    return tensor->name;
  }
  if (auto *symInt = placeholder.getIf<SymIntArg>()) {
    if (auto *name = std::get_if<std::string>(&symInt->value)) {
      return *name;
    }
  }
  auto *constant = std::get_if<ConstantInput>(&spec);
  return constant ? constant->valueName : "";
}

} // namespace

static std::vector<std::string> printableAll(std::vector<std::string> names) {
  for (std::string &name : names) {
    name = printable(name);
  }
  return names;
}

std::vector<std::string> userInputNames(const ExportedProgram &program) {
  std::vector<std::string> placeholders;
  for (auto [spec, input] : llvm::zip(program.signature.inputs, program.graph.inputs)) {
    if (std::holds_alternative<UserInput>(spec) || std::holds_alternative<ConstantInput>(spec)) {
      placeholders.push_back(valueName(spec, input));
    }
  }
  const ModuleCallSignature *signature = rootSignature(program);
  if (!signature) {
    return printableAll(placeholders);
  }
  std::vector<std::string> names;
  SpecWalker walker(program, names);
  llvm::json::Value root = parseSpec(signature->inSpec);
  const llvm::json::Object *call = root.getAsObject();
  const llvm::json::Array *parts = call ? call->getArray("children_spec") : nullptr;
  const llvm::json::Object *args = parts && parts->size() == 2 ? (*parts)[0].getAsObject() : nullptr;
  const llvm::json::Array *positional = args ? args->getArray("children_spec") : nullptr;
  if (!positional) {
    return printableAll(placeholders);
  }
  for (size_t i = 0; i < positional->size(); ++i) {
    bool isNamed = i < signature->forwardArgNames.size();
    walker.walk((*positional)[i], isNamed ? signature->forwardArgNames[i] : "args." + std::to_string(i));
  }
  walker.walk((*parts)[1], "");
  bool fits = walker.valid && names.size() == placeholders.size() && areDistinct(names);
  return printableAll(fits ? names : placeholders);
}

std::vector<std::string> userOutputNames(const ExportedProgram &program) {
  size_t count = llvm::count_if(program.signature.outputs, [](const OutputSpec &spec) {
    return std::holds_alternative<UserOutput>(spec) || std::holds_alternative<LossOutput>(spec);
  });
  std::vector<std::string> names;
  if (const ModuleCallSignature *signature = rootSignature(program)) {
    SpecWalker walker(program, names);
    walker.walk(parseSpec(signature->outSpec), "");
    bool isNested = llvm::any_of(names, [](llvm::StringRef name) { return !name.empty() && !llvm::isDigit(name[0]); });
    if (walker.valid && names.size() == count && isNested && areDistinct(names)) {
      return printableAll(names);
    }
  }
  names.clear();
  for (size_t i = 0; i < count; ++i) {
    names.push_back("out" + std::to_string(i));
  }
  return names;
}

} // namespace graphmill::pt2
