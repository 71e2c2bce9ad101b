#include "inductor/Lowering/Lowering.h"

using namespace mlir;

namespace graphmill::loop {

namespace {
/// One layer in one direction, axes [step, unit, batch] in that order, around the product with
/// the hidden weights. What a step needs of the one before is read back from the results.
class RecurrentLowering {
public:
  RecurrentLowering(Lowering &l, prims::RecurrentOp op) : op(op), k(start(l, op)), units(dimOf(op.getHidden(), 1)) {}

  Lowering::Results run() {
    emitUnit();
    return Lowering::Results(k.kernel.getResults());
  }

private:
  static KernelBuilder start(Lowering &l, prims::RecurrentOp op) {
    SmallVector<Value> inputs{op.getGates(), op.getWeight(), op.getHidden()};
    if (op.getBias()) {
      inputs.push_back(op.getBias());
    }
    if (op.getCell()) {
      inputs.push_back(op.getCell());
    }
    // Batch inside: a unit's weights are read once for all of it.
    KernelBuilder k = l.kernel(op, inputs, {dimOf(op.getGates(), 0), dimOf(op.getHidden(), 1), dimOf(op.getGates(), 1)});
    k.kernel.setSequential(true);
    k.kernel.setForm(Template::Recurrent);
    return k;
  }

  /// Position in time of `steps` before this one.
  AffineExpr time(int64_t steps) {
    AffineExpr length = dimOf(op.getGates(), 0);
    return op.getReverse() ? length - 1 - (k.axis(0) - steps) : k.axis(0) - steps;
  }

  Value isLater() { return k.inside({k.axis(0) - 1}, {dimOf(op.getGates(), 0)}); }

  Value previousHidden(AffineExpr batch, AffineExpr unit) {
    Value later = isLater();
    Value start = k.load(k.in(2), {batch, unit});
    return k.loadIf(later, start, k.out(0), {time(1), batch, unit});
  }

  Value unaryOf(Value x) {
    if (op.getKind() == prims::Cell::Rnn_relu) {
      return arith::MaximumFOp::create(k.b, k.loc, x, scalarConstant(k.b, k.loc, 0, x.getType()));
    }
    return math::TanhOp::create(k.b, k.loc, x);
  }
  Value sigmoid(Value x) {
    Value one = scalarConstant(k.b, k.loc, 1, x.getType());
    Value e = math::ExpOp::create(k.b, k.loc, arith::NegFOp::create(k.b, k.loc, x));
    return arith::DivFOp::create(k.b, k.loc, one, arith::AddFOp::create(k.b, k.loc, one, e));
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(k.b, k.loc, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(k.b, k.loc, x, y); }

  void emitUnit() {
    AffineExpr unit = k.axis(1), batch = k.axis(2);
    unsigned count = op.getKind() == prims::Cell::Lstm ? 4 : op.getKind() == prims::Cell::Gru ? 3 : 1;
    SmallVector<Value> products = k.reduce(SmallVector<Reducer>(count, Reducer::Sum), {units}, [&](unsigned inner) {
      Value hidden = previousHidden(batch, k.axis(inner));
      SmallVector<Value> terms;
      for (unsigned gate = 0; gate < count; ++gate) {
        terms.push_back(mul(hidden, k.load(k.in(1), {units * gate + unit, k.axis(inner)})));
      }
      return terms;
    });
    SmallVector<Value> inputs;
    for (unsigned gate = 0; gate < count; ++gate) {
      inputs.push_back(k.load(k.in(0), {time(0), batch, units * gate + unit}));
      if (op.getBias()) {
        products[gate] = add(products[gate], k.load(k.in(3), {units * gate + unit}));
      }
    }
    Value hidden;
    if (op.getKind() == prims::Cell::Lstm) {
      Value in = sigmoid(add(inputs[0], products[0])), forget = sigmoid(add(inputs[1], products[1]));
      Value candidate = math::TanhOp::create(k.b, k.loc, add(inputs[2], products[2]));
      Value out = sigmoid(add(inputs[3], products[3]));
      Value start = k.load(k.in(op.getBias() ? 4 : 3), {batch, unit});
      Value before = k.loadIf(isLater(), start, k.out(2), {batch, unit});
      Value cell = add(mul(forget, before), mul(in, candidate));
      k.store(cell, k.out(2), {batch, unit});
      hidden = mul(out, math::TanhOp::create(k.b, k.loc, cell));
    } else if (op.getKind() == prims::Cell::Gru) {
      Value reset = sigmoid(add(inputs[0], products[0])), update = sigmoid(add(inputs[1], products[1]));
      Value candidate = math::TanhOp::create(k.b, k.loc, add(inputs[2], mul(reset, products[2])));
      Value before = previousHidden(batch, unit);
      Value difference = arith::SubFOp::create(k.b, k.loc, before, candidate);
      hidden = add(mul(difference, update), candidate);
    } else {
      hidden = unaryOf(add(inputs[0], products[0]));
    }
    k.store(hidden, k.out(0), {time(0), batch, unit});
    k.store(hidden, k.out(1), {batch, unit});
  }

  prims::RecurrentOp op;
  KernelBuilder k;
  Dim units;
};
} // namespace

Lowering::Results Lowering::lowerRecurrent(Operation *op) {
  auto recurrent = dyn_cast<prims::RecurrentOp>(op);
  return recurrent ? RecurrentLowering(*this, recurrent).run() : Results();
}

} // namespace graphmill::loop
