#include "fx/Aten/Rules.h"

using namespace mlir;

namespace graphmill::aten::rules {

bool compatible(TypeRange a, TypeRange b) {
  if (a.size() != b.size()) {
    return false;
  }
  for (auto [x, y] : llvm::zip(a, b)) {
    auto tx = dyn_cast<RankedTensorType>(x), ty = dyn_cast<RankedTensorType>(y);
    if (!tx || !ty || tx.getElementType() != ty.getElementType() ||
        tx.getRank() != ty.getRank()) {
      return false;
    }
    for (auto [dx, dy] : llvm::zip(dimsOf(tx), dimsOf(ty))) {
      if (getStatic(dx) && getStatic(dy) && dx != dy) {
        return false;
      }
    }
  }
  return true;
}

FailureOr<int64_t> normalizeDim(Rule &r, int64_t dim, int64_t rank) {
  // A 0-d tensor takes dim 0 and -1, as in PyTorch.
  int64_t n = std::max<int64_t>(rank, 1);
  if (dim < -n || dim >= n) {
    return r.error() << "dim " << dim << " is out of range for a tensor of rank " << rank;
  }
  return dim < 0 ? dim + n : dim;
}

FailureOr<Dims> broadcast(Rule &r, ArrayRef<Dims> shapes) {
  size_t rank = 0;
  for (const Dims &shape : shapes) {
    rank = std::max(rank, shape.size());
  }
  Dims result(rank, constantDim(r.context, 1));
  for (const Dims &shape : shapes) {
    for (size_t i = 0; i < shape.size(); ++i) {
      Dim &target = result[rank - shape.size() + i];
      if (getStatic(shape[i]) == 1 || equal(shape[i], target)) {
        continue;
      }
      if (getStatic(target) == 1) {
        target = shape[i];
      } else if (getStatic(shape[i]) && !getStatic(target)) {
        target = shape[i]; // a symbolic size that the exporter knows to be this one
      } else if (getStatic(shape[i]) && getStatic(target)) {
        return r.error() << "sizes " << toString(shape[i]) << " and " << toString(target)
                         << " don't broadcast at dim " << rank - shape.size() + i;
      }
    }
  }
  return result;
}

static LogicalResult broadcastAs(Rule &r, Values operands, Values more, Type element) {
  SmallVector<Dims> shapes;
  for (Values list : {operands, more}) {
    for (Value operand : list) {
      if (operand) {
        shapes.push_back(dimsOf(operand));
      }
    }
  }
  FailureOr<Dims> dims = broadcast(r, shapes);
  return failed(dims) ? failure() : r.result(*dims, element);
}

LogicalResult pointwise(Rule &r, Values operands, Values unpromoted) {
  return broadcastAs(r, operands, unpromoted, resultType(SmallVector<Value>(operands)));
}

static bool isWhole(Type element) { return categoryOf(element) <= Category::Integer; }

static LogicalResult require(Rule &r, Values operands, bool (*accept)(Type), StringRef expected) {
  for (Value operand : operands) {
    if (operand && !accept(getElement(operand))) {
      return r.error() << "an operand is " << dtypeName(getElement(operand)) << ", expected " << expected;
    }
  }
  return success();
}

LogicalResult requireFloats(Rule &r, Values operands) { return require(r, operands, isFloat, "floats"); }

LogicalResult pointwiseFloats(Rule &r, Values operands) {
  return failed(requireFloats(r, operands)) ? failure() : pointwise(r, operands);
}

LogicalResult bits(Rule &r, Values operands) {
  return failed(require(r, operands, isWhole, "integers or bools")) ? failure() : pointwise(r, operands);
}

LogicalResult square(Rule &r, Value self) {
  Type element = getElement(self);
  return r.result(dimsOf(self), element.isInteger(1) ? IntegerType::get(r.context, 64) : element);
}

LogicalResult floating(Rule &r, Values operands) {
  return broadcastAs(r, operands, {}, floatResultType(SmallVector<Value>(operands)));
}

LogicalResult predicate(Rule &r, Values operands) {
  return broadcastAs(r, operands, {}, IntegerType::get(r.context, 1));
}

LogicalResult division(Rule &r, Value self, Value other, std::optional<StringRef> rounding) {
  if (rounding && *rounding != "trunc" && *rounding != "floor") {
    return r.error() << "rounding_mode is \"" << *rounding
                     << "\", expected none, \"trunc\" or \"floor\"";
  }
  return rounding ? pointwise(r, {self, other}) : floating(r, {self, other});
}

LogicalResult likeFirst(Rule &r, Values operands) {
  return broadcastAs(r, operands, {}, getElement(*operands.begin()));
}

LogicalResult glu(Rule &r, Value self, int64_t dim) {
  Dims dims = dimsOf(self);
  FailureOr<int64_t> at = normalizeDim(r, dim, dims.size());
  if (failed(at) || dims.empty()) {
    return failure();
  }
  if (std::optional<int64_t> size = getStatic(dims[*at]); size && *size % 2) {
    return r.error() << "dim " << dim << " has size " << *size << ", expected an even one";
  }
  dims[*at] = simplify(dims[*at].floorDiv(2));
  return r.result(dims, getElement(self));
}

LogicalResult nativeDropout(Rule &r, Value input) {
  (void)r.result(dimsOf(input), getElement(input));
  return r.result(dimsOf(input), IntegerType::get(r.context, 1));
}

LogicalResult loss(Rule &r, Values operands, int64_t reduction) {
  return reduction == 0 ? pointwise(r, operands) : r.result({}, resultType(SmallVector<Value>(operands)));
}

LogicalResult nllLoss(Rule &r, Value self, Value target, int64_t reduction) {
  if (reduction != 0) {
    return r.result({}, getElement(self));
  }
  // Class probabilities lose the class dim, class indices have none.
  Dims dims = dimsOf(target);
  if (dims.size() == dimsOf(self).size() && !dims.empty()) {
    dims.erase(dims.begin() + (dims.size() == 1 ? 0 : 1));
  }
  return r.result(dims, getElement(self));
}

} // namespace graphmill::aten::rules
