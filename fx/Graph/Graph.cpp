#include "graphmill/Graph.h"
#include "fx/Aten/AtenDialect.h"
#include "fx/Aten/OpTable.h"
#include "fx/Aten/Promotion.h"
#include "fx/Graph/GraphAccess.h"
#include "fx/Prims/PrimsDialect.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace graphmill {

struct Graph::Impl {
  Impl() : builder(&context) {
    DialectRegistry registry;
    registry.insert<fx::FxDialect, aten::AtenDialect, prims::PrimsDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    // The rules' messages name the operand and the dim; the caller's line is the location.
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      addError(diagnostic.getLocation(), diagnostic.str());
      return success();
    });
  }

  void start() {
    module = ModuleOp::create(UnknownLoc::get(&context));
    builder.setInsertionPointToEnd(module->getBody());
    ArrayAttr none = builder.getArrayAttr({});
    graph = fx::GraphOp::create(builder, builder.getUnknownLoc(), "main", none, none, none, StringAttr(), StringAttr());
    graph.getBody().emplaceBlock();
    builder.setInsertionPointToEnd(&graph.getBlock());
  }

  Location locationOf(const std::source_location &at) {
    return FileLineColLoc::get(&context, at.file_name(), at.line(), at.column());
  }

  void addError(Location at, const Twine &what) {
    std::string place;
    if (auto file = at->findInstanceOf<FileLineColLoc>()) {
      place = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ": ").str();
    }
    errors.push_back((place + "error: " + what).str());
  }

  Type element(Dtype dtype) {
    switch (dtype) {
    case Dtype::Float32: return builder.getF32Type();
    case Dtype::Float64: return builder.getF64Type();
    case Dtype::Float16: return builder.getF16Type();
    case Dtype::BFloat16: return builder.getBF16Type();
    case Dtype::Int8: return builder.getI8Type();
    case Dtype::Int16: return builder.getI16Type();
    case Dtype::Int32: return builder.getI32Type();
    case Dtype::Int64: return builder.getI64Type();
    case Dtype::UInt8: return IntegerType::get(&context, 8, IntegerType::Unsigned);
    case Dtype::Bool: return builder.getI1Type();
    }
    llvm_unreachable("all dtypes are listed");
  }

  Dim dim(const Size &size) {
    Dim value = constantDim(&context, size.value);
    return size.symbol < 0 ? value : simplify(getAffineSymbolExpr(size.symbol, &context) * value);
  }
  Dims dims(ArrayRef<Size> sizes) {
    Dims result;
    for (const Size &size : sizes) {
      result.push_back(dim(size));
    }
    return result;
  }

  Attribute number(const Number &value) {
    if (auto *real = std::get_if<double>(&value)) {
      return builder.getF64FloatAttr(*real);
    }
    if (auto *integer = std::get_if<int64_t>(&value)) {
      return builder.getI64IntegerAttr(*integer);
    }
    return builder.getBoolAttr(std::get<bool>(value));
  }

  /// The value of a tensor; null if it is invalid.
  mlir::Value lookup(int id, const std::optional<Number> &value, Location at) {
    if (!value) {
      return id < 0 ? mlir::Value() : values[id];
    }
    Attribute attribute = number(*value);
    Type type = cast<TypedAttr>(attribute).getType();
    return fx::NumberOp::create(builder, at, RankedTensorType::get({}, type, fx::NumberAttr::get(&context)), attribute);
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  fx::GraphOp graph;
  std::vector<mlir::Value> values;
  std::vector<std::string> errors;
  SmallVector<mlir::Value> outputs;
  SmallVector<Attribute> inputNames, roles, symbols;
};

Graph::Graph() : impl(std::make_unique<Impl>()) { impl->start(); }
Graph::~Graph() = default;
Graph::Graph(Graph &&) noexcept = default;
Graph &Graph::operator=(Graph &&) noexcept = default;

Size Graph::symbol(std::string_view name, int64_t min, int64_t max) {
  Size size(1);
  size.symbol = impl->symbols.size();
  impl->symbols.push_back(fx::SymbolAttr::get(&impl->context, name, min, max, 1));
  impl->graph.setSymbolsAttr(impl->builder.getArrayAttr(impl->symbols));
  return size;
}

Tensor Graph::input(std::string_view name, const std::vector<Size> &shape, Dtype dtype, SourceLine at) {
  StringAttr attribute = impl->builder.getStringAttr(name);
  if (llvm::is_contained(impl->inputNames, attribute)) {
    impl->addError(impl->locationOf(at), "there is an input '" + StringRef(name) + "' already");
    return {};
  }
  impl->inputNames.push_back(attribute);
  impl->graph.setInputsAttr(impl->builder.getArrayAttr(impl->inputNames));
  Type type = getTensorType(impl->dims(shape), impl->element(dtype));
  impl->values.push_back(impl->graph.getBlock().addArgument(type, impl->locationOf(at)));
  return Tensor::ofValue(impl->values.size() - 1);
}

