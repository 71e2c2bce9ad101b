//===- AtenWindow.td - Pooling, resampling ---------------------------------===//
#ifndef GRAPHMILL_ATEN_WINDOW
#define GRAPHMILL_ATEN_WINDOW

include "fx/Aten/AtenBase.td"

def Aten_MaxPoolOp : Aten_General<"max_pool",
    (ins Tensor:$self, Int<"2">:$spatial, Ints<"{}">:$kernel_size, Ints<"{}">:$stride, Ints<"{0}">:$padding, Ints<"{1}">:$dilation,
         Bool<"false">:$ceil_mode),
    OneResult, "pooling(r, {op.getSelf(), static_cast<int64_t>(op.getSpatial()), op.getKernelSize(), op.getStride(), op.getPadding(), op.getDilation(), op.getCeilMode()})",
    ["max_pool1d.default(spatial:=1)", "max_pool2d.default(spatial:=2)", "max_pool3d.default(spatial:=3)"]> {
  let summary = "The largest element under a sliding window";
}
def Aten_MaxPoolWithIndicesOp : Aten_General<"max_pool_with_indices",
    (ins Tensor:$self, Int<"2">:$spatial, Ints<"{}">:$kernel_size, Ints<"{}">:$stride, Ints<"{0}">:$padding, Ints<"{1}">:$dilation,
         Bool<"false">:$ceil_mode),
    (outs Tensor:$result, Tensor:$indices), "poolingWithIndices(r, {op.getSelf(), static_cast<int64_t>(op.getSpatial()), op.getKernelSize(), op.getStride(), op.getPadding(), op.getDilation(), op.getCeilMode()})",
    ["max_pool1d_with_indices.default(spatial:=1)", "max_pool2d_with_indices.default(spatial:=2)",
     "max_pool3d_with_indices.default(spatial:=3)"]> {
  let summary = "max_pool and the flat index of each element taken";
}
def Aten_AvgPoolOp : Aten_General<"avg_pool",
    (ins Tensor:$self, Int<"2">:$spatial, Ints<"{}">:$kernel_size, Ints<"{}">:$stride, Ints<"{0}">:$padding, Bool<"false">:$ceil_mode,
         Bool<"true">:$count_include_pad, OptInt:$divisor_override),
    OneResult, "pooling(r, {op.getSelf(), static_cast<int64_t>(op.getSpatial()), op.getKernelSize(), op.getStride(), op.getPadding(), {1}, op.getCeilMode()})",
    ["avg_pool1d.default(spatial:=1)", "avg_pool2d.default(spatial:=2)", "avg_pool3d.default(spatial:=3)"]> {
  let summary = "The mean under a sliding window";
}
def Aten_AdaptiveAvgPoolOp : Aten_General<"adaptive_avg_pool", (ins Tensor:$self, Int<"2">:$spatial, SymInts:$output_size), OneResult,
    "adaptivePool(r, op.getSelf(), op.getSpatial(), op.getOutputSize().getExprs())",
    ["adaptive_avg_pool1d.default(spatial:=1)", "adaptive_avg_pool2d.default(spatial:=2)", "adaptive_avg_pool3d.default(spatial:=3)",
     "_adaptive_avg_pool2d.default(spatial:=2)", "_adaptive_avg_pool3d.default(spatial:=3)"]> {
  let summary = "Means of windows that divide the input into output_size parts";
}
def Aten_AdaptiveMaxPoolOp : Aten_General<"adaptive_max_pool", (ins Tensor:$self, Int<"2">:$spatial, SymInts:$output_size),
    (outs Tensor:$result, Tensor:$indices), "adaptiveMaxPool(r, op.getSelf(), op.getSpatial(), op.getOutputSize().getExprs())",
    ["adaptive_max_pool1d.default(spatial:=1)", "adaptive_max_pool2d.default(spatial:=2)", "adaptive_max_pool3d.default(spatial:=3)"]> {
  let summary = "Largest elements of windows that divide the input into output_size parts";
}

//===----------------------------------------------------------------------===//
// Resampling
//===----------------------------------------------------------------------===//

class Aten_Upsample<string mnemonic, list<string> names> : Aten_General<mnemonic,
    (ins Tensor:$input, Int<"2">:$spatial, OptSymInts:$output_size, Bool<"false">:$align_corners, OptFloats:$scale_factors,
         OptFloat:$scales_d, OptFloat:$scales_h, OptFloat:$scales_w),
    OneResult, "upsample(r, op.getInput(), op.getSpatial(), op.getOutputSize(), op.getScaleFactors())", names>;

def Aten_UpsampleNearestOp : Aten_Upsample<"upsample_nearest",
    ["upsample_nearest1d.vec(spatial:=1)", "upsample_nearest2d.vec(spatial:=2)", "upsample_nearest3d.vec(spatial:=3)",
     "upsample_nearest1d.default(self=input, scales=scales_w, spatial:=1)", "upsample_nearest2d.default(self=input, spatial:=2)",
     "upsample_nearest3d.default(self=input, spatial:=3)"]> {
  let summary = "Each output element is the input at floor(index / scale)";
}
def Aten_UpsampleNearestExactOp : Aten_Upsample<"upsample_nearest_exact",
    ["_upsample_nearest_exact1d.vec(spatial:=1)", "_upsample_nearest_exact2d.vec(spatial:=2)", "_upsample_nearest_exact3d.vec(spatial:=3)",
     "_upsample_nearest_exact1d.default(self=input, scales=scales_w, spatial:=1)",
     "_upsample_nearest_exact2d.default(self=input, spatial:=2)", "_upsample_nearest_exact3d.default(self=input, spatial:=3)"]> {
  let summary = "Each output element is the input whose centre is nearest";
}
def Aten_UpsampleLinearOp : Aten_Upsample<"upsample_linear",
    ["upsample_linear1d.vec(spatial:=1)", "upsample_bilinear2d.vec(spatial:=2)", "upsample_trilinear3d.vec(spatial:=3)",
     "upsample_linear1d.default(self=input, scales=scales_w, spatial:=1)", "upsample_bilinear2d.default(self=input, spatial:=2)",
     "upsample_trilinear3d.default(self=input, spatial:=3)"]> {
  let summary = "Linear interpolation along each spatial dim";
}
def Aten_UpsampleCubicOp : Aten_Upsample<"upsample_bicubic",
    ["upsample_bicubic2d.vec(spatial:=2)", "upsample_bicubic2d.default(self=input, spatial:=2)"]> {
  let summary = "Cubic interpolation (a = -0.75) along both spatial dims";
}
def Aten_GridSamplerOp : Aten_General<"grid_sampler",
    (ins Tensor:$input, Tensor:$grid, Int<"0">:$interpolation_mode, Int<"0">:$padding_mode, Bool<"false">:$align_corners), OneResult,
    "gridSampler(r, op.getInput(), op.getGrid())", ["grid_sampler.default", "grid_sampler_2d.default"]> {
  let summary = "Input at positions in [-1, 1], interpolated";
  let description = [{
    interpolation_mode: 0 bilinear, 1 nearest, 2 bicubic; padding_mode: 0 zeros,
    1 border, 2 reflection. grid_sampler.c1: input is [N, C, H, W], grid [N, h, w, 2].
  }];
}
def Aten_AffineGridOp : Aten_General<"affine_grid_generator", (ins Tensor:$theta, SymInts:$size, Bool<"false">:$align_corners), OneResult,
    "affineGrid(r, op.getTheta(), op.getSize().getExprs())"> {
  let summary = "The grid that an affine map makes of the unit square";
}

#endif // GRAPHMILL_ATEN_WINDOW
