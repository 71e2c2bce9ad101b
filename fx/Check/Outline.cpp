#include "fx/Check/Outline.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace graphmill::check {

llvm::Expected<OutlinedTest> outline(TestOp test) {
  OutlinedTest result;
  Location loc = test.getLoc();
  Builder attrs(test.getContext());
  result.module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(result.module->getBody());
  for (auto tensor : test->getParentOfType<ModuleOp>().getOps<fx::TensorOp>()) {
    builder.clone(*tensor);
  }

  Block &block = test.getBody().front();
  SmallVector<Attribute> names, roles;
  SmallVector<Value> outputs;
  Block *body = new Block();
  IRMapping mapping;
  OpBuilder inside(test.getContext());
  inside.setInsertionPointToEnd(body);
  llvm::Error error = llvm::Error::success();
  for (Operation &op : block) {
    if (auto input = dyn_cast<InputOp>(op)) {
      llvm::Expected<eval::HostTensor> value = eval::HostTensor::of(input.getValue());
      if (!value) {
        error = llvm::joinErrors(std::move(error), value.takeError());
        continue;
      }
      result.inputs.push_back(value->contiguous());
      mapping.map(input.getResult(), body->addArgument(input.getType(), input.getLoc()));
      names.push_back(attrs.getStringAttr("x" + Twine(names.size())));
    } else if (auto close = dyn_cast<CloseOp>(op)) {
      result.checks.push_back(close);
      outputs.push_back(close.getValue());
      roles.push_back(fx::RoleAttr::get(test.getContext(), fx::RoleKind::Result, "y" + std::to_string(roles.size())));
    } else {
      inside.clone(op, mapping);
    }
  }
  for (Value &output : outputs) {
    output = mapping.lookup(output);
  }
  fx::OutputOp::create(inside, loc, outputs);
  auto graph = fx::GraphOp::create(builder, loc, "main", attrs.getArrayAttr(names), attrs.getArrayAttr(roles),
                                   test.getSymbolsAttr() ? test.getSymbolsAttr() : attrs.getArrayAttr({}), nullptr,
                                   nullptr);
  graph.getBody().push_back(body);
  if (error) {
    return std::move(error);
  }
  return result;
}

/// Places of a float in the order of all floats of its format: neighbours differ by 1.
static int64_t orderOf(const char *at, unsigned width) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, width);
  uint64_t sign = uint64_t(1) << (8 * width - 1);
  return bits & sign ? -static_cast<int64_t>(bits & (sign - 1)) : static_cast<int64_t>(bits);
}

namespace {
/// Two elements of a dtype.
struct Pair {
  double actual = 0, expected = 0, imaginaryError = 0;
  uint64_t steps = 0;
  bool sameBits = false;
};
} // namespace

static Pair readPair(const eval::HostTensor &actual, const eval::HostTensor &expected, int64_t i) {
  unsigned width = actual.width();
  const char *a = actual.data + i * width, *e = expected.data + i * width;
  Pair pair;
  eval::withStorage(actual.dtype(), [&](auto zero) {
    using S = decltype(zero);
    S x, y;
    std::memcpy(&x, a, sizeof(S));
    std::memcpy(&y, e, sizeof(S));
    if constexpr (eval::kIsComplex<S>) {
      pair.imaginaryError = std::abs(x.imag() - y.imag());
    }
    pair.actual = eval::convertElement<double>(x);
    pair.expected = eval::convertElement<double>(y);
  });
  pair.sameBits = std::memcmp(a, e, width) == 0;
  if (eval::isReal(actual.dtype())) {
    int64_t x = orderOf(a, width), y = orderOf(e, width);
    pair.steps = x > y ? uint64_t(x) - uint64_t(y) : uint64_t(y) - uint64_t(x);
  } else {
    pair.steps = pair.sameBits ? 0 : std::numeric_limits<uint64_t>::max();
  }
  return pair;
}

static bool isClose(const Pair &pair, uint64_t ulp, double abs) {
  if (std::isnan(pair.actual) || std::isnan(pair.expected)) {
    return std::isnan(pair.actual) && std::isnan(pair.expected);
  }
  if (ulp == 0 && abs == 0) {
    return pair.sameBits;
  }
  return pair.steps <= ulp || (std::abs(pair.actual - pair.expected) <= abs && pair.imaginaryError <= abs);
}

LogicalResult compare(CloseOp check, const eval::HostTensor &actual) {
  llvm::Expected<eval::HostTensor> literal = eval::HostTensor::of(check.getExpected());
  if (!literal) {
    return check.emitError(llvm::toString(literal.takeError()));
  }
  eval::HostTensor expected = literal->contiguous(), got = actual.contiguous();
  if (got.shape != expected.shape || got.element != expected.element) {
    return check.emitError("result has another shape or dtype than expected");
  }
  int64_t wrong = 0;
  std::string first;
  for (int64_t i = 0; i < got.size(); ++i) {
    Pair pair = readPair(got, expected, i);
    if (isClose(pair, check.getUlp(), check.getAbs().convertToDouble())) {
      continue;
    }
    if (wrong++ == 0) {
      first = fmt::format("element {} is {:.9g}, expected {:.9g}", i, pair.actual, pair.expected);
      if (eval::isReal(got.dtype())) {
        first += fmt::format(" ({} ulp apart)", pair.steps);
      }
    }
  }
  return wrong ? check.emitError(first) << "; " << wrong << " of " << got.size() << " elements are wrong" : success();
}

} // namespace graphmill::check
