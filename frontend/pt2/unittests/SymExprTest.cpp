#include "frontend/pt2/SymExpr.h"
#include <gtest/gtest.h>

using namespace graphmill::pt2;

namespace {

std::string parsed(llvm::StringRef text) {
  llvm::Expected<SymExpr> expr = parseSymExpr(text);
  return expr ? expr->str() : "error: " + llvm::toString(expr.takeError());
}

/// A text and the prefix form it must have.
struct Case {
  const char *text, *expected;
};

class SymExprParse : public testing::TestWithParam<Case> {};

TEST_P(SymExprParse, GivesPrefixForm) {
  EXPECT_EQ(parsed(GetParam().text), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Srepr, SymExprParse,
    testing::Values(
        Case{"Symbol('s77', positive=True, integer=True)", "s77"},
        Case{"Integer(-3)", "-3"}, Case{"Rational(2, 4)", "1/2"},
        Case{"Rational(-1, 3)", "-1/3"},
        Case{"Float('1.5', precision=53)", "1.5"},
        Case{"Mul(Integer(32), Symbol('s50', positive=True, integer=True))",
             "Mul(32, s50)"},
        Case{"Pow(Symbol('s50', integer=True), Integer(2))", "Pow(s50, 2)"},
        Case{"FloorDiv(Add(Symbol('s0'), Integer(1)), Integer(2))",
             "FloorDiv(Add(s0, 1), 2)"},
        Case{"CleanDiv(Symbol('s0'), Integer(2))", "FloorDiv(s0, 2)"},
        Case{"ModularIndexing(Symbol('s0'), Integer(2), Integer(3))",
             "ModularIndexing(s0, 2, 3)"},
        Case{"Equality(Symbol('s0'), Symbol('s1'))", "Eq(s0, s1)"},
        Case{"StrictLessThan(Symbol('s0'), Integer(3))", "Lt(s0, 3)"},
        Case{"Piecewise(ExprCondPair(Symbol('s0'), "
             "StrictGreaterThan(Symbol('s0'), "
             "Integer(3))), ExprCondPair(Integer(1), true))",
             "Piecewise(ExprCondPair(s0, Gt(s0, 3)), ExprCondPair(1, True))"},
        Case{"FloorToInt(Mul(Float('0.5', precision=53), "
             "ToFloat(Symbol('s0'))))",
             "floor(Mul(0.5, ToFloat(s0)))"},
        Case{"Identity(Symbol('s0'))", "s0"},
        Case{"Add(Symbol('s0'), Integer(1), evaluate=False)", "Add(s0, 1)"},
        Case{"BitwiseFn_bitwise_and(Symbol('s0'), Symbol('s1'))",
             "BitwiseFn_bitwise_and(s0, s1)"}));

INSTANTIATE_TEST_SUITE_P(
    Infix, SymExprParse,
    testing::Values(
        Case{"s0", "s0"}, Case{"2*s0", "Mul(2, s0)"},
        Case{"s0 + 3", "Add(s0, 3)"}, Case{"s0 - 3", "Add(s0, -3)"},
        Case{"s0 - s1", "Add(s0, Mul(-1, s1))"},
        Case{"s0 - (s1 - 2)", "Add(s0, Mul(-1, Add(s1, -2)))"},
        Case{"-s0**2", "Mul(-1, Pow(s0, 2))"}, Case{"s0**-1", "Pow(s0, -1)"},
        Case{"2**s0**2", "Pow(2, Pow(s0, 2))"},
        Case{"((s0//2))", "FloorDiv(s0, 2)"},
        Case{"((s0 + 1)//2)", "FloorDiv(Add(s0, 1), 2)"},
        Case{"s0//2//3", "FloorDiv(FloorDiv(s0, 2), 3)"},
        Case{"s0*s1*4 + 1", "Add(Mul(s0, s1, 4), 1)"},
        Case{"s0/2", "TrueDiv(s0, 2)"}, Case{"s0 % 8", "PythonMod(s0, 8)"},
        Case{"Mod(s0, 8)", "Mod(s0, 8)"},
        Case{"Max(1, s0, s1)", "Max(1, s0, s1)"},
        Case{"1.5e-3*s0", "Mul(0.0015, s0)"}, Case{"oo", "oo"},
        Case{"-int_oo", "-oo"}, Case{"True", "True"},
        Case{"(s1 > 2) & (s0 <= 3)", "And(Gt(s1, 2), Le(s0, 3))"},
        Case{"s0 == 2 or not s1 != 3", "Or(Eq(s0, 2), Not(Ne(s1, 3)))"},
        Case{"Piecewise((s0, s0 > 3), (s1, True))",
             "Piecewise(ExprCondPair(s0, Gt(s0, 3)), ExprCondPair(s1, True))"},
        Case{"-9223372036854775807", "-9223372036854775807"}));

TEST(SymExpr, BothFormsGiveEqualTrees) {
  EXPECT_EQ(llvm::cantFail(parseSymExpr("2*s0 + 1")),
            llvm::cantFail(parseSymExpr(
                "Add(Mul(Integer(2), Symbol('s0')), Integer(1))")));
}

TEST(SymExpr, KeepsAnUnknownFunctionByName) {
  SymExpr expr = llvm::cantFail(parseSymExpr("NewFn(s0, 2)"));
  EXPECT_EQ(expr.op, SymOp::Call);
  EXPECT_EQ(expr.name, "NewFn");
  EXPECT_EQ(expr.operands.size(), 2u);
}

TEST(SymExpr, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(
      parsed("s0 +"),
      "error: symbolic expression 's0 +', column 5: an operand is missing");
  EXPECT_EQ(parsed("FloorDiv(s0)"),
            "error: symbolic expression 'FloorDiv(s0)', column "
            "13: FloorDiv doesn't take 1 operands");
  for (const char *text : {"",
                           "(",
                           "s0)",
                           "s0 s1",
                           "1 < s0 < 3",
                           "Symbol(s0)",
                           "Symbol('s0'",
                           "Rational(1, 0)",
                           "Integer(1000000000000000000000000000000)",
                           "Float('x')",
                           "s0 ? 1",
                           "Integer()",
                           "'s0'",
                           "Add(s0,",
                           "1e",
                           "Max(,)",
                           "((((",
                           "not ",
                           "~",
                           "a==",
                           "Symbol('s0', 3)"}) {
    EXPECT_EQ(parsed(text).substr(0, 6), "error:") << text;
  }
}

TEST(SymExpr, LongSumsStayFlatAndDeepNestingIsRefused) {
  std::string sum = "s0";
  for (int i = 0; i < 100000; ++i) {
    sum += "+1";
  }
  EXPECT_EQ(llvm::cantFail(parseSymExpr(sum)).operands.size(), 100001u);
  EXPECT_EQ(parsed(std::string(100000, '(')).substr(0, 6), "error:");
  EXPECT_EQ(parsed(std::string(100000, '-') + "1").substr(0, 6), "error:");
  std::string quotients = "s0";
  for (int i = 0; i < 100000; ++i) {
    quotients += "//2";
  }
  EXPECT_EQ(parsed(quotients).substr(0, 6), "error:");
}

} // namespace
