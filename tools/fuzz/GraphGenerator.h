//===- GraphGenerator.h - Random small graphs of prims ---------------------===//
#pragma once
#include "fx/Eval/HostTensor.h"
#include "fx/Prims/PrimsDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

namespace graphmill::fuzz {

struct GeneratedGraph {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<eval::HostTensor> inputs;
  /// Whether an output has the same bits whoever computes it.
  std::vector<bool> isExact;
};

/// A graph that a seed and a number of ops decide: that of fewer ops is its beginning, so
/// that a failing one can be cut down. Values stay small and in range: what differs is a
/// bug, not rounding.
class GraphGenerator {
public:
  GraphGenerator(mlir::MLIRContext *context, uint64_t seed) : context(context), builder(context), state(seed * 2 + 1) {}
  GeneratedGraph generate(unsigned numOps);

private:
  struct Node {
    mlir::Value value;
    bool exact;
    unsigned uses = 0;
  };

  // Randomness.
  uint64_t next();
  unsigned below(unsigned n) { return next() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename T> T pick(llvm::ArrayRef<T> values) { return values[below(values.size())]; }

  // Types.
  Dim randomDim();
  mlir::Type randomElement();
  int64_t sizeOf(Dim dim);
  static bool isFloat(mlir::Value value) { return llvm::isa<mlir::FloatType>(getElement(value)); }
  static int64_t rankOf(mlir::Value value) { return dimsOf(value).size(); }
  bool isSmall(llvm::ArrayRef<Dim> dims);

  // Values.
  Node &pickNode();
  eval::HostTensor randomTensor(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  Node addInput(llvm::ArrayRef<Dim> dims, mlir::Type element);
  /// A tensor that the module owns, or an input.
  Node addWeight(llvm::ArrayRef<Dim> dims, mlir::Type element);
  mlir::Value constant(llvm::ArrayRef<int64_t> shape, mlir::Type element, llvm::ArrayRef<int64_t> values);
  mlir::Value numberLike(mlir::Value like, int64_t value);
  /// Another value of this type: made from one at hand by a broadcast or a conversion if possible.
  Node partnerOf(const Node &node);
  mlir::Value convert(mlir::Value value, mlir::Type element);
  mlir::Value broadcastTo(mlir::Value value, llvm::ArrayRef<Dim> dims);
  mlir::Value indices(int64_t bound, llvm::ArrayRef<int64_t> shape);

  // One op, or nothing if it doesn't suit; each in the file of its family.
  using Rule = std::optional<Node> (GraphGenerator::*)();
  std::optional<Node> unary();
  std::optional<Node> binary();
  std::optional<Node> compareSelect();
  std::optional<Node> conversion();
  std::optional<Node> broadcast();
  std::optional<Node> reshape();
  std::optional<Node> transpose();
  std::optional<Node> slice();
  std::optional<Node> pad();
  std::optional<Node> concatenate();
  std::optional<Node> reverse();
  std::optional<Node> reduce();
  std::optional<Node> argReduce();
  std::optional<Node> reduceWindow();
  std::optional<Node> scan();
  std::optional<Node> sort();
  std::optional<Node> index();
  std::optional<Node> scatter();
  std::optional<Node> matmul();
  std::optional<Node> convolution();
  std::optional<Node> softmax();
  std::optional<Node> attention();
  std::optional<Node> recurrent();

  template <typename Op, typename... Args> mlir::Value make(llvm::ArrayRef<Dim> dims, mlir::Type element, Args &&...args) {
    return Op::create(builder, builder.getUnknownLoc(), getTensorType(dims, element), std::forward<Args>(args)...);
  }
  template <typename Op> mlir::Value pointwise(mlir::Value x) {
    return Op::create(builder, builder.getUnknownLoc(), x.getType(), x);
  }
  template <typename Op> mlir::Value pointwise(mlir::Value x, mlir::Value y) {
    return Op::create(builder, builder.getUnknownLoc(), x.getType(), x, y);
  }
  Dim dim(int64_t size) { return constantDim(context, size); }

  mlir::MLIRContext *context;
  mlir::OpBuilder builder;
  uint64_t state;
  llvm::SmallVector<int64_t> symbols;
  mlir::Block *body = nullptr;
  mlir::ModuleOp module;
  /// Inputs hold NaN, infinities, denormals and the integers' extremes.
  bool isSpecial = false;
  std::vector<Node> nodes;
  std::vector<eval::HostTensor> inputs;
};

} // namespace graphmill::fuzz
