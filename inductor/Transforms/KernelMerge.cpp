#include "inductor/Transforms/KernelMerge.h"
#include "inductor/Analysis/IndexForm.h"
#include "inductor/Lowering/Lowering.h"

using namespace mlir;

namespace graphmill::loop {

//===----------------------------------------------------------------------===//
// KernelMerge
//===----------------------------------------------------------------------===//

void KernelMerge::start(fx::DimsAttr kernelAxes, Template kernelForm) {
  axes = kernelAxes;
  form = kernelForm;
  region = std::make_unique<Region>();
  body = &region->emplaceBlock();
}

Value KernelMerge::input(Value value) {
  auto found = llvm::find(inputs, value);
  if (found != inputs.end()) {
    return inputArguments[found - inputs.begin()];
  }
  // Operands come before results among the arguments.
  BlockArgument argument = body->insertArgument(inputs.size(), value.getType(), loc);
  inputs.push_back(value);
  inputArguments.push_back(argument);
  return argument;
}

Value KernelMerge::output(Value original) {
  originals.push_back(original);
  outputArguments.push_back(body->addArgument(original.getType(), loc));
  return outputArguments.back();
}

KernelOp KernelMerge::finish() {
  OpBuilder inside(builder.getContext());
  inside.setInsertionPointToEnd(body);
  EndOp::create(inside, loc);
  SmallVector<Type> types;
  for (Value original : originals) {
    types.push_back(original.getType());
  }
  auto kernel = KernelOp::create(builder, loc, types, inputs, axes, /*inits=*/0, /*sequential=*/false, form);
  kernel.getBody().takeBody(*region);
  for (auto [original, result] : llvm::zip(originals, kernel.getResults())) {
    original.replaceAllUsesWith(result);
  }
  return kernel;
}

//===----------------------------------------------------------------------===//
// cloneReindexed
//===----------------------------------------------------------------------===//

/// Map of an op that sits `depth` axes deeper than the top of the copied body.
static AffineMap reindex(AffineMap map, const Reindexing &r, unsigned depth, unsigned ownIndices, ArrayRef<Dim> innerSizes) {
  MLIRContext *context = map.getContext();
  unsigned total = r.newAxes + depth;
  SmallVector<AffineExpr> replacements;
  for (AffineExpr axis : r.axes) {
    // Indices of the reindexing come after all axes: shift them past the inner ones.
    SmallVector<AffineExpr> shifted;
    for (unsigned i = 0; i < r.newAxes + r.indices.size(); ++i) {
      shifted.push_back(getAffineDimExpr(i < r.newAxes ? i : i + depth, context));
    }
    replacements.push_back(axis.replaceDims(shifted));
  }
  for (unsigned i = 0; i < depth; ++i) {
    replacements.push_back(getAffineDimExpr(r.newAxes + i, context));
  }
  for (unsigned i = 0; i < ownIndices; ++i) {
    replacements.push_back(getAffineDimExpr(total + r.indices.size() + i, context));
  }
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : map.getResults()) {
    results.push_back(expr.replaceDims(replacements));
  }
  AffineMap result = AffineMap::get(total + r.indices.size() + ownIndices, map.getNumSymbols(), results, context);
  Dims sizes = r.newSizes;
  sizes.append(innerSizes.begin(), innerSizes.end());
  return simplifyMap(result, sizes);
}

/// Drops indices that the map doesn't use.
static void pruneIndices(AffineMap &map, SmallVectorImpl<Value> &indices, unsigned axes) {
  SmallVector<AffineExpr> replacements;
  SmallVector<Value> kept;
  for (unsigned i = 0; i < map.getNumDims(); ++i) {
    bool isAxis = i < axes;
    bool used = isAxis || map.isFunctionOfDim(i);
    replacements.push_back(getAffineDimExpr(isAxis ? i : axes + kept.size(), map.getContext()));
    if (!isAxis && used) {
      kept.push_back(indices[i - axes]);
    }
  }
  map = map.replaceDimsAndSymbols(replacements, {}, axes + kept.size(), map.getNumSymbols());
  indices.assign(kept.begin(), kept.end());
}

