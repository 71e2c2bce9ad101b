#include "codegen/cpu/BuildPlan.h"
#include "codegen/cpu/EmitTemplates.h"
#include "codegen/cpu/PackedWeight.h"
#include "fx/Aten/Promotion.h"
#include "inductor/Analysis/KernelInfo.h"
#include "fx/Prims/PrimsDialect.h"

using namespace mlir;

namespace graphmill::cpu {

std::optional<host::Dtype> dtypeOf(Type element) {
  using host::Dtype;
  if (element.isF32()) { return Dtype::F32; }
  if (element.isF64()) { return Dtype::F64; }
  if (element.isF16()) { return Dtype::F16; }
  if (element.isBF16()) { return Dtype::BF16; }
  if (element.isInteger(1)) { return Dtype::Bool; }
  if (element.isUnsignedInteger(8)) { return Dtype::U8; }
  if (element.isSignlessInteger(8)) { return Dtype::I8; }
  if (element.isSignlessInteger(16)) { return Dtype::I16; }
  if (element.isSignlessInteger(32)) { return Dtype::I32; }
  if (element.isSignlessInteger(64)) { return Dtype::I64; }
  if (auto complex = dyn_cast<ComplexType>(element)) {
    return complex.getElementType().isF32()   ? std::optional(Dtype::C64)
           : complex.getElementType().isF64() ? std::optional(Dtype::C128)
                                              : std::nullopt;
  }
  return std::nullopt;
}

static AffineExpr exactBytesOf(Value value) {
  return simplify(product(value.getContext(), dimsOf(value)) * static_cast<int64_t>(sizeOf(getElement(value))));
}

static AffineExpr bytesOf(Value value) {
  // 64: a cache line, and what vector code may read past the end.
  return simplify(exactBytesOf(value).ceilDiv(64) * 64);
}

/// The largest value as symbols from the data go from 0 to their bounds, which are put in for
/// them later: what grows with such a symbol keeps it, what shrinks gets 0.
static AffineExpr largest(AffineExpr expr, const llvm::SmallDenseSet<unsigned> &fromData, bool wantsLargest = true) {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    bool isSmallest = !wantsLargest && fromData.contains(symbol.getPosition());
    return isSmallest ? constantDim(expr.getContext(), 0) : expr;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  bool depends = llvm::any_of(fromData, [&](unsigned s) { return expr.isFunctionOfSymbol(s); });
  if (!binary || !depends) {
    return expr;
  }
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  std::optional<int64_t> factor = getStatic(rhs);
  auto bound = [&](AffineExpr e, bool side) { return largest(e, fromData, side); };
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return bound(lhs, wantsLargest) + bound(rhs, wantsLargest);
  case AffineExprKind::Mul:
    return factor && *factor < 0 ? bound(lhs, !wantsLargest) * *factor : bound(lhs, wantsLargest) * bound(rhs, wantsLargest);
  case AffineExprKind::Mod:
    return wantsLargest ? bound(rhs, true) : constantDim(expr.getContext(), 0);
  default: // quotients; a divisor from the data may be 1
    if (!factor) {
      return wantsLargest ? bound(lhs, true) : constantDim(expr.getContext(), 0);
    }
    return getAffineBinaryOpExpr(binary.getKind(), bound(lhs, wantsLargest), rhs);
  }
}

