//===- Link.h - Objects and weights to one shared library
//------------------===//
#pragma once
#include "codegen/host/Compile.h"
#include "codegen/host/FileBytes.h"
#include "codegen/host/Library.h"
#include "codegen/host/WeightImage.h"

namespace graphmill::host {

/// Links the objects with the runtime for `target` by lld, in this process, and
/// appends the weights unless `embedded` is null. The result has yet to be
/// committed under the options' path. Equal inputs give equal bytes. lld keeps global
/// state, so calls wait for each other.
llvm::Expected<PendingFile> linkLibrary(llvm::ArrayRef<ObjectFile> objects,
                                        const WeightImage *embedded,
                                        const TargetSpec &target,
                                        const LibraryOptions &options);

} // namespace graphmill::host
