#include "frontend/pt2/ImportNodes.h"
#include "frontend/pt2/ImportLocations.h"
#include "frontend/pt2/ImportWeights.h"
#include "fx/Aten/AtenDialect.h"
#include "fx/Aten/Promotion.h"
#include "fx/Aten/Rules.h"
#include "fx/Support/Printable.h"

using namespace mlir;

namespace graphmill::pt2 {

llvm::Error ImportProblems::take(const ImportOptions &options) const {
  std::string text;
  if (!unknown.empty() && !options.keepUnknownOps) {
    unsigned total = 0;
    for (const auto &[target, info] : unknown) {
      total += info.count;
    }
    text = fmt::format("the model uses {} op{} that graphmill doesn't support ({} nodes):", unknown.size(),
                       unknown.size() == 1 ? "" : "s", total);
    for (const auto &[target, info] : unknown) {
      text += fmt::format("\n  {} ({}x, first at {})", printable(target), info.count, printable(info.firstPlace));
    }
  }
  // 20: the rest are mostly consequences of the first.
  for (const std::string &message : ArrayRef(messages).take_front(20)) {
    text += (text.empty() ? "" : "\n") + message;
  }
  if (messages.size() > 20) {
    text += fmt::format("\n… and {} more", messages.size() - 20);
  }
  return text.empty() ? llvm::Error::success() : llvm::createStringError(text);
}

void NodeImporter::report(Location at, const Twine &what) {
  std::string place = describeLocation(at);
  problems.messages.push_back(printable(place.empty() ? problems.archive : place) + ": error: " + printable(what.str()));
}

SmallVector<StringRef> tensorOutputs(const Node &node) {
  SmallVector<StringRef> names;
  auto addOptional = [&](const OptionalTensorArg &output) {
    names.push_back(output.tensor ? StringRef(output.tensor->name) : StringRef());
  };
  for (const Argument &output : node.outputs) {
    if (auto *tensor = output.getIf<TensorArg>()) {
      names.push_back(tensor->name);
    } else if (auto *list = output.getIf<std::vector<TensorArg>>()) {
      for (const TensorArg &tensor : *list) {
        names.push_back(tensor.name);
      }
    } else if (auto *optional = output.getIf<OptionalTensorArg>()) {
      addOptional(*optional);
    } else if (auto *optionals = output.getIf<std::vector<OptionalTensorArg>>()) {
      llvm::for_each(*optionals, addOptional);
    } else {
      names.push_back("");
    }
  }
  return names;
}

Value NodeImporter::lookup(Scope &scope, StringRef name) {
  if (auto found = scope.values.find(name); found != scope.values.end()) {
    return found->second;
  }
  if (auto found = scope.pending.find(name); found != scope.pending.end()) {
    return scope.values[name] = found->second();
  }
  report(loc, "uses '" + name + "', which nothing before it makes");
  return {};
}

RankedTensorType NodeImporter::typeOf(const Scope &scope, StringRef name) {
  auto found = scope.graph.tensorValues.find(name);
  if (found == scope.graph.tensorValues.end()) {
    report(loc, "the archive has no type for tensor '" + name + "'");
    return {};
  }
  const TensorMeta &meta = found->second;
  if (meta.layout != Layout::Strided && meta.layout != Layout::Unknown) {
    report(loc, "tensor '" + name + "' is sparse, which isn't supported");
    return {};
  }
  Dims dims;
  for (const SymInt &size : meta.sizes) {
    llvm::Expected<Dim> dim = symbols.convert(size);
    if (!dim) {
      report(loc, "tensor '" + name + "': " + llvm::toString(dim.takeError()));
      return {};
    }
    dims.push_back(*dim);
  }
  return getTensorType(dims, elementType(builder.getContext(), meta.dtype));
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void NodeImporter::importNodes(Scope &scope) {
  for (const Node &node : scope.graph.nodes) {
    loc = importLocation(builder.getContext(), node);
    // What the rules report becomes one of our messages, at the user's line.
    ScopedDiagnosticHandler handler(builder.getContext(), [&](Diagnostic &diagnostic) {
      report(diagnostic.getLocation(), diagnostic.str());
      return success();
    });
    importNode(scope, node);
  }
}

/// Whether the node only computes sizes (the archive has their expressions) or asserts.
bool NodeImporter::isDropped(const Scope &scope, const Node &node) const {
  StringRef target = node.target;
  if (target.starts_with("torch.ops.aten._assert_") || target.starts_with("torch.ops.aten.sym_")) {
    return true;
  }
  auto isSymbolic = [](const Argument &output) {
    return output.is<SymIntArg>() || output.is<SymFloatArg>() || output.is<SymBoolArg>() ||
           output.is<std::vector<SymIntArg>>() || output.is<int64_t>() || output.is<bool>() || output.is<double>();
  };
  return !node.outputs.empty() && llvm::all_of(node.outputs, isSymbolic);
}

void NodeImporter::importNode(Scope &scope, const Node &node) {
  StringRef target = node.target;
  if (target == "torch.ops.aten.item.default" || target == "torch.ops.aten._local_scalar_dense.default") {
    return importItem(scope, node);
  }
  if (isDropped(scope, node)) {
    return;
  }
  if (target.consume_front("torch.ops.higher_order.")) {
    return importHigherOrder(scope, node, target);
  }
  if (target.consume_front("torch.ops.")) {
    // Ops of other libraries are recorded with their namespace.
    target.consume_front("aten.");
    if (const aten::OverloadRecord *record = aten::findOverload(target)) {
      return importRecorded(scope, node, *record);
    }
  }
  importCall(scope, node);
}

void NodeImporter::importHigherOrder(Scope &scope, const Node &node, StringRef name) {
  auto isGraph = [](const NamedArgument &input) { return input.arg.is<GraphArg>(); };
  if (name == "wrap_with_set_grad_enabled" || name == "wrap_with_autocast") {
    auto found = llvm::find_if(node.inputs, isGraph);
    unsigned at = found - node.inputs.begin();
    // (device, dtype, enabled, cache_enabled, graph, …)
    bool casts = name == "wrap_with_autocast" && at >= 2 && node.inputs[2].arg.getIf<bool>() &&
                 *node.inputs[2].arg.getIf<bool>();
    if (casts) {
      return report(loc, "torch.autocast inside the model isn't supported; export it under "
                         "torch.autocast(enabled=False), or convert the module to the dtype wanted");
    }
    if (found != node.inputs.end()) {
      return inlineGraph(scope, node, at);
    }
  }
  importCall(scope, node);
}

void NodeImporter::inlineGraph(Scope &scope, const Node &node, unsigned graphInput) {
  const Graph &graph = *node.inputs[graphInput].arg.getIf<GraphArg>()->graph;
  Scope inner{graph, {}, {}, {}, {}};
  ArrayRef<NamedArgument> operands = ArrayRef(node.inputs).drop_front(graphInput + 1);
  if (operands.size() != graph.inputs.size()) {
    return report(loc, "the subgraph takes " + Twine(graph.inputs.size()) + " inputs and gets " + Twine(operands.size()));
  }
  for (auto [formal, actual] : llvm::zip(graph.inputs, operands)) {
    if (auto *tensor = formal.getIf<TensorArg>()) {
      inner.values[tensor->name] = importTensor(scope, actual.arg);
    }
  }
  Location outside = loc;
  importNodes(inner);
  loc = outside;
  SmallVector<Value> results;
  for (const Argument &output : graph.outputs) {
    if (auto *list = output.getIf<std::vector<TensorArg>>()) {
      for (const TensorArg &tensor : *list) {
        results.push_back(lookup(inner, tensor.name));
      }
    } else {
      results.push_back(output.is<TensorArg>() ? importTensor(inner, output) : Value());
    }
  }
  bindResults(scope, node, results);
}

void NodeImporter::bindResults(Scope &scope, const Node &node, ValueRange values) {
  SmallVector<StringRef> names = tensorOutputs(node);
  if (names.size() != values.size()) {
    return report(loc, "node '" + node.name + "' has " + Twine(names.size()) + " outputs, expected " + Twine(values.size()));
  }
  for (auto [name, value] : llvm::zip(names, values)) {
    if (!name.empty() && value) {
      scope.values[name] = value;
    }
  }
}

void NodeImporter::importCall(Scope &scope, const Node &node) {
  ImportProblems::Unknown &unknown = problems.unknown[node.target];
  if (unknown.count++ == 0) {
    std::string place = describeLocation(loc);
    unknown.firstPlace = place.empty() ? problems.archive : place;
  }
  addPlaceholder(scope, node);
}

/// Stands for a node that has no op, so that what uses it can still be looked at.
void NodeImporter::addPlaceholder(Scope &scope, const Node &node) {
  SmallVector<Value> operands;
  auto add = [&](const std::string &name) {
    if (Value value = lookup(scope, name)) {
      operands.push_back(value);
    }
  };
  for (const NamedArgument &input : node.inputs) {
    if (auto *tensor = input.arg.getIf<TensorArg>()) {
      add(tensor->name);
    } else if (auto *list = input.arg.getIf<std::vector<TensorArg>>()) {
      for (const TensorArg &tensor : *list) {
        add(tensor.name);
      }
    }
  }
  SmallVector<Type> types;
  SmallVector<StringRef> names;
  for (StringRef name : tensorOutputs(node)) {
    RankedTensorType type = name.empty() ? RankedTensorType() : typeOf(scope, name);
    if (type) {
      names.push_back(name);
      types.push_back(type);
    }
  }
  auto call = fx::CallOp::create(builder, loc, types, node.target, operands);
  for (auto [name, result] : llvm::zip(names, call.getResults())) {
    scope.values[name] = result;
  }
}

/// Whether a reshape of a tensor with these strides can be a view: groups of dims that
/// lie one after the other in memory must match groups of the new shape. Decided only for
/// known sizes; otherwise only a row-major tensor can.
static bool canView(const TensorMeta &from, const TensorMeta &to) {
  auto known = [](const std::vector<SymInt> &list) { return llvm::none_of(list, [](const SymInt &s) { return s.expr; }); };
  bool isContiguous = true;
  SymInt expected{1, nullptr, std::nullopt};
  for (size_t i = from.sizes.size(); i-- > 0;) {
    const SymInt &size = from.sizes[i], &stride = from.strides[i];
    bool isOne = !size.expr && size.constant == 1;
    // A symbolic stride follows a symbolic size; the exporter writes row-major ones so.
    isContiguous &= isOne || stride.expr || expected.expr || stride.constant == expected.constant;
    expected = size.expr ? size : SymInt{expected.constant * size.constant, expected.expr, std::nullopt};
  }
  if (isContiguous || !known(from.sizes) || !known(from.strides) || !known(to.sizes)) {
    return isContiguous;
  }
  // Dims of size 1 lie anywhere.
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (auto [size, stride] : llvm::zip(from.sizes, from.strides)) {
    if (size.constant != 1) {
      dims.emplace_back(size.constant, stride.constant);
    }
  }
  size_t next = 0;
  int64_t left = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    left *= dims[i].first;
    bool joins = i + 1 < dims.size() && dims[i].second == dims[i + 1].first * dims[i + 1].second;
    if (joins) {
      continue;
    }
    int64_t taken = 1;
    while (next < to.sizes.size() && taken < left) {
      taken *= to.sizes[next++].constant;
    }
    if (taken != left) {
      return false;
    }
    left = 1;
  }
  return true;
}

/// `reshape` and kin copy what can't be a view: then a write to the result isn't one to
/// the operand.
static bool isHiddenCopy(const NodeImporter::Scope &scope, const Node &node, const aten::OverloadRecord &record) {
  static constexpr llvm::StringLiteral kMaybeCopies[] = {"reshape.default", "reshape_as.default", "flatten.using_ints",
                                                         "contiguous.default", "ravel.default"};
  if (!llvm::is_contained(kMaybeCopies, record.name) || node.inputs.empty()) {
    return false;
  }
  auto *input = node.inputs[0].arg.getIf<TensorArg>();
  SmallVector<StringRef> outputs = tensorOutputs(node);
  auto from = input ? scope.graph.tensorValues.find(input->name) : scope.graph.tensorValues.end();
  auto to = scope.graph.tensorValues.find(outputs.empty() ? StringRef() : outputs[0]);
  if (from == scope.graph.tensorValues.end() || to == scope.graph.tensorValues.end()) {
    return false;
  }
  if (record.name == "contiguous.default") {
    auto same = [](const SymInt &a, const SymInt &b) { return a.expr || b.expr || a.constant == b.constant; };
    return !llvm::equal(from->second.strides, to->second.strides, same);
  }
  return !canView(from->second, to->second);
}

void NodeImporter::importRecorded(Scope &scope, const Node &node, const aten::OverloadRecord &record) {
  if (importFilled(scope, node, record)) {
    return;
  }
  OperationState state(loc, record.op);
  if (!addArguments(scope, node, record, state) || !addCount(scope, node, record, state)) {
    return addPlaceholder(scope, node);
  }
  SmallVector<StringRef> outputs = tensorOutputs(node);
  bool writes = record.isInPlace() || record.isOut();
  // Placeholders until the rule has been asked: it reads the op's properties.
  state.addTypes(SmallVector<Type>(outputs.size(), RankedTensorType::get({}, builder.getF32Type())));
  Operation *op = builder.create(state);
  if (!inferTypes(scope, op, outputs, writes)) {
    op->erase();
    return addPlaceholder(scope, node);
  }
  SmallVector<Value> results(op->getResults());
  if (writes && !isa<aten::Copy_Op>(op)) {
    // `self` comes first; `out` is the only output's target in the overloads recorded.
    const Argument *target = node.inputs.empty() ? nullptr : &node.inputs[0].arg;
    for (const NamedArgument &input : node.inputs) {
      target = record.isOut() && input.name == "out" ? &input.arg : target;
    }
    Value self = target ? importTensor(scope, *target) : Value();
    if (!self || results.size() != 1) {
      return report(loc, "'" + node.target + "' can't be written in place");
    }
    results[0] = aten::Copy_Op::create(builder, loc, self.getType(), self, results[0]);
  }
  if (isHiddenCopy(scope, node, record)) {
    results[0] = aten::CloneOp::create(builder, loc, results[0].getType(), results[0], TypeAttr());
  }
  bindResults(scope, node, results);
  // A tensor reshaped in place isn't what it was: its name goes to the result.
  if (auto *self = node.inputs.empty() ? nullptr : node.inputs[0].arg.getIf<TensorArg>();
      self && record.reshapesInPlace()) {
    scope.values[self->name] = results[0];
  }
}

/// Whether the rule's type and the archive's can be of one tensor; with the better of
/// both: static sizes before symbolic ones, the archive's symbols before ours if they
/// can't be compared.
static std::optional<RankedTensorType> reconcile(RankedTensorType ours, RankedTensorType archive) {
  if (ours.getElementType() != archive.getElementType() || ours.getRank() != archive.getRank()) {
    return std::nullopt;
  }
  Dims dims;
  for (auto [a, b] : llvm::zip(dimsOf(ours), dimsOf(archive))) {
    if (getStatic(a) && getStatic(b) && a != b) {
      return std::nullopt;
    }
    dims.push_back(getStatic(a) || equal(a, b) ? a : b);
  }
  return getTensorType(dims, ours.getElementType());
}

bool NodeImporter::inferTypes(const Scope &scope, Operation *op, ArrayRef<StringRef> outputs, bool isInPlace) {
  auto inference = dyn_cast<InferTypeOpInterface>(op);
  SmallVector<Type> types;
  if (!inference) {
    types.push_back(op->getOperand(0).getType()); // aten.copy_
  } else if (failed(inference.inferReturnTypes(builder.getContext(), loc, op->getOperands(),
                                               op->getAttrDictionary(), op->getPropertiesStorage(),
                                               op->getRegions(), types))) {
    return false;
  }
  if (types.size() != outputs.size()) {
    report(loc, op->getName().getStringRef() + " has " + Twine(types.size()) + " results, the archive lists " + Twine(outputs.size()));
    return false;
  }
  for (auto [result, type, name] : llvm::zip(op->getResults(), types, outputs)) {
    auto ours = cast<RankedTensorType>(type);
    // In-place results are self's; the functional op's own type may still differ.
    if (!name.empty() && !isInPlace) {
      RankedTensorType archive = typeOf(scope, name);
      if (!archive) {
        return false;
      }
      std::optional<RankedTensorType> both = reconcile(ours, archive);
      if (!both) {
        report(loc, op->getName().getStringRef() + " gives " + dtypeName(ours.getElementType()) + " " +
                        toString(dimsOf(ours)) + ", but the archive says '" + name + "' is " +
                        dtypeName(archive.getElementType()) + " " + toString(dimsOf(archive)));
        return false;
      }
      ours = *both;
    }
    result.setType(ours);
  }
  return true;
}

} // namespace graphmill::pt2
