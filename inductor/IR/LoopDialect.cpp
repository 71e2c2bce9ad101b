#include "inductor/IR/LoopDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace graphmill;
using namespace graphmill::loop;

#include "inductor/IR/LoopDialect.cpp.inc"
#include "inductor/IR/LoopEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "inductor/IR/LoopAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "inductor/IR/LoopOps.cpp.inc"

void LoopDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "inductor/IR/LoopAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "inductor/IR/LoopOps.cpp.inc"
      >();
}

namespace graphmill::loop {

Dims axesOf(Block *block) {
  Dims axes;
  Operation *parent = block->getParentOp();
  fx::DimsAttr own;
  if (auto kernel = dyn_cast<KernelOp>(parent)) {
    own = kernel.getAxes();
  } else if (auto reduce = dyn_cast<ReduceOp>(parent)) {
    own = reduce.getAxes();
  } else if (auto inner = dyn_cast<ForOp>(parent)) {
    own = inner.getAxes();
  } else {
    return axes;
  }
  if (!isa<KernelOp>(parent)) {
    axes = axesOf(parent->getBlock());
  }
  llvm::append_range(axes, own.getExprs());
  return axes;
}

Dims enclosingAxes(Operation *op) { return axesOf(op->getBlock()); }

AffineMap identityMap(MLIRContext *context, unsigned axes, unsigned symbols) {
  SmallVector<AffineExpr> exprs;
  for (unsigned i = 0; i < axes; ++i) {
    exprs.push_back(getAffineDimExpr(i, context));
  }
  return AffineMap::get(axes, symbols, exprs, context);
}

} // namespace graphmill::loop

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult KernelOp::verify() {
  unsigned expected = getInputs().size() + getNumResults();
  if (getBlock().getNumArguments() != expected) { // kernel.c1
    return emitOpError("has ") << getBlock().getNumArguments() << " block arguments, expected "
                               << expected;
  }
  SmallVector<Type> types(getInputs().getTypes());
  llvm::append_range(types, getResultTypes());
  for (auto [i, type] : llvm::enumerate(types)) {
    if (getBlock().getArgument(i).getType() != type) { // kernel.c1
      return emitOpError("block argument ") << i << " is " << getBlock().getArgument(i).getType()
                                            << ", expected " << type;
    }
  }
  if (getInits() > getInputs().size() || getInits() > getNumResults()) { // kernel.c2
    return emitOpError("inits is ") << getInits() << ", more than operands or results";
  }
  return success();
}

static LogicalResult verifyMap(Operation *op, AffineMap map, unsigned indices, int64_t results) {
  unsigned axes = enclosingAxes(op).size();
  if (map.getNumDims() != axes + indices) { // load.c1
    return op->emitOpError("map has ") << map.getNumDims() << " dims, expected " << axes
                                       << " axes and " << indices << " indices";
  }
  if (map.getNumResults() != results) { // load.c2
    return op->emitOpError("map has ") << map.getNumResults() << " results, expected " << results;
  }
  return success();
}

LogicalResult LoadOp::verify() {
  auto type = cast<RankedTensorType>(getTensor().getType());
  if (static_cast<bool>(getMask()) != static_cast<bool>(getOther())) { // load.c3
    return emitOpError("needs mask and other together");
  }
  return verifyMap(*this, getMap(), getIndices().size(), type.getRank());
}

LogicalResult StoreOp::verify() {
  auto type = cast<RankedTensorType>(getTensor().getType());
  return verifyMap(*this, getMap(), getIndices().size(), type.getRank());
}

LogicalResult SortOp::verify() {
  return verifyMap(*this, getMap(), 1, cast<RankedTensorType>(getTensor().getType()).getRank());
}

LogicalResult ApplyOp::verify() { return verifyMap(*this, getMap(), getIndices().size(), 1); }

LogicalResult InsideOp::verify() {
  return verifyMap(*this, getMap(), getIndices().size(), getBounds().getExprs().size());
}

YieldOp ReduceOp::getYield() { return cast<YieldOp>(getBlock().getTerminator()); }

Reducer ReduceOp::getReducer(unsigned i) { return cast<ReducerAttr>(getReducers()[i]).getValue(); }

LogicalResult ReduceOp::verify() {
  if (getReducers().size() != getNumResults() || getYield().getValues().size() != getNumResults()) { // reduce.c1
    return emitOpError("has ") << getReducers().size() << " reducers, "
                               << getYield().getValues().size() << " yielded values and "
                               << getNumResults() << " results";
  }
  return success();
}
