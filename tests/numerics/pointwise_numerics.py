"""Floats element by element: NaN, zeros, infinities, rounding, powers, conversions."""

import torch
import torch.nn.functional as F
from make import subject, test

INF, NAN = float("inf"), float("nan")


def f32(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float32)


def f64(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def f16(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float16)


def bf16(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.bfloat16)


def i64(*values: int) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.int64)


def boolean(*values: int) -> torch.Tensor:
    return torch.tensor(values).bool()


EDGES = f32(0.0, -0.0, 1.0, -1.0, INF, -INF, NAN)

subject("nan", "Who passes NaN on, and who doesn't.")
test("maximum_gives_nan_from_either_side", torch.maximum, f32(1, NAN, 2, NAN), f32(NAN, 1, -3, NAN))
test("minimum_gives_nan_from_either_side", torch.minimum, f32(1, NAN, 2, NAN), f32(NAN, 1, -3, NAN))
test("fmax_and_fmin_take_the_other_one", lambda x, y: (torch.fmax(x, y), torch.fmin(x, y)), f32(1, NAN, 2, NAN), f32(NAN, 1, -3, NAN))
test("clamp_keeps_nan", lambda x: (torch.clamp(x, -1, 1), torch.clamp_min(x, 0), torch.clamp_max(x, 0)), f32(NAN, 5, -5, 0.5, INF, -INF))
test("clamp_by_nan_is_nan", lambda x, lo, hi: torch.clamp(x, lo, hi), f32(0, 0, 5), f32(NAN, -1, -1), f32(1, NAN, 1))
test("clamp_with_crossed_bounds_gives_the_upper", lambda x: torch.clamp(x, 2.0, 1.0), f32(0, 1.5, 3))
test("relu_keeps_nan", lambda x: (F.relu(x), F.relu6(x), F.leaky_relu(x, 0.5), F.hardtanh(x)), f32(NAN, -2, 8))
test("comparisons_with_nan", lambda x, y: (x == y, x != y, x < y, x <= y, x > y, x >= y), f32(NAN, NAN, 1, 0.0), f32(NAN, 1, NAN, -0.0))
test("sign_of_nan_is_nan", torch.sign, f32(NAN, -2, 3))
test("classification", lambda x: (x.isnan(), x.isinf(), x.isfinite(), torch.isposinf(x), torch.isneginf(x), torch.signbit(x)), EDGES)
test("where_picks_and_doesnt_multiply", lambda p, x, y: torch.where(p, x, y), boolean(1, 0, 1, 0), f32(NAN, NAN, 1, 2), f32(5, 6, NAN, NAN))
test("masked_fill_hides_nan", lambda x, m: x.masked_fill(m, 0.0), f32(NAN, 1, INF), boolean(1, 0, 1))
test("nan_to_num", lambda x: (torch.nan_to_num(x), torch.nan_to_num(x, 1.0, 2.0, -2.0)), EDGES)
test("nan_is_true", lambda x: (x.bool(), torch.logical_not(x), torch.logical_and(x, x)), f32(NAN, 0.0, -0.0, 2))
test("xlogy_of_zero", torch.xlogy, f32(0, 0, 0, 1, NAN), f32(0, INF, NAN, 0, 0))

