#include "inductor/Lowering/Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace graphmill::loop {

namespace {
/// Indices read from tensors, kept inside [0, size): no input makes a kernel read or write
/// outside its buffers. Those of users are reported too.
struct Indices {
  KernelBuilder &k;
  /// The kernel's argument that reports go to; null if nothing is to be reported.
  Value faults;

  Value bounded(Value loaded, Dim size) {
    Value index = arith::IndexCastOp::create(k.b, k.loc, k.b.getIndexType(), loaded);
    if (faults) {
      return CheckIndexOp::create(k.b, k.loc, index.getType(), index, faults, fx::DimAttr::get(k.b.getContext(), size));
    }
    Value zero = arith::ConstantOp::create(k.b, k.loc, k.b.getIndexAttr(0));
    Value last = k.apply(size - 1);
    return arith::MaxSIOp::create(k.b, k.loc, arith::MinSIOp::create(k.b, k.loc, index, last), zero);
  }
};
} // namespace

/// Appends what a kernel with checked indices reads besides.
static void addFaults(Lowering &l, Operation *op, bool checked, SmallVectorImpl<Value> &inputs) {
  if (checked) {
    inputs.push_back(FaultsOp::create(l.builder, op->getLoc(), RankedTensorType::get({3}, l.i64())));
  }
}

/// Where `prims.index` reads: the indexed dims come from tensors, the others are axes.
/// Tensors of indices start at block argument `firstIndex`; axis 0… run over their shape.
static Dims indexedPlace(Indices read, Value operand, ArrayRef<int64_t> dims, unsigned firstIndex,
                         unsigned indexRank, unsigned axes, SmallVectorImpl<Value> &indices) {
  KernelBuilder &k = read.k;
  Dims sizes = dimsOf(operand), place(sizes.size());
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Value loaded = k.load(k.in(firstIndex + i), k.allAxes(indexRank));
    indices.push_back(read.bounded(loaded, sizes[dim]));
    place[dim] = k.axis(axes + i);
  }
  unsigned next = indexRank;
  for (AffineExpr &expr : place) {
    if (!expr) {
      expr = k.axis(next++);
    }
  }
  return place;
}

static Lowering::Results lowerIndex(Lowering &l, prims::IndexOp op) {
  Dims axes = dimsOf(op.getResult());
  SmallVector<Value> inputs(op->getOperands());
  addFaults(l, op, op.getChecked(), inputs);
  KernelBuilder k = l.kernel(op, inputs, axes);
  Indices read{k, op.getChecked() ? k.in(inputs.size() - 1) : Value()};
  SmallVector<Value> indices;
  unsigned indexRank = op.getIndices().empty() ? 0 : dimsOf(op.getIndices()[0]).size();
  Dims place = indexedPlace(read, op.getOperand(), op.getDims(), 1, indexRank, axes.size(), indices);
  k.store(k.load(k.in(0), place, indices), k.out(), k.allAxes(axes.size()));
  return {k.kernel.getResult(0)};
}

static Lowering::Results lowerIndexPut(Lowering &l, prims::IndexPutOp op) {
  Dims axes = dimsOf(op.getValues());
  // The operand comes last: the result starts as its copy.
  SmallVector<Value> inputs{op.getValues()};
  llvm::append_range(inputs, op.getIndices());
  addFaults(l, op, op.getChecked(), inputs);
  inputs.push_back(op.getOperand());
  KernelBuilder k = l.kernel(op, inputs, axes, /*inits=*/1);
  Indices read{k, op.getChecked() ? k.in(inputs.size() - 2) : Value()};
  k.kernel.setSequential(true);
  SmallVector<Value> indices;
  unsigned indexRank = op.getIndices().empty() ? 0 : dimsOf(op.getIndices()[0]).size();
  Dims place = indexedPlace(read, op.getOperand(), op.getDims(), 1, indexRank, axes.size(), indices);
  Value value = k.load(k.in(0), k.allAxes(axes.size()));
  k.store(value, k.out(), place, indices, static_cast<Combiner>(op.getCombiner()));
  return {k.kernel.getResult(0)};
}

static Lowering::Results lowerGather(Lowering &l, prims::GatherOp op) {
  Dims axes = dimsOf(op.getResult());
  size_t dim = op.getDim();
  SmallVector<Value> inputs{op.getOperand(), op.getIndex()};
  addFaults(l, op, op.getChecked(), inputs);
  KernelBuilder k = l.kernel(op, inputs, axes);
  Indices read{k, op.getChecked() ? k.in(2) : Value()};
  Dims place = k.allAxes(axes.size());
  Value index = read.bounded(k.load(k.in(1), place), dimOf(op.getOperand(), dim));
  place[dim] = k.axis(axes.size());
  k.store(k.load(k.in(0), place, index), k.out(), k.allAxes(axes.size()));
  return {k.kernel.getResult(0)};
}

static Lowering::Results lowerScatter(Lowering &l, prims::ScatterOp op) {
  Dims axes = dimsOf(op.getIndex());
  size_t dim = op.getDim();
  SmallVector<Value> inputs{op.getIndex(), op.getValues()};
  addFaults(l, op, op.getChecked(), inputs);
  inputs.push_back(op.getOperand());
  KernelBuilder k = l.kernel(op, inputs, axes, /*inits=*/1);
  Indices read{k, op.getChecked() ? k.in(2) : Value()};
  k.kernel.setSequential(true);
  Dims here = k.allAxes(axes.size()), place = here;
  Value index = read.bounded(k.load(k.in(0), here), dimOf(op.getOperand(), dim));
  place[dim] = k.axis(axes.size());
  k.store(k.load(k.in(1), here), k.out(), place, index, static_cast<Combiner>(op.getCombiner()));
  return {k.kernel.getResult(0)};
}

Lowering::Results Lowering::lowerIndexing(Operation *op) {
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](prims::IndexOp op) { return lowerIndex(*this, op); })
      .Case([&](prims::IndexPutOp op) { return lowerIndexPut(*this, op); })
      .Case([&](prims::GatherOp op) { return lowerGather(*this, op); })
      .Case([&](prims::ScatterOp op) { return lowerScatter(*this, op); })
      .Default([](Operation *) { return Results(); });
}

} // namespace graphmill::loop
