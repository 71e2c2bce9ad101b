//===- ImportNodes.h - Nodes of a graph as ops -----------------------------===//
#pragma once
#include "frontend/pt2/ImportSymbols.h"
#include "frontend/pt2/Importer.h"
#include "fx/Aten/OpTable.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/IR/Builders.h"

namespace graphmill::pt2 {

/// What is wrong with a program, collected: one error reports all.
struct ImportProblems {
  struct Unknown {
    unsigned count = 0;
    std::string firstPlace;
  };
  /// Where the program is: for what has no place in it.
  std::string archive;
  std::vector<std::string> messages;
  /// Targets that no record has, in the order met.
  llvm::MapVector<llvm::StringRef, Unknown> unknown;

  llvm::Error take(const ImportOptions &options) const;
};

class NodeImporter {
public:
  /// The values of one graph by SSA name. Subgraphs have scopes of their own.
  struct Scope {
    const Graph &graph;
    llvm::StringMap<mlir::Value> values;
    /// A value that isn't made until it's used: weights.
    llvm::StringMap<std::function<mlir::Value()>> pending;
    /// Numbers read from tensors (`item`), and number inputs, as 0-d tensors.
    llvm::StringMap<mlir::Value> numbers;
    /// The same by the symbols that stand for them in the archive's expressions.
    llvm::StringMap<mlir::Value> symbolNumbers;
  };

  NodeImporter(mlir::OpBuilder &builder, ImportSymbols &symbols, ImportProblems &problems)
      : builder(builder), symbols(symbols), problems(problems) {}

  void importNodes(Scope &scope);
  mlir::Value lookup(Scope &scope, llvm::StringRef name);
  /// The archive's type of a value; null (and a problem) if it has no meta data.
  mlir::RankedTensorType typeOf(const Scope &scope, llvm::StringRef name);
  /// A tensor, or a number in a tensor's place; null after a problem.
  mlir::Value importTensor(Scope &scope, const Argument &argument);
  void report(mlir::Location loc, const llvm::Twine &what);

private:
  void importNode(Scope &scope, const Node &node);
  bool isDropped(const Scope &scope, const Node &node) const;
  void importHigherOrder(Scope &scope, const Node &node, llvm::StringRef name);
  void inlineGraph(Scope &scope, const Node &node, unsigned graphInput);
  void importCall(Scope &scope, const Node &node);
  void addPlaceholder(Scope &scope, const Node &node);
  void importRecorded(Scope &scope, const Node &node, const aten::OverloadRecord &record);

  // ImportNumbers.cpp
  void importItem(Scope &scope, const Node &node);
  /// The number that an expression over numbers read from tensors is; null if it has none.
  mlir::Value importExpression(Scope &scope, const SymExpr &expr);
  /// `full` and kin of a number that comes from the data; whether it was one.
  bool importFilled(Scope &scope, const Node &node, const aten::OverloadRecord &record);
  mlir::Value numberOf(mlir::Attribute value, mlir::Type element);

  // ImportArguments.cpp
  bool addArguments(Scope &scope, const Node &node, const aten::OverloadRecord &record,
                    mlir::OperationState &state);
  bool addArgument(Scope &scope, const aten::ArgumentRecord &record, const Argument *argument,
                   mlir::OperationState &state, llvm::SmallVectorImpl<int32_t> &segments);
  mlir::Attribute importAttribute(Scope &scope, aten::ArgumentKind kind, const Argument &argument);
  std::optional<Dim> importDim(Scope &scope, const Argument &argument);
  std::optional<Dim> importDim(Scope &scope, const SymIntArg &argument);
  std::optional<llvm::SmallVector<Dim>> importDims(Scope &scope, const Argument &argument);
  mlir::Attribute importNumber(Scope &scope, const Argument &argument);
  mlir::Attribute importFloats(const Argument &argument);
  bool addCount(Scope &scope, const Node &node, const aten::OverloadRecord &record, mlir::OperationState &state);
  bool addOptionalTensors(Scope &scope, const aten::ArgumentRecord &record, const Argument &argument,
                          mlir::OperationState &state, int32_t &count);

  bool inferTypes(const Scope &scope, mlir::Operation *op, llvm::ArrayRef<llvm::StringRef> outputs, bool isInPlace);
  void bindResults(Scope &scope, const Node &node, mlir::ValueRange values);

  mlir::OpBuilder &builder;
  ImportSymbols &symbols;
  ImportProblems &problems;
  /// Of the node being imported.
  mlir::Location loc = builder.getUnknownLoc();
};

/// The names of a node's tensor outputs, lists flattened; "" for ones that are None.
llvm::SmallVector<llvm::StringRef> tensorOutputs(const Node &node);

} // namespace graphmill::pt2
