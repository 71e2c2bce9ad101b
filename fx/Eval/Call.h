//===- Call.h - One op with its operands: what the evaluators see ----------===//
#pragma once
#include "fx/Eval/Blocks.h"
#include "fx/Eval/Evaluate.h"
#include "fx/Prims/PrimsDialect.h"

namespace graphmill::eval {

using Results = llvm::Expected<std::vector<HostTensor>>;

/// An op, the values of its operands and the shapes of its results.
struct Call {
  mlir::Operation *op;
  llvm::ArrayRef<HostTensor> in;
  llvm::ArrayRef<int64_t> symbols;
  std::vector<Shape> shapes;
  std::optional<RandomState> random = std::nullopt;

  HostTensor allocate(unsigned result = 0) const;
  llvm::Error error(const llvm::Twine &message) const;
  llvm::Error dtypeError() const { return error("this dtype has no evaluation"); }
  /// Sizes of an attribute, with the symbols' values put in.
  llvm::Expected<Shape> sizes(llvm::ArrayRef<Dim> dims) const;
};

inline Results single(HostTensor tensor) {
  std::vector<HostTensor> results;
  results.push_back(std::move(tensor));
  return results;
}

// One family of ops each; called only with ops of that family.
Results evaluatePointwise(const Call &call);
Results evaluateShape(const Call &call);
Results evaluateReduce(const Call &call);
Results evaluateWindow(const Call &call);
Results evaluateScan(const Call &call);
Results evaluateSort(const Call &call);
Results evaluateIndexing(const Call &call);
Results evaluateRandom(const Call &call);
Results evaluateMatmul(const Call &call);
Results evaluateConvolution(const Call &call);
Results evaluateAttention(const Call &call);
Results evaluateRecurrent(const Call &call);

/// How two elements combine, and what changes nothing.
template <typename C> C combine(prims::Reducer reducer, C x, C y) {
  switch (reducer) {
  case prims::Reducer::Sum:
    if constexpr (std::is_same_v<C, int64_t>) {
      return static_cast<int64_t>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
    }
    return x + y;
  case prims::Reducer::Prod:
    if constexpr (std::is_same_v<C, int64_t>) {
      return static_cast<int64_t>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
    }
    return x * y;
  case prims::Reducer::Max:
  case prims::Reducer::Min:
    if constexpr (!kIsComplex<C>) {
      if (x != x || y != y) {
        return x != x ? x : y;
      }
      return reducer == prims::Reducer::Max ? std::max(x, y) : std::min(x, y);
    }
    return x;
  case prims::Reducer::And:
  case prims::Reducer::Or:
    if constexpr (std::is_same_v<C, int64_t>) {
      return reducer == prims::Reducer::And ? x & y : x | y;
    }
    return x;
  }
  return x;
}

/// Whether `combine` is defined for a dtype.
bool canReduce(prims::Reducer reducer, Dtype dtype);

template <typename C> C identity(prims::Reducer reducer, Dtype dtype) {
  C value(0);
  if (reducer == prims::Reducer::Prod) {
    value = C(1);
  } else if (reducer == prims::Reducer::And) {
    value = C(-1);
  } else if (reducer == prims::Reducer::Max || reducer == prims::Reducer::Min) {
    bool isMax = reducer == prims::Reducer::Max;
    if constexpr (std::is_same_v<C, double>) {
      value = isMax ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    } else if constexpr (std::is_same_v<C, int64_t>) {
      withStorage(dtype, [&](auto zero) {
        using S = decltype(zero);
        if constexpr (std::is_integral_v<S>) {
          value = isMax ? std::numeric_limits<S>::min() : std::numeric_limits<S>::max();
        } else {
          value = isMax ? 0 : 1; // bool
        }
      });
    }
  }
  return value;
}

/// Whether `candidate` takes the place of `best`: NaN is the most extreme.
template <typename C> bool beats(bool isMax, C candidate, C best) {
  if (best != best) {
    return false;
  }
  return candidate != candidate || (isMax ? candidate > best : candidate < best);
}

} // namespace graphmill::eval
