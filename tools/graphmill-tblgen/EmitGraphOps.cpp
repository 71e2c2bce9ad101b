#include "tools/graphmill-tblgen/EmitOpTable.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace graphmill::tblgen {

/// Words of C++ and methods of Graph that no op may be called.
static std::string methodName(StringRef mnemonic) {
  bool isTaken = StringSwitch<bool>(mnemonic)
                     .Cases({"input", "output", "parameter", "symbol", "emit", "errors", "print", "save", "load"}, true)
                     .Cases({"float", "double", "int", "bool", "and", "or", "not", "xor", "default", "for", "new"}, true)
                     .Default(false);
  return mnemonic.str() + (isTaken ? "_" : "");
}

static StringRef cppType(StringRef kind) {
  return StringSwitch<StringRef>(kind)
      .Case("Tensor", "Tensor")
      .Cases({"Tensors", "OptTensors"}, "std::vector<Tensor>")
      .Case("Scalar", "Number")
      .Case("Int", "int64_t")
      .Case("Float", "double")
      .Case("Bool", "bool")
      .Case("Str", "std::string")
      .Cases({"Ints", "Places"}, "std::vector<int64_t>")
      .Case("Floats", "std::vector<double>")
      .Case("SymInt", "Size")
      .Case("SymInts", "std::vector<Size>")
      .Case("Dtype", "Dtype")
      .Default("");
}

static bool isList(const Argument &argument) {
  return argument.kind == "Tensors" || argument.kind == "OptTensors" || argument.kind == "Places";
}

void emitGraphOps(ArrayRef<OpRecord> ops, raw_ostream &os) {
  os << "// Made from fx/Aten/*.td by graphmill-tblgen. Arguments that may be left out are\n"
        "// std::optional; std::nullopt means ATen's default.\n\n";
  for (const OpRecord &op : ops) {
    if (!op.summary.empty()) {
      os << "/// " << op.summary << "\n";
    }
    os << (op.hasOneResult ? "Tensor " : "std::vector<Tensor> ") << methodName(op.mnemonic) << "(";
    // Defaults only where all that follows has one.
    size_t firstDefault = op.arguments.size();
    while (firstDefault > 0 && op.arguments[firstDefault - 1].optional) {
      --firstDefault;
    }
    for (auto [i, argument] : enumerate(op.arguments)) {
      StringRef type = cppType(argument.kind);
      bool isOptional = argument.optional && !isList(argument);
      os << (isOptional ? "std::optional<" + type.str() + ">" : type.str()) << " " << argument.name;
      if (i >= firstDefault) {
        os << (isOptional ? " = std::nullopt" : " = {}");
      }
      os << ", ";
    }
    os << "SourceLine at = SourceLine::current()) {\n  std::vector<Value> arguments(" << op.arguments.size() << ");\n";
    for (auto [i, argument] : enumerate(op.arguments)) {
      if (argument.optional && !isList(argument)) {
        os << "  if (" << argument.name << ") {\n    arguments[" << i << "] = std::move(*" << argument.name << ");\n  }\n";
      } else {
        os << "  arguments[" << i << "] = std::move(" << argument.name << ");\n";
      }
    }
    os << "  return " << (op.hasOneResult ? "emitOne" : "emit") << "(\"" << op.mnemonic
       << "\", std::move(arguments), at);\n}\n";
  }
}

} // namespace graphmill::tblgen
