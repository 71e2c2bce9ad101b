//===- LoadedLibrary.h - A compiled library, opened with care
//--------------===//
#pragma once
#include "graphmill/runtime.h"
#include "tools/Npy.h"
#include <memory>
#include <string>

namespace graphmill::tools {

/// A library that stays loaded for as long as this object lives.
class LoadedLibrary {
public:
  /// Checks before it loads: that the file is a whole ELF library for this
  /// machine, as graphmill has written it; and after: that it has the interface, in a version known here.
  static llvm::Expected<LoadedLibrary> open(llvm::StringRef path);

  const gm_api &api() const { return *table; }
  const gm_library_info &info() const { return libraryInfo; }
  std::vector<gm_tensor_info> inputs() const;
  std::vector<gm_tensor_info> outputs() const;
  std::vector<gm_symbol_info> symbols() const;

  /// The library's own words for what has just failed.
  llvm::Error lastError() const;

private:
  struct Close {
    void operator()(void *handle) const;
  };
  std::unique_ptr<void, Close> handle;
  const gm_api *table = nullptr;
  gm_library_info libraryInfo = {};
};

/// A context of a library that outlives it.
class Context {
public:
  static llvm::Expected<Context> create(const LoadedLibrary &library,
                                        int threads, bool profile = false);

  /// Runs once; the outputs are the context's until the next run.
  llvm::Expected<std::vector<gm_tensor>> run(llvm::ArrayRef<gm_tensor> inputs);
  /// Starts the random numbers of models that draw some anew.
  llvm::Error seed(uint64_t value);

  gm_context *get() const { return context.get(); }

private:
  struct Destroy {
    const gm_api *api;
    void operator()(gm_context *context) const {
      api->context_destroy(context);
    }
  };
  Context(const LoadedLibrary &library, gm_context *context)
      : library(&library), context(context, Destroy{&library.api()}) {}

  const LoadedLibrary *library;
  std::unique_ptr<gm_context, Destroy> context;
};

llvm::ArrayRef<int64_t> shapeOf(const gm_tensor &tensor);
/// Of a tensor that is row-major.
llvm::ArrayRef<char> bytesOf(const gm_tensor &tensor);

/// "float32 [batch, 784]"
std::string describe(const gm_tensor_info &tensor);

/// The inputs of one run, read from files.
class InputFiles {
public:
  static llvm::Expected<InputFiles> read(llvm::ArrayRef<std::string> paths);
  llvm::ArrayRef<gm_tensor> tensors() const { return views; }

private:
  std::vector<NpyArray> arrays;
  std::vector<gm_tensor> views;
};

} // namespace graphmill::tools