subject("signed_zero", "Zeros keep the sign that IEEE 754 gives them.")
test("negation_and_magnitude", lambda x: (-x, x.abs(), x.sign(), torch.signbit(x)), f32(0.0, -0.0))
test("sums", lambda x, y: (x + y, x - y), f32(0.0, 0.0, -0.0, -0.0), f32(0.0, -0.0, 0.0, -0.0))
test("adding_a_constant_zero", lambda x: (x + 0.0, x - 0.0, x * 1.0, x * 0.0), f32(-0.0, 0.0, -3.0))
test("products_and_quotients", lambda x, y: (x * y, x / y), f32(0.0, -0.0, 0.0, -0.0), f32(2, 2, -2, -2))
test("reciprocals", lambda x: (1 / x, torch.reciprocal(x), torch.rsqrt(x.abs())), f32(0.0, -0.0))
test("roundings", lambda x: (x.round(), x.floor(), x.ceil(), x.trunc()), f32(-0.0, -0.3, -0.5, 0.3, 0.5))
test("functions", lambda x: (x.sqrt(), x.sin(), x.tan(), x.tanh(), x.atan(), x.asinh(), torch.expm1(x), torch.log1p(x)), f32(0.0, -0.0))
test("copysign", torch.copysign, f32(1, -1, 0.0, INF, NAN), f32(-0.0, 0.0, -5.0, -1, -0.0))
test("equal_but_not_the_same", lambda x, y: (x == y, x < y), f32(0.0, -0.0), f32(-0.0, 0.0))

subject("infinity", "Functions at infinity and at the ends of the format.")
test("exponentials", lambda x: (x.exp(), torch.exp2(x), torch.expm1(x)), f32(INF, -INF, NAN, 0.0, 200.0, -200.0))
test("logarithms", lambda x: (x.log(), x.log2(), x.log10(), torch.log1p(x)), f32(INF, 0.0, -0.0, 1.0, -2.0, NAN))
test("saturating", lambda x: (x.tanh(), x.sigmoid(), torch.erf(x), torch.erfc(x)), f32(INF, -INF, 100.0, -100.0, NAN), ulp=1)
test("activations", lambda x: (F.relu(x), F.silu(x), F.gelu(x), F.softplus(x), F.elu(x), F.hardswish(x)), f32(INF, -INF, NAN))
test("trigonometry", lambda x: (x.sin(), x.cos(), x.tan(), x.atan()), f32(INF, -INF, NAN), ulp=1)
test("atan2_in_each_quadrant", torch.atan2, f32(1, 1, -1, -1, 0.0, -0.0, 0.0, -0.0, INF, -INF, 1), f32(1, -1, 1, -1, 1, 1, -1, -1, INF, -INF, INF), ulp=1)
test("hyperbolic", lambda x: (x.sinh(), x.cosh(), torch.asinh(x), torch.acosh(x)), f32(INF, -INF, 90.0, NAN))
test("out_of_domain", lambda x: (x.sqrt(), x.asin(), x.acos(), torch.atanh(x), torch.rsqrt(x)), f32(-2.0, 2.0), ulp=1)
test("overflow_and_underflow", lambda x, y: (x * y, x / y), f32(3e38, 1e-38, 1e-45), f32(10, 1e-5, 2))
test("subnormals_arent_flushed", lambda x: (x * 0.5, x + x, x.abs(), x.sqrt()), f32(1e-40, -1e-45, 1.5e-38), ulp=1)
test("log_sum_of_infinities", torch.logaddexp, f32(INF, -INF, -INF, 1), f32(INF, -INF, 2, INF), ulp=1)

subject("rounding", "Halves go to the even neighbour; float16 and bfloat16 round once an op.")
test("round_halves_to_even", torch.round, f32(0.5, 1.5, 2.5, 3.5, -0.5, -1.5, -2.5, 8388609.0, 4194303.5, 0.49999997))
test("round_to_decimals", lambda x: (torch.round(x, decimals=1), torch.round(x, decimals=-1)), f32(0.25, 0.35, -0.25, 15, 25, -25), ulp=1)
test("floor_ceil_trunc_frac", lambda x: (x.floor(), x.ceil(), x.trunc(), x.frac()), f32(1.5, -1.5, 2.0, -2.0, 0.99999994, -1e-20))
test("float16_arithmetic", lambda x, y: (x + y, x * y, x / y), f16(2048, 1, 65504, 6e-8), f16(1, 3, 65504, 0.5))
test("bfloat16_arithmetic", lambda x, y: (x + y, x * y, x / y), bf16(256, 1, 3e38, 1.0078125), bf16(1, 3, 3e38, 1.0078125))
test("a_chain_rounds_at_each_op", lambda x: (x + 1) - 1, f16(0.0001, 0.00049, 0.3))
test("products_arent_contracted", lambda x, y, z: x * y + z, f32(1.0000001, 3.0), f32(1.0000001, 0.33333334), f32(-1.0000002, -1.0))

