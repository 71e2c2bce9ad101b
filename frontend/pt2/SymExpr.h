#pragma once
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace graphmill::pt2 {

/// What a node of a symbolic expression is. Sympy's and torch's many spellings
/// of one thing (`Eq`, `Equality`, `==`) are one operator here.
enum class SymOp {
  // Leaves.
  Integer,  ///< `value`
  Rational, ///< `value` / `denominator`, in lowest terms, denominator > 1
  Float,    ///< `number`
  Boolean,  ///< `value` is 0 or 1
  Infinity, ///< `value` is 1 or -1
  Symbol,   ///< `name`
  // Arithmetic. a - b is Add(a, Mul(-1, b)).
  Add,
  Mul,
  Pow,
  Abs,
  Max,
  Min,
  FloorDiv,
  CeilDiv,
  TrueDiv,
  /// Remainder of operands known not to be negative.
  Mod,
  /// Remainder with the divisor's sign.
  PythonMod,
  /// (x floordiv d) mod m
  ModularIndexing,
  ShiftLeft,
  ShiftRight,
  // Between integers and floats.
  ToFloat,
  Floor,
  Ceil,
  Trunc,
  Round,
  Sqrt,
  // Truth.
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  And,
  Or,
  Not,
  /// Where(condition, then, else)
  Where,
  Piecewise,
  /// (value, condition), an operand of Piecewise.
  Pair,
  /// A function this reader doesn't know; `name` says which, so that whoever
  /// needs
  /// its meaning can report it.
  Call,
};

/// A symbolic expression as torch's serializer writes it: today sympy's `srepr`
/// ("Mul(Integer(2), Symbol('s0', positive=True, integer=True))"), in older
/// archives, range tables and guards its `str` ("2*s0").
struct SymExpr {
  SymOp op = SymOp::Integer;
  int64_t value = 0;
  int64_t denominator = 1;
  double number = 0;
  /// The symbol's or the unknown function's.
  std::string name;
  std::vector<SymExpr> operands;

  bool operator==(const SymExpr &) const = default;

  /// Prefix form with short names: `Add(s0, Mul(-1, s1))`.
  std::string str() const;
};

/// Parses either form. The error says what is wrong at which column; it names
/// no file, which the caller does.
llvm::Expected<SymExpr> parseSymExpr(llvm::StringRef text);

} // namespace graphmill::pt2
