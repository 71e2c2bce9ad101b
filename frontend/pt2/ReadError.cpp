#include "frontend/pt2/ReadError.h"
#include "llvm/ADT/Twine.h"

namespace graphmill::pt2 {

llvm::Error readError(llvm::StringRef file, llvm::StringRef where,
                      const llvm::Twine &what, const llvm::Twine &help) {
  std::string message = (file + ": ").str();
  if (!where.empty()) {
    message += (where + ": ").str();
  }
  message += what.str();
  std::string helpText = help.str();
  if (!helpText.empty()) {
    message += "\n  help: " + helpText;
  }
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

} // namespace graphmill::pt2
