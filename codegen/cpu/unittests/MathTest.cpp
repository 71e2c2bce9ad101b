// Every math function, compiled for this machine, against a wider libm: at every 1001st
// float32 (every 2^44-th or so float64) and at the edges. The largest error is printed.
#include "codegen/cpu/EmitScalars.h"
#include "codegen/host/Compile.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include <bit>
#include <cmath>
#include <gtest/gtest.h>

using namespace graphmill;
using namespace graphmill::cpu;

namespace {

/// out[i] = name(x[i], y[i]) for i < n, a multiple of `lanes`.
template <typename T> class CompiledFunction {
public:
  CompiledFunction(const std::string &name, unsigned numArguments, unsigned lanes) {
    host::TargetSpec target = llvm::cantFail(host::TargetSpec::parse("native"));
    llvm::LLVMContext context;
    llvm::Module module(name, context);
    target.applyTo(module);
    emit(module, name, numArguments, lanes);
    host::CompileOptions options;
    options.verify = true;
    host::ObjectFile object = llvm::cantFail(host::compileModule(module, target, options));
    jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    char prefix = jit->getDataLayout().getGlobalPrefix();
    jit->getMainJITDylib().addGenerator(
        llvm::cantFail(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix)));
    llvm::cantFail(jit->addObjectFile(
        llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object.bytes.data(), object.bytes.size()))));
    function = llvm::cantFail(jit->lookup("kernel")).template toPtr<Function>();
  }
  void operator()(const T *x, const T *y, T *out, int64_t n) const { function(x, y, out, n); }

private:
  using Function = void (*)(const T *, const T *, T *, int64_t);

  static void emit(llvm::Module &module, const std::string &name, unsigned numArguments, unsigned lanes) {
    llvm::LLVMContext &context = module.getContext();
    llvm::Type *scalar = std::is_same_v<T, float> ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
    llvm::Type *vector = lanes == 1 ? scalar : llvm::FixedVectorType::get(scalar, lanes);
    llvm::Type *pointer = llvm::PointerType::get(context, 0), *index = llvm::Type::getInt64Ty(context);
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, pointer, index}, false);
    auto *kernel = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "kernel", module);
    LoopBuilder b(llvm::BasicBlock::Create(context, "entry", kernel));
    b.forLoop(b.index(0), kernel->getArg(3), b.index(lanes), [&](llvm::Value *i) {
      llvm::SmallVector<llvm::Value *> arguments;
      for (unsigned k = 0; k < numArguments; ++k) {
        arguments.push_back(b.CreateAlignedLoad(vector, b.CreateGEP(scalar, kernel->getArg(k), i), llvm::Align(4)));
      }
      llvm::Value *result = emitFunction(b, name, arguments);
      b.CreateAlignedStore(result, b.CreateGEP(scalar, kernel->getArg(2), i), llvm::Align(4));
    });
    b.CreateRetVoid();
  }

  std::unique_ptr<llvm::orc::LLJIT> jit;
  Function function;
};

template <typename T, typename Wide> struct Worst {
  double ulps = 0;
  T x = 0, y = 0, got = 0;
  Wide want = 0;

  void add(T x, T y, T got, Wide want) {
    double error = distance(got, want);
    if (error > ulps) {
      *this = {error, x, y, got, want};
    }
  }
  /// In units of the last place of T at `want`; infinite where kinds or signs differ.
  static double distance(T got, Wide want) {
    constexpr double kWrong = std::numeric_limits<double>::infinity();
    T rounded = static_cast<T>(want);
    if (std::isnan(rounded) || std::isnan(got)) {
      return std::isnan(rounded) && std::isnan(got) ? 0 : kWrong;
    }
    if (want == 0) {
      return got == 0 && std::signbit(got) == std::signbit(want) ? 0 : kWrong;
    }
    if (std::isinf(rounded) || std::isinf(got)) {
      // One step below infinity is an error of one unit.
      T largest = std::numeric_limits<T>::max();
      bool near = std::signbit(rounded) == std::signbit(got) && std::abs(got) >= largest && std::abs(rounded) >= largest;
      return rounded == got ? 0 : near ? 1 : kWrong;
    }
    int exponent = std::max(std::ilogb(want), std::numeric_limits<T>::min_exponent - 1);
    Wide unit = std::ldexp(Wide(1), exponent + 1 - std::numeric_limits<T>::digits);
    return static_cast<double>(std::abs((static_cast<Wide>(got) - want) / unit));
  }
};

template <typename T> std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  std::vector<T> values{0, L::denorm_min(), L::min(), L::max(), L::infinity(), L::quiet_NaN(), L::epsilon()};
  for (double v : {0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 10.0, 0.9, 0.55, 3.14159265358979, 1.5707963267948966, 88.72284, 104.0,
                   127.5, 128.0, 16777215.0, 16777216.0, 33554433.0, 1e10, 1.1e12, 1e30, 0.707106781, 1.41421356}) {
    for (T x : {static_cast<T>(v), std::nextafter(static_cast<T>(v), T(0)), std::nextafter(static_cast<T>(v), L::max())}) {
      values.push_back(x);
    }
  }
  for (size_t i = 0, n = values.size(); i < n; ++i) {
    values.push_back(-values[i]);
  }
  return values;
}

