//===- EmitContraction.cpp - Register tiles over packed panels -------------===//
//
// A grid tile is a block of rows times a block of panels (of one batch). For each panel,
// for each group of rows: all of the reduction with the results in registers, then the
// epilogue on them. B's panel stays in the L1 or L2 cache for all rows, A's block in L2
// for all panels.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Contraction.h"
#include "codegen/cpu/EmitTemplates.h"
#include "codegen/cpu/MicroKernel.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace graphmill::cpu {

namespace {

/// One contraction's code.
class ContractionEmitter {
public:
  ContractionEmitter(KernelEmitter &e, const Contraction &c, const KernelPlan &plan)
      : e(e), b(e.b), c(c), plan(plan), lanes(e.target.lanes()) {
    float32 = b.getFloatTy();
    vector = FixedVectorType::get(float32, lanes);
    panel = c.panel ? c.panel : 2 * lanes;
    vectors = panel / lanes;
    rowsPerTile = rowsInRegisters(e.target.numVectorRegisters, vectors);
    if (auto known = getStatic(c.numRows())) {
      rowsPerTile = std::min<int64_t>(rowsPerTile, *known);
    }
  }

  EmittedKernel emit();

private:
  int64_t rowBlock() const;
  int64_t panelBlock() const;
  Value *extent(unsigned axis) { return e.emitIndex(c.axes[axis], Place()); }

  // Rows that aren't equally far apart are looked up in a table that each tile makes.
  unsigned tableWidth() {
    return 1 + (c.padding ? c.padding.getMap().getNumResults() : 0) + (c.flatEpilogue ? 0 : c.rows.size());
  }
  void fillTable(Value *firstRow, Value *endRow, const Place &batch);
  Value *tableEntry(Value *row, unsigned column) {
    Value *at = b.CreateAdd(b.CreateMul(b.CreateSub(row, blockStart), b.index(tableWidth())), b.index(column));
    return b.CreateGEP(b.getInt64Ty(), e.scratch, at);
  }

  void emitRowGroups(Value *firstRow, Value *endRow, Value *panelIndex, bool masked, const Place &batch);
  void emitTile(unsigned rows, Value *row, Value *panelIndex, bool masked, const Place &batch);
  /// sum over all of the reduction, for `rows` rows: results[r * vectors + v].
  Values accumulate(unsigned rows, Value *row, Value *panelIndex, bool masked, const Place &batch);
  void emitEpilogue(unsigned rows, Value *row, Value *panelIndex, bool masked, const Place &batch, ArrayRef<Value *> sums);
  Value *columnMask(Value *panelIndex, unsigned v);

