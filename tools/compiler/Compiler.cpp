#include "graphmill/Compiler.h"
#include "fx/Graph/GraphAccess.h"
#include "inductor/IR/LoopDialect.h"
#include "tools/compiler/CompileModule.h"
#include "llvm/Support/Path.h"

namespace graphmill {

std::string compile(const Graph &graph, const std::string &path, const CompileOptions &options) {
  std::string problems;
  for (const std::string &error : graph.errors()) {
    problems += (problems.empty() ? "" : "\n") + error;
  }
  if (!problems.empty()) {
    return problems;
  }
  tools::loadDialects(GraphAccess::context(graph));
  mlir::OwningOpRef<mlir::ModuleOp> module = GraphAccess::module(graph);
  tools::ModuleOptions all;
  all.name = llvm::sys::path::stem(path).str();
  all.target = options.target;
  all.threads = options.threads;
  all.path = path;
  all.exact = options.exact;
  all.weightsFile = options.weightsFile;
  auto summary = tools::compileModule(*module, all);
  return summary ? "" : llvm::toString(summary.takeError());
}

} // namespace graphmill
