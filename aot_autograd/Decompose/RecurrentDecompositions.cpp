#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

/// The weights of one direction of one layer.
struct Weights {
  Value input, hidden, inputBias, hiddenBias;
};

/// What the layers share. Values are [time, batch, size].
struct Stack {
  PrimBuilder &b;
  prims::Cell cell;
  SmallVector<Value> params;
  bool hasBiases, bidirectional;

  Weights weights(int64_t layer, bool backward) const {
    int64_t directions = bidirectional ? 2 : 1, each = hasBiases ? 4 : 2;
    int64_t at = (layer * directions + backward) * each;
    return {params[at], params[at + 1], hasBiases ? params[at + 2] : Value(), hasBiases ? params[at + 3] : Value()};
  }
};

/// Outputs of all steps, the last state, the last cell (null but for LSTMs).
static SmallVector<Value> runDirection(const Stack &s, const Weights &w, Value x, Value hidden, Value cell, bool backward) {
  PrimBuilder &b = s.b;
  // The input's product doesn't depend on the state: one matmul for all steps.
  Value gates = b.matmul(x, b.swapDims(w.input, 0, 1));
  if (w.inputBias) {
    gates = b.add(gates, w.inputBias);
  }
  Dims out = dimsOf(x);
  out.back() = dimsOf(hidden).back();
  SmallVector<Type> types{getTensorType(out, getElement(x)), hidden.getType()};
  if (cell) {
    types.push_back(cell.getType());
  }
  auto op = prims::RecurrentOp::create(b.builder, b.loc, TypeRange(types), s.cell, gates, w.hidden, w.hiddenBias,
                                       hidden, cell, backward);
  return llvm::to_vector(llvm::map_range(op->getResults(), [](OpResult r) { return Value(r); }));
}

/// State `i` of [layers * directions, batch, size].
static Value stateOf(PrimBuilder &b, Value states, int64_t i) { return b.squeeze(b.slice(states, 0, b.dim(i), b.dim(1)), 0); }

static Decompositions::Results runStack(const Stack &s, Operation *op, Value input, SmallVector<Value> states, int64_t layers,
                                        bool batchFirst) {
  PrimBuilder &b = s.b;
  bool batched = dimsOf(input).size() == 3;
  Value x = batched ? (batchFirst ? b.swapDims(input, 0, 1) : input) : b.unsqueeze(input, 1);
  if (getStatic(dimsOf(x)[0]) == 0) {
    op->emitOpError("has a sequence of length 0; eager refuses it too");
    return {};
  }
  for (Value &state : states) {
    state = batched ? state : b.unsqueeze(state, 1);
  }
  int64_t directions = s.bidirectional ? 2 : 1;
  if (static_cast<int64_t>(s.params.size()) != layers * directions * (s.hasBiases ? 4 : 2)) {
    op->emitOpError("has ") << s.params.size() << " weights for " << layers << " layers; projections (proj_size) aren't supported";
    return {};
  }
  SmallVector<SmallVector<Value>> last(states.size());
  for (int64_t layer = 0; layer < layers; ++layer) {
    SmallVector<Value> outputs;
    for (int64_t backward = 0; backward < directions; ++backward) {
      int64_t i = layer * directions + backward;
      Value cell = states.size() > 1 ? stateOf(b, states[1], i) : Value();
      SmallVector<Value> done = runDirection(s, s.weights(layer, backward), x, stateOf(b, states[0], i), cell, backward);
      outputs.push_back(done[0]);
      for (size_t k = 0; k < states.size(); ++k) {
        last[k].push_back(b.unsqueeze(done[1 + k], 0));
      }
    }
    x = b.concatenate(outputs, 2);
  }
  Decompositions::Results results{batched ? (batchFirst ? b.swapDims(x, 0, 1) : x) : b.squeeze(x, 1)};
  for (auto [k, parts] : llvm::enumerate(last)) {
    results.push_back(b.reshape(b.concatenate(parts, 0), dimsOf(op->getResult(1 + k))));
  }
  return results;
}

template <typename Op> static LogicalResult refuseDropout(Op op) {
  if (op.getTrain() && op.getDropout().convertToDouble() > 0.0 && op.getNumLayers() > 1) {
    return op.emitOpError("has dropout between layers; export the module in eval mode");
  }
  return success();
}

