#include "inductor/Lowering/Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace graphmill::loop {

static Reducer reducerOf(prims::Reducer reducer) { return static_cast<Reducer>(reducer); }

/// Values in bodies have no signs, and what is fused into a reduction hides the tensor they
/// are of: unsigned elements are compared in a wider type, in which they are positive.
static Value comparable(KernelBuilder &k, Value x, Type element) {
  if (!element.isUnsignedInteger()) {
    return x;
  }
  return arith::ExtUIOp::create(k.b, k.loc, k.b.getIntegerType(2 * element.getIntOrFloatBitWidth()), x);
}
static bool isExtreme(prims::Reducer reducer) { return reducer == prims::Reducer::Max || reducer == prims::Reducer::Min; }
static Value operandOf(KernelBuilder &k, prims::Reducer reducer, Value x, Type element) {
  return isExtreme(reducer) ? comparable(k, x, element) : x;
}
static Value resultOf(KernelBuilder &k, prims::Reducer reducer, Value total, Type element) {
  bool isWide = isExtreme(reducer) && element.isUnsignedInteger();
  return isWide ? Value(arith::TruncIOp::create(k.b, k.loc, k.b.getIntegerType(element.getIntOrFloatBitWidth()), total)) : total;
}

static Lowering::Results lowerReduce(Lowering &l, prims::ReduceOp op) {
  Dims from = dimsOf(op.getOperand()), axes = dimsOf(op.getResult()), inner;
  for (int64_t dim : op.getDims()) {
    inner.push_back(from[dim]);
  }
  Type element = getElement(op.getOperand());
  KernelBuilder k = l.kernel(op, op.getOperand(), axes);
  SmallVector<Value> total = k.reduce({reducerOf(op.getReducer())}, inner, [&](unsigned first) {
    Dims index;
    unsigned outer = 0;
    for (unsigned i = 0; i < from.size(); ++i) {
      bool reduced = llvm::is_contained(op.getDims(), static_cast<int64_t>(i));
      index.push_back(k.axis(reduced ? first++ : outer++));
    }
    return SmallVector<Value>{operandOf(k, op.getReducer(), k.load(k.in(0), index), element)};
  });
  k.store(resultOf(k, op.getReducer(), total[0], element), k.out(), k.allAxes(axes.size()));
  return {k.kernel.getResult(0)};
}

static Lowering::Results lowerArgReduce(Lowering &l, prims::ArgReduceOp op) {
  Dims from = dimsOf(op.getOperand()), axes = dimsOf(op.getResult());
  size_t dim = op.getDim();
  KernelBuilder k = l.kernel(op, op.getOperand(), axes);
  Reducer reducer = op.getReducer() == prims::Reducer::Max ? Reducer::Argmax : Reducer::Argmin;
  SmallVector<Value> found = k.reduce({reducer}, {from[dim]}, [&](unsigned first) {
    Dims index = k.allAxes(axes.size());
    index.insert(index.begin() + dim, k.axis(first));
    return SmallVector<Value>{comparable(k, k.load(k.in(0), index), getElement(op.getOperand()))};
  });
  Value result = arith::IndexCastOp::create(k.b, op.getLoc(), l.i64(), found[0]);
  k.store(result, k.out(), k.allAxes(axes.size()));
  return {k.kernel.getResult(0)};
}

/// What a window sees: the element, or the identity outside.
struct Window {
  SmallVector<int64_t> size;
  ArrayRef<int64_t> strides, padding, dilation;

  /// Element under window position axis(first + i); `index` are the outputs.
  Value load(KernelBuilder &k, prims::Reducer reducer, const Dims &from, const Dims &to, unsigned first) const {
    size_t rank = from.size(), spatial = size.size();
    Dims source = k.allAxes(rank), checked, bounds;
    for (size_t i = 0; i < spatial; ++i) {
      size_t at = rank - spatial + i;
      source[at] = k.axis(at) * strides[i] + k.axis(first + i) * dilation[i] - padding[i];
      std::optional<int64_t> n = getStatic(from[at]), m = getStatic(to[at]);
      bool fits = padding[i] == 0 && n && m && (*m - 1) * strides[i] + (size[i] - 1) * dilation[i] < *n;
      if (!fits) {
        checked.push_back(source[at]);
        bounds.push_back(from[at]);
      }
    }
    if (checked.empty()) {
      return k.load(k.in(0), source);
    }
    Value other = identityOf(k.b, k.loc, reducer, getElement(k.in(0)));
    return k.loadIf(k.inside(checked, bounds), other, k.in(0), source);
  }
};