Tensor Graph::parameter(std::string_view name, const std::vector<int64_t> &shape, Dtype dtype, const void *data, SourceLine at) {
  mlir::Location loc = impl->locationOf(at);
  auto type = RankedTensorType::get(shape, impl->element(dtype));
  if (SymbolTable::lookupSymbolIn(*impl->module, name)) {
    impl->addError(loc, "there is a parameter '" + StringRef(name) + "' already");
    return {};
  }
  size_t bytes = type.getNumElements() * sizeOf(type.getElementType());
  AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      ArrayRef<char>(static_cast<const char *>(data), bytes), 64, /*dataIsMutable=*/false);
  auto value = DenseResourceElementsAttr::get(type, name, std::move(blob));
  OpBuilder::InsertionGuard guard(impl->builder);
  impl->builder.setInsertionPoint(impl->graph);
  fx::TensorOp::create(impl->builder, loc, name, fx::TensorKind::Parameter, value, /*packing=*/nullptr);
  impl->builder.setInsertionPointToEnd(&impl->graph.getBlock());
  impl->values.push_back(fx::GetOp::create(impl->builder, loc, type, name));
  return Tensor::ofValue(impl->values.size() - 1);
}

void Graph::output(const Tensor &value, std::string_view name, SourceLine at) {
  mlir::Value found = impl->lookup(value.id, value.number, impl->locationOf(at));
  if (!found || isNumber(found.getType())) {
    if (value.number || impl->errors.empty()) {
      impl->addError(impl->locationOf(at), "an output must be a tensor of this graph");
    }
    return;
  }
  std::string chosen = name.empty() ? "out" + std::to_string(impl->outputs.size()) : std::string(name);
  impl->outputs.push_back(found);
  impl->roles.push_back(fx::RoleAttr::get(&impl->context, fx::RoleKind::Result, chosen));
}

std::string Graph::shapeOf(const Tensor &value) const {
  if (value.id < 0) {
    return value.number ? "[]" : "invalid";
  }
  return toString(dimsOf(impl->values[value.id]));
}

const std::vector<std::string> &Graph::errors() const { return impl->errors; }

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Of an op by its full name, "aten.add".
static ArrayRef<aten::ArgumentRecord> argumentsOf(StringRef op) {
  for (const aten::OverloadRecord &record : aten::allOverloads()) {
    if (record.op == op) {
      return record.arguments;
    }
  }
  return {};
}

std::vector<Tensor> Graph::emit(std::string_view op, std::vector<Value> arguments, SourceLine at) {
  mlir::Location loc = impl->locationOf(at);
  OperationState state(loc, "aten." + std::string(op));
  SmallVector<int32_t> segments;
  Builder &b = impl->builder;
  for (auto [record, argument] : llvm::zip_equal(argumentsOf(state.name.getStringRef()), arguments)) {
    bool isOperand = record.kind == aten::ArgumentKind::Tensor || record.kind == aten::ArgumentKind::Tensors ||
                     record.kind == aten::ArgumentKind::OptTensors;
    if (isOperand) {
      std::vector<Tensor> list;
      if (auto *one = std::get_if<Tensor>(&argument)) {
        list.push_back(*one);
      } else if (auto *many = std::get_if<std::vector<Tensor>>(&argument)) {
        list = *many;
      }
      for (const Tensor &tensor : list) {
        mlir::Value value = impl->lookup(tensor.id, tensor.number, loc);
        if (!value) {
          return {}; // reported where it came from
        }
        state.addOperands(value);
      }
      segments.push_back(list.size());
      continue;
    }
    Attribute attribute;
    if (auto *value = std::get_if<Number>(&argument)) {
      attribute = impl->number(*value);
    } else if (auto *value = std::get_if<int64_t>(&argument)) {
      attribute = b.getI64IntegerAttr(*value);
    } else if (auto *value = std::get_if<double>(&argument)) {
      attribute = b.getF64FloatAttr(*value);
    } else if (auto *value = std::get_if<bool>(&argument)) {
      attribute = b.getBoolAttr(*value);
    } else if (auto *value = std::get_if<std::string>(&argument)) {
      attribute = b.getStringAttr(*value);
    } else if (auto *value = std::get_if<std::vector<int64_t>>(&argument)) {
      attribute = b.getDenseI64ArrayAttr(*value);
    } else if (auto *value = std::get_if<std::vector<double>>(&argument)) {
      attribute = b.getDenseF64ArrayAttr(*value);
    } else if (auto *value = std::get_if<Size>(&argument)) {
      attribute = fx::DimAttr::get(&impl->context, impl->dim(*value));
    } else if (auto *value = std::get_if<std::vector<Size>>(&argument)) {
      attribute = fx::DimsAttr::get(&impl->context, impl->dims(*value));
    } else if (auto *value = std::get_if<Dtype>(&argument)) {
      attribute = TypeAttr::get(impl->element(*value));
    }
    if (attribute) {
      state.addAttribute(record.name, attribute);
    }
  }
  if (state.name.hasTrait<OpTrait::AttrSizedOperandSegments>()) {
    state.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr(segments));
  }
  size_t before = impl->errors.size();
  auto *rules = state.name.getInterface<InferTypeOpInterface>();
  OpaqueProperties properties(nullptr);
  Operation *created = nullptr;
  if (rules) {
    // Attributes become properties, which the rules read.
    size_t bytes = state.name.getOpPropertyByteSize();
    std::unique_ptr<char[]> storage(new char[bytes]());
    if (bytes > 0) {
      properties = OpaqueProperties(storage.get());
      state.name.initOpProperties(properties, OpaqueProperties(nullptr));
    }
    auto emitError = [&] { return mlir::emitError(loc) << std::string(op) << ": "; };
    DictionaryAttr dictionary = state.attributes.getDictionary(&impl->context);
    if ((bytes == 0 || succeeded(state.name.setOpPropertiesFromAttribute(state.name, properties, dictionary, emitError))) &&
        succeeded(rules->inferReturnTypes(&impl->context, loc, state.operands, dictionary, properties, RegionRange(), state.types))) {
      created = impl->builder.create(state);
    }
    if (bytes > 0) {
      state.name.destroyOpProperties(properties);
    }
  }
  if (!created) {
    if (impl->errors.size() == before) {
      impl->addError(loc, "aten." + StringRef(op) + ": the arguments don't fit");
    }
    return {};
  }
  std::vector<Tensor> results;
  for (mlir::Value value : created->getResults()) {
    impl->values.push_back(value);
    results.push_back(Tensor::ofValue(impl->values.size() - 1));
  }
  return results;
}

