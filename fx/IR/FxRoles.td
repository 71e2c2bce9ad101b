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

def Fx_PackingAttr : Fx_Attr<"Packing", "packing"> {
  let summary = "In which order a tensor's elements are stored";
  let description = [{
    Element [i, j, …] of what is stored, of these `sizes`, is element `offset` + i *
    `strides`[0] + j * `strides`[1] + … + `step` * n of the value's, row-major, where n is
    i * `columns`[0] + j * `columns`[1] + …; it is zero where n >= `limit`. So a matrix
    [K, N] is `#fx.packing<sizes = [N / 16, K, 16], strides = [0, N, 0], columns = [16, 0, 1],
    step = 1, limit = N>` in panels of 16 columns. Elements are moved when the library is
    written, not before.

    With `winograd` = m, the value's last two dims, the 3 x 3 taps of a convolution, are first
    transformed to (m + 2) x (m + 2) (inductor/Analysis/Winograd.h); the rest is said of that.

    packing.c1: sizes, strides and columns are equally many, at least one, and sizes, columns
    and the limit aren't negative; packing.c2: all elements are within the value; packing.c3:
    `winograd` is 0, 2 or 4, and if not 0, the value is float32 [..., 3, 3].
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$sizes, ArrayRefParameter<"int64_t">:$strides,
                        ArrayRefParameter<"int64_t">:$columns, "int64_t":$step, "int64_t":$limit,
                        "int64_t":$offset, DefaultValuedParameter<"int64_t", "0">:$winograd);
  let assemblyFormat = [{
    `<` `sizes` `=` `[` $sizes `]` `,` `strides` `=` `[` $strides `]` `,` `columns` `=` `[` $columns `]` `,`
    struct($step, $limit, $offset, $winograd) `>`
  }];
  let builders = [AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$sizes, "::llvm::ArrayRef<int64_t>":$strides,
                                   "::llvm::ArrayRef<int64_t>":$columns, "int64_t":$step, "int64_t":$limit,
                                   "int64_t":$offset), [{
    return $_get($_ctxt, sizes, strides, columns, step, limit, offset, 0);
  }]>];
}

#endif // GRAPHMILL_FX_ROLES
