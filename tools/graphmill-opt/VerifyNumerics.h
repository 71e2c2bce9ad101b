//===- VerifyNumerics.h - Runs the tests in a module -----------------------===//
#pragma once

namespace graphmill::tools {

/// `--verify-numerics` and `--verify-numerics=backend=cpu`: each `check.test` of the module
/// runs, on the evaluator or compiled; an answer that isn't close enough is an error at its
/// `check.close`.
void registerVerifyNumerics();

} // namespace graphmill::tools
