//===- AtenShape.td - Views, creation, dtype changes -----------------------===//
#ifndef GRAPHMILL_ATEN_SHAPE
#define GRAPHMILL_ATEN_SHAPE

include "fx/Aten/AtenBase.td"

def Aten_ViewOp : Aten_General<"view", (ins Tensor:$self, SymInts:$size), OneResult,
    "view(r, op.getSelf(), op.getSize().getExprs())", ["view.default", "reshape.default", "_unsafe_view.default"]>;
def Aten_FlattenOp : Aten_General<"flatten", (ins Tensor:$self, Int<"0">:$start_dim, Int<"-1">:$end_dim), OneResult,
    "flatten(r, op.getSelf(), op.getStartDim(), op.getEndDim())", ["flatten.using_ints"]>;
def Aten_PermuteOp : Aten_General<"permute", (ins Tensor:$self, Ints<"{}">:$dims), OneResult,
    "permute(r, op.getSelf(), op.getDims())">;
def Aten_TransposeOp : Aten_General<"transpose", (ins Tensor:$self, Int<"0">:$dim0, Int<"1">:$dim1), OneResult,
    "transpose(r, op.getSelf(), op.getDim0(), op.getDim1())", ["transpose.int"]>;
def Aten_UnsqueezeOp : Aten_General<"unsqueeze", (ins Tensor:$self, Int<"0">:$dim), OneResult,
    "unsqueeze(r, op.getSelf(), op.getDim())", ["unsqueeze.default"]>;
def Aten_ExpandOp : Aten_General<"expand", (ins Tensor:$self, SymInts:$size, Bool<"false">:$implicit), OneResult,
    "expand(r, op.getSelf(), op.getSize().getExprs())">;
def Aten_ToOp : Aten_General<"to", (ins Tensor:$self, OptDtype:$dtype), OneResult,
    "cast(r, op.getSelf(), op.getDtype())",
    ["to.dtype", "to.device", "to.dtype_layout", "_to_copy.default", "contiguous.default", "clone.default",
     "alias.default", "detach.default", "detach_.default", "lift_fresh_copy.default"]>;

#endif // GRAPHMILL_ATEN_SHAPE
