//===- Graph.h - Building graphs in C++ ------------------------------------===//
//
//   graphmill::Graph g;
//   auto batch = g.symbol("batch", 1, 64);
//   auto x = g.input("x", {batch, 784});
//   auto w = g.parameter("w", {10, 784}, graphmill::Dtype::Float32, weights.data());
//   g.output(g.softmax(g.relu(g.linear(x, w)), -1), "y");
//
// Ops have ATen's names, arguments and rules; `g.add(x, 1.0)` takes numbers for tensors.
// A mistake (shapes that don't fit, a dtype that an op doesn't take) is kept as a message
// at the caller's line, the op gives an invalid tensor, and ops on invalid tensors give
// invalid tensors: look at `errors()` once, at the end; compiling such a graph fails with
// them.
//
//===----------------------------------------------------------------------===//
#ifndef GRAPHMILL_GRAPH_H
#define GRAPHMILL_GRAPH_H

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace graphmill {

enum class Dtype { Float32, Float64, Float16, BFloat16, Int8, Int16, Int32, Int64, UInt8, Bool };

/// A dim: a number, or a symbol of the graph times `factor`.
class Size {
public:
  Size(int64_t value) : value(value) {}
  Size(int value) : value(value) {}

  int64_t value;    ///< the size, or what the symbol is multiplied with
  int symbol = -1;  ///< number of the symbol; -1 for a plain number

  friend Size operator*(Size size, int64_t factor) {
    size.value *= factor;
    return size;
  }
};

/// A Python number, as ATen's `Scalar`.
using Number = std::variant<int64_t, double, bool>;

/// A value of a graph. Copies are the same value. Valid while its graph lives.
class Tensor {
public:
  Tensor() = default;
  /// A number where an op takes a tensor: it decides no dtype by its width.
  Tensor(double number) : number(number) {}
  Tensor(int number) : number(int64_t(number)) {}
  Tensor(int64_t number) : number(number) {}

  bool isValid() const { return id >= 0 || number; }

private:
  friend class Graph;
  static Tensor ofValue(size_t id) {
    Tensor tensor;
    tensor.id = static_cast<int>(id);
    return tensor;
  }
  int id = -1;
  std::optional<Number> number;
};

class Graph {
public:
  using SourceLine = std::source_location;

  Graph();
  ~Graph();
  Graph(Graph &&) noexcept;
  Graph &operator=(Graph &&) noexcept;

  /// A size known at run time, in [min, max].
  Size symbol(std::string_view name, int64_t min = 0, int64_t max = INT64_MAX);
  Tensor input(std::string_view name, const std::vector<Size> &shape, Dtype dtype = Dtype::Float32,
               SourceLine at = SourceLine::current());
  /// A tensor that the compiled library holds. `data` is row-major, little-endian, one byte a
  /// bool, and is copied.
  Tensor parameter(std::string_view name, const std::vector<int64_t> &shape, Dtype dtype, const void *data,
                   SourceLine at = SourceLine::current());
  void output(const Tensor &value, std::string_view name = "", SourceLine at = SourceLine::current());

  /// Sizes as text, "[batch, 10]"; for messages.
  std::string shapeOf(const Tensor &value) const;
  /// Messages "file.cpp:12: error: …", in order. Empty: all is well.
  const std::vector<std::string> &errors() const;
  /// MLIR's text form; large values are left out.
  std::string print() const;
  /// Writes the graph with its parameters: MLIR bytecode if the name ends in .mlirbc, else
  /// text. Returns an error message, empty if all went well.
  std::string save(const std::string &path) const;
  /// Reads what save() wrote. On failure the graph has the reason in errors().
  static Graph load(const std::string &path);

#include "graphmill/GraphOps.inc"

private:
  friend struct GraphAccess;
  struct Impl;

  using Value = std::variant<std::monostate, Tensor, std::vector<Tensor>, Number, int64_t, double, bool, std::string,
                             std::vector<int64_t>, std::vector<double>, Size, std::vector<Size>, Dtype>;
  /// One op by its ATen name, its arguments in the record's order.
  std::vector<Tensor> emit(std::string_view op, std::vector<Value> arguments, SourceLine at);
  Tensor emitOne(std::string_view op, std::vector<Value> arguments, SourceLine at);

  std::unique_ptr<Impl> impl;
};

} // namespace graphmill

#endif // GRAPHMILL_GRAPH_H
