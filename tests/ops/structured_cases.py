from case import b, case, f, i, pos

import torch
import transformers.integrations.moe  # noqa: F401 - registers grouped_mm_fallback

case("mm.default", f(3, 4), f(4, 5))
case("mm.default", i(3, 4), i(4, 5))
case("bmm.default", f(2, 3, 4), f(2, 4, 5))
case("addmm.default", f(5), f(3, 4), f(4, 5))
case("addmm.default", f(3, 5), f(3, 4), f(4, 5), beta=2, alpha=0.5)
case("addmm.default", f(3, 5) * float("nan"), f(3, 4), f(4, 5), beta=0)
case("baddbmm.default", f(2, 3, 5), f(2, 3, 4), f(2, 4, 5), beta=0.5)
case("addbmm.default", f(3, 5), f(2, 3, 4), f(2, 4, 5))
case("addmv.default", f(3), f(3, 4), f(4))
case("mv.default", f(3, 4), f(4))
case("dot.default", f(4), f(4))
for left, right in [((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 5)), ((2, 3, 4), (4, 5)), ((3, 4), (2, 4, 5)), ((2, 1, 3, 4), (6, 4, 5)), ((2, 3, 4), (4,))]:
    case("matmul.default", f(*left), f(*right))
case("matmul.default", f(3, 4, dtype=torch.float16), f(4, 5, dtype=torch.float16), tolerance=5e-3)
case("linear.default", f(2, 3, 4), f(5, 4), f(5))
case("linear.default", f(4), f(5, 4))
for ends in [[2, 2, 5, 7], [0, 3, 4, 9], [0, 0, 0, 0]]:
    case("transformers::grouped_mm_fallback.default", f(9, 6), f(4, 6, 5), torch.tensor(ends))
case("transformers::grouped_mm_fallback.default", f(9, 6), f(4, 5, 6).mT, torch.tensor([1, 3, 6, 9]))
case("_grouped_mm.default", f(9, 8, dtype=torch.bfloat16), f(4, 8, 16, dtype=torch.bfloat16), torch.tensor([1, 3, 6, 9], dtype=torch.int32), tolerance=2e-2)
case("outer.default", f(3), f(4))
case("addr.default", f(3, 4), f(3), f(4), alpha=2)
case("inner.default", f(2, 4), f(3, 4))
for equation, *shapes in [("ij,jk->ik", (2, 3), (3, 4)), ("bhqd,bhkd->bhqk", (2, 2, 3, 4), (2, 2, 5, 4)), ("i,j->ij", (3,), (4,)),
                          ("ii->i", (3, 3)), ("ij->", (2, 3)), ("...ij,...jk->...ik", (2, 2, 3), (2, 3, 4)), ("ij,ij->i", (2, 3), (2, 3)),
                          ("bi,bj,bk->bijk", (2, 3), (2, 4), (2, 2)), ("ij,jk", (2, 3), (3, 4)), ("ijk->kji", (2, 3, 4)),
                          ("bld,ldk->blk", (2, 3, 4), (3, 4, 5)), ("ij,j->i", (2, 3), (3,)), ("i,i->", (3,), (3,))]:
    case("einsum.default", equation, [f(*shape) for shape in shapes])
case("tensordot.default", f(2, 3, 4), f(4, 3, 5), [1, 2], [1, 0])
case("bilinear.default", f(2, 3), f(2, 4), f(5, 3, 4), f(5))

