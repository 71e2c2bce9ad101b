//===- FoldConstants.cpp - Constants computed by the evaluator -------------===//
//
// In the graph's order, each op of constants is evaluated. A value that is still a view
// (or a counter) of what the module owns is kept as such: only values that were computed,
// and that an op which stays reads, become tensors.
//
//===----------------------------------------------------------------------===//
#include "fx/Eval/Evaluate.h"
#include "fx/Transforms/ConstantTensors.h"
#include "fx/Transforms/Passes.h"

using namespace mlir;

namespace graphmill {

#define GEN_PASS_DEF_FOLDCONSTANTSPASS
#include "fx/Transforms/Passes.h.inc"

using eval::HostTensor;

namespace {
struct Known {
  HostTensor value;
  int64_t sourceBytes; ///< of the tensors that it is a view of, or of itself
  bool computed;       ///< not just read from what the module owns
};

struct FoldConstants : impl::FoldConstantsPassBase<FoldConstants> {
  using FoldConstantsPassBase::FoldConstantsPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto graph : getOperation().getOps<fx::GraphOp>()) {
      known.clear();
      ConstantTensors constants(graph);
      for (Operation &op : graph.getBlock().without_terminator()) {
        visit(&op, constants, symbols);
      }
      for (Operation &op : llvm::make_early_inc_range(graph.getBlock())) {
        replaceComputed(&op, symbols);
      }
    }
    known.clear();
    eraseUnused(getOperation());
  }

private:
  void visit(Operation *op, ConstantTensors &constants, SymbolTable &symbols) {
    if (op->getNumResults() == 0 || !constants.isConstant(op->getResult(0))) {
      return;
    }
    if (auto get = dyn_cast<fx::GetOp>(op)) {
      auto tensor = symbols.lookup<fx::TensorOp>(get.getTensor());
      if (auto value = consumeOr(HostTensor::of(tensor.getValue()))) {
        int64_t bytes = value->size() * value->width();
        if (isa<SplatElementsAttr>(tensor.getValue())) {
          bytes = std::min(bytes, kMaxSplatBytes); // what is made of one number may not fill the memory
        }
        known[get.getResult()] = {std::move(*value), bytes, false};
      }
      return;
    }
    std::vector<HostTensor> operands;
    int64_t sourceBytes = 0;
    bool computed = !isViewPrim(op) && !isa<prims::ConstantOp, prims::IotaOp, prims::SizeOp>(op);
    for (Value operand : op->getOperands()) {
      auto found = known.find(operand);
      if (found == known.end()) {
        return;
      }
      operands.push_back(found->second.value);
      sourceBytes += found->second.sourceBytes;
      // A view of a computed value is worth its memory, unless it repeats elements.
      computed |= found->second.computed && !isa<prims::BroadcastOp>(op);
    }
    if (!isWorthwhile(op, sourceBytes)) {
      return;
    }
    auto results = consumeOr(eval::evaluateOp(op, operands));
    if (!results) {
      return;
    }
    numFolded += computed;
    for (auto [result, value] : llvm::zip(op->getResults(), *results)) {
      int64_t bytes = computed ? value.size() * value.width() : sourceBytes;
      known[result] = {std::move(value), bytes, computed};
    }
  }

  template <typename T> static std::optional<T> consumeOr(llvm::Expected<T> value) {
    if (!value) { // what can't be computed now will be, or will be refused, by later stages
      llvm::consumeError(value.takeError());
      return std::nullopt;
    }
    return std::move(*value);
  }

  static constexpr int64_t kMaxSplatBytes = int64_t(1) << 28;

