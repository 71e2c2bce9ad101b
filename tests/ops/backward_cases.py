from case import case, f, i

import torch
import torch.nn.functional as F

every = [True, True, True]


def convolution(x: tuple, w: tuple, stride: list, padding: list, dilation: list, transposed: bool, output_padding: list, groups: int,
                mask: list = every) -> None:
    input, weight = f(*x), f(*w)
    channels = w[1] * groups if transposed else w[0]
    y = torch.ops.aten.convolution(input, weight, None, stride, padding, dilation, transposed, output_padding, groups)
    case("convolution_backward.default", f(*y.shape), input, weight, [channels], stride, padding, dilation, transposed, output_padding,
         groups, mask)


convolution((2, 3, 9), (4, 3, 3), [1], [0], [1], False, [0], 1)
convolution((2, 3, 9), (4, 3, 3), [2], [1], [1], False, [0], 1)
convolution((2, 4, 9), (6, 2, 3), [1], [2], [2], False, [0], 2)
convolution((2, 3, 9), (3, 4, 3), [2], [1], [1], True, [1], 1)
convolution((2, 3, 8, 7), (4, 3, 3, 3), [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
convolution((2, 3, 8, 7), (4, 3, 3, 2), [2, 3], [1, 0], [1, 2], False, [0, 0], 1)
convolution((2, 4, 8, 7), (4, 1, 3, 3), [1, 2], [1, 1], [1, 1], False, [0, 0], 4)
convolution((2, 4, 8, 7), (6, 2, 3, 3), [2, 2], [1, 1], [1, 1], False, [0, 0], 2)
convolution((2, 4, 5, 6), (4, 3, 3, 3), [2, 2], [1, 1], [1, 1], True, [1, 1], 1)
convolution((2, 4, 5, 6), (4, 3, 3, 3), [1, 1], [1, 1], [2, 2], True, [0, 0], 2)
convolution((2, 3, 4, 5, 6), (4, 3, 2, 3, 3), [1, 1, 1], [0, 1, 1], [1, 1, 1], False, [0, 0, 0], 1)
convolution((2, 2, 3, 4, 5), (2, 3, 2, 2, 2), [2, 2, 2], [0, 0, 0], [1, 1, 1], True, [0, 0, 0], 1)
for mask in [[True, False, False], [False, True, False], [False, True, True]]:
    convolution((2, 3, 8, 7), (4, 3, 3, 3), [1, 1], [1, 1], [1, 1], False, [0, 0], 1, mask)

x = f(3, 4, 5)
_, mean, rstd = torch.native_layer_norm(x, [5], None, None, 1e-5)
case("native_layer_norm_backward.default", f(3, 4, 5), x, [5], mean, rstd, f(5), f(5), every)
case("native_layer_norm_backward.default", f(3, 4, 5), x, [5], mean, rstd, f(5), f(5), [True, False, False])
case("native_layer_norm_backward.default", f(3, 4, 5), x, [5], mean, rstd, None, None, [True, False, False])
_, mean, rstd = torch.native_layer_norm(x, [4, 5], None, None, 1e-5)
case("native_layer_norm_backward.default", f(3, 4, 5), x, [4, 5], mean, rstd, f(4, 5), f(4, 5), every)
y = f(2, 6, 3, 4)
_, mean, rstd = torch.native_group_norm(y, None, None, 2, 6, 12, 3, 1e-5)
case("native_group_norm_backward.default", f(2, 6, 3, 4), y, mean, rstd, f(6), 2, 6, 12, 3, every)
case("native_group_norm_backward.default", f(2, 6, 3, 4), y, mean, rstd, None, 2, 6, 12, 3, [True, False, False])
case("native_group_norm_backward.default", f(2, 6, 3, 4), y, mean, rstd, f(6), 2, 6, 12, 3, [False, True, True])

case("embedding_dense_backward.default", f(2, 5, 4), i(2, 5, low=0, high=7), 7, -1, False)
case("embedding_dense_backward.default", f(2, 5, 4), i(2, 5, low=0, high=7), 7, 3, False)
case("embedding_dense_backward.default", f(2, 5, 4), i(2, 5, low=0, high=3), 7, -1, True)

image = f(2, 3, 9, 8)
for kernel, stride, padding, ceil, include, divisor in [
        ([2, 2], [2, 2], [0, 0], False, True, None), ([3, 3], [2, 2], [1, 1], False, True, None), ([3, 2], [2, 2], [1, 1], True, False, None),
        ([3, 3], [2, 2], [1, 1], True, True, None), ([2, 2], [1, 3], [0, 0], False, True, 3)]:
    args = (kernel, stride, padding, ceil, include, divisor)
    case("avg_pool2d_backward.default", f(*F.avg_pool2d(image, *args).shape), image, *args)
for size in [(1, 1), (3, 4), (4, 5), (9, 8), (9, 2)]:
    case("_adaptive_avg_pool2d_backward.default", f(2, 3, *size), image)
for args in [([3, 3], [2, 2], [1, 1], [1, 1], False), ([2, 2], [2, 2], [0, 0], [1, 1], True), ([3, 2], [1, 1], [1, 0], [2, 1], False)]:
    values, indices = torch.ops.aten.max_pool2d_with_indices(image, *args)
    case("max_pool2d_with_indices_backward.default", f(*values.shape), image, *args, indices)
