#include "tools/graphmill/RandomInputs.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <new>
#include <random>

using namespace llvm;
namespace graphmill::tools {
namespace {

/// 16: enough for vectors and tiles to be full, small enough for any model.
constexpr int64_t kDefaultSize = 16;

/// The largest array that is made, so that a wrong size is told, not tried.
constexpr int64_t kMaxBytes = int64_t(1) << 36;

/// Below a vocabulary, a sequence's length, a count of classes, two kinds: guesses.
constexpr int64_t kIntLimits[] = {32768, 2048, 128, 8, 2};

/// The largest that integers of a dtype may be, plus one; 0 for other dtypes.
int64_t integerRange(gm_dtype dtype) {
  switch (dtype) {
  case GM_I8:
    return 1 << 7;
  case GM_U8:
    return 1 << 8;
  case GM_I16:
    return 1 << 15;
  case GM_I32:
  case GM_I64:
    return int64_t(1) << 31;
  default:
    return 0;
  }
}

template <typename T> void store(char *bytes, size_t i, T value) {
  std::memcpy(bytes + i * sizeof(T), &value, sizeof(T));
}

uint16_t narrow(float value, const fltSemantics &semantics) {
  APFloat narrowed(value);
  bool losesInfo;
  narrowed.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return uint16_t(narrowed.bitcastToAPInt().getZExtValue());
}

class Filler {
public:
  Filler(unsigned seed, int64_t intLimit) : random(seed), integers(0, intLimit - 1) {}

  void fill(gm_dtype dtype, size_t count, char *bytes) {
    if (dtype == GM_C64 || dtype == GM_C128) {
      // Two floats each.
      return fill(dtype == GM_C64 ? GM_F32 : GM_F64, 2 * count, bytes);
    }
    for (size_t i = 0; i < count; ++i) {
      fillElement(dtype, i, bytes);
    }
  }

private:
  void fillElement(gm_dtype dtype, size_t i, char *bytes) {
    switch (dtype) {
    case GM_F32:
      return store(bytes, i, floats(random));
    case GM_F64:
      return store(bytes, i, double(floats(random)));
    case GM_F16:
      return store(bytes, i, narrow(floats(random), APFloat::IEEEhalf()));
    case GM_BF16:
      return store(bytes, i, narrow(floats(random), APFloat::BFloat()));
    case GM_I16:
      return store(bytes, i, int16_t(integers(random)));
    case GM_I32:
      return store(bytes, i, int32_t(integers(random)));
    case GM_I64:
      return store(bytes, i, integers(random));
    case GM_BOOL:
      return store(bytes, i, char(random() & 1));
    default:
      return store(bytes, i, char(integers(random)));
    }
  }

  std::mt19937 random;
  std::uniform_real_distribution<float> floats{-1, 1};
  std::uniform_int_distribution<int64_t> integers;
};

} // namespace

int64_t chooseSize(int64_t min, int64_t max, int64_t divisor) {
  int64_t least = divideCeil(uint64_t(std::max<int64_t>(min, 0)), uint64_t(divisor)) * divisor;
  int64_t most = max / divisor * divisor;
  int64_t wanted = kDefaultSize / divisor * divisor;
  return std::min(std::max(least, wanted), most);
}

Expected<std::vector<int64_t>> chooseSizes(const LoadedLibrary &library,
                                           StringRef sizes) {
  std::vector<gm_symbol_info> symbols = library.symbols();
  std::vector<int64_t> values;
  std::vector<StringRef> names;
  for (const gm_symbol_info &symbol : symbols) {
    values.push_back(chooseSize(symbol.min, symbol.max, symbol.divisor));
    names.push_back(symbol.name);
  }
  SmallVector<StringRef> parts;
  sizes.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [name, text] = part.split('=');
    auto found = find(names, name.trim());
    if (found == names.end()) {
      return createStringError(
          "--sizes: the library has no size '" + name.trim() +
          "'; its sizes are: " + (names.empty() ? "none" : join(names, ", ")));
    }
    if (text.trim().getAsInteger(10, values[size_t(found - names.begin())])) {
      return createStringError("--sizes: '" + part +
                               "' is not of the form name=number");
    }
  }
  return values;
}

Expected<RandomInputs> RandomInputs::make(const LoadedLibrary &library,
                                          ArrayRef<int64_t> sizes,
                                          ArrayRef<int64_t> intLimits) {
  RandomInputs inputs;
  for (auto [i, info] : enumerate(library.inputs())) {
    std::vector<int64_t> shape(size_t(info.rank) + 1); // never a null pointer
    if (library.api().input_dims(uint32_t(i), sizes.data(), sizes.size(),
                                 shape.data(), shape.size()) != GM_OK) {
      return library.lastError();
    }
    shape.pop_back();
    uint64_t bytes = dtypeBytes(info.dtype);
    for (int64_t dim : shape) {
      if (dim < 0 || (dim && bytes > uint64_t(kMaxBytes / dim))) {
        return createStringError("input '" + Twine(info.name) +
                                 "' would be larger than any memory");
      }
      bytes *= uint64_t(dim);
    }
    // A size that the machine hasn't is told like any other mistake.
    std::unique_ptr<char[]> array(new (std::nothrow) char[bytes]());
    if (!array) {
      return createStringError("input '" + Twine(info.name) + "' needs " + Twine(bytes) +
                               " bytes, more than there is memory");
    }
    inputs.arrays.push_back(std::move(array));
    inputs.shapes.push_back(std::move(shape));
    inputs.views.push_back({inputs.arrays.back().get(), info.dtype, info.rank,
                            inputs.shapes.back().data(), nullptr});
    inputs.fill(i, intLimits[i]);
  }
  return std::move(inputs);
}

void RandomInputs::fill(size_t input, int64_t intLimit) {
  size_t count = 1;
  for (int64_t dim : shapes[input]) {
    count *= size_t(dim);
  }
  Filler(20240229 + unsigned(input), intLimit).fill(views[input].dtype, count, arrays[input].get());
}

Expected<std::vector<int64_t>> RandomInputs::spreadIntegers(const LoadedLibrary &library, int threads) {
  std::vector<int64_t> limits;
  for (const gm_tensor &view : views) {
    limits.push_back(integerRange(view.dtype) ? 1 : 0);
  }
  if (!is_contained(limits, 1)) {
    return limits;
  }
  // Runs may change what a context keeps, and inputs: neither is used again as it is.
  Expected<Context> context = Context::create(library, threads);
  if (!context) {
    return context.takeError();
  }
  auto fillAll = [&] {
    for (size_t i = 0; i < views.size(); ++i) {
      fill(i, std::max<int64_t>(limits[i], 1));
    }
  };
  for (size_t i = 0; i < views.size(); ++i) {
    for (int64_t limit : kIntLimits) {
      if (limits[i] != 1 || limit > integerRange(views[i].dtype)) {
        continue;
      }
      limits[i] = limit;
      fillAll();
      if (Error error = context->run(views).takeError()) {
        consumeError(std::move(error));
        limits[i] = 1;
      }
    }
  }
  fillAll();
  return limits;
}

} // namespace graphmill::tools
