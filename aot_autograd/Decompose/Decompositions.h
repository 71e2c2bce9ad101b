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
void addActivationDecompositions(Decompositions &decompositions);
void addBackwardDecompositions(Decompositions &decompositions);
void addCreationDecompositions(Decompositions &decompositions);
void addDataSizeDecompositions(Decompositions &decompositions);
void addEmbeddingDecompositions(Decompositions &decompositions);
void addIndexingDecompositions(Decompositions &decompositions);
void addJoinDecompositions(Decompositions &decompositions);
void addLossDecompositions(Decompositions &decompositions);
void addNormDecompositions(Decompositions &decompositions);
void addPadDecompositions(Decompositions &decompositions);
void addPointwiseDecompositions(Decompositions &decompositions);
void addPoolBackwardDecompositions(Decompositions &decompositions);
void addPoolDecompositions(Decompositions &decompositions);
void addProductDecompositions(Decompositions &decompositions);
void addRandomDecompositions(Decompositions &decompositions);
void addRecurrentDecompositions(Decompositions &decompositions);
void addReductionDecompositions(Decompositions &decompositions);
void addResampleDecompositions(Decompositions &decompositions);
void addScatterDecompositions(Decompositions &decompositions);
void addShapeDecompositions(Decompositions &decompositions);
void addSortDecompositions(Decompositions &decompositions);
void addSpecialDecompositions(Decompositions &decompositions);
void addStructuredDecompositions(Decompositions &decompositions);
void addTransformerDecompositions(Decompositions &decompositions);

/// Of all of them.
void addAllDecompositions(Decompositions &decompositions);

/// The type of the op's first result: where a decomposition starts from.
inline mlir::RankedTensorType resultTypeOf(mlir::Operation *op) {
  return mlir::cast<mlir::RankedTensorType>(op->getResult(0).getType());
}
/// `dim` counted from the front.
inline int64_t fromFront(int64_t dim, int64_t rank) { return dim < 0 ? dim + std::max<int64_t>(rank, 1) : dim; }

inline mlir::Type resultElement(mlir::Operation *op) { return resultTypeOf(op).getElementType(); }
inline Dims resultDims(mlir::Operation *op) { return dimsOf(resultTypeOf(op)); }
/// Sorted dims counted from the front; all if none are given.
llvm::SmallVector<int64_t> reducedDims(mlir::Value self, std::optional<llvm::ArrayRef<int64_t>> dims);
/// Operands in one dtype, broadcast to the shape of the op's result.
llvm::SmallVector<mlir::Value> promoted(PrimBuilder &b, mlir::Operation *op, mlir::ValueRange operands, mlir::Type element);
llvm::SmallVector<mlir::Value> promoted(PrimBuilder &b, mlir::Operation *op);
/// Anything but zero is true.
inline mlir::Value truth(PrimBuilder &b, mlir::Value x) { return b.convert(x, b.boolean()); }
/// A formula of the op's first operand. float16 and bfloat16 compute in float32, rounding
/// once at the end.
template <typename Op, mlir::Value (*formula)(PrimBuilder &, mlir::Value)>
mlir::Value formulaOf(PrimBuilder &b, Op op) {
  mlir::Type element = resultElement(op);
  return b.convert(formula(b, b.convert(op->getOperand(0), b.opmath(element))), element);
}
/// x^exponent; by multiplication or roots where eager does so.
mlir::Value power(PrimBuilder &b, mlir::Value x, double exponent);
/// A `Scalar` as a double; nothing if it is symbolic.
std::optional<double> numberOf(mlir::Attribute scalar);

} // namespace graphmill
