#include "inductor/Lowering/Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace graphmill::loop {

/// Position of `index` among the elements of a tensor of these sizes, row-major.
static AffineExpr linearize(MLIRContext *context, ArrayRef<AffineExpr> index, ArrayRef<Dim> sizes) {
  AffineExpr position = constantDim(context, 0);
  for (auto [i, size] : llvm::zip(index, sizes)) {
    position = position * size + i;
  }
  return position;
}

/// The reverse. Sizes of 1 give 0.
static Dims delinearize(AffineExpr position, ArrayRef<Dim> sizes) {
  MLIRContext *context = position.getContext();
  Dims result(sizes.size(), constantDim(context, 0));
  bool outermost = true;
  for (size_t i = 0; i < sizes.size(); ++i) {
    Dim below = product(context, ArrayRef(sizes).drop_front(i + 1));
    if (getStatic(sizes[i]) == 1) {
      continue;
    }
    AffineExpr quotient = position.floorDiv(below);
    result[i] = outermost ? quotient : quotient % sizes[i];
    outermost = false;
  }
  return result;
}

/// Reshape as an index map. Groups of dims that match between both shapes are mapped
/// within the group: [B, S, H*D] to [B, S, H, D] touches only the last dim.
static Dims reshapeMap(MLIRContext *context, ArrayRef<AffineExpr> index, ArrayRef<Dim> to, ArrayRef<Dim> from) {
  Dims result;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    size_t i0 = i, j0 = j;
    Dim sizeFrom = constantDim(context, 1), sizeTo = constantDim(context, 1);
    // The smallest groups of equal element count; the rest of both shapes if none is.
    bool matched = false;
    size_t bestI = from.size(), bestJ = to.size();
    size_t ii = i, jj = j;
    while (ii < from.size() || jj < to.size()) {
      std::optional<int64_t> a = getStatic(sizeFrom), b = getStatic(sizeTo);
      bool growFrom = ii < from.size() && (jj == to.size() || ii == i0 || (a && b && *a < *b) || (!a && b) || countSymbols(sizeFrom) < countSymbols(sizeTo));
      if (ii == i0 && ii < from.size()) {
        sizeFrom = simplify(sizeFrom * from[ii++]);
      } else if (jj == j0 && jj < to.size()) {
        sizeTo = simplify(sizeTo * to[jj++]);
      } else if (growFrom) {
        sizeFrom = simplify(sizeFrom * from[ii++]);
      } else if (jj < to.size()) {
        sizeTo = simplify(sizeTo * to[jj++]);
      } else {
        break;
      }
      if (ii > i0 && jj > j0 && equal(sizeFrom, sizeTo)) {
        matched = true;
        bestI = ii;
        bestJ = jj;
        break;
      }
    }
    i = matched ? bestI : from.size();
    j = matched ? bestJ : to.size();
    AffineExpr position = linearize(context, ArrayRef(index).slice(j0, j - j0), ArrayRef(to).slice(j0, j - j0));
    llvm::append_range(result, delinearize(position, ArrayRef(from).slice(i0, i - i0)));
  }
  return result;
}

/// A tensor that is read through an index map.
template <typename MapFunction>
static Lowering::Results view(Lowering &l, Operation *op, MapFunction mapFunction) {
  Dims axes = dimsOf(op->getResult(0));
  KernelBuilder k = l.kernel(op, op->getOperand(0), axes);
  Dims index = k.allAxes(axes.size());
  k.store(k.load(k.in(0), mapFunction(ArrayRef<AffineExpr>(index))), k.out(), index);
  return {k.kernel.getResult(0)};
}

static Lowering::Results lowerPad(Lowering &l, prims::PadOp op) {
  Dims axes = dimsOf(op.getResult()), from = dimsOf(op.getOperand());
  KernelBuilder k = l.kernel(op, {op.getOperand(), op.getValue()}, axes);
  Dims index = k.allAxes(axes.size()), source, checked, bounds;
  for (auto [i, low] : llvm::enumerate(op.getLow().getExprs())) {
    source.push_back(index[i] - low);
    if (getStatic(low) != 0 || !equal(from[i], axes[i])) {
      checked.push_back(source.back());
      bounds.push_back(from[i]);
    }
  }
  Value fill = k.load(k.in(1), {});
  Value inside = k.inside(checked, bounds);
  k.store(k.loadIf(inside, fill, k.in(0), source), k.out(), index);
  return {k.kernel.getResult(0)};
}

