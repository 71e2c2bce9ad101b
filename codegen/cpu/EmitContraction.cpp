//===- EmitContraction.cpp - Register tiles over packed panels -------------===//
//
// A grid tile is a block of rows times a block of panels (of one batch). For each panel,
// for each group of rows: all of the reduction with the results in registers, then the
// epilogue on them. B's panel stays in the L1 or L2 cache for all rows, A's block in L2
// for all panels. A long reduction is cut into chunks for the same reason, with the sums
// in scratch in between.
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
  /// Steps of the run in one chunk; 0 if it isn't cut.
  int64_t chunk() const {
    std::optional<int64_t> length = getStatic(c.axes[c.run]);
    return c.taps.empty() && length && *length >= 2 * kChunk ? kChunk : 0;
  }
  // 512 rows of a panel of 16 columns are an L1 cache of 32 KiB.
  static constexpr int64_t kChunk = 512;
  /// Steps of the whole reduction.
  mlir::AffineExpr depth() const {
    mlir::AffineExpr steps = c.axes[c.run];
    for (unsigned tap : c.taps) {
      steps = steps * c.axes[tap];
    }
    return simplify(steps);
  }
  // From here on an epilogue that is a loop over rows costs nothing beside the sums.
  static constexpr int64_t kLongDepth = 128;
  bool isPacked() const { return c.panel || c.packsPanels; }
  int64_t rowBlock() const;
  int64_t panelBlock() const;
  int64_t copiedStride() const;
  Value *extent(unsigned axis) { return e.emitIndex(c.axes[axis], Place()); }

  // Rows that aren't equally far apart are looked up in a table that each tile makes.
  unsigned tableWidth() {
    return 1 + (c.padding ? c.padding.getMap().getNumResults() : 0) + (c.flatEpilogue ? 0 : c.rows.size());
  }
  void packPanel(Value *panelIndex, const Place &batch);
  void copyRows(Value *firstRow, Value *endRow, const Place &batch);
  void fillTable(Value *firstRow, Value *endRow, const Place &batch);
  Value *tableEntry(Value *row, unsigned column) {
    Value *at = b.CreateAdd(b.CreateMul(b.CreateSub(row, blockStart), b.index(tableWidth())), b.index(column));
    return b.CreateGEP(b.getInt64Ty(), e.scratch, at);
  }

  void emitRowGroups(Value *firstRow, Value *endRow, Value *panelIndex, bool masked, const Place &batch);
  void emitTile(unsigned rows, Value *row, Value *panelIndex, bool masked, const Place &batch);
  Values tabledRows(unsigned rows, Value *row, const Place &taps);
  /// sum over all of the reduction, for `rows` rows: results[r * vectors + v].
  Values accumulate(unsigned rows, Value *row, Value *panelIndex, bool masked, const Place &batch);
  void emitEpilogue(Value *row, Value *panelIndex, bool masked, const Place &batch, ArrayRef<Value *> sums);
  Value *columnMask(Value *panelIndex, unsigned v);
  Value *partialSum(Value *row, Value *panelIndex, unsigned i);

  KernelEmitter &e;
  LoopBuilder &b;
  Contraction c;
  const KernelPlan &plan;
  unsigned lanes, vectors, rowsPerTile;
  int64_t panel;
  Type *float32;
  FixedVectorType *vector;
  // Of the grid tile and chunk at hand.
  Value *blockStart = nullptr, *wholePanels = nullptr, *firstPanel = nullptr, *firstK = nullptr, *lengthK = nullptr;
  Value *isFirstChunk = nullptr, *isLastChunk = nullptr, *partial = nullptr;
  Value *zeros = nullptr, *packed = nullptr, *copied = nullptr;
};

