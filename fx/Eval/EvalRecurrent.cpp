#include "fx/Eval/Call.h"

using namespace mlir;

namespace graphmill::eval {

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

static unsigned gatesOf(prims::Cell kind) {
  return kind == prims::Cell::Lstm ? 4 : kind == prims::Cell::Gru ? 3 : 1;
}

namespace {
/// One row's step: x are its gates from the input, h those from the hidden state, each
/// `size` long, one gate after the other.
struct CellStep {
  prims::Cell kind;
  int64_t size;

  void operator()(const double *x, const double *h, double *hidden, double *cell) const {
    for (int64_t j = 0; j < size; ++j) {
      auto gate = [&](int64_t g) { return x[g * size + j] + h[g * size + j]; };
      switch (kind) {
      case prims::Cell::Lstm: // input, forget, cell, output
        cell[j] = sigmoid(gate(1)) * cell[j] + sigmoid(gate(0)) * std::tanh(gate(2));
        hidden[j] = sigmoid(gate(3)) * std::tanh(cell[j]);
        break;
      case prims::Cell::Gru: { // reset, update, new
        double next = std::tanh(x[2 * size + j] + sigmoid(gate(0)) * h[2 * size + j]);
        double update = sigmoid(gate(1));
        hidden[j] = (1 - update) * next + update * hidden[j];
        break;
      }
      case prims::Cell::Rnn_tanh:
        hidden[j] = std::tanh(gate(0));
        break;
      case prims::Cell::Rnn_relu:
        hidden[j] = gate(0) > 0 ? gate(0) : gate(0) != gate(0) ? gate(0) : 0;
        break;
      }
    }
  }
};
} // namespace

Results evaluateRecurrent(const Call &call) {
  auto op = cast<prims::RecurrentOp>(call.op);
  const HostTensor &gates = call.in[0], &weight = call.in[1];
  const HostTensor *bias = op.getBias() ? &call.in[2] : nullptr;
  const HostTensor &first = call.in[op.getBias() ? 3 : 2];
  const HostTensor *firstCell = op.getCell() ? &call.in.back() : nullptr;
  if (!isReal(gates.dtype())) {
    return call.dtypeError();
  }
  if (gates.rank() != 3 || first.rank() != 2) {
    return call.error("gates must have rank 3, hidden rank 2");
  }
  bool isLstm = op.getKind() == prims::Cell::Lstm;
  int64_t steps = gates.shape[0], batch = gates.shape[1], size = first.shape[1], all = gatesOf(op.getKind()) * size;
  Shape state{batch, size};
  if (gates.shape[2] != all || first.shape != state || weight.shape != Shape{all, size} ||
      (bias && bias->shape != Shape{all}) || isLstm != (firstCell != nullptr) ||
      (firstCell && firstCell->shape != state) || call.shapes[0] != Shape{steps, batch, size} ||
      call.shapes.size() != (isLstm ? 3 : 2) || call.shapes[1] != state || call.shapes.back() != state) {
    return call.error("shapes don't match");
  }
  std::vector<double> x = loadAll<double>(gates), w = loadAll<double>(weight), hidden = loadAll<double>(first);
  std::vector<double> b = bias ? loadAll<double>(*bias) : std::vector<double>(all, 0.0);
  std::vector<double> cell = firstCell ? loadAll<double>(*firstCell) : std::vector<double>(batch * size);
  std::vector<double> outputs(steps * batch * size), h(all);
  CellStep step{op.getKind(), size};
  for (int64_t s = 0; s < steps; ++s) {
    int64_t t = op.getReverse() ? steps - 1 - s : s;
    for (int64_t row = 0; row < batch; ++row) {
      double *state = hidden.data() + row * size;
      for (int64_t g = 0; g < all; ++g) {
        h[g] = b[g];
        for (int64_t j = 0; j < size; ++j) {
          h[g] += w[g * size + j] * state[j];
        }
      }
      step(x.data() + (t * batch + row) * all, h.data(), state, cell.data() + row * size);
      std::copy_n(state, size, outputs.data() + (t * batch + row) * size);
    }
  }
  std::vector<HostTensor> results;
  const std::vector<double> *values[] = {&outputs, &hidden, &cell};
  for (size_t i = 0; i < call.shapes.size(); ++i) {
    results.push_back(call.allocate(i));
    storeAll<double>(results.back(), *values[i]);
  }
  return results;
}

} // namespace graphmill::eval