subject("powers", "Corner cases of pow.")
test("zeros_and_ones", torch.pow, f32(0, 0, -0.0, -0.0, NAN, 1, INF, -INF, -INF), f32(0, -1, -1, -2, 0, NAN, 0, 3, -3))
test("negative_bases", torch.pow, f32(-2, -2, -8, -1, -1), f32(3, 2, 1 / 3, INF, 0.5))
test("infinite_exponents", torch.pow, f32(0.5, 2, 0.5, 2, -0.5), f32(INF, INF, -INF, -INF, INF))
test("square_root_of_minus_infinity", lambda x: (x ** 0.5, x ** -0.5), f32(-INF, -0.0, 0.0, 4, INF), ulp=1)
test("constant_exponents", lambda x: (x ** 2, x ** 3, x ** -1, x ** 0, x ** 1), f32(-0.0, -3, 1e20, NAN, INF))
test("ordinary_values", torch.pow, f32(1.5, 2.7, 0.3, 10, 1.0000001), f32(2.5, -3.1, 7.7, 30, 1e7), ulp=2)
test("a_number_to_a_tensor", lambda x: (2.0 ** x, 1.0 ** x, 0.0 ** x), f32(0, -1, 3, INF, NAN), ulp=1)
test("integers_wrap", lambda x: (x ** 2, x ** 3, x ** 0), i64(-3, 0, 7, 3037000500, 2 ** 62))
test("integer_tensors", torch.pow, i64(2, -2, 0, 5, 2), i64(10, 3, 0, 1, 63))
test("integer_to_a_float", lambda x: x ** 0.5, i64(4, 0, 2), ulp=1)

subject("conversions", "From one dtype to another.")
test("float_to_integer_truncates", lambda x: (x.long(), x.int(), x.to(torch.int8)), f32(1.9, -1.9, 0.5, -0.5, 100.0))
test("float_to_bool_is_not_zero", lambda x: x.bool(), f32(0.0, -0.0, 0.1, NAN, 1e-45))
test("integers_are_cut", lambda x: (x.int(), x.to(torch.int16), x.to(torch.int8), x.to(torch.uint8)), i64(300, -1, 2 ** 31, 2 ** 40 + 5, -129))
test("integer_to_float_rounds_to_even", lambda x: (x.float(), x.double(), x.half()), i64(16777217, 16777219, 9007199254740993, -2049, 2051))
test("float64_to_float32", lambda x: x.float(), f64(0.1, 1e300, -1e300, 1e-50, 1.0000000596046448))
test("float32_to_float16", lambda x: x.half(), f32(65504, 65519, 65520, 1e-8, 2.9802322e-08, 2.9802326e-08, 1.00048828125, 1.00146484375, NAN))
test("float32_to_bfloat16", lambda x: x.bfloat16(), f32(1.00390625, 1.01171875, 3.4e38, 1e-40, -0.0, NAN, 1.0039063))
test("bool_to_anything", lambda x: (x.float(), x.long(), x.to(torch.uint8), x.half()), boolean(0, 1))
test("unsigned_to_signed", lambda x: (x.to(torch.int8), x.long(), x.float()), torch.tensor([0, 127, 128, 255], dtype=torch.uint8))
test("same_bits", lambda x: x.view(torch.int32), f32(1.0, -0.0, INF))

