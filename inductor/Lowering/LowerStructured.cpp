#include "inductor/Lowering/Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace graphmill::loop {

static Type accumulator(KernelBuilder &k, Type element) {
  return isFloat(element) && element.getIntOrFloatBitWidth() < 32 ? k.b.getF32Type() : element;
}

/// Sum of products; float16 and bfloat16 accumulate in float32.
static Value multiply(KernelBuilder &k, Value x, Value y, Type element) {
  Type wide = accumulator(k, element);
  x = convertScalar(k.b, k.loc, x, element, wide);
  y = convertScalar(k.b, k.loc, y, element, wide);
  return isFloat(element) ? Value(arith::MulFOp::create(k.b, k.loc, x, y))
                          : Value(arith::MulIOp::create(k.b, k.loc, x, y));
}

static void storeAccumulated(KernelBuilder &k, Value sum, Type element, ArrayRef<AffineExpr> place) {
  Type from = isFloat(element) ? sum.getType() : element;
  k.store(convertScalar(k.b, k.loc, sum, from, element), k.out(), place);
}

static Lowering::Results lowerMatmul(Lowering &l, prims::MatmulOp op) {
  Dims a = dimsOf(op.getLhs()), bDims = dimsOf(op.getRhs()), axes = dimsOf(op.getResult());
  unsigned rank = axes.size();
  Type element = getElement(op.getLhs());
  KernelBuilder k = l.kernel(op, {op.getLhs(), op.getRhs()}, axes);
  k.kernel.setForm(Template::Contraction);
  Value sum = k.reduce({Reducer::Sum}, {a.back()}, [&](unsigned inner) {
    Dims left = k.allAxes(rank), right;
    left.back() = k.axis(inner);
    if (bDims.size() == 2) {
      right = {k.axis(inner), k.axis(rank - 1)};
    } else {
      right = k.allAxes(rank);
      right[rank - 2] = k.axis(inner);
    }
    return SmallVector<Value>{multiply(k, k.load(k.in(0), left), k.load(k.in(1), right), element)};
  })[0];
  storeAccumulated(k, sum, element, k.allAxes(rank));
  return {k.kernel.getResult(0)};
}