Tensor Graph::emitOne(std::string_view op, std::vector<Value> arguments, SourceLine at) {
  std::vector<Tensor> results = emit(op, std::move(arguments), at);
  return results.empty() ? Tensor() : results[0];
}

//===----------------------------------------------------------------------===//
// Modules and files
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> GraphAccess::module(const Graph &graph) {
  Graph::Impl &impl = *graph.impl;
  OwningOpRef<ModuleOp> copy = impl.module->clone();
  auto finished = *copy->getOps<fx::GraphOp>().begin();
  if (!finished.getBlock().empty() && finished.getBlock().back().hasTrait<OpTrait::IsTerminator>()) {
    return copy;
  }
  // Outputs by their place: the clone's ops are in the original's order.
  IRMapping mapping;
  finished.getBody().getBlocks().clear();
  impl.graph.getBody().cloneInto(&finished.getBody(), mapping);
  OpBuilder builder = OpBuilder::atBlockEnd(&finished.getBlock());
  SmallVector<mlir::Value> values;
  for (mlir::Value value : impl.outputs) {
    values.push_back(mapping.lookup(value));
  }
  fx::OutputOp::create(builder, finished.getLoc(), values);
  finished.setOutputsAttr(builder.getArrayAttr(impl.roles));
  return copy;
}

MLIRContext &GraphAccess::context(const Graph &graph) { return graph.impl->context; }

std::string Graph::print() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
  GraphAccess::module(*this)->print(stream, flags);
  return text;
}

std::string Graph::save(const std::string &path) const {
  std::error_code code;
  llvm::ToolOutputFile file(path, code, llvm::sys::fs::OF_None);
  if (code) {
    return path + ": " + code.message();
  }
  OwningOpRef<ModuleOp> module = GraphAccess::module(*this);
  if (StringRef(path).ends_with(".mlirbc")) {
    if (failed(writeBytecodeToFile(*module, file.os()))) {
      return path + ": the graph has no bytecode form";
    }
  } else {
    module->print(file.os(), OpPrintingFlags().enableDebugInfo());
  }
  file.os().flush();
  if (file.os().has_error()) {
    std::string message = path + ": " + file.os().error().message();
    file.os().clear_error();
    return message;
  }
  file.keep();
  return "";
}

Graph Graph::load(const std::string &path) {
  Graph graph;
  Impl &impl = *graph.impl;
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, &impl.context);
  if (!module) {
    return graph;
  }
  auto graphs = module->getOps<fx::GraphOp>();
  if (!llvm::hasSingleElement(graphs)) {
    impl.errors.push_back(path + ": expected exactly one fx.graph");
    return graph;
  }
  impl.module = std::move(module);
  impl.graph = *impl.module->getOps<fx::GraphOp>().begin();
  impl.builder.setInsertionPoint(impl.graph.getOutput());
  impl.inputNames.assign(impl.graph.getInputs().begin(), impl.graph.getInputs().end());
  impl.symbols.assign(impl.graph.getSymbols().begin(), impl.graph.getSymbols().end());
  return graph;
}

} // namespace graphmill
