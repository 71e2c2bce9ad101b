//===- EmitWinograd.cpp - Transformed convolutions -------------------------===//
//
// A grid tile is a block of the output's tiles times a block of panels of columns. The block's
// input is transformed once, to V [place, tile, channel] in scratch; then for each panel a
// matrix product a place, to M [place, tile, column] in scratch, and M's tiles are transformed
// back, the epilogue on them. V and M stay in the L2 cache.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/EmitTemplates.h"
#include "codegen/cpu/MicroKernel.h"
#include "inductor/Analysis/Winograd.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace graphmill::cpu {

namespace {
/// The first load of a block.
loop::LoadOp firstLoad(mlir::Block &block) {
  auto loads = block.getOps<loop::LoadOp>();
  return loads.empty() ? nullptr : *loads.begin();
}

loop::ReduceOp innerReduce(mlir::Block &block) {
  auto reduces = block.getOps<loop::ReduceOp>();
  return llvm::hasSingleElement(reduces) ? *reduces.begin() : nullptr;
}
} // namespace

std::optional<WinogradParts> WinogradParts::match(loop::KernelOp kernel) {
  if (kernel.getForm() != loop::Template::Winograd || kernel.getNumAxes() != 4) {
    return std::nullopt;
  }
  WinogradParts p;
  p.sum = innerReduce(kernel.getBlock());
  p.products = p.sum ? innerReduce(p.sum.getBlock()) : nullptr;
  p.transform = p.products ? innerReduce(p.products.getBlock()) : nullptr;
  p.input = p.transform ? firstLoad(p.transform.getBlock()) : nullptr;
  p.weight = p.products ? firstLoad(p.products.getBlock()) : nullptr;
  p.padding = p.input && p.input.getMask() ? p.input.getMask().getDefiningOp<loop::InsideOp>() : nullptr;
  if (!p.padding || !p.weight) {
    return std::nullopt;
  }
  p.outputs = *getStatic(p.sum.getAxes().getExprs()[0]) - 2;
  auto axisOf = [&](mlir::AffineExpr index) {
    unsigned axis = 0;
    while (axis < 4 && !index.isFunctionOfDim(axis)) {
      ++axis;
    }
    return axis;
  };
  p.y = axisOf(p.input.getMap().getResult(2));
  p.x = axisOf(p.input.getMap().getResult(3));
  p.column = axisOf(p.weight.getMap().getResult(0));
  p.batch = 0 + 1 + 2 + 3 - p.y - p.x - p.column;
  return p;
}

Dim WinogradParts::numTiles(unsigned axis) {
  Dim extent = loop::axesOf(sum->getBlock())[axis];
  return axis == y || axis == x ? simplify(extent.ceilDiv(outputs)) : extent;
}

Dim WinogradParts::numProducts() {
  Dim count = product(sum.getContext(), sum.getAxes().getExprs()) * products.getAxes().getExprs()[0];
  for (unsigned axis = 0; axis < 4; ++axis) {
    count = count * numTiles(axis);
  }
  return simplify(count);
}

namespace {
class WinogradEmitter {
public:
  WinogradEmitter(KernelEmitter &e, const WinogradParts &parts, const KernelPlan &plan)
      : e(e), b(e.b), p(parts), w(parts.outputs), form(plan.accesses.find(p.input)->second.form), lanes(e.target.lanes()),
        size(w.size()) {
    e.plan = &plan;
    float32 = b.getFloatTy();
    vector = FixedVectorType::get(float32, lanes);
    extents.assign(e.kernel.getAxes().getExprs().begin(), e.kernel.getAxes().getExprs().end());
    auto stored = cast<mlir::RankedTensorType>(p.weight.getTensor().getType()); // [panel, size, size, channel, column]
    channels = stored.getDimSize(3);
    panel = stored.getDimSize(4);
    vectors = panel / lanes;
    tilesDown = p.numTiles(p.y);
    tilesAcross = p.numTiles(p.x);
    tiles = simplify(extents[p.batch] * tilesDown * tilesAcross);
    chooseBlock();
  }

  EmittedKernel emit();

private:
  /// An odd number of cache lines, so that rows that are read or written in turn don't share
  /// their places in the cache.
  static int64_t oddLines(int64_t floats) {
    int64_t lines = llvm::divideCeil(floats, 16);
    return (lines | 1) * 16;
  }
  int64_t area() const { return int64_t(size) * size; }
  /// From one place of V or M to the next.
  int64_t placeOfV() const { return oddLines(llvm::alignTo(blockTiles, smallGroup) * rowOfV); }
  int64_t placeOfM() const { return oddLines(llvm::alignTo(blockTiles, smallGroup) * panel); }

