#include "codegen/host/TableWriter.h"

using namespace llvm;
namespace graphmill::host {

Constant *TableWriter::i32(int64_t value) {
  return ConstantInt::get(Type::getInt32Ty(module.getContext()), value,
                          /*IsSigned=*/true,
                          /*ImplicitTrunc=*/true);
}

Constant *TableWriter::i64(int64_t value) {
  return ConstantInt::get(Type::getInt64Ty(module.getContext()), value,
                          /*IsSigned=*/true);
}

Constant *TableWriter::null() {
  return ConstantPointerNull::get(PointerType::get(module.getContext(), 0));
}

GlobalVariable *TableWriter::hide(Constant *value) {
  auto *global =
      new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, value, "table");
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

Constant *TableWriter::text(StringRef text) {
  Constant *&known = texts[text];
  if (!known) {
    GlobalVariable *global =
        hide(ConstantDataArray::getString(module.getContext(), text));
    // So that the linker may merge it with equal ones.
    global->setAlignment(Align(1));
    known = global;
  }
  return known;
}

Constant *TableWriter::array(ArrayRef<Constant *> elements) {
  if (elements.empty()) {
    return null();
  }
  return hide(ConstantArray::get(
      ArrayType::get(elements.front()->getType(), elements.size()), elements));
}

Constant *TableWriter::record(ArrayRef<Constant *> fields, size_t sizeBytes) {
  Constant *value = ConstantStruct::getAnon(fields);
  assert(module.getDataLayout().getTypeAllocSize(value->getType()) ==
             sizeBytes &&
         "fields differ from PlanAbi.h");
  (void)sizeBytes;
  return value;
}

} // namespace graphmill::host
