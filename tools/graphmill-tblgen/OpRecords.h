//===- OpRecords.h - Aten op records as plain structs ----------------------===//
#pragma once
#include <string>
#include <vector>

namespace llvm {
class Record;
class RecordKeeper;
} // namespace llvm

namespace graphmill::tblgen {

/// One argument of a record: `Ints<"{1}">:$stride`.
struct Argument {
  std::string name;
  /// An enumerator of aten::ArgumentKind.
  std::string kind;
  /// May be absent: it has a default, or "none" is a value of it.
  bool optional = false;
};

/// An entry of a record's `overloads`: `expand_as.default(other=, size:=…)`.
struct Overload {
  std::string name;
  /// The overload's name for an argument, the op's (empty: ignored).
  std::vector<std::pair<std::string, std::string>> renames;
  /// The op's name for an argument, the number that this overload means by it.
  std::vector<std::pair<std::string, std::string>> fixed;
};

struct OpRecord {
  /// "add", without the dialect.
  std::string mnemonic;
  std::string summary;
  std::vector<Argument> arguments;
  /// Gives exactly one tensor.
  bool hasOneResult = true;
  std::vector<Overload> overloads;
};

/// All records of class `Aten_AnyOp`, by mnemonic. Mistakes are reported as TableGen
/// errors at the record.
std::vector<OpRecord> readOpRecords(const llvm::RecordKeeper &keeper);

} // namespace graphmill::tblgen
