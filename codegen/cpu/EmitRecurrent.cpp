//===- EmitRecurrent.cpp - A recurrent layer, a phase a step ---------------===//
//
// A phase is one step in time; its tiles are blocks of units, as wide as a vector. For each
// group of batch rows: all gates' products with the state before it, in registers, then the
// cell's scalar ops on them. A tile's weights are read from front to back.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/EmitTemplates.h"
#include "codegen/cpu/MicroKernel.h"

using namespace llvm;

namespace graphmill::cpu {

enum Axis : unsigned { kStep, kUnit, kBatch, kInner };

/// Of a map (unit / lanes, c0, inner, c1, unit mod lanes) with constants c0, c1: the gate's
/// number when there are `vectors` of them side by side.
static bool isPanel(mlir::AffineMap map, unsigned gate, unsigned lanes, unsigned vectors) {
  mlir::MLIRContext *context = map.getContext();
  mlir::AffineExpr unit = mlir::getAffineDimExpr(kUnit, context);
  return map.getResult(0) == unit.floorDiv(lanes) && getStatic(map.getResult(1)) == gate / vectors &&
         map.getResult(2) == mlir::getAffineDimExpr(kInner, context) && getStatic(map.getResult(3)) == gate % vectors &&
         map.getResult(4) == unit % lanes;
}

std::optional<RecurrentParts> RecurrentParts::match(loop::KernelOp kernel, const KernelPlan &plan) {
  if (kernel.getForm() != loop::Template::Recurrent || kernel.getNumAxes() != 3) {
    return std::nullopt;
  }
  RecurrentParts p;
  auto reduces = kernel.getBlock().getOps<loop::ReduceOp>();
  if (!hasSingleElement(reduces)) {
    return std::nullopt;
  }
  p.products = *reduces.begin();
  for (auto [gate, value] : enumerate(p.products.getYield().getValues())) {
    auto product = value.getDefiningOp<mlir::arith::MulFOp>();
    auto hidden = product ? product.getLhs().getDefiningOp<loop::LoadOp>() : nullptr;
    auto weight = product ? product.getRhs().getDefiningOp<loop::LoadOp>() : nullptr;
    if (!hidden || !weight || (p.hidden && hidden != p.hidden) || !value.getType().isF32() ||
        !getElement(hidden.getTensor()).isF32() || !getElement(weight.getTensor()).isF32()) {
      return std::nullopt;
    }
    p.hidden = hidden;
    p.weights.push_back(weight);
  }
  if (p.weights.empty() || cast<mlir::RankedTensorType>(p.weights[0].getTensor().getType()).getRank() != 5) {
    return std::nullopt;
  }
  auto packed = cast<mlir::RankedTensorType>(p.weights[0].getTensor().getType());
  p.vectors = packed.getDimSize(3);
  p.lanes = packed.getDimSize(4);
  for (auto [gate, weight] : enumerate(p.weights)) {
    if (weight.getTensor() != p.weights[0].getTensor() || !isPanel(weight.getMap(), gate, p.lanes, p.vectors)) {
      return std::nullopt;
    }
  }
  // Read after the first step; the mask must say just that.
  auto later = p.hidden.getMask() ? p.hidden.getMask().getDefiningOp<loop::InsideOp>() : nullptr;
  bool isLater = later && later.getMap().getNumResults() == 1 &&
                 later.getMap().getResult(0) == mlir::getAffineDimExpr(kStep, kernel.getContext()) - 1;
  const loop::IndexForm &form = plan.accesses.find(p.hidden)->second.form;
  if (!isLater || getStatic(form.coefficient(kInner)) != 1) {
    return std::nullopt;
  }
  return p;
}

namespace {
class RecurrentEmitter {
public:
  RecurrentEmitter(KernelEmitter &e, const RecurrentParts &parts, const KernelPlan &plan) : e(e), b(e.b), p(parts) {
    e.plan = &plan;
    rowsInGroup = rowsInRegisters(e.target.numVectorRegisters, p.vectors);
    extents.assign(e.kernel.getAxes().getExprs().begin(), e.kernel.getAxes().getExprs().end());
    depth = p.products.getAxes().getExprs()[0];
  }

  EmittedKernel emit() {
    mlir::AffineExpr blocks = simplify(extents[kUnit].ceilDiv(p.lanes));
    Value *numBlocks = e.emitIndex(blocks, Place());
    b.forLoop(e.begin, e.end, b.index(1), [&](Value *tile) {
      step = b.CreateUDiv(tile, numBlocks);
      block = b.CreateURem(tile, numBlocks);
      emitRows();
    });
    e.finish();
    return {blocks, simplify(depth * (4 * rowsInGroup)), extents[kStep]};
  }

private:
  void emitRows() {
    Value *count = e.emitIndex(extents[kBatch], Place()), *group = b.index(rowsInGroup);
    Value *whole = b.CreateMul(b.CreateUDiv(count, group), group);
    b.forLoop(b.index(0), whole, group, [&](Value *row) { emitGroup(row, rowsInGroup); });
    std::optional<int64_t> known = getStatic(extents[kBatch]);
    for (unsigned left = 1; left < rowsInGroup; ++left) {
      if (!known || *known % rowsInGroup == left) {
        b.ifThen(b.CreateICmpEQ(b.CreateSub(count, whole), b.index(left)), [&] { emitGroup(whole, left); });
      }
    }
  }

