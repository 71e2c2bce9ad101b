#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

LogicalResult linear(Rule &r, Value input, Value weight, Value bias) {
  Dims in = dimsOf(input), w = dimsOf(weight);
  if (w.size() != 2 && w.size() != 1) { // linear.c1
    return r.error() << "weight is " << toString(w) << ", expected [out, in]";
  }
  if (in.empty() || (getStatic(in.back()) && getStatic(w.back()) && in.back() != w.back())) { // linear.c2
    return r.error() << "input is " << toString(in) << ", weight is " << toString(w)
                     << "; input's last dim must equal weight's last";
  }
  Dims result(ArrayRef(in).drop_back());
  if (w.size() == 2) {
    result.push_back(w[0]);
  }
  if (bias) { // linear.c3
    Dims b = dimsOf(bias);
    if (b.size() > 1 || (!b.empty() && w.size() == 2 && getStatic(b[0]) && getStatic(b[0]) != 1 && b[0] != w[0])) {
      return r.error() << "bias is " << toString(b) << ", expected [" << toString(w[0]) << "]";
    }
  }
  return r.result(result, getElement(input));
}

static FailureOr<Dims> matmulDims(Rule &r, Value self, Value other) {
  Dims a = dimsOf(self), b = dimsOf(other);
  if (a.empty() || b.empty()) { // matmul.c2
    return r.error() << "operands are " << toString(a) << " and " << toString(b) << ", expected at least vectors";
  }
  Dim inner = b.size() == 1 ? b[0] : b[b.size() - 2];
  if (getStatic(a.back()) && getStatic(inner) && a.back() != inner) { // matmul.c1
    return r.error() << "operands are " << toString(a) << " and " << toString(b)
                     << "; the first's last dim must equal the second's last but one";
  }
  Dims batchA(ArrayRef(a).drop_back(std::min<size_t>(2, a.size()))), batchB(ArrayRef(b).drop_back(std::min<size_t>(2, b.size())));
  FailureOr<Dims> dims = broadcast(r, {batchA, batchB});
  if (failed(dims)) {
    return failure();
  }
  if (a.size() > 1) {
    dims->push_back(a[a.size() - 2]);
  }
  if (b.size() > 1) {
    dims->push_back(b.back());
  }
  return dims;
}

LogicalResult matmul(Rule &r, Value self, Value other) {
  FailureOr<Dims> dims = matmulDims(r, self, other);
  return failed(dims) ? failure() : r.result(*dims, getElement(self));
}

LogicalResult groupedMm(Rule &r, Value self, Value mat2, Value offs, std::optional<Type> dtype) {
  Dims a = dimsOf(self), b = dimsOf(mat2);
  if (b.size() != 3 || (offs ? a.size() != 2 || dimsOf(offs).size() != 1 : a.size() != 3)) { // grouped_mm.c1
    return r.error() << "operands are " << toString(a) << " and " << toString(b) << ", expected [S, K] and [G, K, N] with [G] offsets";
  }
  if (offs && getStatic(dimsOf(offs)[0]) && getStatic(b[0]) && dimsOf(offs)[0] != b[0]) { // grouped_mm.c2
    return r.error() << toString(dimsOf(offs)[0]) << " offsets for " << toString(b[0]) << " groups";
  }
  if (getStatic(a.back()) && getStatic(b[1]) && a.back() != b[1]) { // grouped_mm.c3
    return r.error() << "operands are " << toString(a) << " and " << toString(b)
                     << "; the first's last dim must equal the second's last but one";
  }
  a.back() = b.back();
  return r.result(a, dtype.value_or(getElement(self)));
}

LogicalResult addmm(Rule &r, Value self, Value mat1, Value mat2) { return matmul(r, mat1, mat2); }

LogicalResult addbmm(Rule &r, Value self, Value batch1, Value batch2) {
  FailureOr<Dims> dims = matmulDims(r, batch1, batch2);
  if (failed(dims) || dims->size() != 3) {
    return failed(dims) ? failure() : LogicalResult(r.error() << "takes batches of matrices");
  }
  dims->erase(dims->begin());
  return r.result(*dims, getElement(batch1));
}

LogicalResult outer(Rule &r, Value a, Value b) {
  Dims x = dimsOf(a), y = dimsOf(b);
  if (x.size() != 1 || y.size() != 1) {
    return r.error() << "operands are " << toString(x) << " and " << toString(y) << ", expected vectors";
  }
  return r.result({x[0], y[0]}, resultType({a, b}));
}

