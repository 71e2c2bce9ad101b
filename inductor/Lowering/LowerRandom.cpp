//===- LowerRandom.cpp - Random numbers as arithmetic ----------------------===//
//
// Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"): ten rounds
// on a counter of four words give four random words. An element's counter is its place, the
// op's stream and the run's number, the key is the context's seed: any thread computes any
// element, and nothing has to be kept.
//
//===----------------------------------------------------------------------===//
#include "inductor/Lowering/Lowering.h"

using namespace mlir;

namespace graphmill::loop {

namespace {
/// Words of 32 bits, each in a 64-bit integer, so that products keep their upper half.
class Philox {
public:
  explicit Philox(KernelBuilder &k) : k(k) {}

  /// Of counter {place, stream, run}: c0 is the place's lower half, c1 the stream and the
  /// place's upper half, c2 and c3 the run.
  SmallVector<Value> words(Value place, int64_t stream, Value seed, Value run) {
    Value counter[] = {low(place), low(add(shl(high(place), 16), constant(stream))), low(run), high(run)};
    Value key[] = {low(seed), high(seed)};
    for (int round = 0; round < 10; ++round) {
      if (round > 0) {
        key[0] = low(add(key[0], constant(0x9E3779B9)));
        key[1] = low(add(key[1], constant(0xBB67AE85)));
      }
      Value first = mul(counter[0], constant(0xD2511F53)), second = mul(counter[2], constant(0xCD9E8D57));
      Value next[] = {exclusiveOr(exclusiveOr(high(second), counter[1]), key[0]), low(second),
                      exclusiveOr(exclusiveOr(high(first), counter[3]), key[1]), low(first)};
      std::copy(std::begin(next), std::end(next), std::begin(counter));
    }
    return SmallVector<Value>(std::begin(counter), std::end(counter));
  }

  Value constant(int64_t value) { return arith::ConstantOp::create(k.b, k.loc, k.b.getI64IntegerAttr(value)); }
  Value low(Value x) { return arith::AndIOp::create(k.b, k.loc, x, constant(0xFFFFFFFF)); }
  Value high(Value x) { return shr(x, 32); }
  Value shr(Value x, int64_t by) { return arith::ShRUIOp::create(k.b, k.loc, x, constant(by)); }
  Value shl(Value x, int64_t by) { return arith::ShLIOp::create(k.b, k.loc, x, constant(by)); }
  Value add(Value x, Value y) { return arith::AddIOp::create(k.b, k.loc, x, y); }
  Value mul(Value x, Value y) { return arith::MulIOp::create(k.b, k.loc, x, y); }
  Value exclusiveOr(Value x, Value y) { return arith::XOrIOp::create(k.b, k.loc, x, y); }

private:
  KernelBuilder &k;
};

/// A whole number below 2^24 (float64: 2^53) from one word (two).
Value mantissa(KernelBuilder &k, Philox &p, Value first, Value second, bool isDouble) {
  if (isDouble) {
    return arith::OrIOp::create(k.b, k.loc, p.shl(first, 21), p.shr(second, 11));
  }
  // 32-bit integers become floats in one instruction on every vector unit.
  return arith::TruncIOp::create(k.b, k.loc, k.b.getI32Type(), p.shr(first, 8));
}

/// mantissa / 2^24 (or 2^53): in [0, 1).
Value fraction(KernelBuilder &k, Value mantissa, Type type) {
  Value whole = arith::SIToFPOp::create(k.b, k.loc, type, mantissa);
  return arith::MulFOp::create(k.b, k.loc, whole, scalarConstant(k.b, k.loc, type.isF64() ? 0x1p-53 : 0x1p-24, type));
}

/// Box and Muller's: sqrt(-2 log u) cos(2 pi v), u in (0, 1].
Value normal(KernelBuilder &k, Value u, Value v, Type type) {
  auto number = [&](double value) { return scalarConstant(k.b, k.loc, value, type); };
  Value log = math::LogOp::create(k.b, k.loc, u);
  Value radius = math::SqrtOp::create(k.b, k.loc, arith::MulFOp::create(k.b, k.loc, log, number(-2.0)));
  Value angle = math::CosOp::create(k.b, k.loc, arith::MulFOp::create(k.b, k.loc, v, number(2 * M_PI)));
  return arith::MulFOp::create(k.b, k.loc, radius, angle);
}
} // namespace

Lowering::Results Lowering::lowerRandom(Operation *operation) {
  auto op = dyn_cast<prims::RandomOp>(operation);
  if (!op) {
    return {};
  }
  Dims axes = dimsOf(op.getResult());
  Type element = getElement(op.getResult());
  Value state = RandomStateOp::create(builder, op.getLoc(), RankedTensorType::get({2}, i64()));
  KernelBuilder k = kernel(op, state, axes);
  Philox philox(k);
  AffineExpr place = k.constant(0);
  for (unsigned i = 0; i < axes.size(); ++i) {
    place = place * axes[i] + k.axis(i);
  }
  Value index = arith::IndexCastOp::create(k.b, k.loc, i64(), k.apply(place));
  SmallVector<Value> w = philox.words(index, op.getStream(), k.load(k.in(0), k.constant(0)), k.load(k.in(0), k.constant(1)));
  Value result;
  if (op.getDistribution() == prims::Distribution::Bits) {
    Value bits = arith::OrIOp::create(k.b, k.loc, philox.shl(w[0], 32), w[1]);
    result = arith::AndIOp::create(k.b, k.loc, bits, philox.constant(INT64_MAX));
  } else {
    bool isDouble = element.isF64();
    Value first = mantissa(k, philox, w[0], w[1], isDouble);
    if (op.getDistribution() == prims::Distribution::Uniform) {
      result = fraction(k, first, element);
    } else {
      Value second = isDouble ? mantissa(k, philox, w[2], w[3], true) : mantissa(k, philox, w[1], w[1], false);
      first = arith::AddIOp::create(k.b, k.loc, first, scalarConstant(k.b, k.loc, 1, first.getType()));
      result = normal(k, fraction(k, first, element), fraction(k, second, element), element);
    }
  }
  k.store(result, k.out(), k.allAxes(axes.size()));
  return {k.kernel.getResult(0)};
}

} // namespace graphmill::loop
