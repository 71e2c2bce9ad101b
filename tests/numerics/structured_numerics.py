"""Matrix products, attention, normalization, losses, recurrence."""

import torch
import torch.nn.functional as F
from make import subject, test
from pointwise_numerics import bf16, boolean, f16, f32, i64
from windows_numerics import ramp

INF, NAN = float("inf"), float("nan")

subject("matmul", "Ranks, dtypes, infinities.")
test("vectors", lambda x, y, m: (x @ y, m @ x, x @ m), f32(1, 2, 3), f32(-1, 0.5, 2), ramp(3, 3))
test("broadcast_batches", lambda x, y: x @ y, ramp(2, 1, 2, 3), ramp(4, 3, 2))
test("a_zero_times_infinity_is_nan", lambda x, y: x @ y, f32(0, 1, 0, 2).reshape(2, 2), f32(INF, 1, 1, 1).reshape(2, 2))
test("integers_wrap", lambda x, y: (x @ y, x.to(torch.int8) @ y.to(torch.int8)), i64(100, 50, -3, 7).reshape(2, 2), i64(2, 1, 1, 100).reshape(2, 2))
test("half_is_wide_inside", lambda x, y: x @ y, f16(*([2048.0] + [1.0] * 8)).reshape(1, 9), f16(*[1.0] * 9).reshape(9, 1))
test("bfloat16_is_wide_inside", lambda x, y: x @ y, bf16(*([256.0] + [1.0] * 8)).reshape(1, 9), bf16(*[1.0] * 9).reshape(9, 1))
test("double", lambda x, y: x @ y, ramp(2, 3).double() / 3, ramp(3, 2).double(), ulp=2)
test("odd_sizes", lambda x, y: x @ y, ramp(7, 13), ramp(13, 17))
test("one_column", lambda x, y: x @ y, ramp(5, 33), ramp(33, 1))
test("transposed_operands", lambda x, y: (x.t() @ y, x @ y.t()), ramp(4, 4), ramp(4, 4))
test("addmm_with_beta_zero_ignores_nan", lambda c, x, y: torch.addmm(c, x, y, beta=0), torch.full((2, 2), NAN), ramp(2, 3), ramp(3, 2))
test("addmm_scales", lambda c, x, y: torch.addmm(c, x, y, beta=0.5, alpha=2), ramp(2), ramp(2, 3), ramp(3, 2))
test("einsum", lambda x, y: (torch.einsum("bij,bkj->bik", x, y), torch.einsum("bii->bi", x), torch.einsum("bij,bij->", x, y)), ramp(2, 3, 3), ramp(2, 3, 3))
test("linear_of_a_vector", lambda x, w, b: F.linear(x, w, b), f32(1, -2), ramp(3, 2), ramp(3))

subject("attention", "Masks, and rows that see no key.")
q, k, v = ramp(1, 2, 3, 4) / 2, ramp(1, 2, 5, 4) / 4, ramp(1, 2, 5, 3)
test("plain", lambda q, k, v: F.scaled_dot_product_attention(q, k, v), q, k, v, abs=2e-6)
test("causal", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), q, k, v, abs=2e-6)
test("float_mask", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), q, k, v, f32(0, -INF, 1, 0, -2).expand(3, 5).clone(), abs=2e-6)
test("bool_mask_that_hides_all_keys", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), q, k, v, boolean(1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1).reshape(3, 5), abs=2e-6)
test("scale", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=0.1), q, k, v, abs=2e-6)
test("grouped_heads", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True), ramp(1, 4, 3, 4) / 2, k, v, abs=2e-6)

test("half", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), q.half(), k.half(), v.half(), ulp=2)
test("bfloat16_and_a_mask", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), q.bfloat16(), k.bfloat16(), v.bfloat16(), boolean(1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1).reshape(3, 5), ulp=2)
test("double_and_hidden_keys", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), q.double(), k.double(), v.double(), boolean(1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1).reshape(3, 5), abs=1e-14)
test("double_grouped_heads", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True), ramp(1, 4, 3, 4).double() / 2, k.double(), v.double(), abs=1e-14)