  Place placeOf(Value *row, Value *inner = nullptr) {
    Place place;
    place.axes = {step, b.CreateMul(block, b.index(p.lanes)), row};
    if (inner) {
      place.axes.push_back(inner);
    }
    return place;
  }

  /// scratch[r][k] = the state before the first step.
  void emitStart(Value *firstRow, unsigned rows) {
    Value *length = e.emitIndex(depth, Place());
    unsigned lanes = e.target.lanes();
    for (unsigned r = 0; r < rows; ++r) {
      // What the sum's body uses from outside.
      e.emitOps(e.kernel.getBlock(), placeOf(b.CreateAdd(firstRow, b.index(r))), p.products);
      e.laneLoop(b.index(0), length, lanes, {}, [&](Value *k, Value *mask, ArrayRef<Value *>) {
        Place place = placeOf(b.CreateAdd(firstRow, b.index(r)), k);
        place.laneAxis = kInner;
        place.lanes = lanes;
        place.mask = mask;
        for (mlir::Operation &op : p.products.getBlock()) {
          bool isProduct = is_contained(p.weights, dyn_cast<loop::LoadOp>(op)) || isa<loop::YieldOp, mlir::arith::MulFOp>(op);
          if (!isProduct) {
            e.emitOp(op, place);
          }
        }
        Value *value = e.lookup(p.hidden);
        if (!value->getType()->isVectorTy()) {
          value = b.CreateVectorSplat(lanes, value);
        }
        Value *to = b.CreateGEP(b.getFloatTy(), e.scratch, b.CreateAdd(b.CreateMul(length, b.index(r)), k));
        mask ? static_cast<Value *>(b.CreateMaskedStore(value, to, Align(4), mask)) : b.CreateAlignedStore(value, to, Align(4));
        return Values();
      });
    }
  }

  void emitGroup(Value *firstRow, unsigned rows) {
    Value *isFirst = b.CreateICmpEQ(step, b.index(0)), *length = e.emitIndex(depth, Place());
    b.ifThen(isFirst, [&] { emitStart(firstRow, rows); });
    const loop::IndexForm &form = e.plan->accesses.find(p.hidden)->second.form;
    SmallVector<MicroKernel::Row> states;
    for (unsigned r = 0; r < rows; ++r) {
      Place place = placeOf(b.CreateAdd(firstRow, b.index(r)), b.index(0));
      Value *before = b.CreateGEP(b.getFloatTy(), e.buffer(p.hidden.getTensor()), e.emitIndex(form.toExpr(), place));
      Value *start = b.CreateGEP(b.getFloatTy(), e.scratch, b.CreateMul(length, b.index(r)));
      states.push_back({b.CreateSelect(isFirst, start, before)});
    }
    unsigned width = p.vectors * p.lanes, gates = p.weights.size();
    Values sums(rows * gates); // all gates of a row, then the next row's
    for (unsigned pass = 0; pass < gates / p.vectors; ++pass) {
      Value *panel = b.CreateAdd(b.CreateMul(block, b.index(gates / p.vectors)), b.index(pass));
      Value *weights = b.CreateGEP(b.getFloatTy(), e.buffer(p.weights[0].getTensor()),
                                   b.CreateMul(panel, b.CreateMul(length, b.index(width))));
      MicroKernel kernel{p.lanes, p.vectors, states, b.index(1), weights, b.index(width), length, {}};
      Values results = kernel.emit(b, kernel.zeros(b, rows));
      for (unsigned i = 0; i < results.size(); ++i) {
        sums[i / p.vectors * gates + pass * p.vectors + i % p.vectors] = results[i];
      }
    }
    emitForEachRow(b, sums, gates, [&](Value *r, ArrayRef<Value *> row) { emitCell(b.CreateAdd(firstRow, r), row); });
  }

  void emitCell(Value *row, ArrayRef<Value *> sums) {
    Place place = placeOf(row);
    place.laneAxis = kUnit;
    place.lanes = p.lanes;
    std::optional<int64_t> units = getStatic(extents[kUnit]);
    if (!units || *units % p.lanes != 0) {
      place.mask = e.tailMask(place.axes[kUnit], e.emitIndex(extents[kUnit], Place()), p.lanes);
    }
    e.emitAround(p.products, sums, place);
  }

  KernelEmitter &e;
  LoopBuilder &b;
  RecurrentParts p;
  Dims extents;
  mlir::AffineExpr depth;
  unsigned rowsInGroup;
  Value *step = nullptr, *block = nullptr;
};
} // namespace

EmittedKernel emitRecurrent(KernelEmitter &emitter, const RecurrentParts &parts, const KernelPlan &plan) {
  return RecurrentEmitter(emitter, parts, plan).emit();
}

} // namespace graphmill::cpu
