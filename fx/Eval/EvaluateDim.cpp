#include "fx/Eval/Evaluate.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace graphmill::eval {

std::optional<int64_t> evaluateDim(Dim dim, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(dim)) {
    return constant.getValue();
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(dim)) {
    return symbol.getPosition() < symbols.size() ? std::optional(symbols[symbol.getPosition()]) : std::nullopt;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(dim);
  if (!binary) {
    return std::nullopt;
  }
  std::optional<int64_t> x = evaluateDim(binary.getLHS(), symbols), y = evaluateDim(binary.getRHS(), symbols);
  if (!x || !y) {
    return std::nullopt;
  }
  int64_t result;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return llvm::AddOverflow(*x, *y, result) ? std::nullopt : std::optional(result);
  case AffineExprKind::Mul:
    return llvm::MulOverflow(*x, *y, result) ? std::nullopt : std::optional(result);
  case AffineExprKind::FloorDiv:
    return *y <= 0 ? std::nullopt : std::optional(llvm::divideFloorSigned(*x, *y));
  case AffineExprKind::CeilDiv:
    return *y <= 0 ? std::nullopt : std::optional(llvm::divideCeilSigned(*x, *y));
  case AffineExprKind::Mod:
    return *y <= 0 ? std::nullopt : std::optional(llvm::mod(*x, *y));
  default:
    return std::nullopt;
  }
}

/// Sets the one unknown symbol that makes `dim` equal `size`, if it is linear in it.
static void solve(Dim dim, int64_t size, SmallVectorImpl<std::optional<int64_t>> &known) {
  SmallVector<int64_t> trial;
  for (std::optional<int64_t> value : known) {
    trial.push_back(value.value_or(0));
  }
  std::optional<unsigned> unknown;
  bool single = true;
  dim.walk([&](AffineExpr e) {
    auto symbol = dyn_cast<AffineSymbolExpr>(e);
    if (symbol && symbol.getPosition() < known.size() && !known[symbol.getPosition()]) {
      single &= !unknown || *unknown == symbol.getPosition();
      unknown = symbol.getPosition();
    }
  });
  if (!unknown || !single) {
    return;
  }
  auto at = [&](int64_t value) {
    trial[*unknown] = value;
    return evaluateDim(dim, trial);
  };
  std::optional<int64_t> zero = at(0), one = at(1);
  if (!zero || !one || *one == *zero || (size - *zero) % (*one - *zero) != 0) {
    return;
  }
  int64_t value = (size - *zero) / (*one - *zero);
  if (at(value) == size) {
    known[*unknown] = value;
  }
}

llvm::Expected<SmallVector<int64_t>> solveSymbols(fx::GraphOp graph, ArrayRef<HostTensor> inputs) {
  SmallVector<std::optional<int64_t>> known(graph.getSymbols().size());
  // A dim may need a symbol that a later input tells: as many rounds as there are symbols.
  for (size_t round = 0; round < known.size(); ++round) {
    for (auto [argument, input] : llvm::zip(graph.getBlock().getArguments(), inputs)) {
      for (auto [dim, size] : llvm::zip(dimsOf(argument), input.shape)) {
        solve(dim, size, known);
      }
    }
  }
  // The data tells these later.
  for (auto size : graph.getBlock().getOps<fx::BindSizeOp>()) {
    known[size.getSymbol()] = 0;
  }
  SmallVector<int64_t> result;
  for (auto [i, value] : llvm::enumerate(known)) {
    if (!value) {
      return llvm::createStringError("no input's size tells symbol s%zu", i);
    }
    result.push_back(*value);
  }
  return result;
}

} // namespace graphmill::eval