case("conv1d.default", f(2, 3, 8), f(4, 3, 3), f(4), [2], [1])
case("conv2d.default", f(2, 3, 8, 7), f(4, 3, 3, 3), f(4), [1, 1], [1, 1])
case("conv2d.default", f(2, 4, 8, 8), f(6, 2, 3, 3), None, [2, 2], [1, 1], [1, 1], 2)
case("conv2d.default", f(2, 4, 8, 8), f(4, 1, 3, 3), None, [1, 1], [2, 2], [2, 2], 4)
case("conv2d.default", f(3, 8, 7), f(4, 3, 3, 3))
case("conv2d.padding", f(2, 3, 8, 7), f(4, 3, 2, 4), f(4), [1, 1], "same")
case("conv2d.padding", f(2, 3, 8, 7), f(4, 3, 3, 3), None, [2, 2], "valid")
case("conv3d.default", f(1, 2, 5, 6, 7), f(3, 2, 2, 3, 3), f(3), [1, 1, 1], [1, 1, 1])
case("convolution.default", f(2, 3, 8), f(4, 3, 3), f(4), [1], [0], [1], False, [0], 1)
case("convolution.default", f(2, 3, 8), f(3, 4, 3), f(4), [2], [1], [1], True, [1], 1)
case("conv_transpose1d.default", f(2, 3, 8), f(3, 4, 3), f(4), [2], [1], [1])
case("conv_transpose2d.input", f(2, 4, 5, 6), f(4, 3, 3, 3), f(3), [2, 2], [1, 1], [1, 1])
case("conv_transpose2d.input", f(2, 4, 5, 6), f(4, 3, 3, 3), None, [1, 1], [1, 1], [0, 0], 2, [2, 2])
case("conv_transpose3d.input", f(1, 2, 3, 4, 5), f(2, 3, 2, 2, 2), None, [2, 2, 2])
# Strides that divide the kernel or don't or exceed it, padding beyond a phase, what is added at the end.
case("conv_transpose2d.input", f(2, 4, 5, 6), f(4, 3, 4, 2), f(6), [2, 3], [1, 0], [0, 2], 2)
case("conv_transpose2d.input", f(2, 4, 5, 6), f(4, 3, 5, 5), None, [3, 2], [4, 2], [2, 1])
case("conv_transpose2d.input", f(2, 4, 5, 6), f(4, 1, 3, 3), None, [2, 2], [1, 1], [1, 1], 4)
case("conv_transpose1d.default", f(2, 3, 8), f(3, 4, 1), None, [3], [0], [2])
case("conv_transpose1d.default", f(3, 8), f(3, 4, 3), f(4), [1], [4])
case("conv_transpose2d.input", f(2, 4, 5, 6), f(4, 3, 3, 2), f(3), [2, 1], [1, 2], [1, 0], 1, [2, 3])

q, k, v = f(2, 4, 5, 8), f(2, 4, 7, 8), f(2, 4, 7, 8)
case("scaled_dot_product_attention.default", q, k, v)
case("scaled_dot_product_attention.default", q, k, v, f(2, 1, 5, 7), scale=0.3)
case("scaled_dot_product_attention.default", q, k, v, b(5, 7) | torch.eye(5, 7).bool())
case("scaled_dot_product_attention.default", f(2, 4, 6, 8), f(2, 4, 6, 8), f(2, 4, 6, 8), None, 0.0, True)
case("scaled_dot_product_attention.default", q, f(2, 2, 7, 8), f(2, 2, 7, 8), enable_gqa=True)
case("scaled_dot_product_attention.default", f(2, 5, 8), f(2, 7, 8), f(2, 7, 4))
case("_scaled_dot_product_flash_attention_for_cpu.default", q, k, v)


def recurrent(name: str, gates: int, layers: int, bidirectional: bool, biases: bool, batch_first: bool) -> None:
    size, hidden, directions = 3, 4, 2 if bidirectional else 1
    params = []
    for layer in range(layers):
        for _ in range(directions):
            width = size if layer == 0 else hidden * directions
            params += [f(gates * hidden, width), f(gates * hidden, hidden)]
            params += [f(gates * hidden), f(gates * hidden)] if biases else []
    states = [f(layers * directions, 2, hidden) for _ in range(2 if name == "lstm" else 1)]
    x = f(2, 5, size) if batch_first else f(5, 2, size)
    first = states if name == "lstm" else states[0]
    case(f"{name}.input", x, first, params, biases, layers, 0.0, False, bidirectional, batch_first)


recurrent("lstm", 4, 1, False, True, True)
recurrent("lstm", 4, 2, True, True, False)
recurrent("lstm", 4, 1, False, False, False)
recurrent("gru", 3, 2, True, True, True)
recurrent("rnn_tanh", 1, 1, False, True, False)
recurrent("rnn_relu", 1, 2, True, False, True)
case("lstm_cell.default", f(2, 3), [f(2, 4), f(2, 4)], f(16, 3), f(16, 4), f(16), f(16))
case("gru_cell.default", f(2, 3), f(2, 4), f(12, 3), f(12, 4), f(12), f(12))
case("rnn_tanh_cell.default", f(2, 3), f(2, 4), f(4, 3), f(4, 4))