static std::string locationText(Location loc) {
  if (auto file = loc->findInstanceOf<FileLineColLoc>()) {
    return (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
  }
  return "";
}

/// Every float operation once an iteration; a function counts 10. Of a transformed convolution, the
/// products that are left and what is around the sum; of attention, scores and exponentials once,
/// though they are written out three times.
static AffineExpr flopsOf(loop::KernelOp kernel) {
  std::optional<WinogradParts> winograd = WinogradParts::match(kernel);
  std::optional<AttentionParts> attention = AttentionParts::match(kernel);
  AffineExpr total = winograd ? winograd->numProducts() * 2 : constantDim(kernel.getContext(), 0);
  kernel.getBody().walk([&](Block *block) {
    if (winograd && block != &kernel.getBlock()) {
      return;
    }
    Block *around = block->getParentOp()->getBlock();
    if (attention && (around == &attention->sum.getBlock() || around == &attention->total.getBlock())) {
      return; // the score once more
    }
    int64_t here = 0;
    for (Operation &op : *block) {
      bool real = op.getNumResults() == 1 && isa<FloatType>(op.getResult(0).getType());
      if (isa<math::MathDialect>(op.getDialect())) {
        here += 10;
      } else if (real && isa<arith::ArithDialect>(op.getDialect()) && !isa<arith::ConstantOp, arith::SelectOp>(op)) {
        here += 1;
      } else if (auto yield = dyn_cast<loop::YieldOp>(op)) {
        here += yield.getNumOperands(); // each is combined with what is there
      }
    }
    if (attention && block == &attention->total.getBlock()) {
      here = 2; // its exponentials are those of the sum
    }
    if (here > 0) {
      total = total + product(kernel.getContext(), loop::axesOf(block)) * here;
    }
  });
  return simplify(total);
}

namespace {
class Placer {
public:
  Placer(ModuleOp module, fx::GraphOp graph, StringRef modelName) : symbols(module), graph(graph) {
    result.plan.modelName = modelName.str();
  }

  llvm::Expected<GraphPlan> run() {
    context = graph.getContext();
    zero = constantDim(context, 0);
    for (Attribute attr : graph.getSymbols()) {
      auto symbol = cast<fx::SymbolAttr>(attr);
      result.plan.symbols.push_back({symbol.getName().str(), symbol.getMin(), symbol.getMax(), symbol.getDivisor()});
    }
    for (auto size : graph.getBlock().getOps<fx::BindSizeOp>()) {
      auto type = cast<RankedTensorType>(size.getValue().getType());
      if (size.getSymbol() >= result.plan.symbols.size() || type.getRank() != 0 || !type.getElementType().isInteger(64)) {
        return llvm::createStringError("fx.bind_size gives symbol s" + llvm::Twine(size.getSymbol()) + " a value of " +
                                       dtypeName(type.getElementType()) + "; expected one of the graph's " +
                                       llvm::Twine(result.plan.symbols.size()) + " symbols and a 0-d int64");
      }
      fromData.insert(size.getSymbol());
      result.plan.symbols[size.getSymbol()].bound = size.getBound().getExpr();
    }
    for (auto [i, argument] : llvm::enumerate(graph.getBlock().getArguments())) {
      StringRef name = cast<StringAttr>(graph.getInputs()[i]).getValue();
      if (llvm::Error error = addSpec(result.plan.inputs, name, argument)) {
        return error;
      }
      bind(argument, host::Buffer::Kind::Input, i);
    }
    for (auto [value, role] : llvm::zip(graph.getOutput().getValues(), graph.getOutputs().getAsRange<fx::RoleAttr>())) {
      if (llvm::Error error = addOutput(value, role)) {
        return error;
      }
    }
    findLastUses();
    unsigned position = 0;
    for (Operation &op : graph.getBlock()) {
      ++position;
      if (auto get = dyn_cast<fx::GetOp>(op)) {
        if (llvm::Error error = addWeight(get)) {
          return error;
        }
      } else if (auto view = dyn_cast<prims::ViewAsRealOp>(op)) {
        bufferOf[view.getResult()] = bufferOf.lookup(view.getOperand());
      } else if (auto random = dyn_cast<loop::RandomStateOp>(op)) {
        bind(random, host::Buffer::Kind::RandomState, 0);
      } else if (auto faults = dyn_cast<loop::FaultsOp>(op)) {
        bind(faults, host::Buffer::Kind::Faults, 0);
      } else if (auto size = dyn_cast<fx::BindSizeOp>(op)) {
        addSize(size);
      } else if (auto kernel = dyn_cast<loop::KernelOp>(op)) {
        addStep(kernel, position);
      }
    }
    addCopies(position + 1);
    placeSlots();
    return std::move(result);
  }

private:
  /// A result is where its kernel writes it, if it has one of its own; else it is copied.
  llvm::Error addOutput(Value value, fx::RoleAttr role) {
    auto view = value.getDefiningOp<prims::ViewAsComplexOp>();
    Value stored = view ? view.getOperand() : value;
    if (role.getKind() != fx::RoleKind::Result) {
      written.push_back({stored, role});
      if (role.getKind() == fx::RoleKind::MutatesTensor) {
        stateOf.try_emplace(role.getName());
      }
      return llvm::Error::success();
    }
    unsigned index = result.plan.outputs.size();
    if (llvm::Error error = addSpec(result.plan.outputs, role.getName(), value)) {
      return error;
    }
    if (stored.getDefiningOp<loop::KernelOp>() && !bufferOf.contains(stored)) {
      bind(stored, host::Buffer::Kind::Output, index);
    } else {
      copied.emplace_back(stored, result.plan.buffers.size());
      result.plan.buffers.push_back({host::Buffer::Kind::Output, index, zero});
    }
    return llvm::Error::success();
  }

  /// Results first: they have the old values of what is written then.
  void addCopies(unsigned position) {
    for (auto [value, to] : copied) {
      result.plan.copies.push_back({bufferOf.lookup(value), to, exactBytesOf(value)});
    }
    std::vector<host::Copy> last;
    for (auto [value, role] : written) {
      std::optional<unsigned> to = targetOf(role);
      unsigned from = bufferOf.lookup(value);
      if (!to || *to == from) {
        continue; // nothing reads it, or it stays as it is
      }
      AffineExpr bytes = exactBytesOf(value);
      host::Buffer::Kind kind = result.plan.buffers[from].kind;
      if (kind == host::Buffer::Kind::Input || kind == host::Buffer::Kind::State) {
        // It may be written before it is copied: two tensors may change places.
        takeSlot(value, position);
        unsigned between = result.plan.buffers.size();
        result.plan.buffers.push_back({host::Buffer::Kind::Arena, 0, zero});
        result.plan.copies.push_back({from, between, bytes});
        from = between;
      }
      last.push_back({from, *to, bytes});
    }
    llvm::append_range(result.plan.copies, last);
  }

  std::optional<unsigned> targetOf(fx::RoleAttr role) {
    if (role.getKind() == fx::RoleKind::MutatesTensor) {
      return stateOf.lookup(role.getName());
    }
    for (auto [argument, name] : llvm::zip(graph.getBlock().getArguments(), graph.getInputs().getAsValueRange<StringAttr>())) {
      if (name == role.getName()) {
        return bufferOf.lookup(argument);
      }
    }
    return std::nullopt;
  }

  llvm::Error addSpec(std::vector<host::TensorSpec> &specs, StringRef name, Value value) {
    std::optional<host::Dtype> dtype = dtypeOf(getElement(value));
    if (!dtype) {
      return llvm::createStringError("'" + name + "' has dtype " + dtypeName(getElement(value)) +
                                     ", which a library can't take or give yet");
    }
    Dims dims = dimsOf(value);
    specs.push_back({name.str(), *dtype, SmallVector<AffineExpr>(dims.begin(), dims.end())});
    return llvm::Error::success();
  }

  void bind(Value value, host::Buffer::Kind kind, unsigned index, AffineExpr offset = nullptr) {
    bufferOf[value] = result.plan.buffers.size();
    result.plan.buffers.push_back({kind, index, offset ? offset : zero});
  }

  llvm::Expected<host::Weight> makeWeight(fx::TensorOp tensor) {
    ArrayRef<char> bytes = tensor.getBytes();
    auto dense = dyn_cast<DenseElementsAttr>(tensor.getValue());
    ShapedType type = tensor.getValue().getShapedType();
    size_t wanted = type.getNumElements() * sizeOf(type.getElementType());
    bool isSplat = dense && dense.isSplat();
    if (isSplat && tensor.getPacking()) {
      return packedWeight(tensor, bytes);
    }
    if (isSplat) {
      return splatWeight(tensor, dense);
    }
    if (dense && type.getElementType().isInteger(1)) {
      bytes = expand(dense);
    }
    if (bytes.size() != wanted) {
      return llvm::createStringError("tensor '" + tensor.getSymName() + "' has " + llvm::Twine(bytes.size()) +
                                     " bytes of data, its type needs " + llvm::Twine(wanted));
    }
    return tensor.getPacking() ? packedWeight(tensor, bytes) : host::Weight{tensor.getSymName().str(), bytes};
  }

  llvm::Error addWeight(fx::GetOp get) {
    auto [found, isNew] = weightOf.try_emplace(get.getTensorAttr(), result.plan.weights.size());
    if (isNew) {
      llvm::Expected<host::Weight> weight = makeWeight(symbols.lookup<fx::TensorOp>(get.getTensor()));
      if (!weight) {
        return weight.takeError();
      }
      result.plan.weights.push_back(std::move(*weight));
    }
    auto state = stateOf.find(get.getTensor());
    if (state == stateOf.end()) {
      bind(get, host::Buffer::Kind::Weight, found->second);
    } else if (state->second) {
      bufferOf[get] = *state->second;
    } else {
      state->second = result.plan.buffers.size();
      bind(get, host::Buffer::Kind::State, result.plan.states.size());
      result.plan.states.push_back({found->second});
    }
    return llvm::Error::success();
  }

  /// Bools are bits in an attribute, bytes in memory.
  ArrayRef<char> expand(DenseElementsAttr dense) {
    auto &owned = *result.owned.emplace_back(std::make_shared<std::vector<char>>());
    for (bool value : dense.getValues<bool>()) {
      owned.push_back(value);
    }
    return owned;
  }

  void findLastUses() {
    unsigned position = 0;
    for (Operation &op : graph.getBlock()) {
      ++position;
      for (Value operand : op.getOperands()) {
        lastUse[operand] = position;
      }
    }
  }

  /// A part of the arena that one value at a time lives in.
  struct Slot {
    AffineExpr bytes;
    unsigned freeFrom; ///< position after which it can be taken
  };

  void addStep(loop::KernelOp kernel, unsigned position) {
    for (Value value : kernel.getResults()) {
      if (!bufferOf.contains(value)) {
        takeSlot(value, position);
        bind(value, host::Buffer::Kind::Arena, 0);
      }
    }
    host::Step step;
    for (Value operand : kernel.getInputs()) {
      step.buffers.push_back(bufferOf.lookup(operand));
    }
    for (Value value : kernel.getResults()) {
      step.buffers.push_back(bufferOf.lookup(value));
    }
    step.location = locationText(kernel.getLoc());
    step.name = loop::describe(kernel);
    step.flops = flopsOf(kernel);
    step.bytesMoved = step.scratchBytes = zero;
    for (Value value : kernel->getOperands()) {
      step.bytesMoved = simplify(step.bytesMoved + bytesOf(value));
    }
    for (Value value : kernel.getResults()) {
      step.bytesMoved = simplify(step.bytesMoved + bytesOf(value));
    }
    result.plan.steps.push_back(std::move(step));
    result.kernels.push_back(kernel);
  }

  void addSize(fx::BindSizeOp size) {
    host::Step step;
    step.buffers = {bufferOf.lookup(size.getValue())};
    step.location = locationText(size.getLoc());
    step.name = "size";
    step.grid = step.phases = step.flops = step.bytesMoved = step.scratchBytes = zero;
    step.symbol = size.getSymbol();
    result.plan.steps.push_back(std::move(step));
    result.kernels.push_back({});
  }

  /// Best fit among the free slots: of equal size if the size is symbolic.
  void takeSlot(Value value, unsigned position) {
    AffineExpr bytes = simplify(largest(bytesOf(value), fromData));
    unsigned until = std::max(position, lastUse.lookup(value));
    std::optional<unsigned> best;
    for (auto [i, slot] : llvm::enumerate(slots)) {
      if (slot.freeFrom >= position) {
        continue;
      }
      std::optional<int64_t> have = getStatic(slot.bytes), want = getStatic(bytes);
      bool fits = slot.bytes == bytes || (have && want);
      if (!fits) {
        continue;
      }
      auto waste = [&](const Slot &s) {
        std::optional<int64_t> size = getStatic(s.bytes);
        return size && want ? std::abs(*size - *want) : 0;
      };
      if (!best || waste(slot) < waste(slots[*best])) {
        best = i;
      }
    }
    if (!best) {
      best = slots.size();
      slots.push_back({bytes, until});
    }
    Slot &slot = slots[*best];
    if (getStatic(slot.bytes) && getStatic(bytes)) {
      slot.bytes = constantDim(context, std::max(*getStatic(slot.bytes), *getStatic(bytes)));
    }
    slot.freeFrom = until;
    slotOf.emplace_back(result.plan.buffers.size(), *best); // of the buffer bound next
  }

  /// Slots one after the other.
  void placeSlots() {
    SmallVector<AffineExpr> offsets;
    AffineExpr top = zero;
    for (const Slot &slot : slots) {
      offsets.push_back(top);
      top = simplify(top + slot.bytes);
    }
    for (auto [buffer, slot] : slotOf) {
      result.plan.buffers[buffer].offsetBytes = offsets[slot];
    }
    result.plan.arenaBytes = top;
  }

  SymbolTable symbols;
  fx::GraphOp graph;
  MLIRContext *context;
  AffineExpr zero;
  GraphPlan result;
  llvm::DenseMap<Value, unsigned> bufferOf, lastUse;
  llvm::DenseMap<Attribute, unsigned> weightOf;
  SmallVector<std::pair<Value, unsigned>> copied;     ///< results, to these buffers
  SmallVector<std::pair<Value, fx::RoleAttr>> written; ///< back to inputs and owned tensors
  llvm::StringMap<std::optional<unsigned>> stateOf;   ///< buffers of the tensors that runs change
  llvm::SmallDenseSet<unsigned> fromData; ///< symbols that a step gives their values
  std::vector<Slot> slots;
  std::vector<std::pair<unsigned, unsigned>> slotOf;
};
} // namespace

llvm::Expected<GraphPlan> buildPlan(ModuleOp module, fx::GraphOp graph, StringRef modelName) {
  return Placer(module, graph, modelName).run();
}

} // namespace graphmill::cpu
