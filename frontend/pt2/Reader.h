#pragma once
#include "frontend/pt2/ExportedProgram.h"

namespace graphmill::pt2 {

/// Reads a `.pt2` archive that torch.export.save wrote. The file stays mapped
/// for as long as the program (or a copy of its `archive` pointer) lives;
/// weights are not copied. Nothing is executed or unpickled. `model` picks one
/// of several programs in an archive of torch.export.pt2_archive's package_pt2;
/// it may be empty if there is only one, or one is called "model".
llvm::Expected<ExportedProgram> readArchive(llvm::StringRef path,
                                            llvm::StringRef model = "");

} // namespace graphmill::pt2
