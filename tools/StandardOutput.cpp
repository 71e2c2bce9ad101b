#include "tools/StandardOutput.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace graphmill::tools {

Error finishOutput() {
  outs().flush();
  std::error_code code = outs().error();
  outs().clear_error(); // LLVM would end the process for it
  return code ? createStringError(code, "can't write to standard output: " + code.message()) : Error::success();
}

} // namespace graphmill::tools