/// Taps that are past the operand's end wherever the window stands count for nothing: a
/// window larger than the operand ends with it.
template <typename Op> static Window windowOf(Op op) {
  Window window{SmallVector<int64_t>(op.getWindow()), op.getStrides(), op.getPadding(), op.getDilation()};
  Dims from = dimsOf(op.getOperand());
  for (auto [i, size] : llvm::enumerate(window.size)) {
    if (std::optional<int64_t> n = getStatic(from[from.size() - window.size.size() + i])) {
      size = std::clamp<int64_t>((*n - 1 + window.padding[i]) / window.dilation[i] + 1, 1, size);
    }
  }
  return window;
}

static Lowering::Results lowerReduceWindow(Lowering &l, prims::ReduceWindowOp op) {
  Dims from = dimsOf(op.getOperand()), axes = dimsOf(op.getResult()), inner;
  KernelBuilder k = l.kernel(op, op.getOperand(), axes);
  Window window = windowOf(op);
  for (int64_t size : window.size) {
    inner.push_back(k.constant(size));
  }
  Type element = getElement(op.getOperand());
  SmallVector<Value> total = k.reduce({reducerOf(op.getReducer())}, inner, [&](unsigned first) {
    return SmallVector<Value>{operandOf(k, op.getReducer(), window.load(k, op.getReducer(), from, axes, first), element)};
  });
  k.store(resultOf(k, op.getReducer(), total[0], element), k.out(), k.allAxes(axes.size()));
  return {k.kernel.getResult(0)};
}

static Lowering::Results lowerArgReduceWindow(Lowering &l, prims::ArgReduceWindowOp op) {
  Dims from = dimsOf(op.getOperand()), axes = dimsOf(op.getResult()), inner;
  KernelBuilder k = l.kernel(op, op.getOperand(), axes);
  Window window = windowOf(op);
  for (int64_t size : window.size) {
    inner.push_back(k.constant(size));
  }
  Reducer reducer = op.getReducer() == prims::Reducer::Max ? Reducer::Argmax : Reducer::Argmin;
  Value found = k.reduce({reducer}, inner, [&](unsigned first) {
    return SmallVector<Value>{comparable(k, window.load(k, op.getReducer(), from, axes, first), getElement(op.getOperand()))};
  })[0];
  // From the window's position to the element's place in the last dims of the operand.
  unsigned rank = from.size(), spatial = inner.size();
  AffineExpr position = k.axis(rank), flat = k.constant(0);
  for (unsigned i = 0; i < spatial; ++i) {
    int64_t below = 1;
    for (unsigned j = i + 1; j < spatial; ++j) {
      below *= window.size[j];
    }
    unsigned at = rank - spatial + i;
    AffineExpr offset = position.floorDiv(below) % window.size[i];
    AffineExpr place = k.axis(at) * op.getStrides()[i] + offset * op.getDilation()[i] - op.getPadding()[i];
    flat = flat * from[at] + place;
  }
  Value place = ApplyOp::create(k.b, op.getLoc(), k.b.getIndexType(), found, AffineMap::get(rank + 1, l.symbols, flat));
  k.store(arith::IndexCastOp::create(k.b, op.getLoc(), l.i64(), place), k.out(), k.allAxes(rank));
  return {k.kernel.getResult(0)};
}

