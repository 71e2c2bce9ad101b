#include "tools/Compare.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

using namespace llvm;
namespace graphmill::tools {
namespace {

template <typename T> T loadElement(const char *bytes, uint64_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  return value;
}

double loadNarrow(const fltSemantics &semantics, const char *bytes,
                  uint64_t index) {
  APFloat value(semantics, APInt(16, loadElement<uint16_t>(bytes, index)));
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

void note(Comparison &result, uint64_t index, double actual, double expected,
          double error, bool passes) {
  result.numOutside += !passes;
  // An error where 0 is expected has no size relative to it.
  double relative = expected == 0 ? 0 : error / std::abs(expected);
  if (!std::isnan(relative)) {
    result.maxRelative = std::max(result.maxRelative, relative);
  }
  if (error > result.maxAbsolute) {
    result.maxAbsolute = error;
    result.worstIndex = index;
    result.worstActual = actual;
    result.worstExpected = expected;
  }
  if (std::isfinite(expected)) {
    result.maxExpected = std::max(result.maxExpected, std::abs(expected));
  }
}

template <typename Load>
void compareFloats(Comparison &result, Tolerance tolerance, ArrayRef<char> a,
                   ArrayRef<char> b, Load load) {
  for (uint64_t i = 0; i < result.numElements; ++i) {
    double actual = load(a.data(), i), expected = load(b.data(), i);
    bool same =
        actual == expected || (std::isnan(actual) && std::isnan(expected));
    double error = same ? 0 : std::abs(actual - expected);
    if (!same && !std::isfinite(error)) {
      error = std::numeric_limits<double>::infinity();
    }
    double allowed =
        tolerance.absolute + tolerance.relative * std::abs(expected);
    note(result, i, actual, expected, error,
         same || (std::isfinite(error) && error <= allowed));
  }
}

/// By the distance in the plane.
template <typename T>
void compareComplex(Comparison &result, Tolerance tolerance, ArrayRef<char> a,
                    ArrayRef<char> b) {
  result.numElements = a.size() / (2 * sizeof(T));
  auto same = [](T x, T y) {
    return x == y || (std::isnan(x) && std::isnan(y));
  };
  for (uint64_t i = 0; i < result.numElements; ++i) {
    T re = loadElement<T>(a.data(), 2 * i), im = loadElement<T>(a.data(), 2 * i + 1);
    T wantedRe = loadElement<T>(b.data(), 2 * i),
      wantedIm = loadElement<T>(b.data(), 2 * i + 1);
    bool isSame = same(re, wantedRe) && same(im, wantedIm);
    double expected = std::hypot(wantedRe, wantedIm);
    double error = isSame ? 0 : std::hypot(double(re) - wantedRe, double(im) - wantedIm);
    if (!isSame && !std::isfinite(error)) {
      error = std::numeric_limits<double>::infinity();
    }
    note(result, i, std::hypot(re, im), expected, error,
         isSame || error <= tolerance.absolute + tolerance.relative * expected);
  }
}

template <typename T>
void compareIntegers(Comparison &result, ArrayRef<char> a, ArrayRef<char> b) {
  for (uint64_t i = 0; i < result.numElements; ++i) {
    T actual = loadElement<T>(a.data(), i),
      expected = loadElement<T>(b.data(), i);
    double error = std::abs(double(actual) - double(expected));
    // Neighbours beyond 2^53 are the same double.
    error = actual == expected ? 0 : std::max(error, 1.0);
    note(result, i, double(actual), double(expected), error, error == 0);
  }
}

} // namespace

Comparison compareArrays(gm_dtype dtype, ArrayRef<char> actual,
                         ArrayRef<char> expected, Tolerance tolerance) {
  Comparison result;
  auto compare = [&](size_t bytes, auto load) {
    result.numElements = actual.size() / bytes;
    compareFloats(result, tolerance, actual, expected, load);
  };
  auto compareExactly = [&](auto zero) {
    result.numElements = actual.size() / sizeof(zero);
    compareIntegers<decltype(zero)>(result, actual, expected);
  };
  switch (dtype) {
  case GM_F32:
    compare(4, loadElement<float>);
    break;
  case GM_F64:
    compare(8, loadElement<double>);
    break;
  case GM_F16:
    compare(2, [](const char *bytes, uint64_t i) {
      return loadNarrow(APFloat::IEEEhalf(), bytes, i);
    });
    break;
  case GM_BF16:
    compare(2, [](const char *bytes, uint64_t i) {
      return loadNarrow(APFloat::BFloat(), bytes, i);
    });
    break;
  case GM_C64:
    compareComplex<float>(result, tolerance, actual, expected);
    break;
  case GM_C128:
    compareComplex<double>(result, tolerance, actual, expected);
    break;
  case GM_I16:
    compareExactly(int16_t());
    break;
  case GM_I32:
    compareExactly(int32_t());
    break;
  case GM_I64:
    compareExactly(int64_t());
    break;
  case GM_I8:
    compareExactly(int8_t());
    break;
  default:
    compareExactly(uint8_t());
    break;
  }
  return result;
}

std::string describe(const Comparison &comparison, ArrayRef<int64_t> shape,
                     Tolerance tolerance) {
  std::string text = fmt::format(
      "{}, max abs error {:.3g}, max rel error {:.3g}, largest expected {:.3g}",
      comparison.numOutside ? "DIFFERS" : "agrees", comparison.maxAbsolute,
      comparison.maxRelative, comparison.maxExpected);
  if (comparison.maxAbsolute > 0) {
    text += fmt::format("; worst at {}: {:.9g}, expected {:.9g}",
                        formatIndex(comparison.worstIndex, shape),
                        comparison.worstActual, comparison.worstExpected);
  }
  if (comparison.numOutside) {
    text += fmt::format("; {} of {} elements outside atol {:g}, rtol {:g}",
                        comparison.numOutside, comparison.numElements,
                        tolerance.absolute, tolerance.relative);
  }
  return text;
}

std::string formatIndex(uint64_t index, ArrayRef<int64_t> shape) {
  SmallVector<uint64_t> position;
  for (int64_t dim : reverse(shape)) {
    position.push_back(index % uint64_t(dim));
    index /= uint64_t(dim);
  }
  std::string text = "[";
  for (uint64_t part : reverse(position)) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(part);
  }
  return text + "]";
}

} // namespace graphmill::tools
