//===- InspectModule.cpp - What an archive or a graph holds ----------------===//
#include "fx/IR/FxDialect.h"
#include "tools/StandardOutput.h"
#include "tools/compiler/CompileModule.h"
#include "tools/graphmill/InputModule.h"
#include "tools/graphmill/Inspect.h"
#include <fmt/format.h>
#include <map>

using namespace llvm;
namespace graphmill::tools {

static std::string text(mlir::Type type) {
  std::string result;
  raw_string_ostream(result) << type;
  return result;
}

static void printGraph(fx::GraphOp graph) {
  out() << fmt::format("graph     {}\n", graph.getSymName().str());
  for (auto symbol : graph.getSymbols().getAsRange<fx::SymbolAttr>()) {
    out() << fmt::format("size      {}: {}\n", symbol.getName().str(),
                          describeRange(symbol.getMin(), symbol.getMax(), symbol.getDivisor()));
  }
  for (auto [i, argument] : enumerate(graph.getBlock().getArguments())) {
    out() << fmt::format("input     {} '{}': {}\n", i, cast<mlir::StringAttr>(graph.getInputs()[i]).str(), text(argument.getType()));
  }
  for (auto [value, role] : zip(graph.getOutput().getValues(), graph.getOutputs().getAsRange<fx::RoleAttr>())) {
    const char *kind = role.getKind() == fx::RoleKind::Result ? "output   " : "written  ";
    out() << fmt::format("{} '{}': {}\n", kind, role.getName().str(), text(value.getType()));
  }
  std::map<std::string, unsigned> counts;
  graph.walk([&](mlir::Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect != "fx") {
      ++counts[op->getName().getStringRef().str()];
    }
  });
  SmallVector<std::pair<unsigned, std::string>> ops;
  unsigned total = 0;
  for (auto &[name, count] : counts) {
    ops.emplace_back(count, name);
    total += count;
  }
  sort(ops, [](auto &a, auto &b) { return std::pair(b.first, a.second) < std::pair(a.first, b.second); });
  out() << fmt::format("ops       {}\n", total);
  for (auto &[count, name] : ops) {
    out() << fmt::format("{:>9} {}\n", count, name);
  }
}

Error inspectModule(StringRef path) {
  mlir::MLIRContext context;
  loadDialects(context);
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = readModule(path, context);
  if (!module) {
    return module.takeError();
  }
  uint64_t elements = 0, bytes = 0;
  unsigned count = 0;
  for (auto tensor : (*module)->getOps<fx::TensorOp>()) {
    int64_t here = tensor.getTensorType().getNumElements();
    unsigned bits = tensor.getTensorType().getElementType().isIntOrFloat() ? tensor.getTensorType().getElementTypeBitWidth() : 64;
    ++count;
    elements += here;
    bytes += here * std::max(bits, 8u) / 8;
  }
  out() << fmt::format("weights   {} tensors, {} elements, {} bytes\n", count, elements, bytes);
  for (auto graph : (*module)->getOps<fx::GraphOp>()) {
    printGraph(graph);
  }
  return Error::success();
}

} // namespace graphmill::tools