  KernelEmitter &e;
  LoopBuilder &b;
  Contraction c;
  const KernelPlan &plan;
  unsigned lanes, vectors, rowsPerTile;
  int64_t panel;
  Type *float32;
  FixedVectorType *vector;
  Value *blockStart = nullptr;
  Value *zeros = nullptr;
};

/// Rows of A in one tile: half of an L2 cache of 512 KiB, a multiple of the register tile.
int64_t ContractionEmitter::rowBlock() const {
  mlir::AffineExpr depth = c.axes[c.run];
  for (unsigned tap : c.taps) {
    depth = depth * c.axes[tap];
  }
  int64_t k = getStatic(simplify(depth)).value_or(1024);
  int64_t rows = std::max<int64_t>(1, (256 << 10) / std::max<int64_t>(1, 4 * k));
  rows = std::max<int64_t>(rows, 4 * rowsPerTile);
  rows = rows / rowsPerTile * rowsPerTile;
  if (auto known = getStatic(c.numRows()); known && *known <= rows + rows / 2) {
    return *known;
  }
  return rows;
}

/// Panels in one tile: few enough that there are tiles for all threads.
int64_t ContractionEmitter::panelBlock() const {
  std::optional<int64_t> columns = getStatic(c.numColumns());
  if (!columns) {
    return 1;
  }
  int64_t panels = llvm::divideCeil(*columns, panel);
  return std::clamp<int64_t>(panels / 8, 1, 8);
}

Value *ContractionEmitter::columnMask(Value *panelIndex, unsigned v) {
  Value *first = b.CreateAdd(b.CreateMul(panelIndex, b.index(panel)), b.index(v * lanes));
  Value *left = b.CreateSub(extent(c.columns), first);
  SmallVector<Constant *> iota;
  for (unsigned i = 0; i < lanes; ++i) {
    iota.push_back(b.getInt64(i));
  }
  return b.CreateICmpSLT(ConstantVector::get(iota), b.CreateVectorSplat(lanes, left));
}

void ContractionEmitter::fillTable(Value *firstRow, Value *endRow, const Place &batch) {
  Place place = batch;
  // Axes of the first row, then step like an odometer.
  Values digits;
  Value *rest = firstRow;
  for (unsigned axis : reverse(c.rows)) {
    digits.push_back(b.CreateURem(rest, extent(axis)));
    rest = b.CreateUDiv(rest, extent(axis));
  }
  b.forLoop(firstRow, endRow, b.index(1), digits, [&](Value *row, ArrayRef<Value *> now) {
    for (unsigned i = 0; i < c.rows.size(); ++i) {
      place.axes[c.rows[c.rows.size() - 1 - i]] = now[i];
    }
    place.axes.resize(c.axes.size(), b.index(0));
    unsigned column = 0;
    b.CreateStore(e.emitIndex(c.formA.toExpr(), place), tableEntry(row, column++));
    if (c.padding) {
      for (mlir::AffineExpr expr : c.padding.getMap().getResults()) {
        b.CreateStore(e.emitIndex(expr, place), tableEntry(row, column++));
      }
    }
    if (!c.flatEpilogue) {
      for (unsigned axis : c.rows) {
        b.CreateStore(place.axes[axis], tableEntry(row, column++));
      }
    }
    Values next;
    Value *carry = b.index(1);
    for (unsigned i = 0; i < now.size(); ++i) {
      Value *digit = b.CreateAdd(now[i], carry);
      Value *wraps = b.CreateICmpEQ(digit, extent(c.rows[c.rows.size() - 1 - i]));
      next.push_back(b.CreateSelect(wraps, b.index(0), digit));
      carry = b.CreateZExt(wraps, b.getInt64Ty());
    }
    return next;
  });
}

Values ContractionEmitter::accumulate(unsigned rows, Value *row, Value *panelIndex, bool masked, const Place &batch) {
  Place place = batch;
  place.axes.resize(c.axes.size(), b.index(0));
  Value *bufferA = e.buffer(c.a.getTensor()), *bufferB = e.buffer(c.b.getTensor());
  place.axes[c.columns] = b.CreateMul(panelIndex, b.index(panel));
  Values sums(rows * vectors, Constant::getNullValue(vector));
  // Row bases in A.
  SmallVector<Value *> bases;
  for (unsigned r = 0; r < rows; ++r) {
    Value *at = b.CreateAdd(row, b.index(r));
    if (c.uniformRows) {
      Place here = place;
      if (!c.rows.empty()) {
        here.axes[c.rows.back()] = at;
      }
      bases.push_back(e.emitIndex(c.formA.toExpr(), here));
    } else {
      bases.push_back(b.CreateLoad(b.getInt64Ty(), tableEntry(at, 0)));
    }
  }
  std::function<Values(unsigned, Place, Values)> taps = [&](unsigned depth, Place here, Values now) -> Values {
    if (depth < c.taps.size()) {
      unsigned axis = c.taps[depth];
      return b.forLoop(b.index(0), extent(axis), b.index(1), now, [&](Value *i, ArrayRef<Value *> carried) {
        Place inner = here;
        inner.axes[axis] = i;
        return taps(depth + 1, inner, Values(carried.begin(), carried.end()));
      });
    }
    // Offset of this tap from a row's base, and whether the row sees it at all.
    Value *tapOffset = b.index(0);
    for (unsigned axis : c.taps) {
      tapOffset = b.CreateAdd(tapOffset, b.CreateMul(here.axes[axis], e.emitIndex(c.formA.coefficient(axis), Place())));
    }
    SmallVector<Value *> pointers;
    for (unsigned r = 0; r < rows; ++r) {
      Value *pointer = b.CreateGEP(float32, bufferA, b.CreateAdd(bases[r], tapOffset));
      if (c.padding) {
        Value *inside = nullptr;
        for (auto [i, expr] : enumerate(c.padding.getMap().getResults())) {
          Value *rowPart = b.CreateLoad(b.getInt64Ty(), tableEntry(b.CreateAdd(row, b.index(r)), 1 + i));
          // What the taps add; the rows' part is in the table, with taps at 0.
          Place tapsOnly = here, none = here;
          for (unsigned axis = 0; axis < c.axes.size(); ++axis) {
            none.axes[axis] = b.index(0);
            if (!is_contained(c.taps, axis)) {
              tapsOnly.axes[axis] = b.index(0);
            }
          }
          Value *tapPart = b.CreateSub(e.emitIndex(expr, tapsOnly), e.emitIndex(expr, none));
          Value *bound = e.emitIndex(c.padding.getBounds().getExprs()[i], Place());
          Value *fits = b.CreateICmpULT(b.CreateAdd(rowPart, tapPart), bound);
          inside = inside ? b.CreateAnd(inside, fits) : fits;
        }
        pointer = b.CreateSelect(inside, pointer, zeros);
      }
      pointers.push_back(pointer);
    }
    here.axes[c.run] = b.index(0);
    Value *panelPointer = b.CreateGEP(float32, bufferB, e.emitIndex(c.formB.toExpr(), here));
    MicroKernel kernel{lanes, vectors, pointers, e.emitIndex(c.formA.coefficient(c.run), Place()), panelPointer,
                       c.panel ? b.index(panel) : e.emitIndex(c.formB.coefficient(c.run), Place()), extent(c.run), {}};
    for (unsigned v = 0; v < vectors && masked && !c.panel; ++v) {
      kernel.masks.push_back(columnMask(panelIndex, v));
    }
    return kernel.emit(b, now);
  };
  return taps(0, place, sums);
}

void ContractionEmitter::emitEpilogue(unsigned rows, Value *row, Value *panelIndex, bool masked, const Place &batch,
                                      ArrayRef<Value *> sums) {
  for (unsigned r = 0; r < rows; ++r) {
    Value *at = b.CreateAdd(row, b.index(r));
    for (unsigned v = 0; v < vectors; ++v) {
      Place place = batch;
      if (c.flatEpilogue) {
        if (!c.rows.empty()) {
          place.axes[c.rows.back()] = at;
        }
      } else {
        unsigned column = tableWidth() - c.rows.size();
        for (unsigned axis : c.rows) {
          place.axes[axis] = b.CreateLoad(b.getInt64Ty(), tableEntry(at, column++));
        }
      }
      place.laneAxis = c.columns;
      place.lanes = lanes;
      place.axes[c.columns] = b.CreateAdd(b.CreateMul(panelIndex, b.index(panel)), b.index(v * lanes));
      place.mask = masked ? columnMask(panelIndex, v) : nullptr;
      for (mlir::Operation &op : e.kernel.getBlock()) {
        if (&op == c.reduce.getOperation()) {
          e.define(c.reduce.getResult(0), sums[r * vectors + v]);
        } else if (!op.hasTrait<mlir::OpTrait::IsTerminator>()) {
          e.emitOp(op, place);
        }
      }
    }
  }
}

void ContractionEmitter::emitTile(unsigned rows, Value *row, Value *panelIndex, bool masked, const Place &batch) {
  Values sums = accumulate(rows, row, panelIndex, masked, batch);
  emitEpilogue(rows, row, panelIndex, masked, batch, sums);
}

void ContractionEmitter::emitRowGroups(Value *firstRow, Value *endRow, Value *panelIndex, bool masked, const Place &batch) {
  unsigned tile = rowsPerTile;
  Value *count = b.CreateSub(endRow, firstRow);
  Value *whole = b.CreateAdd(firstRow, b.CreateMul(b.CreateUDiv(count, b.index(tile)), b.index(tile)));
  b.forLoop(firstRow, whole, b.index(tile), [&](Value *row) { emitTile(tile, row, panelIndex, masked, batch); });
  // The rows left over: one form for each possible number of them.
  std::optional<int64_t> known = getStatic(c.numRows());
  int64_t block = rowBlock();
  for (unsigned left = 1; left < tile; ++left) {
    if (known) {
      bool inLast = (*known % block) % tile == left, inWhole = *known >= block && block % tile == left;
      if (!inLast && !inWhole) {
        continue;
      }
    }
    b.ifThen(b.CreateICmpEQ(b.CreateSub(endRow, whole), b.index(left)),
             [&] { emitTile(left, whole, panelIndex, masked, batch); });
  }
}

EmittedKernel ContractionEmitter::emit() {
  e.plan = &plan;
  mlir::AffineExpr rows = c.numRows(), columns = c.numColumns();
  int64_t rowsInTile = rowBlock(), panelsInTile = panelBlock();
  mlir::AffineExpr rowBlocks = simplify(rows.ceilDiv(rowsInTile));
  mlir::AffineExpr panels = simplify(columns.ceilDiv(panel));
  mlir::AffineExpr panelBlocks = simplify(panels.ceilDiv(panelsInTile));
  Value *numRows = e.emitIndex(rows, Place()), *numPanels = e.emitIndex(panels, Place());
  Value *numRowBlocks = e.emitIndex(rowBlocks, Place()), *numPanelBlocks = e.emitIndex(panelBlocks, Place());
  Value *numColumns = e.emitIndex(columns, Place());

  // Scratch: the table, then zeros as long as the run, for rows that are outside.
  int64_t tableBytes = c.uniformRows ? 0 : llvm::alignTo(rowsInTile * tableWidth() * 8, 64);
  mlir::AffineExpr scratch = constantDim(e.kernel.getContext(), tableBytes);
  if (c.padding) {
    zeros = b.CreateGEP(b.getInt8Ty(), e.scratch, b.index(tableBytes));
    mlir::AffineExpr zeroBytes = simplify((c.axes[c.run] * c.formA.coefficient(c.run) * 4).ceilDiv(64) * 64);
    scratch = simplify(scratch + zeroBytes);
    b.CreateMemSet(zeros, b.getInt8(0), e.emitIndex(zeroBytes, Place()), MaybeAlign(64));
  }
  b.forLoop(e.begin, e.end, b.index(1), [&](Value *tile) {
    Value *rowBlockIndex = b.CreateURem(tile, numRowBlocks);
    Value *rest = b.CreateUDiv(tile, numRowBlocks);
    Value *panelBlockIndex = b.CreateURem(rest, numPanelBlocks);
    rest = b.CreateUDiv(rest, numPanelBlocks);
    Place batch;
    batch.axes.assign(e.kernel.getNumAxes(), b.index(0));
    for (unsigned axis : reverse(c.batch)) {
      batch.axes[axis] = b.CreateURem(rest, extent(axis));
      rest = b.CreateUDiv(rest, extent(axis));
    }
    Value *firstRow = b.CreateMul(rowBlockIndex, b.index(rowsInTile));
    Value *endRow = b.CreateBinaryIntrinsic(Intrinsic::smin, b.CreateAdd(firstRow, b.index(rowsInTile)), numRows);
    blockStart = firstRow;
    if (!c.uniformRows) {
      fillTable(firstRow, endRow, batch);
    }
    Value *firstPanel = b.CreateMul(panelBlockIndex, b.index(panelsInTile));
    Value *endPanel = b.CreateBinaryIntrinsic(Intrinsic::smin, b.CreateAdd(firstPanel, b.index(panelsInTile)), numPanels);
    std::optional<int64_t> known = getStatic(columns);
    Value *wholePanels = b.CreateUDiv(numColumns, b.index(panel));
    Value *endWhole = b.CreateBinaryIntrinsic(Intrinsic::smin, endPanel, wholePanels);
    b.forLoop(firstPanel, endWhole, b.index(1),
              [&](Value *panelIndex) { emitRowGroups(firstRow, endRow, panelIndex, false, batch); });
    if (!known || *known % panel != 0) {
      // The last panel, if it isn't full, is in the last block only.
      Value *first = b.CreateBinaryIntrinsic(Intrinsic::smax, firstPanel, wholePanels);
      b.forLoop(first, endPanel, b.index(1),
                [&](Value *panelIndex) { emitRowGroups(firstRow, endRow, panelIndex, true, batch); });
    }
  });
  e.finish();
  return {simplify(rowBlocks * panelBlocks * c.numBatches()), scratch};
}

} // namespace

EmittedKernel emitContraction(KernelEmitter &emitter, const Contraction &contraction, const KernelPlan &plan) {
  return ContractionEmitter(emitter, contraction, plan).emit();
}

} // namespace graphmill::cpu
