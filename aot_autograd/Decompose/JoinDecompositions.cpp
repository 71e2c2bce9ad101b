#include "aot_autograd/Decompose/Decompositions.h"

using namespace mlir;

namespace graphmill {

using prims::Predicate;

static Value cat(PrimBuilder &b, aten::CatOp op) {
  SmallVector<Value> parts;
  for (Value tensor : op.getTensors()) {
    Dims dims = dimsOf(tensor);
    // An empty vector joins anything and adds nothing.
    if (dims.size() != 1 || getStatic(dims[0]) != 0 || resultDims(op).size() == 1) {
      parts.push_back(b.convert(tensor, resultElement(op)));
    }
  }
  return b.concatenate(parts, fromFront(op.getDim(), resultDims(op).size()));
}

static Value stack(PrimBuilder &b, aten::StackOp op) {
  int64_t dim = fromFront(op.getDim(), resultDims(op).size());
  SmallVector<Value> parts;
  for (Value tensor : op.getTensors()) {
    parts.push_back(b.unsqueeze(b.convert(tensor, resultElement(op)), dim));
  }
  return b.concatenate(parts, dim);
}

/// hstack, vstack, dstack: tensors get `rank` dims, then join along `dim`.
template <typename Op, int64_t rank, int64_t dim> static Value joined(PrimBuilder &b, Op op) {
  SmallVector<Value> parts;
  for (Value tensor : op.getTensors()) {
    Dims dims = dimsOf(tensor);
    if (rank == 3 && dims.size() <= 2) {
      dims.push_back(b.dim(1));
    }
    while (static_cast<int64_t>(dims.size()) < rank) {
      dims.insert(dims.begin(), b.dim(1));
    }
    parts.push_back(b.reshape(b.convert(tensor, resultElement(op)), dims));
  }
  return b.concatenate(parts, std::min<int64_t>(dim, dimsOf(parts[0]).size() - 1));
}

static Value flip(PrimBuilder &b, aten::FlipOp op) {
  SmallVector<int64_t> dims;
  int64_t rank = dimsOf(op.getSelf()).size();
  for (int64_t dim : op.getDims()) {
    if (rank > 0) {
      dims.push_back(fromFront(dim, rank));
    }
  }
  llvm::sort(dims);
  return b.reverse(op.getSelf(), dims);
}

static Value rolled(PrimBuilder &b, Value x, int64_t dim, Dim shift) {
  Dim size = dimOf(x, dim);
  if (getStatic(size) == 0) {
    return x;
  }
  Dim count = simplify(shift % size);
  std::optional<int64_t> s = getStatic(shift), n = getStatic(size);
  if (s && n) {
    count = b.dim((*s % *n + *n) % *n);
  }
  if (getStatic(count) == 0) {
    return x;
  }
  Value tail = b.slice(x, dim, simplify(size - count), count), head = b.slice(x, dim, b.dim(0), simplify(size - count));
  return b.concatenate({tail, head}, dim);
}

static Value roll(PrimBuilder &b, aten::RollOp op) {
  ArrayRef<AffineExpr> shifts = op.getShifts().getExprs();
  Value x = op.getSelf();
  Dims dims = dimsOf(x);
  if (op.getDims().empty()) {
    Value flat = b.reshape(x, {product(b.context(), dims)});
    return b.reshape(rolled(b, flat, 0, shifts.empty() ? b.dim(0) : shifts[0]), dims);
  }
  for (auto [dim, shift] : llvm::zip(op.getDims(), shifts)) {
    x = rolled(b, x, fromFront(dim, dims.size()), shift);
  }
  return x;
}

static Value rot90(PrimBuilder &b, aten::Rot90Op op) {
  int64_t rank = dimsOf(op.getSelf()).size();
  int64_t first = fromFront(op.getDims()[0], rank), second = fromFront(op.getDims()[1], rank);
  int64_t turns = (static_cast<int64_t>(op.getK()) % 4 + 4) % 4;
  Value x = op.getSelf();
  switch (turns) {
  case 1:
    return b.swapDims(b.reverse(x, {second}), first, second);
  case 2:
    return b.reverse(x, {std::min(first, second), std::max(first, second)});
  case 3:
    return b.swapDims(b.reverse(x, {first}), first, second);
  default:
    return x;
  }
}

//===----------------------------------------------------------------------===//
// Triangles and diagonals
//===----------------------------------------------------------------------===//

/// Where column - row compares with `offset`, over the last two dims of a shape.
static Value onDiagonals(PrimBuilder &b, ArrayRef<Dim> dims, Predicate predicate, int64_t offset) {
  Dims plane{dims[dims.size() - 2], dims.back()};
  Value row = b.iotaAlong(plane, 0, b.i64()), column = b.iotaAlong(plane, 1, b.i64());
  return b.compare(predicate, column, b.add(row, b.constant(offset, b.i64())));
}

template <typename Op, Predicate predicate> static Value triangle(PrimBuilder &b, Op op) {
  Value kept = onDiagonals(b, resultDims(op), predicate, op.getDiagonal());
  return b.select(kept, op.getSelf(), b.constant(0, resultElement(op)));
}

static Value eye(PrimBuilder &b, aten::EyeOp op) {
  return b.convert(onDiagonals(b, resultDims(op), Predicate::Eq, 0), resultElement(op));
}

/// The last dim on a diagonal of a zero matrix in the last two dims.
static Value embedded(PrimBuilder &b, Value x, int64_t offset) {
  Dims dims = dimsOf(x);
  Dim size = simplify(dims.back() + std::abs(offset));
  Dims low(dims.size(), b.dim(0)), high = low;
  high.back() = b.dim(std::abs(offset));
  Value zero = b.constant(0, getElement(x)), padded = b.pad(x, low, high, zero);
  dims.back() = size;
  dims.push_back(size);
  // Element i is in row i (or, below the diagonal, in column i).
  SmallVector<int64_t> map = llvm::to_vector(llvm::seq<int64_t>(0, dims.size() - 1));
  map.back() = offset >= 0 ? dims.size() - 2 : dims.size() - 1;
  return b.select(onDiagonals(b, dims, Predicate::Eq, offset), b.broadcastDims(padded, dims, map), zero);
}

static Value diagEmbed(PrimBuilder &b, aten::DiagEmbedOp op) {
  int64_t rank = resultDims(op).size();
  int64_t dim1 = fromFront(op.getDim1(), rank), dim2 = fromFront(op.getDim2(), rank);
  Value x = embedded(b, op.getSelf(), op.getOffset());
  // [..., rows, columns] to rows at dim1 and columns at dim2.
  SmallVector<int64_t> perm;
  int64_t next = 0;
  for (int64_t i = 0; i < rank; ++i) {
    perm.push_back(i == dim1 ? rank - 2 : i == dim2 ? rank - 1 : next++);
  }
  return b.transpose(x, perm);
}

static Value diag(PrimBuilder &b, aten::DiagOp op) {
  int64_t offset = op.getDiagonal();
  if (dimsOf(op.getSelf()).size() == 1) {
    return embedded(b, op.getSelf(), offset);
  }
  Value iota = b.iota(resultDims(op)[0]), shifted = b.add(iota, b.constant(std::abs(offset), b.i64()));
  return b.index(op.getSelf(), {offset < 0 ? shifted : iota, offset > 0 ? shifted : iota}, {0, 1});
}

//===----------------------------------------------------------------------===//
// Grids and shuffles
//===----------------------------------------------------------------------===//

static Decompositions::Results meshgrid(PrimBuilder &b, aten::MeshgridOp op) {
  Decompositions::Results results;
  bool swapped = op.getIndexing() == "xy" && op.getTensors().size() > 1;
  for (auto [i, tensor, result] : llvm::enumerate(op.getTensors(), op.getOutputs())) {
    Value vector = dimsOf(tensor).empty() ? b.unsqueeze(tensor, 0) : Value(tensor);
    int64_t at = swapped && i < 2 ? 1 - i : i;
    results.push_back(b.broadcastDims(vector, dimsOf(result), {at}));
  }
  return results;
}

/// The last dims split as `split`, permuted among themselves, and merged to the result's.
static Value shuffled(PrimBuilder &b, Value x, size_t kept, ArrayRef<Dim> split, ArrayRef<int64_t> order, const Dims &result) {
  Dims dims(ArrayRef(dimsOf(x)).take_front(kept));
  dims.append(split.begin(), split.end());
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, kept));
  for (int64_t i : order) {
    perm.push_back(kept + i);
  }
  return b.reshape(b.transpose(b.reshape(x, dims), perm), result);
}

