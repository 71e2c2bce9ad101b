//===- EmitAttention.cpp - Softmax of scores without the scores' matrix ----===//
//
// A grid tile is a block of queries of one head. Keys are taken in blocks: packed into
// panels, multiplied with the queries, turned into exponentials against the running
// maximum of each row, and multiplied with the values; what was summed before is scaled
// when the maximum grows. Scores of one block never leave the cache.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/EmitTemplates.h"
#include "codegen/cpu/MicroKernel.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace graphmill::cpu {

std::optional<AttentionParts> AttentionParts::match(loop::KernelOp kernel) {
  if (kernel.getForm() != loop::Template::Attention) {
    return std::nullopt;
  }
  AttentionParts p;
  for (mlir::Operation &op : kernel.getBlock()) {
    if (auto reduce = dyn_cast<loop::ReduceOp>(op)) {
      (p.largest ? p.sum : p.largest) = reduce;
    } else if (auto inner = dyn_cast<loop::ForOp>(op)) {
      p.output = inner;
    }
  }
  if (!p.largest || !p.sum || !p.output) {
    return std::nullopt;
  }
  auto only = [](mlir::Block &block) -> loop::ReduceOp {
    auto reduces = block.getOps<loop::ReduceOp>();
    return hasSingleElement(reduces) ? *reduces.begin() : nullptr;
  };
  p.dot = only(p.largest.getBlock());
  p.total = only(p.output.getBlock());
  if (!p.dot || !p.total) {
    return std::nullopt;
  }
  auto product = p.dot.getYield().getValues()[0].getDefiningOp<mlir::arith::MulFOp>();
  auto weighted = p.total.getYield().getValues()[0].getDefiningOp<mlir::arith::MulFOp>();
  if (!product || !weighted) {
    return std::nullopt;
  }
  p.query = product.getLhs().getDefiningOp<loop::LoadOp>();
  p.key = product.getRhs().getDefiningOp<loop::LoadOp>();
  p.value = weighted.getRhs().getDefiningOp<loop::LoadOp>();
  if (!p.query || !p.key || !p.value || !p.largest.getType(0).isF32()) {
    return std::nullopt;
  }
  for (loop::LoadOp load : {p.query, p.key, p.value}) {
    if (load.getMask() || !load.getIndices().empty() || !getElement(load.getTensor()).isF32()) {
      return std::nullopt;
    }
  }
  return p;
}

namespace {

class AttentionEmitter {
public:
  AttentionEmitter(KernelEmitter &e, const AttentionParts &parts, const KernelPlan &plan)
      : e(e), b(e.b), p(parts), plan(plan), lanes(e.target.lanes()) {
    float32 = b.getFloatTy();
    vector = FixedVectorType::get(float32, lanes);
    panel = kVectors * lanes;
    tileRows = rowsInRegisters(e.target.numVectorRegisters, kVectors);
    queries = e.kernel.getAxes().getExprs()[2];
    keys = p.largest.getAxes().getExprs()[0];
    depth = p.dot.getAxes().getExprs()[0];
    width = p.output.getAxes().getExprs()[0];
  }

  EmittedKernel emit();

private:
  static constexpr unsigned kVectors = 2;
  // Keys in a block. 256: their panels (depth 64) and the scores of 48 queries fit in half of
  // an L2 cache.
  static constexpr int64_t kKeyBlock = 256;

  int64_t queryBlock() const {
    int64_t rows = 8 * tileRows;
    if (auto known = getStatic(queries)) {
      return std::clamp<int64_t>(*known, 1, rows);
    }
    return rows;
  }
  const loop::IndexForm &form(loop::LoadOp load) { return plan.accesses.find(load)->second.form; }
  Value *offset(loop::LoadOp load, ArrayRef<Value *> axes) {
    Place place;
    place.axes.assign(axes.begin(), axes.end());
    return e.emitIndex(form(load).toExpr(), place);
  }
  Value *stride(loop::LoadOp load, unsigned axis) { return e.emitIndex(form(load).coefficient(axis), Place()); }
  Value *at(Value *base, Value *index) { return b.CreateGEP(float32, base, index); }
  Value *laneMask(Value *first, Value *end) {
    return e.tailMask(first, end, lanes);
  }
  Constant *splat(double value) { return ConstantVector::getSplat(ElementCount::getFixed(lanes), ConstantFP::get(float32, value)); }

