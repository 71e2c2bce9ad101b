#pragma once
#include "llvm/Support/Error.h"

namespace graphmill::pt2 {

/// The one shape of every message about a bad archive:
///   FILE: WHERE: what is wrong, what was expected
///     help: what to do
/// `where` is a member, a JSON path, or both; it and `help` may be empty.
llvm::Error readError(llvm::StringRef file, llvm::StringRef where,
                      const llvm::Twine &what, const llvm::Twine &help = "");

} // namespace graphmill::pt2
