//===- Decompositions.h - One function an ATen op --------------------------===//
#pragma once
#include "aot_autograd/Decompose/PrimBuilder.h"
#include "fx/Aten/AtenDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace graphmill {

/// The rewrite patterns that turn ATen ops into prims. A function returns the op's
/// results, or nothing after it has reported at the op why it can't.
class Decompositions {
public:
  using Results = llvm::SmallVector<mlir::Value>;
  using Function = Results (*)(PrimBuilder &, mlir::Operation *);

  explicit Decompositions(mlir::RewritePatternSet &patterns) : patterns(patterns) {}

  /// Several results.
  template <typename Op, Results (*function)(PrimBuilder &, Op)> void addMany() {
    insert(Op::getOperationName(), [](PrimBuilder &b, mlir::Operation *op) {
      return function(b, mlir::cast<Op>(op));
    });
  }
  /// One result.
  template <typename Op, mlir::Value (*function)(PrimBuilder &, Op)> void add() {
    insert(Op::getOperationName(), [](PrimBuilder &b, mlir::Operation *op) {
      mlir::Value result = function(b, mlir::cast<Op>(op));
      return result ? Results{result} : Results{};
    });
  }

private:
  void insert(mlir::StringRef name, Function function);
  mlir::RewritePatternSet &patterns;
};

// One file each, by subject.
void addPointwiseDecompositions(Decompositions &decompositions);
void addShapeDecompositions(Decompositions &decompositions);
void addNormDecompositions(Decompositions &decompositions);
void addStructuredDecompositions(Decompositions &decompositions);

/// The type of the op's first result: where a decomposition starts from.
inline mlir::RankedTensorType resultTypeOf(mlir::Operation *op) {
  return mlir::cast<mlir::RankedTensorType>(op->getResult(0).getType());
}
/// `dim` counted from the front.
inline int64_t fromFront(int64_t dim, int64_t rank) { return dim < 0 ? dim + std::max<int64_t>(rank, 1) : dim; }

} // namespace graphmill