static Decompositions::Results lstm(PrimBuilder &b, aten::LstmOp op) {
  if (failed(refuseDropout(op))) {
    return {};
  }
  Stack stack{b, prims::Cell::Lstm, SmallVector<Value>(op.getParams()), op.getHasBiases(), op.getBidirectional()};
  return runStack(stack, op, op.getInput(), SmallVector<Value>(op.getHx()), op.getNumLayers(), op.getBatchFirst());
}

template <typename Op, prims::Cell cell> static Decompositions::Results recurrent(PrimBuilder &b, Op op) {
  if (failed(refuseDropout(op))) {
    return {};
  }
  Stack stack{b, cell, SmallVector<Value>(op.getParams()), op.getHasBiases(), op.getBidirectional()};
  return runStack(stack, op, op.getInput(), {op.getHx()}, op.getNumLayers(), op.getBatchFirst());
}

//===----------------------------------------------------------------------===//
// One step
//===----------------------------------------------------------------------===//

/// x weight^T + bias.
static Value projected(PrimBuilder &b, Value x, Value weight, Value bias) {
  Dims dims = dimsOf(x);
  Value rows = dims.size() == 1 ? b.unsqueeze(x, 0) : x;
  dims.back() = dimsOf(weight)[0];
  Value y = b.reshape(b.matmul(rows, b.swapDims(weight, 0, 1)), dims);
  return bias ? b.add(y, bias) : y;
}

/// Gate `i` of those lying one after the other in the last dim.
static Value gate(PrimBuilder &b, Value gates, int64_t i, Dim size) {
  return b.slice(gates, dimsOf(gates).size() - 1, simplify(size * i), size);
}

static Decompositions::Results lstmCell(PrimBuilder &b, aten::LstmCellOp op) {
  Value hidden = op.getHx()[0], cell = op.getHx()[1];
  Value gates = b.add(projected(b, op.getInput(), op.getWIh(), op.getBIh()), projected(b, hidden, op.getWHh(), op.getBHh()));
  Dim size = dimsOf(hidden).back();
  Value in = b.sigmoid(gate(b, gates, 0, size)), forget = b.sigmoid(gate(b, gates, 1, size));
  Value fresh = b.unary<prims::TanhOp>(gate(b, gates, 2, size)), out = b.sigmoid(gate(b, gates, 3, size));
  Value next = b.add(b.mul(forget, cell), b.mul(in, fresh));
  return {b.mul(out, b.unary<prims::TanhOp>(next)), next};
}

static Value gruCell(PrimBuilder &b, aten::GruCellOp op) {
  Value hidden = op.getHx();
  Value x = projected(b, op.getInput(), op.getWIh(), op.getBIh()), h = projected(b, hidden, op.getWHh(), op.getBHh());
  Dim size = dimsOf(hidden).back();
  Value reset = b.sigmoid(b.add(gate(b, x, 0, size), gate(b, h, 0, size)));
  Value update = b.sigmoid(b.add(gate(b, x, 1, size), gate(b, h, 1, size)));
  Value fresh = b.unary<prims::TanhOp>(b.add(gate(b, x, 2, size), b.mul(reset, gate(b, h, 2, size))));
  return b.add(fresh, b.mul(update, b.sub(hidden, fresh)));
}

template <typename Op, bool rectified> static Value rnnCell(PrimBuilder &b, Op op) {
  Value sum = b.add(projected(b, op.getInput(), op.getWIh(), op.getBIh()), projected(b, op.getHx(), op.getWHh(), op.getBHh()));
  return rectified ? b.maximum(sum, 0.0) : b.unary<prims::TanhOp>(sum);
}

void addRecurrentDecompositions(Decompositions &d) {
  d.addMany<aten::LstmOp, lstm>();
  d.addMany<aten::GruOp, recurrent<aten::GruOp, prims::Cell::Gru>>();
  d.addMany<aten::RnntanhOp, recurrent<aten::RnntanhOp, prims::Cell::Rnn_tanh>>();
  d.addMany<aten::RnnreluOp, recurrent<aten::RnnreluOp, prims::Cell::Rnn_relu>>();
  d.addMany<aten::LstmCellOp, lstmCell>();
  d.add<aten::GruCellOp, gruCell>();
  d.add<aten::RnntanhCellOp, rnnCell<aten::RnntanhCellOp, false>>();
  d.add<aten::RnnreluCellOp, rnnCell<aten::RnnreluCellOp, true>>();
}

} // namespace graphmill