subject("normalization", "Constant rows, tiny variances, dtypes.")
test("layer_norm_of_a_constant_row", lambda x, w, b: F.layer_norm(x, (4,), w, b), f32(5, 5, 5, 5, 1, 2, 3, 4).reshape(2, 4), f32(1, 2, 1, 1), f32(0, 0, 0, 1), abs=1e-6)
test("layer_norm_far_from_zero", lambda x: F.layer_norm(x, (4,)), f32(10000, 10001, 10002, 10003).reshape(1, 4), abs=1e-5)
test("rms_norm", lambda x, w: F.rms_norm(x, (3,), w, 1e-6), f32(0, 0, 0, 3, -4, 0).reshape(2, 3), f32(1, 1, 2), abs=1e-6)
test("group_norm", lambda x: F.group_norm(x, 2), ramp(1, 4, 3), abs=2e-6)
test("batch_norm", lambda x, m, v, w, b: F.batch_norm(x, m, v, w, b), ramp(2, 3, 2), f32(1, 0, -1), f32(1, 4, 0), f32(1, 2, 1), f32(0, 1, 0), abs=2e-4)
test("instance_norm", lambda x: F.instance_norm(x), ramp(1, 2, 5), abs=2e-6)
test("half_layer_norm", lambda x: F.layer_norm(x, (4,)), f16(1, 2, 3, 4).reshape(1, 4), ulp=1)
test("normalize_of_zeros", lambda x: (F.normalize(x, dim=1), F.cosine_similarity(x, x + 1, dim=1)), f32(0, 0, 3, 4).reshape(2, 2), ulp=2)
test("local_response", lambda x: F.local_response_norm(x, 2), ramp(1, 3, 2), ulp=4)

subject("losses", "Ignored targets, smoothing, the ends of the logarithm.")
logits = f32(1, 2, 3, 0, 0, 0, -1, 5, 0).reshape(3, 3)
test("cross_entropy_ignores", lambda x, t: F.cross_entropy(x, t, ignore_index=1), logits, i64(2, 1, 0), ulp=2)
test("cross_entropy_smoothed", lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1, reduction="none"), logits, i64(2, 1, 0), ulp=4)
test("nll_of_all_ignored_is_nan", lambda x, t: F.nll_loss(x, t, ignore_index=0), logits, i64(0, 0, 0))
test("binary_cross_entropy_is_cut", lambda x, t: F.binary_cross_entropy(x, t, reduction="none"), f32(0, 1, 0, 0.5), f32(1, 0, 0, 1), ulp=1)
test("with_logits", lambda x, t: F.binary_cross_entropy_with_logits(x, t, reduction="none"), f32(-200, 200, 0, 3), f32(1, 0, 0.5, 1), ulp=2)
test("smooth_l1_and_huber", lambda x, y: (F.smooth_l1_loss(x, y, reduction="none"), F.huber_loss(x, y, reduction="none", delta=2.0), F.mse_loss(x, y), F.l1_loss(x, y, reduction="sum")), f32(0, 1, -3), f32(0.5, 0, 0), ulp=1)
test("kl_of_zero", lambda x, y: F.kl_div(x, y, reduction="none"), f32(-1, -2, -3), f32(0, 0.5, 1), ulp=2)

subject("recurrent", "A step, and sequences in both directions.")
x, h = ramp(3, 2, 4) / 4, ramp(1, 2, 3) / 4
ih, hh, bi, bh = ramp(12, 4) / 8, ramp(12, 3) / 8, ramp(12) / 8, ramp(12) / 16
test("lstm", lambda x, h, c, ih, hh, bi, bh: torch.lstm(x, (h, c), [ih, hh, bi, bh], True, 1, 0.0, False, False, False), x, h, h * 2, ih, hh, bi, bh, abs=1e-6)
test("gru", lambda x, h, ih, hh, bi, bh: torch.gru(x, h, [ih, hh, bi, bh], True, 1, 0.0, False, False, False), x, h, ih[:9], hh[:9], bi[:9], bh[:9], abs=1e-6)
test("gru_both_ways", lambda x, h, ih, hh, bi, bh: torch.gru(x, h, [ih, hh, bi, bh, ih, hh, bi, bh], True, 1, 0.0, False, True, False), x, ramp(2, 2, 3) / 4, ih[:9], hh[:9], bi[:9], bh[:9], abs=1e-6)
