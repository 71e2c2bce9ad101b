//===- TinyLibrary.h - Small libraries built from hand-written kernels
//-----===//
#pragma once
#include "codegen/host/Library.h"
#include "graphmill/runtime.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallString.h"
#include "gtest/gtest.h"

namespace graphmill::host {

/// A folder that is removed with what is in it.
class ScratchFolder {
public:
  ScratchFolder();
  ~ScratchFolder();
  std::string file(llvm::StringRef name) const;
  std::vector<std::string> list() const;

private:
  llvm::SmallString<128> path;
};

/// Compiles kernels given as LLVM assembly.
ObjectFile compileText(llvm::StringRef assembly, const TargetSpec &target);

/// y[i] = x[i] * 2 + w[i % 4] over a symbolic n, in tiles of 16 elements.
extern const char *const kScaleKernel;

/// A plan for kScaleKernel: x [n], n in 1..64000, w four floats; the sum goes
/// through the arena in a first step so that all kinds of buffers occur.
struct ScalePlan {
  ScalePlan();
  mlir::MLIRContext context;
  std::vector<float> weights = {10, 20, 30, 40};
  Plan plan;
};

/// A loaded library.
class Loaded {
public:
  explicit Loaded(const std::string &path);
  ~Loaded();
  const gm_api *operator->() const { return api; }
  explicit operator bool() const { return api; }
  void *symbol(const char *name) const;

private:
  void *handle;
  const gm_api *api = nullptr;
};

/// Fails the test with the text of an error.
void expectNoError(llvm::Error error);
std::string textOf(llvm::Error error);

} // namespace graphmill::host