subject("promotion", "Which dtype a result has.")
test("integer_and_a_float_number", lambda x: (x + 1.5, x * 2, x / 2), i64(1, -3))
test("bool_and_integers", lambda p, x: (p + x, p * 2, p + 1.5), boolean(0, 1), torch.tensor([5, -5], dtype=torch.int8))
test("unsigned_with_signed_is_wider", lambda x, y: x + y, torch.tensor([200, 255], dtype=torch.uint8), torch.tensor([-1, 127], dtype=torch.int8))
test("half_with_bfloat16_is_float", lambda x, y: x + y, f16(1.0009765625), bf16(256))
test("zero_dim_tensors_count_less", lambda x, s: (x + s, x * s), f16(1, 2), torch.tensor(0.1))
test("integers_with_float_tensors", lambda x, y: (x + y, x > y), i64(16777217, 2), f32(0.0, 1.5))
test("comparison_promotes", lambda x: (x == 1.5, x < 2.5, x >= 2), i64(1, 2, 3))
test("where_promotes", lambda p, x, y: torch.where(p, x, y), boolean(0, 1), i64(1, 2), f32(0.5, 0.25))
test("half_by_a_number_that_isnt_rounded", lambda x, s: (x * 70000.0, x * 0.1003, x / 70000.0, x * s), f16(0.5, 1, -3), torch.tensor(0.1003))
test("half_plus_a_number_that_is_rounded", lambda x: (x + 0.1003, x - 0.1003), bf16(0.5, 1, -3))

subject("functions", "Within two units in the last place, far from 1 too.")
test("exponentials", lambda x: (x.exp(), torch.exp2(x), torch.expm1(x)), f32(-87.5, -20, -1e-4, 1e-7, 0.7, 10.3, 88.5), ulp=2)
test("logarithms", lambda x: (x.log(), x.log2(), x.log10(), torch.log1p(x)), f32(1e-40, 1e-7, 0.5, 0.9999999, 1.0000001, 3, 1e30), ulp=2)
test("trigonometry", lambda x: (x.sin(), x.cos()), f32(1e-10, 0.5, 1.5707964, 3.1415927, 100, 1e5), ulp=2, abs=1e-7)
test("tangent", torch.tan, f32(1e-10, 0.5, 1.5, -0.7853982, 3.0), ulp=3)
test("inverse_trigonometry", lambda x: (x.asin(), x.acos(), x.atan()), f32(-1, -0.5, 1e-6, 0.3, 0.99999, 1), ulp=2)
test("hyperbolic", lambda x: (x.tanh(), x.sinh(), x.cosh()), f32(-9, -1, -1e-5, 1e-5, 0.5, 20), ulp=3)
test("inverse_hyperbolic", lambda x: (torch.asinh(x), torch.acosh(x + 1), torch.atanh(x / 100)), f32(1e-6, 0.5, 3, 99), ulp=4)
test("error_functions", lambda x: (torch.erf(x), torch.erfc(x)), f32(-3, -0.5, 1e-6, 0.4, 1, 2.5, 4), ulp=3)
test("sigmoid_and_friends", lambda x: (x.sigmoid(), F.silu(x), F.logsigmoid(x), F.softplus(x)), f32(-30, -3, -1e-3, 0.5, 17), ulp=4)
test("gelu", lambda x: (F.gelu(x), F.gelu(x, approximate="tanh")), f32(-3, -0.5, 1e-3, 0.4, 3), ulp=8, abs=5e-7)
test("gamma_functions", lambda x: (torch.lgamma(x), torch.digamma(x)), f32(0.5, 1.5, 3.7, 10, -0.5, -2.3), ulp=16)
test("gamma_functions_at_poles", lambda x: (torch.lgamma(x), torch.digamma(x)), f32(0.0, -0.0, -1, -2, INF))
test("erfinv", lambda x: torch.erfinv(x), f32(-0.99, -0.5, 1e-5, 0.3, 0.999), ulp=8)
test("float64", lambda x: (x.exp(), x.log(), x.tanh(), x.sin(), torch.erf(x)), f64(1e-8, 0.5, 1, 7.3, 30), ulp=4)
test("half_functions_round_once", lambda x: (x.exp(), x.tanh(), x.sigmoid()), f16(-5, -0.3, 0.1, 2, 10), ulp=1)