static Value combine(OpBuilder &b, Location loc, prims::Reducer reducer, Value x, Value y, Type element) {
  bool real = isFloat(element), natural = element.isUnsignedInteger() || element.isInteger(1);
  switch (reducer) {
  case prims::Reducer::Sum:
    return real ? Value(arith::AddFOp::create(b, loc, x, y)) : Value(arith::AddIOp::create(b, loc, x, y));
  case prims::Reducer::Prod:
    return real ? Value(arith::MulFOp::create(b, loc, x, y)) : Value(arith::MulIOp::create(b, loc, x, y));
  case prims::Reducer::Max:
    return real ? Value(arith::MaximumFOp::create(b, loc, x, y))
                : natural ? Value(arith::MaxUIOp::create(b, loc, x, y)) : Value(arith::MaxSIOp::create(b, loc, x, y));
  case prims::Reducer::Min:
    return real ? Value(arith::MinimumFOp::create(b, loc, x, y))
                : natural ? Value(arith::MinUIOp::create(b, loc, x, y)) : Value(arith::MinSIOp::create(b, loc, x, y));
  case prims::Reducer::And:
    return arith::AndIOp::create(b, loc, x, y);
  case prims::Reducer::Or:
    return arith::OrIOp::create(b, loc, x, y);
  }
  llvm_unreachable("all reducers are listed");
}

/// A tensor of `element`s with the values of `x`.
static Value converted(Lowering &l, Location loc, Value x, Type element) {
  Dims dims = dimsOf(x);
  KernelBuilder k(l.builder, loc, l.symbols, x, getTensorType(dims, element), dims);
  Dims identity = k.allAxes(dims.size());
  k.store(convertScalar(k.b, loc, k.load(k.in(0), identity), getElement(x), element), k.out(), identity);
  return k.kernel.getResult(0);
}

/// A `loop.for` runs in order. What is combined so far is read back from the result, which therefore is of a type that
/// holds it: float32 where the elements are narrower floats.
static Lowering::Results lowerScan(Lowering &l, prims::ScanOp op) {
  Dims all = dimsOf(op.getResult()), outer = all;
  size_t at = op.getDim();
  Dim length = outer[at];
  outer.erase(outer.begin() + at);
  Type element = getElement(op.getOperand());
  bool isNarrow = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  Type wide = isNarrow ? l.builder.getF32Type() : element;
  KernelBuilder k(l.builder, op.getLoc(), l.symbols, op.getOperand(), getTensorType(all, wide), outer);
  k.forEach({length}, [&](unsigned inner) {
    Dims here = k.allAxes(outer.size());
    here.insert(here.begin() + at, k.axis(inner));
    Dims before = here;
    before[at] = before[at] - 1;
    Value x = convertScalar(k.b, op.getLoc(), k.load(k.in(0), here), element, wide);
    Value start = identityOf(k.b, op.getLoc(), op.getReducer(), wide);
    Value soFar = k.loadIf(k.inside({before[at]}, {length}), start, k.out(), before);
    k.store(combine(k.b, op.getLoc(), op.getReducer(), soFar, x, wide), k.out(), here);
  });
  Value result = k.kernel.getResult(0);
  return {isNarrow ? converted(l, op.getLoc(), result, element) : result};
}

static Lowering::Results lowerSort(Lowering &l, prims::SortOp op) {
  Dims outer = dimsOf(op.getOperand());
  size_t at = op.getDim();
  Dim length = outer[at];
  outer.erase(outer.begin() + at);
  KernelBuilder k = l.kernel(op, op.getOperand(), outer);
  Dims place = k.allAxes(outer.size());
  place.insert(place.begin() + at, k.axis(outer.size()));
  SortOp::create(k.b, op.getLoc(), k.in(0), k.out(0), k.out(1),
                 AffineMap::get(outer.size() + 1, l.symbols, place, op.getContext()),
                 fx::DimAttr::get(op.getContext(), length), op.getDescending());
  return {k.kernel.getResult(0), k.kernel.getResult(1)};
}

Lowering::Results Lowering::lowerReduction(Operation *op) {
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](prims::ReduceOp op) { return lowerReduce(*this, op); })
      .Case([&](prims::ArgReduceOp op) { return lowerArgReduce(*this, op); })
      .Case([&](prims::ReduceWindowOp op) { return lowerReduceWindow(*this, op); })
      .Case([&](prims::ArgReduceWindowOp op) { return lowerArgReduceWindow(*this, op); })
      .Case([&](prims::ScanOp op) { return lowerScan(*this, op); })
      .Case([&](prims::SortOp op) { return lowerSort(*this, op); })
      .Default([](Operation *) { return Results(); });
}

} // namespace graphmill::loop