  bool isWorthwhile(Operation *op, int64_t sourceBytes) const {
    // Multiplications that take about 0.1 s. Convolutions of constants don't occur.
    constexpr int64_t kMaxProducts = int64_t(1) << 26;
    if (isViewPrim(op)) {
      return true;
    }
    if (isa<prims::ViewAsComplexOp>(op)) {
      return false; // a name for the user, not a value to keep
    }
    if (isa<prims::ConvolutionOp, prims::AttentionOp, prims::RecurrentOp>(op)) {
      return false;
    }
    int64_t bytes = 0;
    for (Value result : op->getResults()) {
      auto type = cast<RankedTensorType>(result.getType());
      int64_t own = eval::byteWidth(type.getElementType());
      for (int64_t size : type.getShape()) {
        if (llvm::MulOverflow(own, size, own)) {
          return false;
        }
      }
      if (llvm::AddOverflow(bytes, own, bytes)) {
        return false;
      }
    }
    if (auto matmul = dyn_cast<prims::MatmulOp>(op)) {
      if (matmul.getResult().getType().getNumElements() * matmul.getLhs().getType().getShape().back() > kMaxProducts) {
        return false;
      }
    }
    return bytes <= sourceBytes + maxGrowth;
  }

  /// Operands of an op that stays: computed ones become tensors.
  void replaceComputed(Operation *op, SymbolTable &symbols) {
    bool goes = op->getNumResults() > 0 && known.contains(op->getResult(0)) && known[op->getResult(0)].computed;
    if (goes) {
      return;
    }
    for (OpOperand &operand : op->getOpOperands()) {
      auto found = known.find(operand.get());
      if (found == known.end() || !found->second.computed) {
        continue;
      }
      Value &replacement = replacements[operand.get()];
      if (!replacement) {
        replacement = materialize(operand.get(), found->second.value, symbols);
      }
      operand.set(replacement);
    }
  }

  Value materialize(Value value, const HostTensor &computed, SymbolTable &symbols) {
    Operation *op = value.getDefiningOp();
    OpBuilder builder(op);
    auto type = cast<RankedTensorType>(value.getType());
    HostTensor dense = computed.contiguous();
    ElementsAttr attr = asAttr(type, dense, nameOf(op));
    if (isa<SplatElementsAttr>(attr)) {
      return prims::ConstantOp::create(builder, op->getLoc(), type, attr);
    }
    OpBuilder atModule(&getContext());
    auto tensor = fx::TensorOp::create(atModule, op->getLoc(), nameOf(op), fx::TensorKind::Constant, attr, /*packing=*/nullptr);
    symbols.insert(tensor, getOperation().getBody()->begin());
    ++numTensors;
    return fx::GetOp::create(builder, op->getLoc(), type, tensor.getSymName());
  }

  /// The node's name in the user's graph, else the op's.
  static std::string nameOf(Operation *op) {
    if (auto name = op->getLoc()->findInstanceOf<NameLoc>()) {
      return name.getName().str();
    }
    return "folded_" + op->getName().stripDialect().str();
  }

  ElementsAttr asAttr(RankedTensorType type, const HostTensor &dense, const std::string &name) const {
    // Larger ones are no text to read and no attribute to hash.
    constexpr int64_t kMaxInline = 16;
    ArrayRef<char> bytes = dense.bytes();
    size_t width = dense.width();
    bool isSplat = dense.size() > 0;
    for (size_t at = width; isSplat && at < bytes.size(); at += width) {
      isSplat = std::memcmp(bytes.data(), bytes.data() + at, width) == 0;
    }
    if (type.getElementType().isInteger(1)) {
      if (isSplat) {
        return DenseElementsAttr::get(type, bytes[0] != 0);
      }
    } else if (isSplat || dense.size() <= kMaxInline) {
      return DenseElementsAttr::getFromRawBuffer(type, isSplat ? bytes.take_front(width) : bytes);
    }
    // The attribute owns the evaluator's memory.
    auto release = [storage = dense.storage](void *, size_t, size_t) mutable { storage.reset(); };
    AsmResourceBlob blob = dense.storage
                               ? AsmResourceBlob(bytes, 64, std::move(release), /*dataIsMutable=*/false)
                               : HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 64, /*dataIsMutable=*/false);
    return DenseResourceElementsAttr::get(type, name, std::move(blob));
  }

  llvm::DenseMap<Value, Known> known;
  llvm::DenseMap<Value, Value> replacements;
};
} // namespace

} // namespace graphmill
