#include "aot_autograd/Complex/ComplexSplit.h"
#include "aot_autograd/Decompose/Decompositions.h"
#include "fx/Aten/OpTable.h"
#include "llvm/ADT/StringSet.h"
#include <gtest/gtest.h>

using namespace graphmill;

/// No op is recorded that can't be compiled.
TEST(Coverage, EveryRecordedOpHasADecomposition) {
  mlir::MLIRContext context;
  context.loadDialect<aten::AtenDialect, prims::PrimsDialect>();
  mlir::RewritePatternSet patterns(&context);
  Decompositions decompositions(patterns);
  addAllDecompositions(decompositions);
  llvm::StringSet<> covered;
  for (const auto &pattern : patterns.getNativePatterns()) {
    covered.insert(pattern->getRootKind()->getStringRef());
  }
  ComplexFunctions complex;
  addAllComplexFunctions(complex);
  for (const aten::OverloadRecord &overload : aten::allOverloads()) {
    if (const ComplexFunctions::Entry *entry = complex.find(overload.op); entry && entry->isOwn) {
      continue;
    }
    // Functionalization removes it.
    if (overload.op != "aten.copy_") {
      EXPECT_TRUE(covered.contains(overload.op)) << overload.op.str() << " has no decomposition";
    }
  }
}

TEST(Coverage, EveryOverloadNamesARegisteredOp) {
  mlir::MLIRContext context;
  context.loadDialect<aten::AtenDialect>();
  for (const aten::OverloadRecord &overload : aten::allOverloads()) {
    EXPECT_TRUE(mlir::RegisteredOperationName::lookup(overload.op, &context)) << overload.op.str();
  }
}