/// Axes [N, O, D…] (grouped: [N, G, O/G, D…]), reduced over [K…, C/G].
static Lowering::Results lowerConvolution(Lowering &l, prims::ConvolutionOp op) {
  Dims in = dimsOf(op.getInput()), w = dimsOf(op.getWeight()), out = dimsOf(op.getResult());
  unsigned spatial = in.size() - 2;
  int64_t groups = op.getGroups();
  bool transposed = op.getTransposed(), grouped = groups > 1;
  Type element = getElement(op.getInput());
  // Channels of one group: those of the weight that are not the other side's.
  Dim outputsPerGroup = transposed ? w[1] : simplify(w[0].floorDiv(groups));
  Dim inputsPerGroup = transposed ? simplify(w[0].floorDiv(groups)) : w[1];
  Dims axes{out[0]};
  if (grouped) {
    axes.push_back(constantDim(op.getContext(), groups));
  }
  axes.push_back(grouped ? outputsPerGroup : out[1]);
  axes.append(out.begin() + 2, out.end());

  KernelBuilder k = l.kernel(op, {op.getInput(), op.getWeight()}, axes);
  unsigned firstSpatial = grouped ? 3 : 2;
  AffineExpr group = grouped ? k.axis(1) : k.constant(0);
  // One output a group: its axis has size 1 and is left out of the maps.
  AffineExpr outInGroup = grouped && getStatic(outputsPerGroup) == 1 ? k.constant(0) : k.axis(grouped ? 2 : 1);
  bool depthwise = grouped && getStatic(outputsPerGroup) == 1 && getStatic(inputsPerGroup) == 1;
  if (!depthwise && !transposed) {
    k.kernel.setForm(Template::Contraction);
  }
  Dims inner(w.begin() + 2, w.end());
  inner.push_back(inputsPerGroup);

  Value sum = k.reduce({Reducer::Sum}, inner, [&](unsigned first) {
    AffineExpr channel = k.axis(first + spatial);
    Dims source{k.axis(0), group * inputsPerGroup + channel}, weight, checked, bounds;
    if (transposed) {
      weight = {group * inputsPerGroup + channel, outInGroup};
    } else {
      weight = {group * outputsPerGroup + outInGroup, channel};
    }
    for (unsigned i = 0; i < spatial; ++i) {
      AffineExpr at = k.axis(firstSpatial + i), tap = k.axis(first + i);
      int64_t stride = op.getStride()[i], padding = op.getPadding()[i], dilation = op.getDilation()[i];
      AffineExpr place;
      bool fits = false;
      if (transposed) {
        // Output `at` gets input (at + padding - tap * dilation) / stride where that is whole.
        AffineExpr scaled = at + padding - tap * dilation;
        place = scaled.floorDiv(stride);
        if (stride > 1) {
          checked.push_back(scaled % stride);
          bounds.push_back(k.constant(1));
        }
      } else {
        place = at * stride + tap * dilation - padding;
        std::optional<int64_t> n = getStatic(in[2 + i]), m = getStatic(out[2 + i]), t = getStatic(w[2 + i]);
        fits = padding == 0 && n && m && t && (*m - 1) * stride + (*t - 1) * dilation < *n;
        fits |= padding == 0 && getStatic(w[2 + i]) == 1;
      }
      if (!fits) {
        checked.push_back(place);
        bounds.push_back(in[2 + i]);
      }
      source.push_back(place);
      weight.push_back(tap);
    }
    Value x;
    if (checked.empty()) {
      x = k.load(k.in(0), source);
    } else {
      Value zero = scalarConstant(k.b, k.loc, 0, scalarType(element));
      x = k.loadIf(k.inside(checked, bounds), zero, k.in(0), source);
    }
    return SmallVector<Value>{multiply(k, x, k.load(k.in(1), weight), element)};
  })[0];

  Dims place{k.axis(0), group * outputsPerGroup + outInGroup};
  for (unsigned i = 0; i < spatial; ++i) {
    place.push_back(k.axis(firstSpatial + i));
  }
  storeAccumulated(k, sum, element, place);
  return {k.kernel.getResult(0)};
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// score(t) = scale * sum over d of q k + mask, with keys after the row's own left out.
static Value attentionScore(KernelBuilder &k, prims::AttentionOp op, unsigned t) {
  Dims keys = dimsOf(op.getKey());
  Dim heads = dimOf(op.getQuery(), 1);
  Type element = getElement(op.getQuery());
  AffineExpr group = k.axis(1);
  if (!equal(heads, keys[1])) {
    group = group.floorDiv(simplify(heads.floorDiv(keys[1])));
  }
  Value dot = k.reduce({Reducer::Sum}, {keys[3]}, [&](unsigned d) {
    Value q = k.load(k.in(0), {k.axis(0), k.axis(1), k.axis(2), k.axis(d)});
    Value key = k.load(k.in(1), {k.axis(0), group, k.axis(t), k.axis(d)});
    return SmallVector<Value>{multiply(k, q, key, element)};
  })[0];
  Value score = arith::MulFOp::create(k.b, k.loc, dot, scalarConstant(k.b, k.loc, op.getScale().convertToDouble(), dot.getType()));
  if (op.getMask()) {
    Dims sizes = dimsOf(op.getMask()), place;
    const unsigned axes[] = {0, 1, 2, t};
    for (auto [i, size] : llvm::enumerate(sizes)) {
      unsigned axis = axes[4 - sizes.size() + i];
      place.push_back(getStatic(size) == 1 ? k.constant(0) : k.axis(axis));
    }
    Value added = convertScalar(k.b, k.loc, k.load(k.in(3), place), getElement(op.getMask()), score.getType());
    score = arith::AddFOp::create(k.b, k.loc, score, added);
  }
  if (op.getCausal()) {
    Value seen = k.inside({k.axis(2) - k.axis(t)}, {dimOf(op.getQuery(), 2)});
    Value none = scalarConstant(k.b, k.loc, -std::numeric_limits<double>::infinity(), score.getType());
    score = arith::SelectOp::create(k.b, k.loc, seen, score, none);
  }
  return score;
}

/// Rows [B, H, S]: the largest score, the sum of exponentials, then the weighted values.
/// Written out as three passes; codegen does them block by block (form attention).
static Lowering::Results lowerAttention(Lowering &l, prims::AttentionOp op) {
  Dims query = dimsOf(op.getQuery()), values = dimsOf(op.getValue());
  Dim keys = values[2];
  SmallVector<Value> inputs{op.getQuery(), op.getKey(), op.getValue()};
  if (op.getMask()) {
    inputs.push_back(op.getMask());
  }
  KernelBuilder k = l.kernel(op, inputs, {query[0], query[1], query[2]});
  k.kernel.setForm(Template::Attention);
  Type element = getElement(op.getQuery()), type = accumulator(k, element);
  Value zero = scalarConstant(k.b, k.loc, 0, type);
  Value largest = k.reduce({Reducer::Max}, {keys}, [&](unsigned t) {
    return SmallVector<Value>{attentionScore(k, op, t)};
  })[0];
  // A row that sees nothing has no largest score: its exponentials are all 0.
  Value none = scalarConstant(k.b, k.loc, -std::numeric_limits<double>::infinity(), type);
  Value empty = arith::CmpFOp::create(k.b, k.loc, arith::CmpFPredicate::OEQ, largest, none);
  Value shift = arith::SelectOp::create(k.b, k.loc, empty, zero, largest);
  auto exponential = [&](unsigned t) -> Value {
    return math::ExpOp::create(k.b, k.loc, arith::SubFOp::create(k.b, k.loc, attentionScore(k, op, t), shift));
  };
  Value sum = k.reduce({Reducer::Sum}, {keys}, [&](unsigned t) { return SmallVector<Value>{exponential(t)}; })[0];
  AffineExpr group = k.axis(1);
  if (!equal(query[1], values[1])) {
    group = group.floorDiv(simplify(query[1].floorDiv(values[1])));
  }
  k.forEach({values[3]}, [&](unsigned e) {
    Value total = k.reduce({Reducer::Sum}, {keys}, [&](unsigned t) {
      Value value = convertScalar(k.b, k.loc, k.load(k.in(2), {k.axis(0), group, k.axis(t), k.axis(e)}), element, type);
      return SmallVector<Value>{arith::MulFOp::create(k.b, k.loc, exponential(t), value)};
    })[0];
    Value isEmpty = arith::CmpFOp::create(k.b, k.loc, arith::CmpFPredicate::OEQ, sum, zero);
    Value mean = arith::DivFOp::create(k.b, k.loc, total, sum);
    storeAccumulated(k, arith::SelectOp::create(k.b, k.loc, isEmpty, zero, mean), element, k.allAxes(4));
  });
  return {k.kernel.getResult(0)};
}

Lowering::Results Lowering::lowerStructured(Operation *op) {
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](prims::MatmulOp op) { return lowerMatmul(*this, op); })
      .Case([&](prims::ConvolutionOp op) { return lowerConvolution(*this, op); })
      .Case([&](prims::AttentionOp op) { return lowerAttention(*this, op); })
      .Default([](Operation *) { return Results(); });
}

} // namespace graphmill::loop
