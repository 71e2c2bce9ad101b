//===- ComplexSplit.h - One function an op on complex numbers --------------===//
#pragma once
#include "aot_autograd/Complex/ComplexNumbers.h"
#include "fx/Aten/AtenDialect.h"
#include "fx/Aten/Rules.h"
#include "llvm/ADT/StringMap.h"

namespace graphmill {

/// What a split of one op sees: its operands in parts, and a builder in front of it.
class ComplexSplit {
public:
  using Parts = llvm::DenseMap<mlir::Value, Complex>;

  ComplexSplit(PrimBuilder &b, const Parts &parts) : b(b), parts(parts) {}
  PrimBuilder &b;

  /// A complex value's parts, or the real value itself.
  Complex of(mlir::Value value) const {
    auto found = parts.find(value);
    return found == parts.end() ? Complex{value, {}} : found->second;
  }
  /// The parts as a real dtype; numbers become tensors.
  Complex as(mlir::Value value, mlir::Type element) const {
    Complex z = of(value);
    return {b.convert(z.re, element), z.im ? b.convert(z.im, element) : mlir::Value()};
  }
  /// Zeros like a part of a value; for numbers the number 0.
  mlir::Value zeroLike(mlir::Value part) const;
  /// The same op on real operands, with real results.
  mlir::Operation *realTwin(mlir::Operation *op, mlir::ValueRange operands) const;

private:
  const Parts &parts;
};

/// The functions that turn ops on complex numbers into ops on their parts.
class ComplexFunctions {
public:
  using Results = llvm::SmallVector<Complex>;
  using Function = Results (*)(ComplexSplit &, mlir::Operation *);

  /// For ops with a complex operand or result; others of that name stay.
  template <typename Op, Results (*function)(ComplexSplit &, Op)> void add() {
    insert(Op::getOperationName(), [](ComplexSplit &s, mlir::Operation *op) { return function(s, mlir::cast<Op>(op)); }, false);
  }
  /// For ops that are always split.
  template <typename Op, Results (*function)(ComplexSplit &, Op)> void addOwn() {
    insert(Op::getOperationName(), [](ComplexSplit &s, mlir::Operation *op) { return function(s, mlir::cast<Op>(op)); }, true);
  }
  /// One function for several ops.
  template <Function function, typename... Ops> void addAll() { (insert(Ops::getOperationName(), function, false), ...); }

  struct Entry {
    Function function;
    bool isOwn;
  };
  const Entry *find(llvm::StringRef name) const {
    auto found = entries.find(name);
    return found == entries.end() ? nullptr : &found->second;
  }

private:
  void insert(llvm::StringRef name, Function function, bool isOwn) { entries[name] = {function, isOwn}; }
  llvm::StringMap<Entry> entries;
};

// One file each, by subject.
void addComplexArithmetic(ComplexFunctions &functions);
void addComplexShapes(ComplexFunctions &functions);
void addFourierTransforms(ComplexFunctions &functions);
void addShortTimeFourier(ComplexFunctions &functions);

/// Of all of them.
void addAllComplexFunctions(ComplexFunctions &functions);

/// The real dtype of an op's first result.
inline mlir::Type resultPart(mlir::Operation *op) { return aten::rules::partOf(getElement(op->getResult(0))); }

} // namespace graphmill
