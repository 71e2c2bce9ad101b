#include "fx/Eval/Call.h"
#include "fx/Eval/Functions.h"

using namespace mlir;

namespace graphmill::eval {

namespace {
/// One operand's block after the other to a block of results.
template <typename C> using Body = void (*)(size_t n, C *out, const C *const *in);
} // namespace

template <typename C, typename F> static Body<C> unary(F) {
  return [](size_t n, C *__restrict out, const C *const *in) {
    const C *__restrict x = in[0];
    for (size_t i = 0; i < n; ++i) {
      out[i] = static_cast<C>(F{}(x[i]));
    }
  };
}

template <typename C, typename F> static Body<C> binary(F) {
  return [](size_t n, C *__restrict out, const C *const *in) {
    const C *__restrict x = in[0], *__restrict y = in[1];
    for (size_t i = 0; i < n; ++i) {
      out[i] = static_cast<C>(F{}(x[i], y[i]));
    }
  };
}

/// What all types share.
template <typename C> static Body<C> anyBody(Operation *op) {
  return llvm::TypeSwitch<Operation *, Body<C>>(op)
      .Case([](prims::SelectOp) -> Body<C> {
        return [](size_t n, C *__restrict out, const C *const *in) {
          for (size_t i = 0; i < n; ++i) {
            out[i] = in[0][i] != C(0) ? in[1][i] : in[2][i];
          }
        };
      })
      .Default([](Operation *) -> Body<C> { return nullptr; });
}

template <typename C> static Body<C> compareBody(prims::Predicate predicate) {
  switch (predicate) {
  case prims::Predicate::Eq: return binary<C>([](C x, C y) { return C(x == y); });
  case prims::Predicate::Ne: return binary<C>([](C x, C y) { return C(x != y); });
  case prims::Predicate::Lt: return binary<C>([](C x, C y) { return C(x < y); });
  case prims::Predicate::Le: return binary<C>([](C x, C y) { return C(x <= y); });
  case prims::Predicate::Gt: return binary<C>([](C x, C y) { return C(x > y); });
  case prims::Predicate::Ge: return binary<C>([](C x, C y) { return C(x >= y); });
  }
  return nullptr;
}

/// Arithmetic in C; functions in double, so that those of float32 are rounded right.
template <typename C> static Body<C> floatBody(Operation *op) {
  using D = double;
  using namespace prims;
  return llvm::TypeSwitch<Operation *, Body<C>>(op)
#define FUNCTION(OP, EXPR) .Case([](OP) { return unary<C>([](D x) { return EXPR; }); })
      FUNCTION(ExpOp, std::exp(x)) FUNCTION(Exp2Op, std::exp2(x)) FUNCTION(Expm1Op, std::expm1(x))
      FUNCTION(LogOp, std::log(x)) FUNCTION(Log1pOp, std::log1p(x)) FUNCTION(Log2Op, std::log2(x))
      FUNCTION(Log10Op, std::log10(x)) FUNCTION(SinOp, std::sin(x)) FUNCTION(CosOp, std::cos(x))
      FUNCTION(TanOp, std::tan(x)) FUNCTION(AsinOp, std::asin(x)) FUNCTION(AcosOp, std::acos(x))
      FUNCTION(AtanOp, std::atan(x)) FUNCTION(SinhOp, std::sinh(x)) FUNCTION(CoshOp, std::cosh(x))
      FUNCTION(TanhOp, std::tanh(x)) FUNCTION(AsinhOp, std::asinh(x)) FUNCTION(AcoshOp, std::acosh(x))
      FUNCTION(AtanhOp, std::atanh(x)) FUNCTION(ErfOp, std::erf(x)) FUNCTION(ErfcOp, std::erfc(x))
      FUNCTION(LgammaOp, std::lgamma(x)) FUNCTION(DigammaOp, digamma(x)) FUNCTION(ErfinvOp, erfinv(x))
      FUNCTION(I0Op, besselI0(x)) FUNCTION(RsqrtOp, 1 / std::sqrt(x))
#undef FUNCTION
#define UNARY(OP, EXPR) .Case([](OP) { return unary<C>([](C x) { return EXPR; }); })
      UNARY(SqrtOp, std::sqrt(x)) UNARY(CeilOp, std::ceil(x)) UNARY(FloorOp, std::floor(x))
      UNARY(TruncOp, std::trunc(x)) UNARY(RoundOp, std::nearbyint(x)) UNARY(AbsOp, std::abs(x))
      UNARY(NegOp, -x) UNARY(SignOp, C((x > 0) - (x < 0)))
#undef UNARY
#define BINARY(OP, EXPR) .Case([](OP) { return binary<C>([](C x, C y) { return EXPR; }); })
      BINARY(AddOp, x + y) BINARY(SubOp, x - y) BINARY(MulOp, x * y) BINARY(DivOp, x / y)
      BINARY(FmodOp, std::fmod(x, y)) BINARY(PowOp, std::pow(D(x), D(y))) BINARY(Atan2Op, std::atan2(D(x), D(y)))
      BINARY(CopysignOp, std::copysign(x, y)) BINARY(NextafterOp, std::nextafter(x, y))
      BINARY(MaximumOp, (x != x || x > y ? x : y)) BINARY(MinimumOp, (x != x || x < y ? x : y))
#undef BINARY
      .Case([](CompareOp op) { return compareBody<C>(op.getPredicate()); })
      .Default([](Operation *op) { return anyBody<C>(op); });
}

/// Two's complement: what overflows wraps around.
static int64_t wrap(uint64_t x) { return static_cast<int64_t>(x); }

static int64_t divide(int64_t x, int64_t y, bool remainder) {
  if (y == 0) {
    return 0;
  }
  if (y == -1) {
    return remainder ? 0 : wrap(-static_cast<uint64_t>(x));
  }
  return remainder ? x % y : x / y;
}

/// A negative exponent gives 1/x cut to an integer.
static int64_t power(int64_t x, int64_t n) {
  if (n < 0) {
    return x == 1 ? 1 : x == -1 ? (n % 2 ? -1 : 1) : 0;
  }
  uint64_t result = 1, base = x;
  for (; n; n >>= 1, base *= base) {
    result *= n & 1 ? base : 1;
  }
  return wrap(result);
}

/// In 64 bits: what is stored is cut to the dtype's width.
static Body<int64_t> integerBody(Operation *op, bool isBool) {
  using I = int64_t;
  using U = uint64_t;
  using namespace prims;
  return llvm::TypeSwitch<Operation *, Body<I>>(op)
#define UNARY(OP, EXPR) .Case([](OP) { return unary<I>([](I x) { return EXPR; }); })
      UNARY(AbsOp, x < 0 ? wrap(-U(x)) : x) UNARY(NegOp, wrap(-U(x))) UNARY(SignOp, (x > 0) - (x < 0))
#undef UNARY
      .Case([&](NotOp) {
        return isBool ? unary<I>([](I x) { return !x; }) : unary<I>([](I x) { return ~x; });
      })
#define BINARY(OP, EXPR) .Case([](OP) { return binary<I>([](I x, I y) { return EXPR; }); })
      BINARY(SubOp, wrap(U(x) - U(y))) BINARY(MulOp, wrap(U(x) * U(y))) BINARY(DivOp, divide(x, y, false))
      BINARY(AddOp, wrap(U(x) + U(y)))
      BINARY(FmodOp, divide(x, y, true)) BINARY(PowOp, power(x, y)) BINARY(MaximumOp, std::max(x, y))
      BINARY(MinimumOp, std::min(x, y)) BINARY(AndOp, x & y) BINARY(OrOp, x | y) BINARY(XorOp, x ^ y)
      // Elements are extended to 64 bits, so that no shift has to know the width.
      BINARY(ShlOp, U(y) < 64 ? wrap(U(x) << y) : 0) BINARY(ShrOp, x >> std::min<U>(y, 63))
#undef BINARY
      .Case([](CompareOp op) { return compareBody<I>(op.getPredicate()); })
      .Default([](Operation *op) { return anyBody<I>(op); });
}

static Body<Complex> complexBody(Operation *op) {
  using Z = Complex;
  using namespace prims;
  return llvm::TypeSwitch<Operation *, Body<Z>>(op)
#define UNARY(OP, EXPR) .Case([](OP) { return unary<Z>([](Z x) { return EXPR; }); })
      UNARY(NegOp, -x) UNARY(ExpOp, std::exp(x)) UNARY(LogOp, std::log(x)) UNARY(SqrtOp, std::sqrt(x))
      UNARY(SinOp, std::sin(x)) UNARY(CosOp, std::cos(x)) UNARY(TanhOp, std::tanh(x)) UNARY(RsqrtOp, 1.0 / std::sqrt(x))
#undef UNARY
#define BINARY(OP, EXPR) .Case([](OP) { return binary<Z>([](Z x, Z y) { return EXPR; }); })
      BINARY(AddOp, x + y) BINARY(SubOp, x - y) BINARY(MulOp, x * y) BINARY(DivOp, x / y) BINARY(PowOp, std::pow(x, y))
#undef BINARY
      .Case([](CompareOp op) -> Body<Z> {
        return op.getPredicate() == Predicate::Eq   ? binary<Z>([](Z x, Z y) { return Z(x == y); })
               : op.getPredicate() == Predicate::Ne ? binary<Z>([](Z x, Z y) { return Z(x != y); })
                                                    : nullptr;
      })
      .Default([](Operation *op) { return anyBody<Z>(op); });
}

template <typename C> static Results run(const Call &call, Body<C> body) {
  if (!body) {
    return call.dtypeError();
  }
  SmallVector<const HostTensor *> operands;
  for (const HostTensor &operand : call.in) {
    operands.push_back(&operand);
  }
  HostTensor result = call.allocate();
  mapBlocks<C>(result, operands, body);
  return single(result);
}

/// The neighbour of a float16 or bfloat16 in its own format.
template <typename S> static Results nextafterNarrow(const Call &call) {
  HostTensor x = call.in[0].contiguous(), y = call.in[1].contiguous(), result = call.allocate();
  for (int64_t i = 0, n = x.size(); i < n; ++i) {
    S from = x.elements<S>()[i];
    double a(from), b(y.elements<S>()[i]);
    S &next = result.mutableElements<S>()[i];
    if (a != a || b != b) {
      next = S::of(std::numeric_limits<double>::quiet_NaN());
    } else if (a == b) {
      next = y.elements<S>()[i];
    } else if (a == 0) {
      next.bits = b < 0 ? 0x8001 : 0x0001;
    } else {
      next.bits = from.bits + ((a < b) == (a > 0) ? 1 : -1);
    }
  }
  return single(result);
}

static Results convert(const Call &call) {
  const HostTensor &from = call.in[0];
  HostTensor result = call.allocate();
  if (result.dtype() == Dtype::Other) {
    return call.dtypeError();
  }
  bool known = withWide(from.dtype(), [&](auto zero) {
    using C = decltype(zero);
    mapBlocks<C>(result, &from, [](size_t n, C *out, const C *const *in) { std::copy_n(in[0], n, out); });
  });
  return known ? single(result) : Results(call.dtypeError());
}

Results evaluatePointwise(const Call &call) {
  for (const HostTensor &operand : call.in) {
    if (operand.shape != call.shapes[0]) {
      return call.error("operands and result differ in shape");
    }
  }
  if (isa<prims::ConvertOp>(call.op)) {
    return convert(call);
  }
  if (isa<prims::BitcastOp>(call.op)) {
    HostTensor result = call.in[0];
    result.element = getElement(call.op->getResult(0));
    return result.width() == call.in[0].width() ? single(result) : Results(call.error("widths differ"));
  }
  const HostTensor &value = call.in.back();
  switch (Dtype dtype = value.dtype()) {
  case Dtype::F16:
  case Dtype::BF16:
    if (isa<prims::NextafterOp>(call.op)) {
      return dtype == Dtype::F16 ? nextafterNarrow<Half>(call) : nextafterNarrow<BFloat>(call);
    }
    [[fallthrough]];
  case Dtype::F32:
    return run<float>(call, floatBody<float>(call.op));
  case Dtype::F64:
    return run<double>(call, floatBody<double>(call.op));
  case Dtype::C64:
  case Dtype::C128:
    return run<Complex>(call, complexBody(call.op));
  case Dtype::Other:
    return call.dtypeError();
  default:
    return run<int64_t>(call, integerBody(call.op, dtype == Dtype::Bool));
  }
}

} // namespace graphmill::eval