/// One kernel over the dims that all operands share, with an inner loop for each operand.
static Lowering::Results lowerConcatenate(Lowering &l, prims::ConcatenateOp op) {
  Dims axes = dimsOf(op.getResult());
  size_t at = op.getDim();
  Dims shared = axes;
  shared.erase(shared.begin() + at);
  KernelBuilder k = l.kernel(op, op.getOperands(), shared);
  AffineExpr offset = k.constant(0);
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    Dim size = dimOf(operand, at);
    k.forEach({size}, [&, i = i](unsigned inner) {
      Dims index = k.allAxes(shared.size());
      index.insert(index.begin() + at, k.axis(inner));
      Value value = k.load(k.in(i), index);
      index[at] = index[at] + offset;
      k.store(value, k.out(), index);
    });
    offset = offset + size;
  }
  return {k.kernel.getResult(0)};
}

/// A splat is a scalar in the kernels that read it; anything else an owned tensor.
static Lowering::Results lowerConstant(Lowering &l, prims::ConstantOp op) {
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (!splat || isa<ComplexType>(getElement(op.getResult()))) {
    auto module = op->getParentOfType<ModuleOp>();
    SymbolTable table(module);
    OpBuilder builder(module.getContext());
    auto tensor = fx::TensorOp::create(builder, op.getLoc(), "constant", fx::TensorKind::Constant, op.getValue(),
                                       /*packing=*/nullptr);
    table.insert(tensor);
    return {fx::GetOp::create(l.builder, op.getLoc(), op.getType(), tensor.getSymName())};
  }
  Dims axes = dimsOf(op.getResult());
  KernelBuilder k = l.kernel(op, {}, axes);
  Type type = scalarType(getElement(op.getResult()));
  Attribute value = splat.getSplatValue<Attribute>();
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    value = IntegerAttr::get(type, integer.getValue());
  }
  Value scalar = arith::ConstantOp::create(k.b, op.getLoc(), cast<TypedAttr>(value));
  k.store(scalar, k.out(), k.allAxes(axes.size()));
  return {k.kernel.getResult(0)};
}

static Lowering::Results lowerIndexValue(Lowering &l, Operation *op, function_ref<AffineExpr(KernelBuilder &)> expr) {
  Dims axes = dimsOf(op->getResult(0));
  KernelBuilder k = l.kernel(op, {}, axes);
  Type type = scalarType(getElement(op->getResult(0)));
  Value value = arith::IndexCastOp::create(k.b, op->getLoc(), type, k.apply(expr(k)));
  k.store(value, k.out(), k.allAxes(axes.size()));
  return {k.kernel.getResult(0)};
}

Lowering::Results Lowering::lowerShape(Operation *op) {
  using Index = ArrayRef<AffineExpr>;
  MLIRContext *context = op->getContext();
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](prims::BroadcastOp op) {
        Dims from = dimsOf(op.getOperand());
        return view(*this, op, [&](Index index) {
          Dims source;
          for (auto [i, dim] : llvm::enumerate(op.getDims())) {
            source.push_back(getStatic(from[i]) == 1 ? constantDim(context, 0) : index[dim]);
          }
          return source;
        });
      })
      .Case([&](prims::ReshapeOp op) {
        return view(*this, op, [&](Index index) {
          return reshapeMap(context, index, dimsOf(op.getResult()), dimsOf(op.getOperand()));
        });
      })
      .Case([&](prims::TransposeOp op) {
        return view(*this, op, [&](Index index) {
          Dims source(index.size());
          for (auto [i, p] : llvm::enumerate(op.getPerm())) {
            source[p] = index[i];
          }
          return source;
        });
      })
      .Case([&](prims::SliceOp op) {
        return view(*this, op, [&](Index index) {
          Dims source;
          for (auto [i, start] : llvm::enumerate(op.getStarts().getExprs())) {
            source.push_back(start + index[i] * op.getSteps()[i]);
          }
          return source;
        });
      })
      .Case([&](prims::ReverseOp op) {
        Dims sizes = dimsOf(op.getOperand());
        return view(*this, op, [&](Index index) {
          Dims source(index);
          for (int64_t dim : op.getDims()) {
            source[dim] = sizes[dim] - 1 - index[dim];
          }
          return source;
        });
      })
      .Case([&](prims::AsStridedOp op) {
        return view(*this, op, [&](Index index) {
          AffineExpr position = op.getOffset().getExpr();
          for (auto [i, stride] : llvm::zip(index, op.getStrides().getExprs())) {
            position = position + i * stride;
          }
          return delinearize(position, dimsOf(op.getOperand()));
        });
      })
      .Case([&](prims::PadOp op) { return lowerPad(*this, op); })
      .Case([&](prims::ConcatenateOp op) { return lowerConcatenate(*this, op); })
      .Case([&](prims::ConstantOp op) { return lowerConstant(*this, op); })
      .Case([&](prims::IotaOp op) {
        return lowerIndexValue(*this, op, [](KernelBuilder &k) { return k.axis(0); });
      })
      .Case([&](prims::SizeOp op) {
        return lowerIndexValue(*this, op, [&](KernelBuilder &) { return op.getValue().getExpr(); });
      })
      .Default([](Operation *) { return Results(); });
}

} // namespace graphmill::loop
