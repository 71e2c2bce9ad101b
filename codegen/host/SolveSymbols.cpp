#include "codegen/host/SolveSymbols.h"

using namespace mlir;
namespace graphmill::host {
namespace {

struct Linear {
  AffineExpr coefficient, rest;
};

/// expr as coefficient * symbol + rest, if it has that form.
std::optional<Linear> splitLinear(AffineExpr expr, unsigned symbol) {
  MLIRContext *context = expr.getContext();
  if (!expr.isFunctionOfSymbol(symbol)) {
    return Linear{getAffineConstantExpr(0, context), expr};
  }
  if (llvm::isa<AffineSymbolExpr>(expr)) {
    return Linear{getAffineConstantExpr(1, context),
                  getAffineConstantExpr(0, context)};
  }
  auto binary = llvm::cast<AffineBinaryOpExpr>(expr);
  std::optional<Linear> lhs = splitLinear(binary.getLHS(), symbol);
  std::optional<Linear> rhs = splitLinear(binary.getRHS(), symbol);
  if (!lhs || !rhs) {
    return std::nullopt;
  }
  if (expr.getKind() == AffineExprKind::Add) {
    return Linear{lhs->coefficient + rhs->coefficient, lhs->rest + rhs->rest};
  }
  if (expr.getKind() != AffineExprKind::Mul) {
    return std::nullopt;
  }
  if (!binary.getRHS().isFunctionOfSymbol(symbol)) {
    return Linear{lhs->coefficient * rhs->rest, lhs->rest * rhs->rest};
  }
  if (!binary.getLHS().isFunctionOfSymbol(symbol)) {
    return Linear{rhs->coefficient * lhs->rest, rhs->rest * lhs->rest};
  }
  return std::nullopt;
}

class Solver {
public:
  explicit Solver(const Plan &plan)
      : plan(plan), known(plan.symbols.size(), false) {}

  void run() {
    takeBareDims();
    while (takeOneLinearDim()) {
    }
  }

  std::vector<SymbolSource> sources;

private:
  void takeBareDims() {
    forEachDim([&](unsigned input, unsigned dim, AffineExpr expr) {
      auto symbol = llvm::dyn_cast<AffineSymbolExpr>(expr);
      if (symbol && !known[symbol.getPosition()]) {
        add(symbol.getPosition(), input, dim, expr);
      }
    });
  }

  /// Solves one dim that has a single unknown symbol; false if there is none.
  bool takeOneLinearDim() {
    size_t before = sources.size();
    forEachDim([&](unsigned input, unsigned dim, AffineExpr expr) {
      std::optional<unsigned> unknown;
      for (unsigned s = 0; s < known.size(); ++s) {
        if (!known[s] && expr.isFunctionOfSymbol(s)) {
          if (unknown) {
            return;
          }
          unknown = s;
        }
      }
      if (unknown) {
        add(*unknown, input, dim, expr);
      }
    });
    return sources.size() != before;
  }

  void add(unsigned symbol, unsigned input, unsigned dim, AffineExpr expr) {
    std::optional<Linear> linear = splitLinear(expr, symbol);
    if (!linear ||
        linear->coefficient == getAffineConstantExpr(0, expr.getContext())) {
      return;
    }
    known[symbol] = true;
    sources.push_back({symbol, int(input), int(dim), linear->coefficient,
                       linear->rest, llvm::isa<AffineSymbolExpr>(expr)});
  }

  void
  forEachDim(llvm::function_ref<void(unsigned, unsigned, AffineExpr)> visit) {
    for (auto [i, input] : llvm::enumerate(plan.inputs)) {
      for (auto [d, expr] : llvm::enumerate(input.dims)) {
        visit(i, d, expr);
      }
    }
  }

  const Plan &plan;
  std::vector<bool> known;
};

} // namespace

void forEachSize(const Plan &plan, llvm::function_ref<void(AffineExpr)> visit) {
  auto visitIfSet = [&](AffineExpr expr) {
    if (expr) {
      visit(expr);
    }
  };
  for (const std::vector<TensorSpec> *tensors : {&plan.inputs, &plan.outputs}) {
    for (const TensorSpec &tensor : *tensors) {
      llvm::for_each(tensor.dims, visitIfSet);
    }
  }
  for (const Buffer &buffer : plan.buffers) {
    visitIfSet(buffer.offsetBytes);
  }
  for (const Step &step : plan.steps) {
    for (AffineExpr expr :
         {step.grid, step.phases, step.scratchBytes, step.flops, step.bytesMoved}) {
      visitIfSet(expr);
    }
  }
  for (const Copy &copy : plan.copies) {
    visitIfSet(copy.bytes);
  }
  visitIfSet(plan.arenaBytes);
}

llvm::Expected<std::vector<SymbolSource>> solveSymbols(const Plan &plan) {
  Solver solver(plan);
  solver.run();
  std::vector<bool> solved(plan.symbols.size(), false);
  for (const SymbolSource &source : solver.sources) {
    solved[source.symbol] = true;
  }
  for (unsigned s = 0; s < plan.symbols.size(); ++s) {
    const Symbol &symbol = plan.symbols[s];
    bool isUsed = false;
    forEachSize(plan,
                [&](AffineExpr expr) { isUsed |= expr.isFunctionOfSymbol(s); });
    if (!solved[s] && isUsed && symbol.min != symbol.max && !symbol.bound) {
      return llvm::createStringError(
          "the size '" + symbol.name +
          "' can't be told from the shapes of the inputs of '" +
          plan.modelName + "': no dim is it, or linear in it");
    }
    if (!solved[s]) {
      SymbolSource source;
      source.symbol = s;
      solver.sources.push_back(source);
    }
  }
  return std::move(solver.sources);
}

} // namespace graphmill::host
