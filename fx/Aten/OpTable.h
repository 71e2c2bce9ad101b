//===- OpTable.h - Which ATen overload is which op -------------------------===//
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace graphmill::aten {

/// What an argument takes, by the names of ATen's schemas.
enum class ArgumentKind {
  Tensor,
  Tensors,
  /// `Tensor?[]`: the tensors that are there; a `Places` argument says where.
  OptTensors,
  /// Positions in the list of the preceding OptTensors.
  Places,
  Scalar,
  Int,
  Float,
  Bool,
  Str,
  Ints,
  Floats,
  SymInt,
  SymInts,
  Dtype,
};

struct ArgumentRecord {
  llvm::StringRef name;
  ArgumentKind kind;
  bool isOptional;
};
struct Rename {
  llvm::StringRef theirs;
  /// Empty: the argument doesn't matter here.
  llvm::StringRef ours;
};
struct FixedArgument {
  llvm::StringRef name;
  /// "0", "1.0", "true" or a word.
  llvm::StringRef value;
};
/// An overload of ATen and the op that stands for it, as the records say.
struct OverloadRecord {
  llvm::StringRef name;
  llvm::StringRef op;
  llvm::ArrayRef<ArgumentRecord> arguments;
  llvm::ArrayRef<Rename> renames;
  llvm::ArrayRef<FixedArgument> fixed;

  /// Whether it writes its first argument's elements: `add_`, `__iand__`.
  bool isInPlace() const;
  /// Whether it gives its first argument another shape: `unsqueeze_`.
  bool reshapesInPlace() const;
  /// Whether it writes the argument `out`.
  bool isOut() const { return name.ends_with(".out") || name.ends_with("_out"); }
  /// The op's argument that `theirs` is; null if it doesn't matter or isn't known
  /// (`isKnown` tells which).
  const ArgumentRecord *findArgument(llvm::StringRef theirs, bool &isKnown) const;
};

/// By name, "add.Tensor"; null if there is no record.
const OverloadRecord *findOverload(llvm::StringRef name);
llvm::ArrayRef<OverloadRecord> allOverloads();

} // namespace graphmill::aten