  void chooseBlock();
  int64_t panelBlock(std::optional<int64_t> numBlocks);
  Value *size64(mlir::AffineExpr expr) { return e.emitIndex(expr, Place()); }
  Value *floatAt(Value *base, Value *offset) { return b.CreateGEP(float32, base, offset); }
  Value *load(Value *pointer) { return b.CreateAlignedLoad(vector, pointer, Align(4)); }
  void store(Value *value, Value *pointer) { b.CreateAlignedStore(value, pointer, Align(4)); }

  /// Batch, row and column where a tile's outputs begin; channels and taps at 0.
  Place placeOf(Value *tile);
  /// sum of c[i] * x[i].
  Value *combine(ArrayRef<double> factors, ArrayRef<Value *> values);
  Values transformInput(ArrayRef<Value *> x);
  Values transformOutput(ArrayRef<Value *> x);
  /// Each column of a square transformed, then each row of what results: loops, so that the
  /// transform is there twice and not for each. `input` gives [i, column], `output` takes [row, i].
  void transformBoth(unsigned outputs, function_ref<Values(ArrayRef<Value *>)> transform,
                     function_ref<Value *(Value *, unsigned)> input, function_ref<void(Value *, unsigned, Value *)> output);

  void emitInputTile(Value *tile, Value *row);
  void emitProducts(Value *panelIndex, Value *numRows);
  void emitRows(Value *numRows, int64_t group, Value *columns, Value *in, Value *out);
  void emitOutputTile(Value *tile, Value *row, Value *panelIndex);

