//===- HostPlan.h - What the launcher of one library has to know ----------===//
//
// Codegen fills a HostPlan; EmitPlan.cpp turns it into read-only tables that the
// runtime walks. All sizes are affine expressions over the graph's symbols
// (symbol i is `s<i>`); a static size is a constant expression.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace graphmill::host {

/// Element types of the artifact's ABI; values are those of gm_dtype.
enum class Dtype : int32_t { F32 = 0, F64, F16, BF16, I8, I16, I32, I64, U8, Bool, C64, C128 };

struct Symbol {
  std::string name;     ///< as the exporter named it, for messages
  int64_t min, max;     ///< inclusive; INT64_MAX if unbounded
  int64_t divisor = 1;  ///< the value is a multiple of it
  /// Of a size that a step gets from the data: what it is at most, and what memory is planned
  /// for. Null: an input's shape tells it.
  mlir::AffineExpr bound = nullptr;
};

struct TensorSpec {
  std::string name; ///< user's name of the input or output
  Dtype dtype;
  llvm::SmallVector<mlir::AffineExpr> dims;
};

/// A run of bytes that kernels read or write.
struct Buffer {
  enum class Kind : int32_t { Input, Output, Weight, Arena, RandomState, State, Faults };
  Kind kind;
  unsigned index = 0;           ///< which input, output, weight or state
  mlir::AffineExpr offsetBytes; ///< from its start (arena: from the arena's start)
};

struct Weight {
  std::string name;           ///< parameter's qualified name, or "packed.…"
  llvm::ArrayRef<char> bytes; ///< mapped; must outlive the plan
  uint64_t alignment = 64;
  /// If what is stored isn't `bytes` as they are: `storedBytes` of it, of which `fill` makes
  /// [begin, begin + out.size()), both multiples of 8 unless at the end; on any thread.
  /// `layout` says in words what it does.
  std::string layout = {};
  uint64_t storedBytes = 0;
  std::function<void(uint64_t begin, llvm::MutableArrayRef<char> out)> fill = {};

  uint64_t sizeBytes() const { return fill ? storedBytes : bytes.size(); }
};

/// One kernel call. The kernel is
///   void k(char *const *buffers, const int64_t *symbols, int64_t begin, int64_t end, char *scratch)
/// and does tiles [begin, end) of `grid`; any split of the grid gives the same result. With
/// `phases` P > 1, phase p is tiles [p * grid, (p + 1) * grid) and follows phase p - 1.
struct Step {
  std::string kernel;             ///< symbol of the compiled function
  std::vector<unsigned> buffers;  ///< indices into Plan::buffers
  mlir::AffineExpr grid;          ///< number of tiles
  mlir::AffineExpr phases;        ///< how often the grid is done
  mlir::AffineExpr scratchBytes;  ///< per thread, 64-byte aligned
  std::string name;               ///< for profiles, e.g. "conv_relu_3"
  std::string location;           ///< user's source line, e.g. "model.py:41"
  mlir::AffineExpr flops, bytesMoved; ///< for the kernel table
  /// No kernel, but the symbol's value read from the only buffer; -1: a kernel.
  int symbol = -1;
};

/// A tensor that each context has for itself and that runs change.
struct State {
  unsigned weight; ///< its first value
};

/// Done in order when all steps are.
struct Copy {
  unsigned from, to;      ///< indices into Plan::buffers
  mlir::AffineExpr bytes;
};

struct Plan {
  std::string modelName;
  std::vector<Symbol> symbols;
  std::vector<TensorSpec> inputs, outputs;
  std::vector<Weight> weights;
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  std::vector<State> states;
  std::vector<Copy> copies;
  mlir::AffineExpr arenaBytes;
};

} // namespace graphmill::host
