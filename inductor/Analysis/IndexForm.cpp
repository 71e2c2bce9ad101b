#include "inductor/Analysis/IndexForm.h"

using namespace mlir;

namespace graphmill::loop {

static bool hasDims(AffineExpr expr) {
  bool found = false;
  expr.walk([&](AffineExpr e) { found |= isa<AffineDimExpr>(e); });
  return found;
}

static bool isZero(AffineExpr expr) { return getStatic(expr) == 0; }

//===----------------------------------------------------------------------===//
// Division and comparison of expressions over symbols
//===----------------------------------------------------------------------===//

static void collectFactors(AffineExpr expr, SmallVectorImpl<AffineExpr> &factors, int64_t &constant) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
    constant *= number.getValue();
  } else if (expr.getKind() == AffineExprKind::Mul) {
    auto product = cast<AffineBinaryOpExpr>(expr);
    collectFactors(product.getLHS(), factors, constant);
    collectFactors(product.getRHS(), factors, constant);
  } else {
    factors.push_back(expr);
  }
}

static void collectSummands(AffineExpr expr, SmallVectorImpl<AffineExpr> &summands) {
  if (expr.getKind() == AffineExprKind::Add) {
    auto sum = cast<AffineBinaryOpExpr>(expr);
    collectSummands(sum.getLHS(), summands);
    collectSummands(sum.getRHS(), summands);
  } else {
    summands.push_back(expr);
  }
}

std::optional<AffineExpr> divideExactly(AffineExpr expr, AffineExpr divisor) {
  MLIRContext *context = expr.getContext();
  if (isZero(divisor)) {
    return std::nullopt;
  }
  if (expr == divisor) {
    return constantDim(context, 1);
  }
  SmallVector<AffineExpr> summands, divisorFactors;
  int64_t divisorConstant = 1;
  collectSummands(expr, summands);
  collectFactors(divisor, divisorFactors, divisorConstant);
  AffineExpr result = constantDim(context, 0);
  for (AffineExpr summand : summands) {
    SmallVector<AffineExpr> factors;
    int64_t constant = 1;
    collectFactors(summand, factors, constant);
    if (constant % divisorConstant != 0) {
      return std::nullopt;
    }
    for (AffineExpr factor : divisorFactors) {
      auto found = llvm::find(factors, factor);
      if (found == factors.end()) {
        return std::nullopt;
      }
      factors.erase(found);
    }
    AffineExpr quotient = constantDim(context, constant / divisorConstant);
    for (AffineExpr factor : factors) {
      quotient = quotient * factor;
    }
    result = result + quotient;
  }
  return simplify(result);
}

