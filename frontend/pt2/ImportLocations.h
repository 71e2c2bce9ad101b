//===- ImportLocations.h - Python stacks as MLIR locations -----------------===//
#pragma once
#include "frontend/pt2/ExportedProgram.h"
#include "mlir/IR/Location.h"

namespace graphmill::pt2 {

/// The node's name around its stack: the innermost frame, called from the others. Frames
/// in torch itself are left out: the user's own line comes first. The path of the
/// module that the node is in is the metadata of a fused location around the stack. All names
/// are printable: locations get into messages, remarks and libraries.
mlir::Location importLocation(mlir::MLIRContext *context, const Node &node);

/// "model.py:41" of the innermost frame; the node's name if there is none; nothing if that isn't known.
std::string describeLocation(mlir::Location location);

} // namespace graphmill::pt2