static Value pixelShuffle(PrimBuilder &b, aten::PixelShuffleOp op) {
  Dims from = dimsOf(op.getSelf()), to = resultDims(op);
  size_t n = from.size();
  Dim r = b.dim(op.getUpscaleFactor());
  return shuffled(b, op.getSelf(), n - 3, {to[n - 3], r, r, from[n - 2], from[n - 1]}, {0, 3, 1, 4, 2}, to);
}

static Value pixelUnshuffle(PrimBuilder &b, aten::PixelUnshuffleOp op) {
  Dims from = dimsOf(op.getSelf()), to = resultDims(op);
  size_t n = from.size();
  Dim r = b.dim(op.getDownscaleFactor());
  return shuffled(b, op.getSelf(), n - 3, {from[n - 3], to[n - 2], r, to[n - 1], r}, {0, 2, 4, 1, 3}, to);
}

static Value channelShuffle(PrimBuilder &b, aten::ChannelShuffleOp op) {
  Dims dims = dimsOf(op.getSelf());
  Dims split{b.dim(op.getGroups()), simplify(dims[1].floorDiv(op.getGroups()))};
  SmallVector<int64_t> order{1, 0};
  for (size_t i = 2; i < dims.size(); ++i) {
    split.push_back(dims[i]);
    order.push_back(i);
  }
  return shuffled(b, op.getSelf(), 1, split, order, dims);
}

void addJoinDecompositions(Decompositions &d) {
  d.add<aten::CatOp, cat>();
  d.add<aten::StackOp, stack>();
  d.add<aten::HstackOp, joined<aten::HstackOp, 1, 1>>();
  d.add<aten::VstackOp, joined<aten::VstackOp, 2, 0>>();
  d.add<aten::DstackOp, joined<aten::DstackOp, 3, 2>>();
  d.add<aten::FlipOp, flip>();
  d.add<aten::RollOp, roll>();
  d.add<aten::Rot90Op, rot90>();
  d.add<aten::TrilOp, triangle<aten::TrilOp, Predicate::Le>>();
  d.add<aten::TriuOp, triangle<aten::TriuOp, Predicate::Ge>>();
  d.add<aten::EyeOp, eye>();
  d.add<aten::DiagEmbedOp, diagEmbed>();
  d.add<aten::DiagOp, diag>();
  d.addMany<aten::MeshgridOp, meshgrid>();
  d.add<aten::PixelShuffleOp, pixelShuffle>();
  d.add<aten::PixelUnshuffleOp, pixelUnshuffle>();
  d.add<aten::ChannelShuffleOp, channelShuffle>();
}

} // namespace graphmill
