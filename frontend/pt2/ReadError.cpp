#include "frontend/pt2/ReadError.h"
#include "fx/Support/Printable.h"
#include "llvm/ADT/Twine.h"

namespace graphmill::pt2 {

llvm::Error readError(llvm::StringRef file, llvm::StringRef where,
                      const llvm::Twine &what, const llvm::Twine &help) {
  // A line break in a name must not look like one of ours.
  std::string message = printable(file) + ": ";
  if (!where.empty()) {
    message += printable(where) + ": ";
  }
  message += printable(what.str());
  std::string helpText = help.str();
  if (!helpText.empty()) {
    message += "\n  help: " + helpText;
  }
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

} // namespace graphmill::pt2