LogicalResult inner(Rule &r, Value a, Value b) {
  Dims x = dimsOf(a), y = dimsOf(b);
  if (x.empty() || y.empty()) {
    return pointwise(r, {a, b});
  }
  if (getStatic(x.back()) && getStatic(y.back()) && x.back() != y.back()) {
    return r.error() << "operands are " << toString(x) << " and " << toString(y) << "; their last dims must be equal";
  }
  x.pop_back();
  y.pop_back();
  x.append(y);
  return r.result(x, getElement(a));
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

FailureOr<Einsum> parseEinsum(Rule &r, StringRef equation, ValueRange tensors) {
  std::string text;
  for (char c : equation) {
    if (c != ' ') {
      text += c;
    }
  }
  auto [left, right] = StringRef(text).split("->");
  bool hasOutput = StringRef(text).contains("->");
  SmallVector<StringRef> parts;
  left.split(parts, ',');
  if (parts.size() != tensors.size()) {
    return r.error() << "'" << equation << "' has " << parts.size() << " terms for " << tensors.size() << " tensors";
  }
  // Ellipses become letters that the equation doesn't use, aligned on the right.
  std::string spare;
  for (char c = 'A'; c <= 'Z'; ++c) {
    if (text.find(c) == std::string::npos) {
      spare += c;
    }
  }
  size_t widest = 0;
  SmallVector<size_t> widths;
  for (auto [part, tensor] : llvm::zip(parts, tensors)) {
    size_t rank = dimsOf(tensor).size(), letters = part.contains("...") ? part.size() - 3 : part.size();
    bool fits = part.contains("...") ? rank >= letters : rank == letters;
    if (!fits) {
      return r.error() << "'" << equation << "': term '" << part << "' doesn't fit a tensor of rank " << rank;
    }
    widths.push_back(rank - letters);
    widest = std::max(widest, rank - letters);
  }
  if (widest > spare.size()) {
    return r.error() << "'" << equation << "' has too many dims";
  }
  auto expand = [&](StringRef term, size_t width) {
    auto [before, after] = term.split("...");
    return term.contains("...") ? (before + spare.substr(widest - width, width) + after).str() : term.str();
  };
  Einsum result;
  for (auto [part, width] : llvm::zip(parts, widths)) {
    result.inputs.push_back(expand(part, width));
  }
  if (hasOutput) {
    result.output = expand(right, widest);
  } else {
    // The ellipsis, then letters that occur once, in alphabetical order.
    result.output = spare.substr(0, widest);
    std::map<char, int> counts;
    for (StringRef part : parts) {
      for (char c : part) {
        ++counts[c];
      }
    }
    for (auto [letter, count] : counts) {
      if (letter != '.' && count == 1) {
        result.output += letter;
      }
    }
  }
  return result;
}

LogicalResult einsum(Rule &r, StringRef equation, ValueRange tensors) {
  FailureOr<Einsum> parsed = parseEinsum(r, equation, tensors);
  if (failed(parsed) || tensors.empty()) {
    return failure();
  }
  std::map<char, Dim> sizes;
  for (auto [term, tensor] : llvm::zip(parsed->inputs, tensors)) {
    for (auto [letter, size] : llvm::zip(term, dimsOf(tensor))) {
      Dim &known = sizes.try_emplace(letter, size).first->second;
      if (getStatic(known) == 1 || (!getStatic(known) && getStatic(size).value_or(1) != 1)) {
        known = size;
      } else if (getStatic(known) && getStatic(size) && getStatic(size) != 1 && known != size) {
        return r.error() << "'" << equation << "': '" << StringRef(&letter, 1) << "' is " << toString(known) << " and "
                         << toString(size);
      }
    }
  }
  Dims result;
  for (char letter : parsed->output) {
    auto found = sizes.find(letter);
    if (found == sizes.end()) {
      return r.error() << "'" << equation << "': '" << StringRef(&letter, 1) << "' is in the output only";
    }
    result.push_back(found->second);
  }
  return r.result(result, resultType(tensors));
}

LogicalResult tensordot(Rule &r, Value a, Value b, ArrayRef<int64_t> dimsA, ArrayRef<int64_t> dimsB) {
  Dims x = dimsOf(a), y = dimsOf(b), result;
  auto addKept = [&](const Dims &dims, ArrayRef<int64_t> summed) {
    int64_t rank = dims.size();
    for (int64_t i = 0; i < rank; ++i) {
      if (llvm::none_of(summed, [&](int64_t d) { return (d < 0 ? d + rank : d) == i; })) {
        result.push_back(dims[i]);
      }
    }
  };
  addKept(x, dimsA);
  addKept(y, dimsB);
  return r.result(result, getElement(a));
}

LogicalResult bilinear(Rule &r, Value input1, Value weight) {
  Dims dims = dimsOf(input1), w = dimsOf(weight);
  if (dims.empty() || w.size() != 3) {
    return r.error() << "weight is " << toString(w) << ", expected [out, in1, in2]";
  }
  dims.back() = w[0];
  return r.result(dims, getElement(input1));
}

} // namespace graphmill::aten::rules
