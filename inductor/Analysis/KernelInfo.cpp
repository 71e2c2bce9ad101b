#include "inductor/Analysis/KernelInfo.h"
#include "inductor/Analysis/IndexForm.h"

using namespace mlir;

namespace graphmill::loop {

BodyCost costOf(KernelOp kernel) {
  BodyCost cost;
  kernel.getBody().walk([&](Operation *op) {
    cost.ops += !isa<arith::ConstantOp>(op);
    if (isa<LoadOp>(op)) {
      ++cost.loads;
    } else if (isa<math::MathDialect>(op->getDialect())) {
      bool cheap = isa<math::AbsFOp, math::AbsIOp, math::FloorOp, math::CeilOp, math::TruncOp, math::RoundEvenOp,
                       math::CopySignOp>(op);
      cost.compute += cheap ? 1 : isa<math::SqrtOp, math::RsqrtOp>(op) ? 6 : 12;
    } else if (isa<arith::ArithDialect>(op->getDialect()) && !isa<arith::ConstantOp>(op)) {
      bool division = isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(op);
      cost.compute += division ? 4 : 1;
    }
  });
  return cost;
}

bool isPointwise(KernelOp kernel) {
  return !kernel.getSequential() && kernel.getInits() == 0 && kernel.getForm() == Template::None &&
         llvm::none_of(kernel.getBlock(), [](Operation &op) { return op.getNumRegions() > 0 || isa<SortOp>(op); });
}

bool isView(KernelOp kernel) {
  return isPointwise(kernel) && llvm::all_of(kernel.getBlock(), [](Operation &op) {
           return isa<LoadOp, StoreOp, EndOp, ApplyOp, InsideOp, arith::ConstantOp, arith::IndexCastOp>(op);
         });
}

KernelOp producerOf(Value value) { return value.getDefiningOp<KernelOp>(); }

StoreOp storeOf(KernelOp kernel, unsigned result) {
  StoreOp found;
  for (Operation *user : kernel.getOutputArg(result).getUsers()) {
    if (auto store = dyn_cast<StoreOp>(user)) {
      if (found) {
        return nullptr;
      }
      found = store;
    }
  }
  return found;
}

SmallVector<LoadOp> loadsOf(KernelOp kernel, Value blockArgument) {
  SmallVector<LoadOp> loads;
  for (Operation *user : blockArgument.getUsers()) {
    if (auto load = dyn_cast<LoadOp>(user)) {
      loads.push_back(load);
    }
  }
  return loads;
}

SmallVector<Operation *> usersOf(KernelOp kernel) {
  llvm::SetVector<Operation *> users;
  for (Operation *user : kernel->getUsers()) {
    users.insert(user);
  }
  return users.takeVector();
}

//===----------------------------------------------------------------------===//
// Inverting an index map
//===----------------------------------------------------------------------===//

namespace {
/// (c floordiv unit) mod modulus equals `value`; no modulus if null.
struct Piece {
  AffineExpr unit, modulus, value;
};

/// Recognizes c, c mod m, c floordiv u and (c floordiv u) mod m.
std::optional<std::pair<unsigned, Piece>> asPiece(AffineExpr expr) {
  MLIRContext *context = expr.getContext();
  Piece piece{constantDim(context, 1), nullptr, nullptr};
  if (expr.getKind() == AffineExprKind::Mod) {
    auto mod = cast<AffineBinaryOpExpr>(expr);
    piece.modulus = mod.getRHS();
    expr = mod.getLHS();
  }
  if (expr.getKind() == AffineExprKind::FloorDiv) {
    auto quotient = cast<AffineBinaryOpExpr>(expr);
    piece.unit = quotient.getRHS();
    expr = quotient.getLHS();
  }
  auto dim = dyn_cast<AffineDimExpr>(expr);
  if (!dim) {
    return std::nullopt;
  }
  return std::pair(dim.getPosition(), piece);
}

/// value = sum of c_i * stride_i with each stride the product of the next one and its size:
/// digits of a mixed-radix number.
bool solveDigits(const IndexForm &form, AffineExpr value, ArrayRef<Dim> sizes, MutableArrayRef<AffineExpr> solved) {
  SmallVector<std::pair<unsigned, AffineExpr>> digits;
  for (auto [atom, stride] : form.terms) {
    auto dim = dyn_cast<AffineDimExpr>(atom);
    if (!dim || solved[dim.getPosition()]) {
      return false;
    }
    digits.emplace_back(dim.getPosition(), stride);
  }
  if (getStatic(form.constant) != 0) {
    return false;
  }
  AffineExpr expected = constantDim(value.getContext(), 1);
  SmallVector<unsigned> ascending;
  while (ascending.size() < digits.size()) {
    auto next = llvm::find_if(digits, [&](auto &digit) {
      return equal(digit.second, expected) && !llvm::is_contained(ascending, digit.first);
    });
    if (next == digits.end()) {
      return false;
    }
    ascending.push_back(next->first);
    expected = simplify(expected * sizes[next->first]);
  }
  AffineExpr unit = constantDim(value.getContext(), 1);
  for (auto [i, axis] : llvm::enumerate(ascending)) {
    AffineExpr digit = getStatic(unit) == 1 ? value : value.floorDiv(unit);
    solved[axis] = i + 1 == ascending.size() ? digit : digit % sizes[axis];
    unit = simplify(unit * sizes[axis]);
  }
  return true;
}

/// c = sum of the pieces' values times their units, if the pieces cover c.
AffineExpr assemble(SmallVector<Piece> pieces, Dim size) {
  AffineExpr result = constantDim(size.getContext(), 0), covered = constantDim(size.getContext(), 1);
  while (!pieces.empty()) {
    auto next = llvm::find_if(pieces, [&](Piece &piece) { return equal(piece.unit, covered); });
    if (next == pieces.end()) {
      return nullptr;
    }
    result = result + next->value * covered;
    covered = next->modulus ? simplify(covered * next->modulus) : size;
    bool last = !next->modulus;
    pieces.erase(next);
    if (last && !pieces.empty()) {
      return nullptr;
    }
  }
  return equal(covered, size) ? result : nullptr;
}
} // namespace

std::optional<SmallVector<AffineExpr>> solveAxes(AffineMap read, ArrayRef<Dim> sizes, AffineMap write,
                                                 ArrayRef<Dim> elementSizes) {
  MLIRContext *context = read.getContext();
  // A reader of a part (a slice) has no iteration for some of the producer's.
  if (!equal(product(context, sizes), product(context, elementSizes))) {
    return std::nullopt;
  }
  SmallVector<AffineExpr> solved(sizes.size());
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (getStatic(size) == 1) {
      solved[i] = constantDim(context, 0);
    }
  }
  llvm::MapVector<unsigned, SmallVector<Piece>> pieces;
  for (auto [j, expr] : llvm::enumerate(read.getResults())) {
    AffineExpr value = write.getResult(j);
    if (getStatic(elementSizes[j]) == 1) {
      continue;
    }
    IndexForm form = IndexForm::of(expr, sizes);
    AffineExpr simple = form.toExpr();
    if (auto piece = asPiece(simple)) {
      piece->second.value = value;
      pieces[piece->first].push_back(piece->second);
    } else if (!solveDigits(form, value, sizes, solved)) {
      return std::nullopt;
    }
  }
  for (auto &[axis, list] : pieces) {
    if (axis >= solved.size() || solved[axis]) {
      return std::nullopt;
    }
    solved[axis] = assemble(list, sizes[axis]);
    if (!solved[axis]) {
      return std::nullopt;
    }
  }
  if (llvm::is_contained(solved, AffineExpr())) {
    return std::nullopt;
  }
  return solved;
}

} // namespace graphmill::loop