  void packKeys(Value *firstKey, Value *numKeys);
  void packValues(Value *firstKey, Value *numKeys);
  void emitScores(Value *row, unsigned rows, Value *firstKey, Value *numKeys);
  void emitSoftmax(Value *row, Value *numKeys, Value *isFirst);
  void emitValues(Value *row, unsigned rows, Value *firstKey, Value *numKeys, Value *isFirst);
  void emitOutput(Value *row);
  void rowGroups(Value *count, function_ref<void(Value *, unsigned)> body);

  KernelEmitter &e;
  LoopBuilder &b;
  AttentionParts p;
  const KernelPlan &plan;
  unsigned lanes, tileRows;
  int64_t panel;
  Type *float32;
  FixedVectorType *vector;
  mlir::AffineExpr queries, keys, depth, width;
  // Of the tile at hand.
  Value *batch, *head, *firstQuery, *depthValue, *widthValue, *paddedWidth;
  Value *panels, *scores, *sums, *maxima, *totals, *values = nullptr;
  bool packsValues = false; ///< columns of the values are apart in memory
};

void AttentionEmitter::rowGroups(Value *count, function_ref<void(Value *, unsigned)> body) {
  Value *whole = b.CreateMul(b.CreateUDiv(count, b.index(tileRows)), b.index(tileRows));
  b.forLoop(b.index(0), whole, b.index(tileRows), [&](Value *row) { body(row, tileRows); });
  std::optional<int64_t> known = getStatic(queries);
  for (unsigned left = 1; left < tileRows; ++left) {
    int64_t block = queryBlock();
    if (known && (*known % block) % tileRows != left && block % tileRows != left) {
      continue;
    }
    b.ifThen(b.CreateICmpEQ(b.CreateSub(count, whole), b.index(left)), [&] { body(whole, left); });
  }
}

/// panels[key / panel][d][key % panel], zeros past the last key.
void AttentionEmitter::packKeys(Value *firstKey, Value *numKeys) {
  Value *rounded = b.CreateMul(b.CreateUDiv(b.CreateAdd(numKeys, b.index(panel - 1)), b.index(panel)), b.index(panel));
  Value *keyStride = stride(p.key, 3), *depthStride = stride(p.key, 4);
  Value *buffer = e.buffer(p.key.getTensor());
  b.forLoop(b.index(0), rounded, b.index(1), [&](Value *key) {
    Value *exists = b.CreateICmpSLT(key, numKeys);
    // Past the end, any key that exists stands in: its scores are masked.
    Value *source = b.CreateSelect(exists, key, b.index(0));
    Value *from = b.CreateAdd(offset(p.key, {batch, head, b.index(0), b.index(0), b.index(0)}),
                              b.CreateMul(b.CreateAdd(firstKey, source), keyStride));
    Value *to = b.CreateAdd(b.CreateMul(b.CreateUDiv(key, b.index(panel)), b.CreateMul(depthValue, b.index(panel))),
                            b.CreateURem(key, b.index(panel)));
    b.forLoop(b.index(0), depthValue, b.index(1), [&](Value *d) {
      Value *element = b.CreateLoad(float32, at(buffer, b.CreateAdd(from, b.CreateMul(d, depthStride))));
      b.CreateStore(element, at(panels, b.CreateAdd(to, b.CreateMul(d, b.index(panel)))));
    });
  });
}

/// values[key][column], for values whose columns are apart in memory.
void AttentionEmitter::packValues(Value *firstKey, Value *numKeys) {
  Value *keyStride = stride(p.value, 4), *columnStride = stride(p.value, 3);
  Value *from = at(e.buffer(p.value.getTensor()), offset(p.value, {batch, head, b.index(0), b.index(0), firstKey}));
  // The axis that is contiguous in memory is the inner loop.
  bool alongKeys = getStatic(form(p.value).coefficient(4)) == 1;
  Value *outer = alongKeys ? widthValue : numKeys, *inner = alongKeys ? numKeys : widthValue;
  b.forLoop(b.index(0), outer, b.index(1), [&](Value *i) {
    b.forLoop(b.index(0), inner, b.index(1), [&](Value *j) {
      Value *key = alongKeys ? j : i, *column = alongKeys ? i : j;
      Value *source = b.CreateAdd(b.CreateMul(key, keyStride), b.CreateMul(column, columnStride));
      Value *place = b.CreateAdd(b.CreateMul(key, paddedWidth), column);
      b.CreateStore(b.CreateLoad(float32, at(from, source)), at(values, place));
    });
  });
}

/// The micro-kernel, then the ops between the dot product and the maximum, on its lanes.
void AttentionEmitter::emitScores(Value *row, unsigned rows, Value *firstKey, Value *numKeys) {
  MicroKernel kernel{lanes, kVectors, {}, stride(p.query, 4), nullptr, b.index(panel), depthValue, {}};
  Value *queryStride = stride(p.query, 2);
  Value *base = offset(p.query, {batch, head, firstQuery, b.index(0), b.index(0)});
  Value *from = b.CreateAdd(base, b.CreateMul(row, queryStride));
  kernel.setRows(b, at(e.buffer(p.query.getTensor()), from), queryStride, rows);
  b.forLoop(b.index(0), numKeys, b.index(panel), [&](Value *key) {
    kernel.columns = at(panels, b.CreateMul(key, depthValue));
    Values dots = kernel.emit(b, kernel.zeros(b, rows));
    for (unsigned r = 0; r < rows; ++r) {
      for (unsigned v = 0; v < kVectors; ++v) {
        Value *first = b.CreateAdd(key, b.index(v * lanes));
        Place place;
        place.axes = {batch, head, b.CreateAdd(firstQuery, b.CreateAdd(row, b.index(r))), b.CreateAdd(firstKey, first)};
        place.lanes = lanes;
        place.laneAxis = 3;
        place.mask = laneMask(first, numKeys);
        for (mlir::Operation &op : p.largest.getBlock()) {
          if (&op == p.dot.getOperation()) {
            e.define(p.dot.getResult(0), dots[r * kVectors + v]);
          } else if (!op.hasTrait<mlir::OpTrait::IsTerminator>()) {
            e.emitOp(op, place);
          }
        }
        Value *score = e.lookup(p.largest.getYield().getValues()[0]);
        score = b.CreateSelect(place.mask, score, splat(-std::numeric_limits<double>::infinity()));
        Value *to = b.CreateAdd(b.CreateMul(b.CreateAdd(row, b.index(r)), b.index(kKeyBlock)), first);
        b.CreateAlignedStore(score, at(scores, to), Align(4));
      }
    }
  });
}

static Value *maximum(LoopBuilder &b, Value *x, Value *y) { return emitMaximum(b, x, y, true); }

static Value *across(LoopBuilder &b, Value *value, unsigned lanes, function_ref<Value *(Value *, Value *)> combine) {
  while (lanes > 1) {
    lanes /= 2;
    SmallVector<int> low, high;
    for (unsigned i = 0; i < lanes; ++i) {
      low.push_back(i);
      high.push_back(i + lanes);
    }
    value = combine(b.CreateShuffleVector(value, low), b.CreateShuffleVector(value, high));
  }
  return b.CreateExtractElement(value, uint64_t(0));
}

/// Scores of one row to exponentials; keeps the running maximum and sum, and scales what was
/// summed under a smaller maximum.
void AttentionEmitter::emitSoftmax(Value *row, Value *numKeys, Value *isFirst) {
  Value *line = at(scores, b.CreateMul(row, b.index(kKeyBlock)));
  Value *rounded = b.CreateMul(b.CreateUDiv(b.CreateAdd(numKeys, b.index(lanes - 1)), b.index(lanes)), b.index(lanes));
  Value *infinity = splat(-std::numeric_limits<double>::infinity());
  Values best = b.forLoop(b.index(0), rounded, b.index(lanes), {infinity}, [&](Value *i, ArrayRef<Value *> now) {
    Value *x = b.CreateAlignedLoad(vector, at(line, i), Align(4));
    return Values{maximum(b, now[0], x)};
  });
  Value *blockMax = across(b, best[0], lanes, [&](Value *x, Value *y) { return maximum(b, x, y); });
  Value *before = b.CreateLoad(float32, at(maxima, row));
  Value *now = maximum(b, before, blockMax);
  Value *none = ConstantFP::getInfinity(float32, /*Negative=*/true);
  Value *shift = b.CreateSelect(b.CreateFCmpOEQ(now, none), ConstantFP::get(float32, 0.0), now);
  Values sum = b.forLoop(b.index(0), rounded, b.index(lanes), {splat(0)}, [&](Value *i, ArrayRef<Value *> carried) {
    Value *x = b.CreateAlignedLoad(vector, at(line, i), Align(4));
    Value *y = emitFunction(b, "exp", {b.CreateFSub(x, b.CreateVectorSplat(lanes, shift))});
    b.CreateAlignedStore(y, at(line, i), Align(4));
    return Values{b.CreateFAdd(carried[0], y)};
  });
  Value *blockSum = across(b, sum[0], lanes, [&](Value *x, Value *y) { return b.CreateFAdd(x, y); });
  b.CreateStore(now, at(maxima, row));
  b.ifThenElse(
      isFirst, [&] { b.CreateStore(blockSum, at(totals, row)); },
      [&] {
        Value *factor = emitFunction(b, "exp", {b.CreateFSub(before, shift)});
        // -inf - -inf, if nothing was seen before: nothing to scale.
        factor = b.CreateSelect(b.CreateFCmpOEQ(before, none), ConstantFP::get(float32, 0.0), factor);
        Value *old = b.CreateLoad(float32, at(totals, row));
        b.CreateStore(b.CreateFAdd(b.CreateFMul(old, factor), blockSum), at(totals, row));
        Value *out = at(sums, b.CreateMul(row, paddedWidth));
        b.forLoop(b.index(0), paddedWidth, b.index(lanes), [&](Value *i) {
          Value *x = b.CreateAlignedLoad(vector, at(out, i), Align(4));
          b.CreateAlignedStore(b.CreateFMul(x, b.CreateVectorSplat(lanes, factor)), at(out, i), Align(4));
        });
      });
}

/// sums[row] (+)= exponentials[row] x values
void AttentionEmitter::emitValues(Value *row, unsigned rows, Value *firstKey, Value *numKeys, Value *isFirst) {
  MicroKernel kernel{lanes, kVectors, {}, b.index(1), nullptr, packsValues ? paddedWidth : stride(p.value, 4), numKeys, {}};
  kernel.setRows(b, at(scores, b.CreateMul(row, b.index(kKeyBlock))), b.index(kKeyBlock), rows);
  // Axes of the value's load: batch, head, query, column, key.
  Value *source = packsValues ? values : e.buffer(p.value.getTensor());
  Value *base = packsValues ? static_cast<Value *>(b.index(0)) : offset(p.value, {batch, head, b.index(0), b.index(0), firstKey});
  bool whole = getStatic(width).value_or(1) % panel == 0;
  b.forLoop(b.index(0), widthValue, b.index(panel), [&](Value *column) {
    kernel.columns = at(source, b.CreateAdd(base, column));
    kernel.masks.clear();
    for (unsigned v = 0; v < kVectors && !whole; ++v) {
      kernel.masks.push_back(laneMask(b.CreateAdd(column, b.index(v * lanes)), widthValue));
    }
    SmallVector<Value *> places;
    Values start;
    for (unsigned r = 0; r < rows; ++r) {
      for (unsigned v = 0; v < kVectors; ++v) {
        Value *to = b.CreateAdd(b.CreateMul(b.CreateAdd(row, b.index(r)), paddedWidth), b.CreateAdd(column, b.index(v * lanes)));
        places.push_back(at(sums, to));
        Value *old = b.CreateAlignedLoad(vector, places.back(), Align(4));
        start.push_back(b.CreateSelect(isFirst, splat(0), old));
      }
    }
    Values results = kernel.emit(b, start);
    for (auto [result, place] : zip(results, places)) {
      b.CreateAlignedStore(result, place, Align(4));
    }
  });
}

/// The ops around and after the weighted sum, on lanes of the output's inner axis.
void AttentionEmitter::emitOutput(Value *row) {
  Place outer;
  outer.axes = {batch, head, b.CreateAdd(firstQuery, row)};
  for (mlir::Operation &op : e.kernel.getBlock()) {
    if (&op == p.largest.getOperation()) {
      e.define(p.largest.getResult(0), b.CreateLoad(float32, at(maxima, row)));
    } else if (&op == p.sum.getOperation()) {
      e.define(p.sum.getResult(0), b.CreateLoad(float32, at(totals, row)));
    } else if (&op != p.output.getOperation() && !op.hasTrait<mlir::OpTrait::IsTerminator>()) {
      e.emitOp(op, outer);
    }
  }
  bool whole = getStatic(width).value_or(1) % lanes == 0;
  b.forLoop(b.index(0), widthValue, b.index(lanes), [&](Value *column) {
    Place place = outer;
    place.axes.push_back(column);
    place.laneAxis = 3;
    place.lanes = lanes;
    place.mask = whole ? nullptr : laneMask(column, widthValue);
    for (mlir::Operation &op : p.output.getBlock()) {
      if (&op == p.total.getOperation()) {
        Value *from = at(sums, b.CreateAdd(b.CreateMul(row, paddedWidth), column));
        e.define(p.total.getResult(0), b.CreateAlignedLoad(vector, from, Align(4)));
      } else if (!op.hasTrait<mlir::OpTrait::IsTerminator>()) {
        e.emitOp(op, place);
      }
    }
  });
}

EmittedKernel AttentionEmitter::emit() {
  e.plan = &plan;
  // Constants stand at the kernel's level and are used at all of them.
  for (mlir::Operation &op : e.kernel.getBlock()) {
    if (op.hasTrait<mlir::OpTrait::ConstantLike>()) {
      e.emitOp(op, Place());
    }
  }
  auto dims = e.kernel.getAxes().getExprs();
  int64_t block = queryBlock();
  mlir::AffineExpr blocks = simplify(queries.ceilDiv(block));
  mlir::AffineExpr padded = simplify(width.ceilDiv(panel) * panel);
  depthValue = e.emitIndex(depth, Place());
  widthValue = e.emitIndex(width, Place());
  paddedWidth = e.emitIndex(padded, Place());
  Value *numBlocks = e.emitIndex(blocks, Place()), *heads = e.emitIndex(dims[1], Place());
  Value *numQueries = e.emitIndex(queries, Place()), *allKeys = e.emitIndex(keys, Place());

  // Scratch, in float32 elements: panels, scores, sums, maxima, totals.
  Value *next = e.scratch;
  mlir::AffineExpr used = constantDim(e.kernel.getContext(), 0);
  auto take = [&](mlir::AffineExpr elements) {
    Value *here = next;
    elements = simplify(elements.ceilDiv(16) * 16);
    next = at(next, e.emitIndex(elements, Place()));
    used = used + elements * 4;
    return here;
  };
  panels = take(depth * (kKeyBlock + panel));
  scores = take(constantDim(e.kernel.getContext(), block * kKeyBlock));
  sums = take(padded * block);
  maxima = take(constantDim(e.kernel.getContext(), block));
  totals = take(constantDim(e.kernel.getContext(), block));
  packsValues = getStatic(form(p.value).coefficient(3)) != 1;
  if (packsValues) {
    values = take(padded * kKeyBlock);
  }

  b.forLoop(e.begin, e.end, b.index(1), [&](Value *tile) {
    firstQuery = b.CreateMul(b.CreateURem(tile, numBlocks), b.index(block));
    Value *rest = b.CreateUDiv(tile, numBlocks);
    head = b.CreateURem(rest, heads);
    batch = b.CreateUDiv(rest, heads);
    Value *count = b.CreateBinaryIntrinsic(Intrinsic::smin, b.CreateSub(numQueries, firstQuery), b.index(block));
    b.forLoop(b.index(0), count, b.index(1), [&](Value *row) {
      b.CreateStore(ConstantFP::getInfinity(float32, true), at(maxima, row));
      b.CreateStore(ConstantFP::get(float32, 0.0), at(totals, row));
    });
    b.forLoop(b.index(0), allKeys, b.index(kKeyBlock), [&](Value *firstKey) {
      Value *numKeys = b.CreateBinaryIntrinsic(Intrinsic::smin, b.CreateSub(allKeys, firstKey), b.index(kKeyBlock));
      Value *isFirst = b.CreateICmpEQ(firstKey, b.index(0));
      packKeys(firstKey, numKeys);
      if (packsValues) {
        packValues(firstKey, numKeys);
      }
      rowGroups(count, [&](Value *row, unsigned rows) { emitScores(row, rows, firstKey, numKeys); });
      b.forLoop(b.index(0), count, b.index(1), [&](Value *row) { emitSoftmax(row, numKeys, isFirst); });
      rowGroups(count, [&](Value *row, unsigned rows) { emitValues(row, rows, firstKey, numKeys, isFirst); });
    });
    b.forLoop(b.index(0), count, b.index(1), [&](Value *row) { emitOutput(row); });
  });
  e.finish();
  return {simplify(blocks * dims[0] * dims[1]), simplify(used), constantDim(e.kernel.getContext(), 1)};
}

} // namespace

EmittedKernel emitAttention(KernelEmitter &emitter, const AttentionParts &parts, const KernelPlan &plan) {
  return AttentionEmitter(emitter, parts, plan).emit();
}

} // namespace graphmill::cpu
