//===- ImportSymbols.h - Symbolic sizes as affine expressions --------------===//
#pragma once
#include "frontend/pt2/ExportedProgram.h"
#include "fx/IR/FxDialect.h"

namespace graphmill::pt2 {

/// The graph's symbols and what is known of them.
class ImportSymbols {
public:
  ImportSymbols(mlir::MLIRContext *context, const ExportedProgram &program);

  /// Numbers the symbols of an input's size that have none yet.
  void define(const SymInt &size);
  /// Whether a size has a symbol that no input's size has told: it comes from the data.
  bool comesFromData(const SymInt &size) const;
  /// Numbers the symbols of a size that an op gets from its data.
  void defineFromData(const SymInt &size);
  /// The range of a symbol is known and small enough to plan memory for.
  std::optional<int64_t> upperBound(llvm::StringRef name) const;
  /// The error says which part of the expression isn't a size that can be computed from
  /// the inputs' sizes by +, *, floordiv, ceildiv and mod.
  llvm::Expected<Dim> convert(const SymInt &size) const;
  /// The number, if the expression is one for all sizes allowed.
  std::optional<double> evaluate(const SymExpr &expr) const;
  std::optional<bool> decide(const SymExpr &condition) const;

  /// Of all symbols, in order: `fx.graph`'s list.
  llvm::SmallVector<mlir::Attribute> attributes() const;

private:
  struct Symbol {
    std::string name;
    int64_t min = 0, max = INT64_MAX;
    bool isFromData = false;
  };
  /// numerator / denominator, denominator > 0.
  struct Fraction {
    Dim numerator;
    int64_t denominator = 1;
  };
  struct Interval {
    double low, high;
  };
  void defineIn(const SymExpr &expr);
  /// Nothing if a part, which `problem` then names, has no affine form.
  std::optional<Fraction> lower(const SymExpr &expr, std::string &problem) const;
  std::optional<Fraction> lowerOperation(const SymExpr &expr, llvm::ArrayRef<Fraction> x,
                                         std::string &problem) const;
  std::optional<Fraction> lowerPower(const Fraction &base, const SymExpr &exponent) const;
  std::optional<Fraction> choose(const SymExpr &expr, std::string &problem) const;
  Interval boundsOf(Dim dim) const;
  Interval boundsOfDifference(const Fraction &a, const Fraction &b) const;

  mlir::MLIRContext *context;
  const ExportedProgram &program;
  std::vector<Symbol> symbols;
  llvm::StringMap<unsigned> index;
};

} // namespace graphmill::pt2
