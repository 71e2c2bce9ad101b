#include "frontend/pt2/ImportWeights.h"
#include "fx/Aten/AtenDialect.h"
#include "llvm/Support/InterleavedRange.h"
#include "mlir/IR/BuiltinDialect.h"

using namespace mlir;

namespace graphmill::pt2 {

Type elementType(MLIRContext *context, ScalarType type) {
  Builder b(context);
  auto unsignedType = [&](unsigned width) { return IntegerType::get(context, width, IntegerType::Unsigned); };
  switch (type) {
  case ScalarType::UInt8:
    return unsignedType(8);
  case ScalarType::UInt16:
    return unsignedType(16);
  case ScalarType::UInt32:
    return unsignedType(32);
  case ScalarType::UInt64:
    return unsignedType(64);
  case ScalarType::Int8:
    return b.getI8Type();
  case ScalarType::Int16:
    return b.getI16Type();
  case ScalarType::Int32:
    return b.getI32Type();
  case ScalarType::Int64:
    return b.getI64Type();
  case ScalarType::Bool:
    return b.getI1Type();
  case ScalarType::Float16:
    return b.getF16Type();
  case ScalarType::Float32:
    return b.getF32Type();
  case ScalarType::Float64:
    return b.getF64Type();
  case ScalarType::BFloat16:
    return b.getBF16Type();
  case ScalarType::Complex32:
    return ComplexType::get(b.getF16Type());
  case ScalarType::Complex64:
    return ComplexType::get(b.getF32Type());
  case ScalarType::Complex128:
    return ComplexType::get(b.getF64Type());
  case ScalarType::Float8E4M3FN:
    return Float8E4M3FNType::get(context);
  case ScalarType::Float8E5M2:
    return Float8E5M2Type::get(context);
  case ScalarType::Float8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case ScalarType::Float8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case ScalarType::Float8E8M0FNU:
    return Float8E8M0FNUType::get(context);
  }
  return {};
}

ImportWeights::ImportWeights(ModuleOp module, const ExportedProgram &program)
    : module(module), program(program), symbols(module) {}

StringAttr ImportWeights::symbolOf(const StoredTensor &tensor) const { return byName.lookup(tensor.name); }

/// The order of dims, outermost first, in which the elements lie without gaps; nothing if
/// there are gaps or overlaps.
static std::optional<SmallVector<int64_t>> denseOrder(const StoredTensor &tensor) {
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, tensor.sizes.size()));
  // A stride of a dim of size 1 says nothing.
  auto key = [&](int64_t dim) { return std::pair(tensor.sizes[dim] == 1 ? 0 : -tensor.strideElems[dim], dim); };
  llvm::sort(order, [&](int64_t a, int64_t b) { return key(a) < key(b); });
  int64_t expected = 1;
  for (int64_t dim : llvm::reverse(order)) {
    if (tensor.sizes[dim] != 1 && tensor.strideElems[dim] != expected) {
      return std::nullopt;
    }
    expected *= tensor.sizes[dim];
  }
  return order;
}

Value ImportWeights::read(OpBuilder &builder, Location loc, const StoredTensor &tensor, fx::TensorKind kind) {
  MLIRContext *context = builder.getContext();
  auto get = [&](StringAttr name) -> Value {
    auto owner = symbols.lookup<fx::TensorOp>(name);
    return fx::GetOp::create(builder, loc, owner.getTensorType(), name);
  };
  if (tensor.isContiguous() || tensor.numElements() == 0) {
    StringAttr name = own(loc, tensor, kind, tensor.sizes, tensor.offsetElems);
    byName[tensor.name] = name;
    return get(name);
  }
  Type element = elementType(context, tensor.dtype);
  if (std::optional<SmallVector<int64_t>> order = denseOrder(tensor)) {
    SmallVector<int64_t> sizes, inverse(order->size());
    for (auto [i, dim] : llvm::enumerate(*order)) {
      sizes.push_back(tensor.sizes[dim]);
      inverse[dim] = i;
    }
    Value stored = get(own(loc, tensor, kind, sizes, tensor.offsetElems));
    return aten::PermuteOp::create(builder, loc, RankedTensorType::get(tensor.sizes, element), stored, inverse);
  }
  int64_t span = 1;
  SmallVector<Dim> sizes, strides;
  for (auto [size, stride] : llvm::zip(tensor.sizes, tensor.strideElems)) {
    span += (size - 1) * stride;
    sizes.push_back(constantDim(context, size));
    strides.push_back(constantDim(context, stride));
  }
  Value stored = get(own(loc, tensor, kind, {span}, tensor.offsetElems));
  return aten::AsStridedOp::create(builder, loc, RankedTensorType::get(tensor.sizes, element), stored,
                                   fx::DimsAttr::get(context, sizes), fx::DimsAttr::get(context, strides),
                                   fx::DimAttr::get(context, constantDim(context, 0)));
}

StringAttr ImportWeights::own(Location loc, const StoredTensor &tensor, fx::TensorKind kind,
                              ArrayRef<int64_t> sizes, int64_t offset) {
  std::string key;
  llvm::raw_string_ostream(key) << static_cast<const void *>(tensor.storage.data()) << ' '
                                << scalarTypeName(tensor.dtype) << ' ' << offset << ' '
                                << llvm::interleaved(sizes, "x");
  StringAttr &name = owned[key];
  if (name) {
    return name;
  }
  auto type = RankedTensorType::get(sizes, elementType(module.getContext(), tensor.dtype));
  OpBuilder builder(module.getContext());
  auto op = fx::TensorOp::create(builder, loc, tensor.name, kind, values(tensor, type, offset), /*packing=*/nullptr);
  // The table renames an op whose name is taken (a constant may be called like a weight).
  name = symbols.insert(op, module.getBody()->begin());
  // In the order of first use.
  op->moveBefore(module.getBody(), std::prev(module.getBody()->end()));
  return name;
}

ElementsAttr ImportWeights::values(const StoredTensor &tensor, RankedTensorType type, int64_t offset) {
  uint64_t bytes = elementBytes(tensor.dtype);
  ArrayRef<uint8_t> span = tensor.storage.slice(offset * bytes, type.getNumElements() * bytes);
  ArrayRef<char> raw(reinterpret_cast<const char *>(span.data()), span.size());
  // 8: what a reader of the IR still wants to see, and folders use.
  if (type.getNumElements() <= 8 && !isa<ComplexType>(type.getElementType())) {
    if (type.getElementType().isInteger(1)) {
      SmallVector<bool> bits;
      for (char byte : raw) {
        bits.push_back(byte != 0);
      }
      return DenseElementsAttr::get(type, bits);
    }
    return DenseElementsAttr::getFromRawBuffer(type, raw);
  }
  uintptr_t address = reinterpret_cast<uintptr_t>(raw.data());
  size_t alignment = size_t(1) << std::min(6, address ? llvm::countr_zero(address) : 6);
  // The deleter's only job is to keep the mapping.
  AsmResourceBlob blob = UnmanagedAsmResourceBlob::allocateWithAlign(
      raw, alignment, [archive = program.archive](void *, size_t, size_t) {}, /*dataIsMutable=*/false);
  auto &manager = DenseResourceElementsHandle::getManagerInterface(module.getContext());
  return DenseResourceElementsAttr::get(type, manager.insert(tensor.name, std::move(blob)));
}

} // namespace graphmill::pt2
