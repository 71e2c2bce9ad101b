#include "aot_autograd/Decompose/Decompositions.h"
#include "aot_autograd/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace graphmill {

#define GEN_PASS_DEF_DECOMPOSEPASS
#include "aot_autograd/Transforms/Passes.h.inc"

namespace {
struct DecompositionPattern : RewritePattern {
  DecompositionPattern(StringRef name, Decompositions::Function function, MLIRContext *context)
      : RewritePattern(name, /*benefit=*/1, context), function(function) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    PrimBuilder builder(rewriter, op->getLoc());
    Decompositions::Results results = function(builder, op);
    if (results.size() != op->getNumResults()) {
      return failure();
    }
    for (auto [value, result] : llvm::zip(results, op->getResults())) {
      // Two spellings of one symbolic size are one type no longer: keep the op's.
      if (value.getType() != result.getType()) {
        value = prims::ReshapeOp::create(rewriter, op->getLoc(), result.getType(), value);
      }
    }
    rewriter.replaceOp(op, results);
    return success();
  }
  Decompositions::Function function;
};

struct Decompose : impl::DecomposePassBase<Decompose> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    Decompositions decompositions(set);
    addAllDecompositions(decompositions);
    for (const std::unique_ptr<RewritePattern> &pattern : set.getNativePatterns()) {
      table[pattern->getRootKind()->getStringRef()] = pattern.get();
    }
    patterns = std::make_shared<FrozenRewritePatternSet>(std::move(set));
    return success();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Composite ops may become simpler ATen ops first.
    for (SmallVector<Operation *> worklist = atenOps(); !worklist.empty(); worklist = atenOps()) {
      bool allDone = true;
      for (Operation *op : worklist) {
        allDone &= succeeded(decompose(op, rewriter));
      }
      if (!allDone) {
        return signalPassFailure();
      }
    }
    getOperation().walk([&](fx::NumberOp number) {
      if (number->use_empty()) {
        rewriter.eraseOp(number);
      }
    });
    // Operands of dtypes that an op doesn't take are found here, where the op's place is known.
    if (failed(verify(getOperation()))) {
      signalPassFailure();
    }
  }

  SmallVector<Operation *> atenOps() {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa_and_nonnull<aten::AtenDialect>(op->getDialect()) || isa<fx::CallOp>(op)) {
        ops.push_back(op);
      }
    });
    return ops;
  }

  LogicalResult decompose(Operation *op, IRRewriter &rewriter) {
    auto found = table.find(op->getName().getStringRef());
    if (found == table.end()) {
      if (auto call = dyn_cast<fx::CallOp>(op)) {
        return op->emitError() << "no record of op '" << call.getTarget() << "'";
      }
      return op->emitOpError("has no decomposition");
    }
    bool reported = false;
    ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &) {
      reported = true;
      return failure(); // passed on
    });
    rewriter.setInsertionPoint(op);
    PatternRewriter patternRewriter(&getContext());
    patternRewriter.setInsertionPoint(op);
    if (failed(found->second->matchAndRewrite(op, patternRewriter))) {
      if (!reported) {
        op->emitOpError("can't be decomposed");
      }
      return failure();
    }
    return success();
  }

  llvm::StringMap<const RewritePattern *> table;
  std::shared_ptr<FrozenRewritePatternSet> patterns;
};
} // namespace

void Decompositions::insert(StringRef name, Function function) {
  patterns.add<DecompositionPattern>(name, function, patterns.getContext());
}

} // namespace graphmill
