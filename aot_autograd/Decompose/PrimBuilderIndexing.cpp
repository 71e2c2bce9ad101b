#include "aot_autograd/Decompose/PrimBuilder.h"

using namespace mlir;

namespace graphmill {

Value PrimBuilder::vector(ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, i64());
  return prims::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, values));
}

Value PrimBuilder::vector(ArrayRef<float> values) { return tensor(values, {static_cast<int64_t>(values.size())}); }

Value PrimBuilder::tensor(ArrayRef<float> values, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, f32());
  return prims::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, values));
}

Value PrimBuilder::table(ArrayRef<double> values, ArrayRef<int64_t> shape, Type element) {
  bool lossy;
  SmallVector<APFloat> rounded;
  rounded.reserve(values.size());
  for (double value : values) {
    rounded.emplace_back(value).convert(cast<FloatType>(element).getFloatSemantics(), APFloat::rmNearestTiesToEven, &lossy);
  }
  auto type = RankedTensorType::get(shape, element);
  return prims::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, ArrayRef<APFloat>(rounded)));
}

Value PrimBuilder::alongDim(Value value, int64_t at, Value matrix) {
  int64_t last = dimsOf(value).size() - 1;
  Value moved = swapDims(value, at, last);
  Dims rows = dimsOf(moved);
  Dim count = product(context(), ArrayRef(rows).drop_back());
  Value y = matmul(reshape(moved, {count, rows.back()}), matrix);
  rows.back() = dimsOf(matrix).back();
  return swapDims(reshape(y, rows), at, last);
}

Value PrimBuilder::iotaAlong(ArrayRef<Dim> dims, int64_t at, Type element) {
  return broadcastDims(convert(iota(dims[at]), element), dims, {at});
}

Value PrimBuilder::wrapIndex(Value index, Dim size) {
  Value wide = convert(index, i64());
  return select(compare(prims::Predicate::Lt, wide, constant(0, i64())), add(wide, this->size(size, i64())), wide);
}

Value PrimBuilder::index(Value operand, ValueRange indices, ArrayRef<int64_t> dims, bool checked) {
  Dims result = dimsOf(indices[0]);
  for (auto [i, size] : llvm::enumerate(dimsOf(operand))) {
    if (!llvm::is_contained(dims, static_cast<int64_t>(i))) {
      result.push_back(size);
    }
  }
  return prims::IndexOp::create(builder, loc, getTensorType(result, getElement(operand)), operand, indices, dims, checked);
}

Value PrimBuilder::indexPut(prims::Combiner combiner, Value operand, Value values, ValueRange indices, ArrayRef<int64_t> dims,
                            bool checked) {
  return prims::IndexPutOp::create(builder, loc, operand.getType(), combiner, operand, values, indices, dims, checked);
}

Value PrimBuilder::take(Value value, int64_t at, Value index, bool checked) {
  Value taken = this->index(value, index, {at}, checked);
  // Dims of the index are in front: move what was before `at` there.
  int64_t added = dimsOf(index).size(), rank = dimsOf(taken).size();
  SmallVector<int64_t> perm;
  for (int64_t i = 0; i < at; ++i) {
    perm.push_back(added + i);
  }
  for (int64_t i = 0; i < added; ++i) {
    perm.push_back(i);
  }
  for (int64_t i = added + at; i < rank; ++i) {
    perm.push_back(i);
  }
  return transpose(taken, perm);
}

Value PrimBuilder::gather(Value value, Value index, int64_t at, bool checked) {
  return prims::GatherOp::create(builder, loc, getTensorType(dimsOf(index), getElement(value)), value, index, at, checked);
}

Value PrimBuilder::scatter(prims::Combiner combiner, Value operand, Value index, Value values, int64_t at, bool checked) {
  return prims::ScatterOp::create(builder, loc, operand.getType(), combiner, operand, index, values, at, checked);
}

Value PrimBuilder::moveDim(Value value, int64_t from, int64_t to) {
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, dimsOf(value).size()));
  perm.erase(perm.begin() + from);
  perm.insert(perm.begin() + to, from);
  return transpose(value, perm);
}

Value PrimBuilder::reverse(Value value, ArrayRef<int64_t> dims) {
  return dims.empty() ? value : Value(prims::ReverseOp::create(builder, loc, value.getType(), value, dims));
}

Value PrimBuilder::scan(prims::Reducer reducer, Value value, int64_t at) {
  return prims::ScanOp::create(builder, loc, value.getType(), reducer, value, at);
}

Value PrimBuilder::argReduce(prims::Reducer reducer, Value value, int64_t at) {
  Dims dims = dimsOf(value);
  dims.erase(dims.begin() + at);
  return prims::ArgReduceOp::create(builder, loc, getTensorType(dims, i64()), reducer, value, at);
}

std::pair<Value, Value> PrimBuilder::sort(Value value, int64_t at, bool descending) {
  auto type = cast<RankedTensorType>(value.getType());
  auto op = prims::SortOp::create(builder, loc, TypeRange{type, withElement(type, i64())}, value, at, descending);
  return {op.getValues(), op.getIndices()};
}