  KernelEmitter &e;
  LoopBuilder &b;
  WinogradParts p;
  loop::Winograd w;
  const loop::IndexForm &form;
  unsigned lanes, size, vectors;
  int64_t channels, panel, rowOfV, blockTiles, rowsPerGroup, smallGroup;
  Dims extents;
  mlir::AffineExpr tilesDown, tilesAcross, tiles;
  Type *float32;
  FixedVectorType *vector;
  Value *zeros = nullptr, *transformed = nullptr, *products = nullptr; ///< scratch
};

/// As many tiles as V has room for in half of an L2 cache of 1 MiB, in groups of equally many rows.
/// If it isn't known how many tiles there are, a run does the rows in the larger or the smaller
/// groups, whichever leaves fewer places empty.
void WinogradEmitter::chooseBlock() {
  constexpr int64_t kBytes = 512 << 10;
  rowOfV = oddLines(channels);
  int64_t most = rowsInRegisters(e.target.numVectorRegisters, vectors);
  int64_t room = std::max(most, kBytes / (4 * area() * rowOfV));
  rowsPerGroup = most;
  smallGroup = (most + 2) / 2;
  blockTiles = room / most * most;
  if (std::optional<int64_t> known = getStatic(tiles)) {
    int64_t block = llvm::divideCeil(*known, llvm::divideCeil(*known, room));
    int64_t groups = llvm::divideCeil(block, most);
    rowsPerGroup = smallGroup = llvm::divideCeil(block, groups);
    blockTiles = rowsPerGroup * groups;
  }
}

/// All panels, if the blocks are enough to keep threads busy; else a few: each block of panels has
/// its input transformed, which costs an eighth of one panel's products.
int64_t WinogradEmitter::panelBlock(std::optional<int64_t> numBlocks) {
  int64_t panels = cast<mlir::RankedTensorType>(p.weight.getTensor().getType()).getDimSize(0), blocks = numBlocks.value_or(2);
  return blocks >= 8 ? panels : std::clamp<int64_t>(panels * blocks / 8, std::min<int64_t>(2, panels), panels);
}

Place WinogradEmitter::placeOf(Value *tile) {
  Value *across = size64(tilesAcross), *perImage = size64(simplify(tilesDown * tilesAcross));
  Value *inImage = b.CreateURem(tile, perImage), *m = b.index(w.outputs);
  Place place;
  place.axes.assign(e.kernel.getNumAxes() + 5, b.index(0));
  place.axes[p.batch] = b.CreateUDiv(tile, perImage);
  place.axes[p.y] = b.CreateMul(b.CreateUDiv(inImage, across), m);
  place.axes[p.x] = b.CreateMul(b.CreateURem(inImage, across), m);
  return place;
}

Value *WinogradEmitter::combine(ArrayRef<double> factors, ArrayRef<Value *> values) {
  // Those that need no product first.
  Value *sum = nullptr;
  for (auto [factor, value] : zip_equal(factors, values)) {
    if (factor == 1) {
      sum = sum ? b.CreateFAdd(sum, value) : value;
    }
  }
  for (auto [factor, value] : zip_equal(factors, values)) {
    if (factor == 0 || factor == 1) {
      continue;
    }
    Value *splat = ConstantFP::get(vector, factor);
    if (factor == -1 && sum) {
      sum = b.CreateFSub(sum, value);
    } else {
      sum = sum ? b.CreateIntrinsic(vector, Intrinsic::fma, {value, splat, sum}) : b.CreateFMul(value, splat);
    }
  }
  return sum;
}

Values WinogradEmitter::transformInput(ArrayRef<Value *> x) {
  auto part = [&](unsigned row, int parity) {
    SmallVector<double> factors;
    for (unsigned j = 0; j < size; ++j) {
      factors.push_back(parity < 0 || int(j % 2) == parity ? w.input(row, j) : 0);
    }
    return combine(factors, x);
  };
  Values result{part(0, -1)};
  for (unsigned row = 1; row + 1 < size; row += 2) {
    Value *even = part(row, 0), *odd = part(row, 1);
    result.append({b.CreateFAdd(even, odd), b.CreateFSub(even, odd)});
  }
  result.push_back(part(size - 1, -1));
  return result;
}

Values WinogradEmitter::transformOutput(ArrayRef<Value *> x) {
  Values even{x[0]}, odd{x[0]};
  for (unsigned i = 1; i + 1 < size; i += 2) {
    even.push_back(b.CreateFAdd(x[i], x[i + 1]));
    odd.push_back(b.CreateFSub(x[i], x[i + 1]));
  }
  even.push_back(x[size - 1]);
  odd.push_back(x[size - 1]);
  Values result;
  for (unsigned row = 0; row < w.outputs; ++row) {
    SmallVector<double> factors{w.output(row, 0)};
    for (unsigned i = 1; i + 1 < size; i += 2) {
      factors.push_back(w.output(row, i));
    }
    factors.push_back(w.output(row, size - 1));
    result.push_back(combine(factors, row % 2 ? odd : even));
  }
  return result;
}

void WinogradEmitter::transformBoth(unsigned outputs, function_ref<Values(ArrayRef<Value *>)> transform,
                                    function_ref<Value *(Value *, unsigned)> input, function_ref<void(Value *, unsigned, Value *)> output) {
  Value *between = b.stackArray(vector, outputs * size); // [output row][column]
  b.forLoop(b.index(0), b.index(size), b.index(1), [&](Value *column) {
    Values values;
    for (unsigned i = 0; i < size; ++i) {
      values.push_back(input(column, i));
    }
    Value *first = b.CreateInBoundsGEP(vector, between, column);
    for (auto [i, value] : enumerate(transform(values))) {
      b.CreateStore(value, b.CreateConstInBoundsGEP1_64(vector, first, i * size));
    }
  });
  b.forLoop(b.index(0), b.index(outputs), b.index(1), [&](Value *row) {
    Value *first = b.CreateInBoundsGEP(vector, between, b.CreateMul(row, b.index(size)));
    Values values;
    for (unsigned i = 0; i < size; ++i) {
      values.push_back(b.CreateLoad(vector, b.CreateConstInBoundsGEP1_64(vector, first, i)));
    }
    for (auto [i, value] : enumerate(transform(values))) {
      output(row, i, value);
    }
  });
}

/// V[all places][row] of one tile.
void WinogradEmitter::emitInputTile(Value *tile, Value *row) {
  Place place = placeOf(tile);
  unsigned tap = e.kernel.getNumAxes() + 3; // the transform's axes
  Value *base = floatAt(e.buffer(p.input.getTensor()), e.emitIndex(form.toExpr(), place));
  // Which of the tile's rows and columns are in the input, and where.
  SmallVector<Value *> inside[2], offsets[2];
  for (unsigned side = 0; side < 2; ++side) {
    Value *first = e.emitIndex(p.padding.getMap().getResult(side), place);
    Value *bound = size64(p.padding.getBounds().getExprs()[side]), *stride = size64(form.coefficient(tap + side));
    for (unsigned i = 0; i < size; ++i) {
      inside[side].push_back(b.CreateICmpULT(b.CreateAdd(first, b.index(i)), bound));
      offsets[side].push_back(b.CreateMul(stride, b.index(i)));
    }
  }
  Value *pointers = b.stackArray(b.getPtrTy(), area());
  for (unsigned i = 0; i < area(); ++i) {
    unsigned y = i / size, x = i % size;
    Value *pointer = floatAt(base, b.CreateAdd(offsets[0][y], offsets[1][x]));
    b.CreateStore(b.CreateSelect(b.CreateAnd(inside[0][y], inside[1][x]), pointer, zeros),
                  b.CreateConstInBoundsGEP1_64(b.getPtrTy(), pointers, i));
  }
  Value *out = floatAt(transformed, b.CreateMul(row, b.index(rowOfV)));
  e.laneLoop(b.index(0), b.index(channels), lanes, {}, [&](Value *channel, Value *mask, ArrayRef<Value *>) {
    Value *place = floatAt(out, channel);
    transformBoth(
        size, [&](ArrayRef<Value *> x) { return transformInput(x); },
        [&](Value *column, unsigned i) {
          Value *pointer = b.CreateInBoundsGEP(b.getPtrTy(), pointers, b.CreateAdd(column, b.index(i * size)));
          pointer = floatAt(b.CreateLoad(b.getPtrTy(), pointer), channel);
          return mask ? b.CreateMaskedLoad(vector, pointer, Align(4), mask, Constant::getNullValue(vector)) : load(pointer);
        },
        [&](Value *row, unsigned i, Value *value) {
          Value *first = floatAt(place, b.CreateMul(row, b.index(size * placeOfV())));
          store(value, floatAt(first, b.index(i * placeOfV())));
        });
    return Values();
  });
}

/// M = V times one panel of the weight, for each place. Rows past the block's last one are there
/// in scratch: what they hold isn't read.
void WinogradEmitter::emitProducts(Value *panelIndex, Value *numRows) {
  Value *weights = floatAt(e.buffer(p.weight.getTensor()), b.CreateMul(panelIndex, b.index(area() * channels * panel)));
  b.forLoop(b.index(0), b.index(area()), b.index(1), [&](Value *i) {
    Value *columns = floatAt(weights, b.CreateMul(i, b.index(channels * panel)));
    Value *in = floatAt(transformed, b.CreateMul(i, b.index(placeOfV())));
    Value *out = floatAt(products, b.CreateMul(i, b.index(placeOfM())));
    if (smallGroup == rowsPerGroup) {
      return emitRows(numRows, rowsPerGroup, columns, in, out);
    }
    auto rounded = [&](int64_t group) { return b.CreateMul(b.CreateUDiv(b.CreateAdd(numRows, b.index(group - 1)), b.index(group)), b.index(group)); };
    b.ifThenElse(b.CreateICmpULE(rounded(rowsPerGroup), rounded(smallGroup)), [&] { emitRows(numRows, rowsPerGroup, columns, in, out); },
                 [&] { emitRows(numRows, smallGroup, columns, in, out); });
  });
}

void WinogradEmitter::emitRows(Value *numRows, int64_t group, Value *columns, Value *in, Value *out) {
  b.forLoop(b.index(0), numRows, b.index(group), [&](Value *row) {
    MicroKernel kernel{lanes, vectors, {}, b.index(1), columns, b.index(panel), b.index(channels), {}};
    kernel.setRows(b, floatAt(in, b.CreateMul(row, b.index(rowOfV))), b.index(rowOfV), group);
    Values sums = kernel.emit(b, kernel.zeros(b, group));
    Value *to = floatAt(out, b.CreateMul(row, b.index(panel)));
    for (auto [s, sum] : enumerate(sums)) {
      store(sum, floatAt(to, b.index(s * lanes)));
    }
  });
}

/// One tile's outputs from M, for one panel.
void WinogradEmitter::emitOutputTile(Value *tile, Value *row, Value *panelIndex) {
  Place corner = placeOf(tile);
  corner.axes.resize(e.kernel.getNumAxes());
  Value *m = b.index(w.outputs), *columns = size64(extents[p.column]);
  auto rest = [&](unsigned axis) {
    return b.CreateBinaryIntrinsic(Intrinsic::smin, m, b.CreateSub(size64(extents[axis]), corner.axes[axis]));
  };
  Value *height = rest(p.y), *width = rest(p.x);
  Value *from = floatAt(products, b.CreateMul(row, b.index(panel))), *outputs = b.stackArray(vector, w.outputs * w.outputs);
  b.forLoop(b.index(0), b.index(vectors), b.index(1), [&](Value *v) {
    Value *lane = b.CreateMul(v, b.index(lanes));
    Value *first = floatAt(from, lane);
    transformBoth(
        w.outputs, [&](ArrayRef<Value *> x) { return transformOutput(x); },
        [&](Value *column, unsigned i) {
          return load(floatAt(floatAt(first, b.CreateMul(column, b.index(placeOfM()))), b.index(i * size * placeOfM())));
        },
        [&](Value *row, unsigned i, Value *value) {
          b.CreateStore(value, b.CreateInBoundsGEP(vector, outputs, b.CreateAdd(b.CreateMul(row, m), b.index(i))));
        });
    Place place = corner;
    place.laneAxis = p.column;
    place.lanes = lanes;
    place.axes[p.column] = b.CreateAdd(b.CreateMul(panelIndex, b.index(panel)), lane);
    auto emitAll = [&] {
      b.forLoop(b.index(0), height, b.index(1), [&](Value *dy) {
        place.axes[p.y] = b.CreateAdd(corner.axes[p.y], dy);
        b.forLoop(b.index(0), width, b.index(1), [&](Value *dx) {
          place.axes[p.x] = b.CreateAdd(corner.axes[p.x], dx);
          Value *at = b.CreateAdd(b.CreateMul(dy, m), dx);
          e.emitAround(p.sum, b.CreateLoad(vector, b.CreateInBoundsGEP(vector, outputs, at)), place);
        });
      });
    };
    if (*getStatic(extents[p.column]) % lanes == 0) {
      // Past the last column there are whole vectors at most.
      return b.ifThen(b.CreateICmpSLT(place.axes[p.column], columns), emitAll);
    }
    Value *end = b.CreateAdd(place.axes[p.column], b.index(lanes));
    b.ifThenElse(b.CreateICmpSLE(end, columns), emitAll, [&] {
      place.mask = e.tailMask(place.axes[p.column], columns, lanes);
      emitAll();
    });
  });
}

EmittedKernel WinogradEmitter::emit() {
  auto *context = e.kernel.getContext();
  mlir::AffineExpr rowBlocks = simplify(tiles.ceilDiv(blockTiles));
  int64_t panelsInBlock = panelBlock(getStatic(rowBlocks));
  mlir::AffineExpr panels = constantDim(context, cast<mlir::RankedTensorType>(p.weight.getTensor().getType()).getDimSize(0));
  mlir::AffineExpr panelBlocks = simplify(panels.ceilDiv(panelsInBlock));
  Value *numTiles = size64(tiles), *numPanels = size64(panels), *numPanelBlocks = size64(panelBlocks);
  int64_t bytes = 0;
  auto room = [&](int64_t floats) {
    Value *begin = b.CreateGEP(b.getInt8Ty(), e.scratch, b.index(bytes));
    bytes += llvm::alignTo(4 * floats, 64);
    return begin;
  };
  zeros = room(rowOfV);
  transformed = room(area() * placeOfV());
  products = room(area() * placeOfM());
  b.CreateMemSet(zeros, b.getInt8(0), b.index(4 * rowOfV), MaybeAlign(64));
  // One call's tiles follow each other: those of the same rows have their input transformed once.
  b.forLoop(e.begin, e.end, b.index(1), {b.index(-1)}, [&](Value *gridTile, ArrayRef<Value *> before) {
    Value *rowBlock = b.CreateUDiv(gridTile, numPanelBlocks);
    Value *firstPanel = b.CreateMul(b.CreateURem(gridTile, numPanelBlocks), b.index(panelsInBlock));
    Value *endPanel = b.CreateBinaryIntrinsic(Intrinsic::smin, b.CreateAdd(firstPanel, b.index(panelsInBlock)), numPanels);
    Value *first = b.CreateMul(rowBlock, b.index(blockTiles));
    Value *numRows = b.CreateBinaryIntrinsic(Intrinsic::smin, b.index(blockTiles), b.CreateSub(numTiles, first));
    b.ifThen(b.CreateICmpNE(rowBlock, before[0]), [&] {
      b.forLoop(b.index(0), numRows, b.index(1), [&](Value *row) { emitInputTile(b.CreateAdd(first, row), row); });
    });
    b.forLoop(firstPanel, endPanel, b.index(1), [&](Value *panelIndex) {
      emitProducts(panelIndex, numRows);
      b.forLoop(b.index(0), numRows, b.index(1), [&](Value *row) { emitOutputTile(b.CreateAdd(first, row), row, panelIndex); });
    });
    return Values{rowBlock};
  });
  e.finish();
  return {simplify(rowBlocks * panelBlocks), constantDim(context, bytes), constantDim(context, 1)};
}
} // namespace

EmittedKernel emitWinograd(KernelEmitter &emitter, const WinogradParts &parts, const KernelPlan &plan) {
  return WinogradEmitter(emitter, parts, plan).emit();
}

} // namespace graphmill::cpu