bool provablyAtLeast(AffineExpr a, AffineExpr b) {
  AffineExpr difference = simplify(a - b);
  SmallVector<AffineExpr> summands;
  collectSummands(difference, summands);
  // Symbols are at least 0 (sizes), in products too: all coefficients must be.
  for (AffineExpr summand : summands) {
    SmallVector<AffineExpr> factors;
    int64_t constant = 1;
    collectFactors(summand, factors, constant);
    bool areSymbols = llvm::all_of(factors, [](AffineExpr f) { return isa<AffineSymbolExpr>(f); });
    if (constant < 0 || !areSymbols) {
      return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// IndexForm
//===----------------------------------------------------------------------===//

AffineExpr IndexForm::coefficient(unsigned axis) const {
  for (auto [atom, value] : terms) {
    auto dim = dyn_cast<AffineDimExpr>(atom);
    if (dim && dim.getPosition() == axis) {
      return value;
    }
  }
  return constantDim(constant.getContext(), 0);
}

bool IndexForm::isNonlinear(unsigned axis) const {
  return llvm::any_of(terms, [&](auto &term) {
    return !isa<AffineDimExpr>(term.first) && term.first.isFunctionOfDim(axis);
  });
}

bool IndexForm::uses(unsigned axis) const { return isNonlinear(axis) || !isZero(coefficient(axis)); }

AffineExpr IndexForm::toExpr() const {
  AffineExpr result = constant;
  // Lower axes first: equal forms give equal expressions.
  auto position = [](const auto &term) {
    auto dim = dyn_cast<AffineDimExpr>(term.first);
    return dim ? dim.getPosition() : UINT_MAX;
  };
  SmallVector<std::pair<AffineExpr, AffineExpr>> sorted(terms.begin(), terms.end());
  for (size_t i = 1; i < sorted.size(); ++i) { // few terms: a stable insertion sort
    for (size_t j = i; j > 0 && position(sorted[j]) < position(sorted[j - 1]); --j) {
      std::swap(sorted[j], sorted[j - 1]);
    }
  }
  AffineExpr sum = constantDim(constant.getContext(), 0);
  for (auto [atom, coefficient] : sorted) {
    sum = sum + atom * coefficient;
  }
  return sum + result;
}

void IndexForm::add(AffineExpr atom, AffineExpr coefficient) {
  for (auto &term : terms) {
    if (term.first == atom) {
      term.second = simplify(term.second + coefficient);
      return;
    }
  }
  terms.emplace_back(atom, coefficient);
}

std::optional<AffineExpr> upperBound(const IndexForm &form, ArrayRef<Dim> axes) {
  AffineExpr bound = form.constant;
  if (!provablyAtLeast(form.constant, constantDim(form.constant.getContext(), 0))) {
    return std::nullopt;
  }
  for (auto [atom, coefficient] : form.terms) {
    if (!provablyAtLeast(coefficient, constantDim(bound.getContext(), 0))) {
      return std::nullopt;
    }
    if (auto dim = dyn_cast<AffineDimExpr>(atom)) {
      if (dim.getPosition() >= axes.size() || !axes[dim.getPosition()]) {
        return std::nullopt;
      }
      bound = bound + coefficient * (axes[dim.getPosition()] - 1);
    } else if (atom.getKind() == AffineExprKind::Mod) {
      bound = bound + coefficient * (cast<AffineBinaryOpExpr>(atom).getRHS() - 1);
    } else {
      return std::nullopt;
    }
  }
  return simplify(bound);
}

/// x = divisor * quotient + rest, moving every summand that is a multiple into the quotient.
static void split(const IndexForm &form, AffineExpr divisor, IndexForm &quotient, IndexForm &rest) {
  MLIRContext *context = divisor.getContext();
  quotient.constant = rest.constant = constantDim(context, 0);
  if (auto whole = divideExactly(form.constant, divisor)) {
    quotient.constant = *whole;
  } else if (auto n = getStatic(form.constant), d = getStatic(divisor); n && d && *d > 0) {
    int64_t floor = llvm::divideFloorSigned(*n, *d);
    quotient.constant = constantDim(context, floor);
    rest.constant = constantDim(context, *n - floor * *d);
  } else {
    rest.constant = form.constant;
  }
  for (auto [atom, coefficient] : form.terms) {
    if (auto whole = divideExactly(coefficient, divisor)) {
      quotient.terms.emplace_back(atom, *whole);
    } else {
      rest.terms.emplace_back(atom, coefficient);
    }
  }
}

IndexForm IndexForm::of(AffineExpr expr, ArrayRef<Dim> axes) {
  MLIRContext *context = expr.getContext();
  IndexForm result;
  result.constant = constantDim(context, 0);
  if (!hasDims(expr)) {
    result.constant = simplify(expr);
    return result;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    bool single = dim.getPosition() < axes.size() && axes[dim.getPosition()] && getStatic(axes[dim.getPosition()]) == 1;
    if (!single) { // an axis of size 1 is always 0
      result.terms.emplace_back(expr, constantDim(context, 1));
    }
    return result;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  IndexForm lhs = of(binary.getLHS(), axes), rhs = of(binary.getRHS(), axes);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    result = lhs;
    result.constant = simplify(lhs.constant + rhs.constant);
    for (auto [atom, coefficient] : rhs.terms) {
      result.add(atom, coefficient);
    }
    break;
  case AffineExprKind::Mul: {
    if (!lhs.terms.empty() && !rhs.terms.empty()) {
      result.terms.emplace_back(lhs.toExpr() * rhs.toExpr(), constantDim(context, 1));
      return result;
    }
    const IndexForm &scaled = lhs.terms.empty() ? rhs : lhs;
    AffineExpr factor = lhs.terms.empty() ? lhs.constant : rhs.constant;
    result.constant = simplify(scaled.constant * factor);
    for (auto [atom, coefficient] : scaled.terms) {
      result.terms.emplace_back(atom, simplify(coefficient * factor));
    }
    break;
  }
  default: { // mod, floordiv, ceildiv
    AffineExpr divisor = rhs.toExpr();
    bool isMod = expr.getKind() == AffineExprKind::Mod;
    if (!rhs.terms.empty() || expr.getKind() == AffineExprKind::CeilDiv) {
      result.terms.emplace_back(getAffineBinaryOpExpr(expr.getKind(), lhs.toExpr(), divisor), constantDim(context, 1));
      return result;
    }
    IndexForm quotient, rest;
    split(lhs, divisor, quotient, rest);
    std::optional<AffineExpr> bound = upperBound(rest, axes);
    bool fits = bound && provablyAtLeast(divisor - 1, *bound);
    if (isMod) {
      result = rest;
      if (!fits) {
        result.terms.assign(1, {rest.toExpr() % divisor, constantDim(context, 1)});
        result.constant = constantDim(context, 0);
      }
    } else {
      result = quotient;
      if (!fits) {
        result.add(rest.toExpr().floorDiv(divisor), constantDim(context, 1));
      }
    }
    break;
  }
  }
  result.recombine(axes);
  return result;
}

/// (x mod k) * c + (x floordiv k) * (c * k) = x * c
void IndexForm::recombine(ArrayRef<Dim> axes) {
  llvm::erase_if(terms, [](auto &term) { return isZero(term.second); });
  for (size_t i = 0; i < terms.size(); ++i) {
    auto [atom, c] = terms[i];
    if (atom.getKind() != AffineExprKind::Mod) {
      continue;
    }
    auto mod = cast<AffineBinaryOpExpr>(atom);
    AffineExpr quotient = mod.getLHS().floorDiv(mod.getRHS());
    for (size_t j = 0; j < terms.size(); ++j) {
      if (terms[j].first == quotient && equal(terms[j].second, c * mod.getRHS())) {
        IndexForm whole = of(mod.getLHS(), axes);
        terms.erase(terms.begin() + std::max(i, j));
        terms.erase(terms.begin() + std::min(i, j));
        constant = simplify(constant + whole.constant * c);
        for (auto [inner, coefficient] : whole.terms) {
          add(inner, simplify(coefficient * c));
        }
        return recombine(axes);
      }
    }
  }
}

AffineExpr simplifyIndex(AffineExpr expr, ArrayRef<Dim> axes) { return IndexForm::of(expr, axes).toExpr(); }

AffineMap simplifyMap(AffineMap map, ArrayRef<Dim> axes) {
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : map.getResults()) {
    exprs.push_back(simplifyIndex(expr, axes));
  }
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), exprs, map.getContext());
}

} // namespace graphmill::loop
