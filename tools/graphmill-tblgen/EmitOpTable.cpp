#include "tools/graphmill-tblgen/EmitOpTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace graphmill::tblgen {

static std::string identifier(StringRef name) {
  std::string text = name.str();
  for (char &c : text) {
    c = isAlnum(c) ? c : '_';
  }
  return text;
}

static void emitPairs(StringRef array, StringRef type, ArrayRef<std::pair<std::string, std::string>> pairs,
                      raw_ostream &os) {
  if (pairs.empty()) {
    return;
  }
  os << "static const " << type << ' ' << array << "[] = {";
  for (auto &[first, second] : pairs) {
    os << "{\"" << first << "\", \"" << second << "\"}, ";
  }
  os << "};\n";
}

void emitOpTable(ArrayRef<OpRecord> ops, raw_ostream &os) {
  os << "// Made by graphmill-tblgen from AtenOps.td.\n";
  for (const OpRecord &op : ops) {
    std::string id = identifier(op.mnemonic);
    os << "static const ArgumentRecord args_" << id << "[] = {";
    for (const Argument &a : op.arguments) {
      os << "{\"" << a.name << "\", ArgumentKind::" << a.kind << ", " << (a.optional ? "true" : "false") << "}, ";
    }
    // An array of no elements isn't C++.
    os << (op.arguments.empty() ? "{}" : "") << "};\n";
    for (const Overload &overload : op.overloads) {
      emitPairs("renames_" + identifier(overload.name), "Rename", overload.renames, os);
      emitPairs("fixed_" + identifier(overload.name), "FixedArgument", overload.fixed, os);
    }
  }
  os << "static const OverloadRecord kOverloads[] = {\n";
  for (const OpRecord &op : ops) {
    for (const Overload &overload : op.overloads) {
      std::string id = identifier(overload.name);
      os << "  {\"" << overload.name << "\", \"aten." << op.mnemonic << "\", ";
      if (op.arguments.empty()) {
        os << "{}, ";
      } else {
        os << "args_" << identifier(op.mnemonic) << ", ";
      }
      os << (overload.renames.empty() ? "{}" : "renames_" + id) << ", "
         << (overload.fixed.empty() ? "{}" : "fixed_" + id) << "},\n";
    }
  }
  os << "};\n";
}

void emitOpReference(ArrayRef<OpRecord> ops, raw_ostream &os) {
  size_t overloads = 0;
  for (const OpRecord &op : ops) {
    overloads += op.overloads.size();
  }
  os << "# ATen ops\n\nMade from the records in `fx/Aten/*.td` by graphmill-tblgen; don't edit. " << ops.size()
     << " ops, " << overloads
     << " overloads. Every op has a shape and dtype rule and a decomposition into prims "
        "(`aot_autograd/unittests` fails on one without); `tests/ops` compares the core overloads and the commonest others with eager.\n\n"
        "| op | overloads | what it computes |\n|---|---|---|\n";
  for (const OpRecord &op : ops) {
    os << "| `aten." << op.mnemonic << "` | ";
    interleaveComma(op.overloads, os, [&](const Overload &o) { os << '`' << o.name << '`'; });
    std::string summary = op.summary;
    for (size_t at = 0; (at = summary.find('|', at)) != std::string::npos; at += 2) {
      summary.replace(at, 1, "\\|");
    }
    os << " | " << summary << " |\n";
  }
}

} // namespace graphmill::tblgen