/// Rows of A in one tile: half of an L2 cache of 512 KiB, a multiple of the register tile.
int64_t ContractionEmitter::rowBlock() const {
  int64_t k = chunk() ? chunk() : getStatic(depth()).value_or(1024);
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

/// A register tile reads a line of each of its rows at once. Rows that are a multiple of 4096 bytes
/// apart, or nearly so, would throw each other out of the L1 cache (64 sets of 8 lines, as common
/// processors have): such rows are copied to be an odd number of lines apart. How many floats
/// apart, or 0 if rows stay where they are.
int64_t ContractionEmitter::copiedStride() const {
  constexpr int64_t kLine = 16, kSets = 64, kLinesOfOneSet = 4;
  std::optional<int64_t> length = getStatic(c.axes[c.run]);
  if (!c.uniformRows || !c.taps.empty() || c.rows.empty() || !length || getStatic(c.formA.coefficient(c.run)) != 1) {
    return 0;
  }
  std::optional<int64_t> apart = getStatic(c.formA.coefficient(c.rows.back()));
  if (!apart || *apart < *length || *apart % kLine != 0) {
    return 0;
  }
  int64_t sets = kSets / std::gcd(*apart / kLine, kSets);
  int64_t lines = llvm::divideCeil(chunk() ? chunk() : *length, kLine) | 1;
  return llvm::divideCeil(rowsPerTile, sets) > kLinesOfOneSet ? lines * kLine : 0;
}

Value *ContractionEmitter::columnMask(Value *panelIndex, unsigned v) {
  Value *first = b.CreateAdd(b.CreateMul(panelIndex, b.index(panel)), b.index(v * lanes));
  return e.tailMask(first, extent(c.columns), lanes);
}

/// scratch[taps…][k][column], zeros past the last column.
void ContractionEmitter::packPanel(Value *panelIndex, const Place &batch) {
  Value *first = b.CreateMul(panelIndex, b.index(panel));
  Value *left = b.CreateSub(extent(c.columns), first);
  Value *length = lengthK;
  Value *strideK = e.emitIndex(c.formB.coefficient(c.run), Place());
  Value *strideN = e.emitIndex(c.formB.coefficient(c.columns), Place());
  Value *buffer = e.buffer(c.b.getTensor());
  bool rowsOfK = getStatic(c.formB.coefficient(c.run)) == 1;
  std::function<void(unsigned, Place, Value *)> taps = [&](unsigned depth, Place place, Value *number) {
    if (depth < c.taps.size()) {
      unsigned axis = c.taps[depth];
      b.forLoop(b.index(0), extent(axis), b.index(1), [&](Value *i) {
        Place inner = place;
        inner.axes[axis] = i;
        taps(depth + 1, inner, b.CreateAdd(b.CreateMul(number, extent(axis)), i));
      });
      return;
    }
    place.axes[c.columns] = first;
    place.axes[c.run] = firstK;
    Value *from = b.CreateGEP(float32, buffer, e.emitIndex(c.formB.toExpr(), place));
    Value *to = b.CreateGEP(float32, packed, b.CreateMul(b.CreateMul(number, length), b.index(panel)));
    if (getStatic(c.formB.coefficient(c.columns)) == 1) {
      SmallVector<Value *> masks;
      for (unsigned v = 0; v < vectors; ++v) {
        masks.push_back(columnMask(panelIndex, v));
      }
      b.forLoop(b.index(0), length, b.index(1), [&](Value *k) {
        for (unsigned v = 0; v < vectors; ++v) {
          Value *source = b.CreateGEP(float32, from, b.CreateAdd(b.CreateMul(k, strideK), b.index(v * lanes)));
          Value *row = b.CreateMaskedLoad(vector, source, Align(4), masks[v], Constant::getNullValue(vector));
          b.CreateAlignedStore(row, b.CreateGEP(float32, to, b.CreateAdd(b.CreateMul(k, b.index(panel)), b.index(v * lanes))), Align(4));
        }
      });
      return;
    }
    // Columns that don't exist read the first one: nothing of theirs is stored.
    auto column = [&](Value *n) { return b.CreateMul(b.CreateSelect(b.CreateICmpSLT(n, left), n, b.index(0)), strideN); };
    Value *whole = rowsOfK ? b.CreateMul(b.CreateUDiv(length, b.index(lanes)), b.index(lanes)) : b.index(0);
    for (unsigned v = 0; v < vectors; ++v) {
      SmallVector<Value *> sources;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        sources.push_back(b.CreateGEP(float32, from, column(b.index(v * lanes + lane))));
      }
      if (rowsOfK) {
        b.forLoop(b.index(0), whole, b.index(lanes), [&](Value *k) {
          SmallVector<Value *> square;
          for (Value *source : sources) {
            square.push_back(b.CreateAlignedLoad(vector, b.CreateGEP(float32, source, k), Align(4)));
          }
          emitTranspose(b, square);
          for (unsigned i = 0; i < lanes; ++i) {
            Value *place = b.CreateAdd(b.CreateMul(b.CreateAdd(k, b.index(i)), b.index(panel)), b.index(v * lanes));
            b.CreateAlignedStore(square[i], b.CreateGEP(float32, to, place), Align(4));
          }
        });
      }
      b.forLoop(whole, length, b.index(1), [&](Value *k) {
        for (unsigned lane = 0; lane < lanes; ++lane) {
          Value *element = b.CreateLoad(float32, b.CreateGEP(float32, sources[lane], b.CreateMul(k, strideK)));
          Value *place = b.CreateAdd(b.CreateMul(k, b.index(panel)), b.index(v * lanes + lane));
          b.CreateStore(element, b.CreateGEP(float32, to, place));
        }
      });
    }
  };
  Place place = batch;
  place.axes.resize(c.axes.size(), b.index(0));
  taps(0, place, b.index(0));
}

