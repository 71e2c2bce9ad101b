#include "inductor/IR/KernelBuilder.h"

using namespace mlir;

namespace graphmill::loop {

Type scalarType(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element)) {
    return IntegerType::get(element.getContext(), integer.getWidth());
  }
  return element;
}

KernelBuilder::KernelBuilder(OpBuilder &builder, Location loc, unsigned symbols, ValueRange inputs,
                             TypeRange results, ArrayRef<Dim> axes, unsigned inits)
    : b(builder.getContext()), loc(loc), symbols(symbols) {
  kernel = KernelOp::create(builder, loc, results, inputs,
                            fx::DimsAttr::get(builder.getContext(), axes), inits,
                            /*sequential=*/false, Template::None);
  Block &block = kernel.getBody().emplaceBlock();
  for (Value input : inputs) {
    block.addArgument(input.getType(), loc);
  }
  for (Type type : results) {
    block.addArgument(type, loc);
  }
  b.setInsertionPointToEnd(&block);
  EndOp::create(b, loc);
  b.setInsertionPoint(block.getTerminator());
}

Dims KernelBuilder::allAxes(unsigned count) {
  Dims result;
  for (unsigned i = 0; i < count; ++i) {
    result.push_back(axis(i));
  }
  return result;
}

AffineMap KernelBuilder::mapOf(ArrayRef<AffineExpr> exprs, unsigned indices) {
  return AffineMap::get(numAxes() + indices, symbols, exprs, b.getContext());
}

Value KernelBuilder::load(Value tensor, ArrayRef<AffineExpr> map, ValueRange indices) {
  return LoadOp::create(b, loc, scalarType(getElement(tensor)), tensor, indices, Value(), Value(),
                        mapOf(map, indices.size()));
}

Value KernelBuilder::loadIf(Value mask, Value other, Value tensor, ArrayRef<AffineExpr> map,
                            ValueRange indices) {
  return LoadOp::create(b, loc, scalarType(getElement(tensor)), tensor, indices, mask, other,
                        mapOf(map, indices.size()));
}

void KernelBuilder::store(Value value, Value tensor, ArrayRef<AffineExpr> map, ValueRange indices,
                          Combiner combiner) {
  StoreOp::create(b, loc, value, tensor, indices, Value(), mapOf(map, indices.size()), combiner);
}

Value KernelBuilder::apply(AffineExpr expr) { return ApplyOp::create(b, loc, b.getIndexType(), ValueRange(), mapOf({expr}, 0)); }

Value KernelBuilder::inside(ArrayRef<AffineExpr> exprs, ArrayRef<Dim> bounds) {
  return InsideOp::create(b, loc, b.getI1Type(), ValueRange(), mapOf(exprs, 0), fx::DimsAttr::get(b.getContext(), bounds));
}

SmallVector<Value> KernelBuilder::reduce(ArrayRef<Reducer> reducers, ArrayRef<Dim> axes,
                                         std::function<SmallVector<Value>(unsigned)> body) {
  unsigned first = numAxes();
  SmallVector<Attribute> kinds;
  for (Reducer reducer : reducers) {
    kinds.push_back(ReducerAttr::get(b.getContext(), reducer));
  }
  // Result types are those of the values, known only once the body is built.
  auto placeholder = ReduceOp::create(b, loc, TypeRange(), b.getArrayAttr(kinds),
                                      fx::DimsAttr::get(b.getContext(), axes));
  Block &inner = placeholder.getBody().emplaceBlock();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&inner);
  SmallVector<Value> values = body(first);
  YieldOp::create(b, loc, values);
  SmallVector<Type> types;
  for (auto [value, reducer] : llvm::zip(values, reducers)) {
    bool isIndex = reducer == Reducer::Argmax || reducer == Reducer::Argmin;
    types.push_back(isIndex ? Type(b.getIndexType()) : value.getType());
  }
  b.setInsertionPoint(placeholder);
  auto op = ReduceOp::create(b, loc, types, b.getArrayAttr(kinds), placeholder.getAxes());
  op.getBody().takeBody(placeholder.getBody());
  placeholder.erase();
  return SmallVector<Value>(op.getResults());
}

void KernelBuilder::forEach(ArrayRef<Dim> axes, std::function<void(unsigned)> body) {
  unsigned first = numAxes();
  auto op = ForOp::create(b, loc, fx::DimsAttr::get(b.getContext(), axes));
  Block &block = op.getBody().emplaceBlock();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&block);
  EndOp::create(b, loc);
  b.setInsertionPoint(block.getTerminator());
  body(first);
}

} // namespace graphmill::loop
