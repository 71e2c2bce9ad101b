#include "tools/graphmill-tblgen/OpRecords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include <map>

using namespace llvm;

namespace graphmill::tblgen {

/// Kinds are the classes and definitions of AtenBase.td.
static Argument classify(const Record &op, StringRef name, const Record &type) {
  static constexpr StringLiteral kWithDefault[] = {"Scalar", "Int", "Float", "Bool", "Str", "Ints"};
  Argument argument{name.str(), "", false};
  for (StringRef kind : kWithDefault) {
    const Record *base = type.getRecords().getClass(kind);
    if (base && type.isSubClassOf(base)) {
      argument.kind = kind.str();
      argument.optional = true;
    }
  }
  if (argument.kind.empty()) {
    StringRef kind = type.getName();
    argument.optional = kind == "OptTensors" || kind == "Tensors" || kind == "Places" ||
                        (kind.starts_with("Opt") && kind.consume_front("Opt"));
    argument.kind = StringSwitch<std::string>(kind)
                        .Case("Fx_DimAttr", "SymInt")
                        .Case("Fx_DimsAttr", "SymInts")
                        .Case("TypeAttr", "Dtype")
                        .Cases({"Tensor", "Tensors", "OptTensors", "Places", "Scalar", "Int", "Float",
                                "Bool", "Str", "Ints", "Floats", "SymInt", "SymInts", "Dtype"},
                               kind.str())
                        .Default("");
  }
  if (argument.kind.empty()) {
    PrintFatalError(op.getLoc(), "argument '" + name + "' has type " + type.getName() +
                                     ", which is none of AtenBase.td's kinds of argument");
  }
  return argument;
}

/// `name(theirs=ours, theirs=, ours:=value)`
static Overload parseOverload(const Record &op, StringRef text) {
  auto [name, rest] = text.split('(');
  Overload overload{name.str(), {}, {}};
  if (!rest.empty() && !rest.consume_back(")")) {
    PrintFatalError(op.getLoc(), "overload '" + text + "' has no closing parenthesis");
  }
  SmallVector<StringRef> parts;
  rest.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [left, right] = part.split('=');
    left = left.trim();
    if (left.consume_back(":")) {
      overload.fixed.emplace_back(left.str(), right.trim().str());
    } else if (part.contains('=')) {
      overload.renames.emplace_back(left.str(), right.trim().str());
    } else {
      PrintFatalError(op.getLoc(), "overload '" + text + "': expected theirs=ours or ours:=value");
    }
  }
  return overload;
}

std::vector<OpRecord> readOpRecords(const RecordKeeper &keeper) {
  std::map<std::string, OpRecord> ops;
  std::map<std::string, const Record *> owners;
  for (const Record *op : keeper.getAllDerivedDefinitions("Aten_AnyOp")) {
    OpRecord record;
    record.mnemonic = op->getValueAsString("opName").str();
    record.summary = op->getValueAsString("summary").str();
    const DagInit *results = op->getValueAsDag("results");
    record.hasOneResult = results->getNumArgs() == 1 && cast<DefInit>(results->getArg(0))->getDef()->getName() == "Tensor";
    const DagInit *arguments = op->getValueAsDag("arguments");
    for (unsigned i = 0; i < arguments->getNumArgs(); ++i) {
      const Record &type = *cast<DefInit>(arguments->getArg(i))->getDef();
      record.arguments.push_back(classify(*op, arguments->getArgNameStr(i), type));
    }
    for (StringRef text : op->getValueAsListOfStrings("overloads")) {
      Overload overload = parseOverload(*op, text);
      for (auto &[theirs, ours] : overload.renames) {
        if (!ours.empty() && none_of(record.arguments, [&](auto &a) { return a.name == ours; })) {
          PrintFatalError(op->getLoc(), "overload '" + text + "': the op has no argument '" + ours + "'");
        }
      }
      if (auto [at, isNew] = owners.try_emplace(overload.name, op); !isNew) {
        PrintFatalError(op->getLoc(), "overload '" + overload.name + "' is also one of " + at->second->getName());
      }
      record.overloads.push_back(std::move(overload));
    }
    ops[record.mnemonic] = std::move(record);
  }
  std::vector<OpRecord> sorted;
  for (auto &[name, record] : ops) {
    sorted.push_back(std::move(record));
  }
  return sorted;
}

} // namespace graphmill::tblgen
