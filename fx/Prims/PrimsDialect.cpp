#include "fx/Prims/PrimsDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace graphmill;
using namespace graphmill::prims;

#include "fx/Prims/PrimsDialect.cpp.inc"
#include "fx/Prims/PrimsEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "fx/Prims/PrimsAttrs.cpp.inc"

void PrimsDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fx/Prims/PrimsAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fx/Prims/PrimsOps.cpp.inc"
      >();
}
