//===- AtenLoss.td - Losses ------------------------------------------------===//
#ifndef GRAPHMILL_ATEN_LOSS
#define GRAPHMILL_ATEN_LOSS

include "fx/Aten/AtenBase.td"

// reduction: 0 none, 1 mean, 2 sum.
foreach name = ["mse_loss", "l1_loss"] in {
  def Aten_ # !if(!eq(name, "mse_loss"), "Mse", "L1") # LossOp : Aten_General<name,
      (ins Tensor:$self, Tensor:$target, Int<"1">:$reduction), OneResult, "loss(r, {op.getSelf(), op.getTarget()}, op.getReduction())"> {
    let summary = !if(!eq(name, "mse_loss"), "(self - target)^2", "|self - target|");
  }
}
def Aten_SmoothL1LossOp : Aten_General<"smooth_l1_loss",
    (ins Tensor:$self, Tensor:$target, Int<"1">:$reduction, Float<"1.0">:$beta), OneResult,
    "loss(r, {op.getSelf(), op.getTarget()}, op.getReduction())"> {
  let summary = "Quadratic below beta, linear above";
}
def Aten_HuberLossOp : Aten_General<"huber_loss",
    (ins Tensor:$self, Tensor:$target, Int<"1">:$reduction, Float<"1.0">:$delta), OneResult,
    "loss(r, {op.getSelf(), op.getTarget()}, op.getReduction())"> {
  let summary = "Quadratic below delta, linear above, times delta";
}
def Aten_BinaryCrossEntropyOp : Aten_General<"binary_cross_entropy",
    (ins Tensor:$self, Tensor:$target, OptTensor:$weight, Int<"1">:$reduction), OneResult,
    "loss(r, {op.getSelf(), op.getTarget()}, op.getReduction())"> {
  let summary = "-(target log self + (1 - target) log(1 - self))";
}
def Aten_BceWithLogitsOp : Aten_General<"binary_cross_entropy_with_logits",
    (ins Tensor:$self, Tensor:$target, OptTensor:$weight, OptTensor:$pos_weight, Int<"1">:$reduction), OneResult,
    "loss(r, {op.getSelf(), op.getTarget()}, op.getReduction())", ["binary_cross_entropy_with_logits.default"], [AttrSizedOperandSegments]> {
  let summary = "binary_cross_entropy of sigmoid(self)";
}
def Aten_KlDivOp : Aten_General<"kl_div",
    (ins Tensor:$self, Tensor:$target, Int<"1">:$reduction, Bool<"false">:$log_target), OneResult,
    "loss(r, {op.getSelf(), op.getTarget()}, op.getReduction())"> {
  let summary = "target * (log target - self)";
}
def Aten_CrossEntropyOp : Aten_General<"cross_entropy_loss",
    (ins Tensor:$self, Tensor:$target, OptTensor:$weight, Int<"1">:$reduction, Int<"-100">:$ignore_index, Float<"0.0">:$label_smoothing),
    OneResult, "nllLoss(r, op.getSelf(), op.getTarget(), op.getReduction())"> {
  let summary = "nll_loss of log_softmax(self, 1)";
}
def Aten_NllLossOp : Aten_General<"nll_loss",
    (ins Tensor:$self, Tensor:$target, OptTensor:$weight, Int<"1">:$reduction, Int<"-100">:$ignore_index), OneResult,
    "nllLoss(r, op.getSelf(), op.getTarget(), op.getReduction())", ["nll_loss.default", "nll_loss_nd.default", "nll_loss2d.default"]> {
  let summary = "-weight[target] * self[target]";
}

#endif // GRAPHMILL_ATEN_LOSS
