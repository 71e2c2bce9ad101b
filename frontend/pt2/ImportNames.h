//===- ImportNames.h - The user's names of inputs and outputs --------------===//
#pragma once
#include "frontend/pt2/ExportedProgram.h"

namespace graphmill::pt2 {

/// Names of the graph's user inputs in order, from how `forward` was called: `x`,
/// `batch.ids`, `args.0`. The placeholders' own names if the spec doesn't fit.
/// All names are printable.
std::vector<std::string> userInputNames(const ExportedProgram &program);

/// Names of the user outputs: `logits` or `past.0.1` in nested ones, `out0` otherwise.
std::vector<std::string> userOutputNames(const ExportedProgram &program);

} // namespace graphmill::pt2
