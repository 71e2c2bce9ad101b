//===- EmitPlan.h - A host plan as an LLVM module of tables
//----------------===//
#pragma once
#include "codegen/host/HostPlan.h"
#include "codegen/host/Target.h"
#include "codegen/host/WeightImage.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace graphmill::host {

/// The module defines `graphmillPlan` (runtime/PlanAbi.h) and the functions
/// that compute the sizes, and declares the kernels. `weightsFile` is null if
/// the weights are embedded.
llvm::Expected<std::unique_ptr<llvm::Module>>
emitPlan(const Plan &plan, const WeightImage &weights,
         const WeightsFileHeader *weightsFile, const TargetSpec &target,
         llvm::LLVMContext &context);

} // namespace graphmill::host
