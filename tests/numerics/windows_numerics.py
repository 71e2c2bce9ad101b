"""Convolutions, pooling, resampling."""

import torch
import torch.nn.functional as F
from make import subject, test
from pointwise_numerics import bf16, f32

INF, NAN = float("inf"), float("nan")


def ramp(*shape: int) -> torch.Tensor:
    """Small whole numbers of both signs: sums of their products are exact."""
    count = torch.Size(shape).numel()
    return (torch.arange(count) * 5 % 7 - 3).float().reshape(shape)


subject("convolution", "Odd shapes.")
test("stride_beyond_the_kernel", lambda x, w: F.conv2d(x, w, stride=3), ramp(1, 2, 7, 8), ramp(3, 2, 2, 2))
test("dilation_and_padding", lambda x, w: F.conv2d(x, w, padding=2, dilation=2), ramp(1, 2, 5, 5), ramp(2, 2, 3, 3))
test("kernel_beyond_the_image", lambda x, w: F.conv2d(x, w, padding=2), ramp(1, 1, 2, 2), ramp(1, 1, 5, 5))
test("unequal_everything", lambda x, w, b: F.conv2d(x, w, b, stride=(2, 1), padding=(0, 2), dilation=(1, 2)), ramp(2, 3, 6, 5), ramp(5, 3, 3, 2), ramp(5))
test("groups", lambda x, w: F.conv2d(x, w, groups=3), ramp(1, 6, 4, 4), ramp(9, 2, 3, 3))
test("depthwise", lambda x, w: F.conv2d(x, w, padding=1, groups=5), ramp(1, 5, 4, 4), ramp(5, 1, 3, 3))
test("depthwise_with_a_multiplier", lambda x, w: F.conv2d(x, w, groups=3), ramp(1, 3, 4, 4), ramp(6, 1, 2, 2))
test("one_by_one", lambda x, w, b: F.conv2d(x, w, b, stride=2), ramp(1, 3, 5, 5), ramp(17, 3, 1, 1), ramp(17))
test("one_dim", lambda x, w: F.conv1d(x, w, padding=1), ramp(2, 3, 9), ramp(4, 3, 3))
test("three_dims", lambda x, w: F.conv3d(x, w, stride=(1, 2, 1)), ramp(1, 2, 3, 4, 3), ramp(2, 2, 2, 2, 2))
test("same_padding_of_an_even_kernel", lambda x, w: F.conv1d(x, w, padding="same"), ramp(1, 1, 6), ramp(1, 1, 4))
test("no_batch", lambda x, w: F.conv2d(x, w), ramp(2, 4, 4), ramp(3, 2, 3, 3))
test("transposed", lambda x, w: F.conv_transpose2d(x, w, stride=2, padding=1), ramp(1, 2, 3, 4), ramp(2, 3, 3, 3))
test("transposed_with_output_padding", lambda x, w, b: F.conv_transpose2d(x, w, b, stride=3, output_padding=(2, 1), dilation=2), ramp(1, 2, 2, 2), ramp(2, 2, 2, 3), ramp(2))
test("transposed_with_groups", lambda x, w: F.conv_transpose1d(x, w, stride=2, groups=2), ramp(1, 4, 3), ramp(4, 3, 3))
test("infinities_meet_zeros", lambda x, w: F.conv1d(x, w, padding=1), f32(1, INF, 2, NAN, 3).reshape(1, 1, 5), f32(0, 1, 1).reshape(1, 1, 3))
test("many_channels", lambda x, w: F.conv2d(x, w, padding=1), ramp(1, 17, 3, 3), ramp(19, 17, 3, 3))

subject("pooling", "What padding counts for, and uneven windows.")
test("max_ignores_padding", lambda x: F.max_pool2d(x, 3, 2, 1), -ramp(1, 2, 5, 5).abs() - 1)
test("max_keeps_nan", lambda x: F.max_pool1d(x, 2, 1), f32(1, NAN, 0, 5, INF, -INF).reshape(1, 1, 6))
test("max_with_places", lambda x: F.max_pool2d(x, 2, 1, return_indices=True), f32(1, 1, 0, 2, 2, 1, 2, 0, 3).reshape(1, 1, 3, 3))
test("max_with_dilation_and_ceil", lambda x: F.max_pool2d(x, 2, 2, dilation=2, ceil_mode=True), ramp(1, 1, 6, 6))
test("average_counts_padding", lambda x: F.avg_pool2d(x, 3, 2, 1), ramp(1, 1, 5, 5), ulp=1)
test("average_without_padding", lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), ramp(1, 1, 5, 5), ulp=1)
test("average_with_ceil", lambda x: F.avg_pool1d(x, 3, 2, 1, ceil_mode=True), ramp(1, 1, 6), ulp=1)
test("average_with_a_divisor", lambda x: F.avg_pool2d(x, 2, divisor_override=3), ramp(1, 1, 4, 4), ulp=1)
test("adaptive_windows_overlap", lambda x: (F.adaptive_avg_pool2d(x, (3, 2)), F.adaptive_max_pool2d(x, (2, 3))), ramp(1, 1, 5, 4), ulp=1)
test("adaptive_larger_than_the_image", lambda x: F.adaptive_avg_pool1d(x, 5), ramp(1, 2, 3), ulp=1)
test("bfloat16_average", lambda x: F.avg_pool1d(x, 4), bf16(256, 1, 1, 1, 0.5, 0.25, 3, 7).reshape(1, 1, 8))

subject("resampling", "Upsampling and grid sampling: which pixel, which weight.")
test("nearest", lambda x: (F.interpolate(x, scale_factor=2), F.interpolate(x, size=(5, 7))), ramp(1, 1, 3, 4))
test("nearest_shrinks", lambda x: F.interpolate(x, size=(2, 3)), ramp(1, 1, 5, 7))
test("nearest_exact", lambda x: (F.interpolate(x, size=5, mode="nearest-exact"), F.interpolate(x, size=2, mode="nearest-exact")), ramp(1, 1, 3))
test("linear", lambda x: (F.interpolate(x, size=7, mode="linear"), F.interpolate(x, size=7, mode="linear", align_corners=True)), ramp(1, 1, 3), ulp=4, abs=1e-6)
test("bilinear", lambda x: (F.interpolate(x, size=(5, 6), mode="bilinear"), F.interpolate(x, size=(5, 6), mode="bilinear", align_corners=True)), ramp(1, 1, 3, 4), ulp=4, abs=1e-6)
test("bilinear_by_a_factor", lambda x: F.interpolate(x, scale_factor=1.7, mode="bilinear"), ramp(1, 1, 3, 4), ulp=4, abs=1e-6)
test("bilinear_of_one_pixel", lambda x: F.interpolate(x, size=(2, 3), mode="bilinear", align_corners=True), ramp(1, 2, 1, 1))
test("bicubic", lambda x: (F.interpolate(x, size=(5, 6), mode="bicubic"), F.interpolate(x, size=(5, 6), mode="bicubic", align_corners=True)), ramp(1, 1, 4, 4), abs=2e-5)
grid = f32(-1.2, -1, -0.5, 0.25, 0, 0, 1, 1, 1.3, -0.7, 0.1, 5).reshape(1, 2, 3, 2)
for mode in ["bilinear", "nearest"]:
    for padding in ["zeros", "border", "reflection"]:
        test(f"grid_{mode}_{padding}", lambda x, g, m=mode, p=padding: F.grid_sample(x, g, m, p, align_corners=False), ramp(1, 1, 3, 4), grid, abs=1e-5)