Value PrimBuilder::reduceWindow(prims::Reducer reducer, Value value, ArrayRef<Dim> result, ArrayRef<int64_t> window,
                                ArrayRef<int64_t> strides, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation) {
  return prims::ReduceWindowOp::create(builder, loc, getTensorType(result, getElement(value)), reducer, value, window, strides,
                                       padding, dilation);
}

Value PrimBuilder::random(prims::Distribution distribution, ArrayRef<Dim> dims, Type element) {
  // Streams are numbered in the order of the graph: the same graph, the same numbers.
  int64_t stream = 0;
  Block *block = builder.getInsertionBlock();
  for (Operation &op : *block) {
    if (auto other = dyn_cast<prims::RandomOp>(op)) {
      stream = std::max<int64_t>(stream, other.getStream() + 1);
    }
  }
  return prims::RandomOp::create(builder, loc, getTensorType(dims, element), distribution, stream);
}

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

namespace {
/// A value whose dims have letters.
struct Lettered {
  Value value;
  std::string letters;

  Dim dimOf(char letter) const { return graphmill::dimOf(value, letters.find(letter)); }
  bool has(char letter) const { return letters.find(letter) != std::string::npos; }
};
} // namespace

/// `a…a` becomes a diagonal; letters that nobody else needs are summed.
static void reduceAlone(PrimBuilder &b, Lettered &x, const std::string &needed) {
  for (size_t i = 0; i < x.letters.size(); ++i) {
    size_t j = x.letters.find(x.letters[i], i + 1);
    if (j != std::string::npos) {
      Value iota = b.iota(dimOf(x.value, i));
      x.value = b.index(x.value, {iota, iota}, {static_cast<int64_t>(i), static_cast<int64_t>(j)});
      char letter = x.letters[i];
      x.letters.erase(j, 1);
      x.letters.erase(i, 1);
      x.letters.insert(x.letters.begin(), letter);
      i = -1;
    }
  }
  SmallVector<int64_t> dims;
  std::string kept;
  for (auto [i, letter] : llvm::enumerate(x.letters)) {
    if (needed.find(letter) == std::string::npos) {
      dims.push_back(i);
    } else {
      kept += letter;
    }
  }
  x.value = b.sum(x.value, dims);
  x.letters = kept;
}

/// Dims in the order of `letters`, all of which x has.
static Value ordered(PrimBuilder &b, const Lettered &x, StringRef letters) {
  SmallVector<int64_t> perm;
  for (char letter : letters) {
    perm.push_back(x.letters.find(letter));
  }
  return b.transpose(x.value, perm);
}

Value PrimBuilder::sumTo(Value value, StringRef letters, StringRef out) {
  Lettered x{value, letters.str()};
  reduceAlone(*this, x, out.str());
  return ordered(*this, x, out);
}

Value PrimBuilder::contract(Value a, StringRef lettersA, Value b, StringRef lettersB, StringRef out) {
  Lettered x{a, lettersA.str()}, y{b, lettersB.str()};
  reduceAlone(*this, x, out.str() + y.letters);
  reduceAlone(*this, y, out.str() + x.letters);
  std::string batch, left, right, inner;
  for (char letter : x.letters) {
    bool isOut = out.contains(letter);
    (!y.has(letter) ? left : isOut ? batch : inner) += letter;
  }
  for (char letter : y.letters) {
    right += x.has(letter) ? "" : std::string(1, letter);
  }
  // Sizes 1 against n are repeated.
  auto sizes = [&](StringRef letters) {
    Dims dims;
    for (char letter : letters) {
      Dim size = x.has(letter) ? x.dimOf(letter) : y.dimOf(letter);
      dims.push_back(getStatic(size) == 1 && y.has(letter) ? y.dimOf(letter) : size);
    }
    return dims;
  };
  if (inner.empty()) {
    // Nothing is summed over: a product of broadcast operands.
    auto spread = [&](const Lettered &operand) {
      std::string own;
      SmallVector<int64_t> places;
      for (auto [i, letter] : llvm::enumerate(out)) {
        if (operand.has(letter)) {
          own += letter;
          places.push_back(i);
        }
      }
      return broadcastDims(ordered(*this, operand, own), sizes(out), places);
    };
    return mul(spread(x), spread(y));
  }
  auto flat = [&](StringRef letters) { return product(context(), sizes(letters)); };
  auto arranged = [&](const Lettered &operand, const std::string &letters) {
    return broadcast(ordered(*this, operand, letters), sizes(letters));
  };
  Dims batchDims = sizes(batch);
  auto shaped = [&](Value value, Dim rows, Dim columns) {
    Dims dims = batchDims;
    dims.push_back(rows);
    dims.push_back(columns);
    return reshape(value, dims);
  };
  Value lhs = shaped(arranged(x, batch + left + inner), flat(left), flat(inner));
  Value rhs = shaped(arranged(y, batch + inner + right), flat(inner), flat(right));
  std::string order = batch + left + right;
  Value result = reshape(matmul(lhs, rhs), sizes(order));
  return ordered(*this, Lettered{result, order}, out);
}

} // namespace graphmill