image = f(2, 3, 9, 8)
case("max_pool1d.default", f(2, 3, 9), [3], [2], [1])
case("max_pool2d.default", image, [3, 3], [2, 2], [1, 1])
case("max_pool2d.default", image, [2, 2], [2, 2], [0, 0], [1, 1], True)
case("max_pool2d_with_indices.default", image, [3, 3], [2, 2], [1, 1], [2, 1])
case("max_pool3d_with_indices.default", f(1, 2, 5, 6, 7), [2, 2, 2])
case("avg_pool1d.default", f(2, 3, 9), [3], [2], [1])
case("avg_pool2d.default", image, [3, 3], [2, 2], [1, 1])
case("avg_pool2d.default", image, [3, 2], [2, 2], [1, 1], True, False)
case("avg_pool2d.default", image, [3, 3], [2, 2], [1, 1], True, True)
case("avg_pool2d.default", image, [2, 2], [2, 2], [0, 0], False, True, 3)
case("avg_pool3d.default", f(1, 2, 5, 6, 7), [2, 2, 2], [2, 2, 2])
case("adaptive_avg_pool1d.default", f(2, 3, 9), [4])
case("adaptive_avg_pool2d.default", image, [1, 1])
case("adaptive_avg_pool2d.default", image, [3, 4])
case("_adaptive_avg_pool2d.default", image, [4, 5])
case("_adaptive_avg_pool3d.default", f(1, 2, 5, 6, 7), [2, 3, 3])
case("adaptive_max_pool2d.default", image, [4, 5])

for name, shape, size in [("upsample_nearest1d", (2, 3, 5), [11]), ("upsample_nearest2d", (2, 3, 4, 5), [7, 13]),
                          ("upsample_nearest3d", (1, 2, 3, 4, 5), [6, 8, 7]), ("_upsample_nearest_exact2d", (2, 3, 4, 5), [7, 13])]:
    case(f"{name}.vec", f(*shape), size, None)
    case(f"{name}.vec", f(*shape), None, [2.0] * len(size))
    case(f"{name}.vec", f(*shape), None, [1.6] * len(size))
for name, shape, size in [("upsample_linear1d", (2, 3, 5), [11]), ("upsample_bilinear2d", (2, 3, 4, 5), [7, 13]),
                          ("upsample_trilinear3d", (1, 2, 3, 4, 5), [6, 8, 7]), ("upsample_bicubic2d", (2, 3, 4, 5), [7, 13])]:
    for align in [False, True]:
        case(f"{name}.vec", f(*shape), size, align, None)
        case(f"{name}.vec", f(*shape), None, align, [1.6] * len(size))
case("upsample_bilinear2d.default", image, [4, 4], False)
for mode in [0, 1, 2]:
    for padding in [0, 1, 2]:
        for align in [False, True]:
            case("grid_sampler_2d.default", f(2, 3, 5, 6), f(2, 4, 3, 2), mode, padding, align, tolerance=1e-4)
case("grid_sampler.default", f(2, 3, 5, 6), f(2, 4, 3, 2), 0, 0, False)
case("affine_grid_generator.default", f(2, 2, 3), [2, 3, 4, 5], False)
case("affine_grid_generator.default", f(2, 2, 3), [2, 3, 4, 5], True)

for reduction in [0, 1, 2]:
    case("mse_loss.default", f(3, 4), f(3, 4), reduction)
    case("l1_loss.default", f(3, 4), f(3, 4), reduction)
    case("smooth_l1_loss.default", f(3, 4), f(3, 4), reduction, 0.5)
    case("huber_loss.default", f(3, 4), f(3, 4), reduction, 0.5)
    case("binary_cross_entropy.default", torch.sigmoid(f(3, 4)), torch.sigmoid(f(3, 4)), None, reduction)
    case("binary_cross_entropy_with_logits.default", f(3, 4), torch.sigmoid(f(3, 4)), f(4), f(4), reduction)
    case("kl_div.default", f(3, 4), pos(3, 4), reduction)
    case("cross_entropy_loss.default", f(5, 4), i(5, low=0, high=4), pos(4), reduction)
    case("nll_loss_nd.default", f(5, 4), i(5, low=0, high=4), None, reduction)
case("cross_entropy_loss.default", f(5, 4), i(5, low=0, high=4), None, 1, 2, 0.1)
case("cross_entropy_loss.default", f(2, 4, 3), torch.softmax(f(2, 4, 3), 1))