/// copied[row][k], of the chunk at hand.
void ContractionEmitter::copyRows(Value *firstRow, Value *endRow, const Place &batch) {
  Place place = batch;
  place.axes.resize(c.axes.size(), b.index(0));
  place.axes[c.run] = firstK;
  Value *buffer = e.buffer(c.a.getTensor());
  b.forLoop(firstRow, endRow, b.index(1), [&](Value *row) {
    place.axes[c.rows.back()] = row;
    Value *from = b.CreateGEP(float32, buffer, e.emitIndex(c.formA.toExpr(), place));
    Value *to = b.CreateGEP(float32, copied, b.CreateMul(b.CreateSub(row, firstRow), b.index(copiedStride())));
    auto copy = [&](Value *k, Value *mask) {
      Value *source = b.CreateGEP(float32, from, k), *target = b.CreateGEP(float32, to, k);
      if (mask) {
        b.CreateMaskedStore(b.CreateMaskedLoad(vector, source, Align(4), mask), target, Align(4), mask);
      } else {
        b.CreateAlignedStore(b.CreateAlignedLoad(vector, source, Align(4)), target, Align(4));
      }
    };
    Value *whole = b.CreateMul(b.CreateUDiv(lengthK, b.index(lanes)), b.index(lanes));
    b.forLoop(b.index(0), whole, b.index(lanes), [&](Value *k) { copy(k, nullptr); });
    if (*getStatic(c.axes[c.run]) % lanes) {
      copy(whole, e.tailMask(whole, lengthK, lanes));
    }
  });
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

/// Where each row's run starts under these taps: in zeros, if the row doesn't see them.
Values ContractionEmitter::tabledRows(unsigned rows, Value *row, const Place &taps) {
  Value *buffer = e.buffer(c.a.getTensor()), *tapOffset = b.index(0);
  for (unsigned axis : c.taps) {
    tapOffset = b.CreateAdd(tapOffset, b.CreateMul(taps.axes[axis], e.emitIndex(c.formA.coefficient(axis), Place())));
  }
  Values pointers;
  for (unsigned r = 0; r < rows; ++r) {
    Value *at = b.CreateAdd(row, b.index(r));
    Value *base = b.CreateLoad(b.getInt64Ty(), tableEntry(at, 0));
    Value *pointer = b.CreateGEP(float32, buffer, b.CreateAdd(base, tapOffset));
    if (c.padding) {
      Value *inside = nullptr;
      for (auto [i, expr] : enumerate(c.padding.getMap().getResults())) {
        Value *rowPart = b.CreateLoad(b.getInt64Ty(), tableEntry(at, 1 + i));
        // What the taps add; the rows' part is in the table, with taps at 0.
        Place tapsOnly = taps, none = taps;
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
  return pointers;
}

Values ContractionEmitter::accumulate(unsigned rows, Value *row, Value *panelIndex, bool masked, const Place &batch) {
  Place place = batch;
  place.axes.resize(c.axes.size(), b.index(0));
  Value *bufferA = e.buffer(c.a.getTensor()), *bufferB = e.buffer(c.b.getTensor());
  // The first row of B's panel in memory.
  place.axes[c.columns] = b.CreateMul(panelIndex, b.index(panel));
  Values sums(rows * vectors, Constant::getNullValue(vector));
  if (partial) {
    for (unsigned i = 0; i < sums.size(); ++i) {
      Value *old = b.CreateAlignedLoad(vector, partialSum(row, panelIndex, i), Align(4));
      sums[i] = b.CreateSelect(isFirstChunk, sums[i], old);
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
    here.axes[c.run] = firstK;
    Value *strideK = e.emitIndex(c.formA.coefficient(c.run), Place());
    Value *panelPointer;
    if (c.packsPanels) {
      Value *number = b.index(0);
      for (unsigned axis : c.taps) {
        number = b.CreateAdd(b.CreateMul(number, extent(axis)), here.axes[axis]);
      }
      panelPointer = b.CreateGEP(float32, packed, b.CreateMul(b.CreateMul(number, lengthK), b.index(panel)));
    } else {
      panelPointer = b.CreateGEP(float32, bufferB, e.emitIndex(c.formB.toExpr(), here));
    }
    MicroKernel kernel{lanes, vectors, {}, strideK, panelPointer,
                       isPacked() ? b.index(panel) : e.emitIndex(c.formB.coefficient(c.run), Place()), lengthK, {}};
    for (unsigned v = 0; v < vectors && masked && !isPacked(); ++v) {
      kernel.masks.push_back(columnMask(panelIndex, v));
    }
    if (copied) {
      Value *first = b.CreateMul(b.CreateSub(row, blockStart), b.index(copiedStride()));
      kernel.setRows(b, b.CreateGEP(float32, copied, first), b.index(copiedStride()), rows);
    } else if (c.uniformRows) {
      // The panel's columns aren't A's.
      here.axes[c.columns] = b.index(0);
      Value *strideRow = b.index(0);
      if (!c.rows.empty()) {
        here.axes[c.rows.back()] = row;
        strideRow = e.emitIndex(c.formA.coefficient(c.rows.back()), Place());
      }
      kernel.setRows(b, b.CreateGEP(float32, bufferA, e.emitIndex(c.formA.toExpr(), here)), strideRow, rows);
    } else {
      for (Value *base : tabledRows(rows, row, here)) {
        kernel.rows.push_back({b.CreateGEP(float32, base, b.CreateMul(firstK, strideK))});
      }
    }
    return kernel.emit(b, now);
  };
  return taps(0, place, sums);
}

void ContractionEmitter::emitEpilogue(Value *row, Value *panelIndex, bool masked, const Place &batch,
                                      ArrayRef<Value *> sums) {
  auto emitRow = [&](Value *r, ArrayRef<Value *> rowSums, bool isCut) {
    Value *at = b.CreateAdd(row, r);
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
      place.mask = isCut ? columnMask(panelIndex, v) : nullptr;
      e.emitAround(c.reduce, rowSums[v], place);
    }
  };
  // The sums over packed panels are made alike, whether a panel is whole or not.
  auto emitRows = [&](auto emitWith) {
    if (!masked || !isPacked() || LoopBuilder::known(wholePanels) == 0) {
      return emitWith(masked);
    }
    b.ifThenElse(b.CreateICmpULT(panelIndex, wholePanels), [&] { emitWith(false); }, [&] { emitWith(true); });
  };
  if (getStatic(depth()).value_or(kLongDepth) >= kLongDepth) {
    return emitForEachRow(b, sums, vectors, [&](Value *r, ArrayRef<Value *> rowSums) {
      emitRows([&](bool isCut) { emitRow(r, rowSums, isCut); });
    });
  }
  emitRows([&](bool isCut) {
    for (unsigned r = 0; r < sums.size() / vectors; ++r) {
      emitRow(b.index(r), sums.slice(r * vectors, vectors), isCut);
    }
  });
}

void ContractionEmitter::emitTile(unsigned rows, Value *row, Value *panelIndex, bool masked, const Place &batch) {
  Values sums = accumulate(rows, row, panelIndex, masked, batch);
  if (!partial) {
    return emitEpilogue(row, panelIndex, masked, batch, sums);
  }
  b.ifThenElse(
      isLastChunk, [&] { emitEpilogue(row, panelIndex, masked, batch, sums); },
      [&] {
        for (unsigned i = 0; i < sums.size(); ++i) {
          b.CreateAlignedStore(sums[i], partialSum(row, panelIndex, i), Align(4));
        }
      });
}

/// Where sums of a tile wait for the next chunk: [panel in block][row in block][column].
Value *ContractionEmitter::partialSum(Value *row, Value *panelIndex, unsigned i) {
  Value *line = b.CreateAdd(b.CreateMul(b.CreateSub(panelIndex, firstPanel), b.index(rowBlock())), b.CreateSub(row, blockStart));
  Value *at = b.CreateAdd(b.CreateMul(b.CreateAdd(line, b.index(i / vectors)), b.index(panel)), b.index(i % vectors * lanes));
  return b.CreateGEP(float32, partial, at);
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
    // One element at least: an axis of size 1 has no coefficient.
    mlir::AffineExpr reach = (c.axes[c.run] - 1) * c.formA.coefficient(c.run) + 1;
    mlir::AffineExpr zeroBytes = simplify((reach * 4).ceilDiv(64) * 64);
    scratch = simplify(scratch + zeroBytes);
    b.CreateMemSet(zeros, b.getInt8(0), e.emitIndex(zeroBytes, Place()), MaybeAlign(64));
  }
  if (c.packsPanels) {
    packed = b.CreateGEP(b.getInt8Ty(), e.scratch, e.emitIndex(scratch, Place()));
    scratch = simplify(scratch + (chunk() ? constantDim(e.kernel.getContext(), chunk()) : depth()) * (4 * panel));
  }
  if (copiedStride()) {
    copied = b.CreateGEP(b.getInt8Ty(), e.scratch, e.emitIndex(scratch, Place()));
    scratch = simplify(scratch + rowsInTile * copiedStride() * 4);
  }
  if (chunk()) {
    partial = b.CreateGEP(b.getInt8Ty(), e.scratch, e.emitIndex(scratch, Place()));
    scratch = simplify(scratch + panelsInTile * rowsInTile * panel * 4);
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
    firstPanel = b.CreateMul(panelBlockIndex, b.index(panelsInTile));
    Value *endPanel = b.CreateBinaryIntrinsic(Intrinsic::smin, b.CreateAdd(firstPanel, b.index(panelsInTile)), numPanels);
    std::optional<int64_t> known = getStatic(columns);
    wholePanels = b.CreateUDiv(numColumns, b.index(panel));
    auto doPanel = [&](Value *panelIndex, bool masked) {
      if (c.packsPanels) {
        packPanel(panelIndex, batch);
      }
      emitRowGroups(firstRow, endRow, panelIndex, masked, batch);
    };
    Value *length = extent(c.run), *step = chunk() ? b.index(chunk()) : length;
    // A run of no steps still has its epilogue: one chunk.
    b.forLoop(b.index(0), chunk() ? length : b.index(1), chunk() ? step : b.index(1), [&](Value *start) {
      firstK = start;
      lengthK = chunk() ? b.CreateBinaryIntrinsic(Intrinsic::smin, step, b.CreateSub(length, start)) : length;
      isFirstChunk = b.CreateICmpEQ(start, b.index(0));
      isLastChunk = b.CreateICmpSGE(b.CreateAdd(start, step), length);
      if (copied) {
        copyRows(firstRow, endRow, batch);
      }
      bool hasCutPanel = !known || *known % panel != 0;
      if (isPacked()) {
        b.forLoop(firstPanel, endPanel, b.index(1), [&](Value *panelIndex) { doPanel(panelIndex, hasCutPanel); });
        return;
      }
      Value *endWhole = b.CreateBinaryIntrinsic(Intrinsic::smin, endPanel, wholePanels);
      b.forLoop(firstPanel, endWhole, b.index(1), [&](Value *panelIndex) { doPanel(panelIndex, false); });
      if (hasCutPanel) {
        // The last panel, if it isn't full, is in the last block only.
        Value *first = b.CreateBinaryIntrinsic(Intrinsic::smax, firstPanel, wholePanels);
        b.forLoop(first, endPanel, b.index(1), [&](Value *panelIndex) { doPanel(panelIndex, true); });
      }
    });
  });
  e.finish();
  return {simplify(rowBlocks * panelBlocks * c.numBatches()), scratch, constantDim(e.kernel.getContext(), 1)};
}

} // namespace

EmittedKernel emitContraction(KernelEmitter &emitter, const Contraction &contraction, const KernelPlan &plan) {
  return ContractionEmitter(emitter, contraction, plan).emit();
}

} // namespace graphmill::cpu
