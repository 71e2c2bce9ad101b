#include "tools/StandardOutput.h"
#include "fx/Support/Printable.h"

using namespace llvm;

namespace graphmill::tools {

raw_ostream &out() {
  static PrintableStream stream(outs());
  return stream;
}

raw_ostream &err() {
  static PrintableStream stream(errs());
  return stream;
}

Error finishOutput() {
  outs().flush();
  std::error_code code = outs().error();
  outs().clear_error(); // LLVM would end the process for it
  return code ? createStringError(code, "can't write to standard output: " + code.message()) : Error::success();
}

} // namespace graphmill::tools