namespace {
struct Cloner {
  OpBuilder &builder;
  IRMapping &mapping;
  const Reindexing &r;

  void remap(Operation *op, OperandRange indices, AffineMap map, unsigned depth, ArrayRef<Dim> inner,
             SmallVectorImpl<Value> &newIndices, AffineMap &newMap) {
    newMap = reindex(map, r, depth, indices.size(), inner);
    newIndices.assign(r.indices.begin(), r.indices.end());
    for (Value index : indices) {
      newIndices.push_back(mapping.lookupOrDefault(index));
    }
    pruneIndices(newMap, newIndices, r.newAxes + depth);
  }

  Operation *clone(Operation &op, unsigned depth, ArrayRef<Dim> inner) {
    Location loc = op.getLoc();
    SmallVector<Value> indices;
    AffineMap map;
    if (auto load = dyn_cast<LoadOp>(op)) {
      remap(&op, load.getIndices(), load.getMap(), depth, inner, indices, map);
      Value mask = load.getMask() ? mapping.lookupOrDefault(load.getMask()) : Value();
      Value other = load.getOther() ? mapping.lookupOrDefault(load.getOther()) : Value();
      if (r.mask) {
        mask = mask ? Value(arith::AndIOp::create(builder, loc, mask, r.mask)) : r.mask;
        other = other ? other : scalarConstant(builder, loc, 0, load.getType());
      }
      return finish(op, LoadOp::create(builder, loc, load.getType(), mapping.lookupOrDefault(load.getTensor()), indices, mask, other, map));
    }
    if (auto store = dyn_cast<StoreOp>(op)) {
      remap(&op, store.getIndices(), store.getMap(), depth, inner, indices, map);
      Value mask = store.getMask() ? mapping.lookupOrDefault(store.getMask()) : Value();
      return finish(op, StoreOp::create(builder, loc, mapping.lookupOrDefault(store.getValue()),
                                        mapping.lookupOrDefault(store.getTensor()), indices, mask, map, store.getCombiner()));
    }
    if (auto apply = dyn_cast<ApplyOp>(op)) {
      remap(&op, apply.getIndices(), apply.getMap(), depth, inner, indices, map);
      return finish(op, ApplyOp::create(builder, loc, apply.getType(), indices, map));
    }
    if (auto inside = dyn_cast<InsideOp>(op)) {
      remap(&op, inside.getIndices(), inside.getMap(), depth, inner, indices, map);
      return finish(op, InsideOp::create(builder, loc, inside.getType(), indices, map, inside.getBounds()));
    }
    if (op.getNumRegions() == 0) {
      return builder.clone(op, mapping);
    }
    Operation *copy = op.cloneWithoutRegions(mapping);
    builder.insert(copy);
    Dims innerSizes(inner);
    fx::DimsAttr axes = isa<ReduceOp>(op) ? cast<ReduceOp>(op).getAxes() : cast<ForOp>(op).getAxes();
    llvm::append_range(innerSizes, axes.getExprs());
    Block &block = copy->getRegion(0).emplaceBlock();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&block);
    for (Operation &nested : op.getRegion(0).front()) {
      clone(nested, depth + axes.getExprs().size(), innerSizes);
    }
    return finish(op, copy);
  }

  Operation *finish(Operation &op, Operation *copy) {
    mapping.map(op.getResults(), copy->getResults());
    return copy;
  }
};
} // namespace

Operation *cloneReindexed(OpBuilder &builder, Operation &op, IRMapping &mapping, const Reindexing &reindexing) {
  return Cloner{builder, mapping, reindexing}.clone(op, 0, {});
}

} // namespace graphmill::loop
