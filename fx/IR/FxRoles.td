//===- FxRoles.td - What tensors and outputs of a graph are ----------------===//
#ifndef GRAPHMILL_FX_ROLES
#define GRAPHMILL_FX_ROLES

// Apart from FxAttrs.td, which other dialects include: enums are generated for all that is included.
include "fx/IR/FxBase.td"
include "mlir/IR/EnumAttr.td"

def Fx_TensorKind : I32EnumAttr<"TensorKind", "what an owned tensor is", [
    I32EnumAttrCase<"Parameter", 0, "parameter">,
    I32EnumAttrCase<"Buffer", 1, "buffer">,
    I32EnumAttrCase<"Constant", 2, "constant">]> {
  let cppNamespace = "::graphmill::fx";
}

def Fx_RoleKind : I32EnumAttr<"RoleKind", "what an output of a graph is", [
    I32EnumAttrCase<"Result", 0, "result">,
    I32EnumAttrCase<"MutatesInput", 1, "mutates_input">,
    I32EnumAttrCase<"MutatesTensor", 2, "mutates_tensor">]> {
  let cppNamespace = "::graphmill::fx";
}

def Fx_RoleAttr : Fx_Attr<"Role", "role"> {
  let summary = "What an output of a graph is";
  let description = [{
    `#fx.role<result "logits">`: returned to the user under that name.
    `#fx.role<mutates_input "cache">`: written back to the input of that name.
    `#fx.role<mutates_tensor "bn.running_mean">`: the owned tensor's new value.
  }];
  let parameters = (ins EnumParameter<Fx_RoleKind>:$kind, StringRefParameter<>:$name);
  let assemblyFormat = "`<` $kind $name `>`";
}

#endif // GRAPHMILL_FX_ROLES