template <typename T, typename Wide>
double sweep(const std::string &name, unsigned numArguments, llvm::function_ref<Wide(Wide, Wide)> truth, std::vector<T> x,
             std::vector<T> y, unsigned lanes) {
  while (x.size() % lanes) {
    x.push_back(1);
    y.push_back(1);
  }
  std::vector<T> out(x.size());
  CompiledFunction<T> compiled(name, numArguments, lanes);
  compiled(x.data(), y.data(), out.data(), x.size());
  Worst<T, Wide> worst;
  for (size_t i = 0; i < x.size(); ++i) {
    worst.add(x[i], y[i], out[i], truth(x[i], y[i]));
  }
  std::cout << name << " x" << lanes << ": " << worst.ulps << " ulp at " << std::hexfloat << worst.x << ", " << worst.y
            << " (" << std::defaultfloat << worst.x << "): " << worst.got << ", expected " << worst.want << "\n";
  return worst.ulps;
}

template <typename T, typename Wide>
void checkUnary(const std::string &name, Wide (*truth)(Wide), double limit = 2) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  std::vector<T> x = edges<T>();
  Bits step = sizeof(T) == 4 ? 1001 : (Bits(1) << 43) - 12345;
  for (Bits bits = 0, last = Bits(0) - step; bits < last; bits += step) {
    x.push_back(std::bit_cast<T>(bits));
  }
  // Where functions are interesting, too.
  for (int i = -200000; i <= 200000; ++i) {
    x.push_back(static_cast<T>(i * (1.0 / 12345)));
  }
  for (unsigned lanes : {8u, 1u, 3u}) {
    double ulps = sweep<T, Wide>(name, 1, [&](Wide v, Wide) { return truth(v); }, x, x, lanes);
    EXPECT_LE(ulps, limit) << name;
    x.resize(std::min<size_t>(x.size(), 100000)); // the whole sweep once
  }
}

template <typename T, typename Wide> void checkBinary(const std::string &name, Wide (*truth)(Wide, Wide), double limit = 2) {
  std::vector<T> x, y, special = edges<T>();
  for (T a : special) {
    for (T b : special) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  uint64_t seed = 42;
  auto random = [&] {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed >> 32;
  };
  for (int i = 0; i < 2000000; ++i) {
    if (i % 2) { // any bits
      x.push_back(std::bit_cast<float>(static_cast<uint32_t>(random())));
      y.push_back(std::bit_cast<float>(static_cast<uint32_t>(random())));
    } else { // usual numbers
      x.push_back(static_cast<T>(random() * 0x1p-30));
      y.push_back(static_cast<T>(static_cast<int32_t>(random()) * 0x1p-26));
    }
  }
  EXPECT_LE((sweep<T, Wide>(name, 2, truth, x, y, 8)), limit) << name;
}

#define FLOAT32(NAME)                                                                                                  \
  TEST(MathFloat32, NAME) { checkUnary<float, double>(#NAME, std::NAME); }
FLOAT32(exp)
FLOAT32(exp2)
FLOAT32(expm1)
FLOAT32(log)
FLOAT32(log1p)
FLOAT32(log2)
FLOAT32(log10)
FLOAT32(sin)
FLOAT32(cos)
FLOAT32(tan)
FLOAT32(asin)
FLOAT32(acos)
FLOAT32(atan)
FLOAT32(sinh)
FLOAT32(cosh)
FLOAT32(tanh)
FLOAT32(asinh)
FLOAT32(acosh)
FLOAT32(atanh)
FLOAT32(erf)
FLOAT32(erfc)
#undef FLOAT32

TEST(MathFloat32, pow) { checkBinary<float, double>("pow", std::pow); }
TEST(MathFloat32, atan2) { checkBinary<float, double>("atan2", std::atan2); }
TEST(MathFloat32, fmod) { checkBinary<float, double>("fmod", std::fmod, 0); }

// Here long double has more digits than double on x86 and AArch64.
#define FLOAT64(NAME)                                                                                                  \
  TEST(MathFloat64, NAME) { checkUnary<double, long double>(#NAME, std::NAME); }
FLOAT64(exp)
FLOAT64(log)
FLOAT64(sin)
FLOAT64(cos)
FLOAT64(tanh)
#undef FLOAT64

// The same formulas as code for processors that this machine may not be.
TEST(MathTargets, Compile) {
  for (const char *name : {"x86-64-v3", "x86-64-v4", "aarch64"}) {
    host::TargetSpec target = llvm::cantFail(host::TargetSpec::parse(name));
    llvm::LLVMContext context;
    llvm::Module module(name, context);
    target.applyTo(module);
    llvm::Type *vector = llvm::FixedVectorType::get(llvm::Type::getFloatTy(context), 16);
    auto *kernel = llvm::Function::Create(llvm::FunctionType::get(vector, {vector, vector}, false),
                                          llvm::Function::ExternalLinkage, "kernel", module);
    LoopBuilder b(llvm::BasicBlock::Create(context, "entry", kernel));
    llvm::Value *x = kernel->getArg(0), *y = kernel->getArg(1);
    for (const char *function : {"exp", "exp2", "expm1", "log", "log1p", "sin", "tan", "tanh", "erf", "erfc", "asin", "asinh"}) {
      x = emitFunction(b, function, {x});
    }
    for (const char *function : {"pow", "atan2", "fmod"}) {
      x = emitFunction(b, function, {x, y});
    }
    b.CreateRet(x);
    host::CompileOptions options;
    options.verify = true;
    llvm::Expected<host::ObjectFile> object = host::compileModule(module, target, options);
    EXPECT_TRUE(static_cast<bool>(object)) << name << (object ? "" : llvm::toString(object.takeError()));
  }
}

} // namespace
