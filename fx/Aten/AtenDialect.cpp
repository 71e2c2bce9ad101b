#include "fx/Aten/AtenDialect.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace graphmill::aten;

#include "fx/Aten/AtenDialect.cpp.inc"

void AtenDialect::initialize() { registerAtenDialectOperations(this); }
