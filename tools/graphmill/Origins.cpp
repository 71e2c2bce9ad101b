#include "tools/graphmill/Origins.h"

using namespace mlir;

namespace graphmill::tools {

void numberOps(fx::GraphOp graph) {
  Builder builder(graph.getContext());
  for (auto [i, op] : llvm::enumerate(graph.getBlock().without_terminator())) {
    op.setLoc(FusedLoc::get(graph.getContext(), {op.getLoc()}, builder.getI64IntegerAttr(i)));
  }
}

std::optional<unsigned> numberOf(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  auto number = fused ? dyn_cast_or_null<IntegerAttr>(fused.getMetadata()) : nullptr;
  return number ? std::optional<unsigned>(number.getInt()) : std::nullopt;
}

llvm::SmallVector<unsigned> opsIn(loop::KernelOp kernel) {
  SmallVector<unsigned> numbers;
  kernel.walk([&](Operation *op) {
    // Equal constants are one, with the location of the first.
    std::optional<unsigned> number = op->hasTrait<OpTrait::ConstantLike>() ? std::nullopt : numberOf(op->getLoc());
    if (number) {
      numbers.push_back(*number);
    }
  });
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}

NumberedOps::NumberedOps(fx::GraphOp graph) {
  for (Operation &op : graph.getBlock()) {
    if (std::optional<unsigned> number = numberOf(op.getLoc())) {
      ops[*number] = &op;
    }
  }
}

/// The op that writes all elements of a kernel's result: stores keep their op's location.
static std::optional<unsigned> writerOf(BlockArgument output) {
  std::optional<unsigned> writer;
  for (Operation *user : output.getUsers()) {
    if (isa<loop::LoadOp>(user)) {
      continue;
    }
    std::optional<unsigned> number = numberOf(user->getLoc());
    if (!number || (writer && *writer != *number)) {
      return std::nullopt;
    }
    writer = number;
  }
  return writer;
}

Value NumberedOps::valueOf(OpResult kernelResult) const {
  auto kernel = cast<loop::KernelOp>(kernelResult.getOwner());
  std::optional<unsigned> writer = writerOf(kernel.getOutputArg(kernelResult.getResultNumber()));
  Operation *op = writer ? lookup(*writer) : nullptr;
  if (!op) {
    return {};
  }
  // Of several results of one op some may be gone: then only the type tells which one it is. Other types are
  // helpers', sums in a wider type.
  SmallVector<Value> candidates;
  for (Value result : op->getResults()) {
    if (result.getType() == kernelResult.getType()) {
      candidates.push_back(result);
    }
  }
  SmallVector<OpResult> siblings;
  for (OpResult result : kernel->getResults()) {
    if (result.getType() == kernelResult.getType() && writerOf(kernel.getOutputArg(result.getResultNumber())) == writer) {
      siblings.push_back(result);
    }
  }
  return candidates.size() == siblings.size() ? candidates[llvm::find(siblings, kernelResult) - siblings.begin()] : Value();
}

std::string placeOf(Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  return file ? (file.getFilename().getValue() + ":" + Twine(file.getLine())).str() : "";
}

std::string modulePathOf(Location location) {
  std::string path;
  location->walk([&](Location inner) {
    auto fused = dyn_cast<FusedLoc>(inner);
    auto text = fused ? dyn_cast_or_null<StringAttr>(fused.getMetadata()) : nullptr;
    path = text ? text.str() : path;
    return text ? WalkResult::interrupt() : WalkResult::advance();
  });
  return path;
}

std::string nodeOf(Location location) {
  auto named = location->findInstanceOf<NameLoc>();
  return named ? named.getName().str() : "";
}

std::vector<std::string> describeOrigins(ArrayRef<Operation *> ops) {
  std::vector<std::string> lines;
  std::string last;
  for (Operation *op : ops) {
    std::string node = nodeOf(op->getLoc()), place = placeOf(op->getLoc());
    std::string origin = node.empty() ? "" : "'" + node + "'";
    origin += (origin.empty() || place.empty() ? "" : " ") + place + (origin.empty() && place.empty() ? "" : ": ");
    if (lines.empty() || origin != last) {
      lines.push_back(last = origin);
    } else {
      lines.back() += ", ";
    }
    lines.back() += op->getName().getStringRef();
  }
  return lines;
}

} // namespace graphmill::tools
