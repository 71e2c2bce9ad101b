"""Integers and bools: wrap-around, division, shifts, logic."""

import torch
from make import subject, test
from pointwise_numerics import boolean, f32, f64, i64

INF, NAN = float("inf"), float("nan")


def i32(*values: int) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.int32)


def i8(*values: int) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.int8)


def u8(*values: int) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.uint8)


subject("integer_wrap", "Integers wrap around in their own width.")
test("int8", lambda x, y: (x + y, x - y, x * y), i8(127, -128, 100, -128), i8(1, 1, 100, -1))
test("uint8", lambda x, y: (x + y, x - y, x * y), u8(255, 0, 200, 16), u8(1, 1, 200, 16))
test("int32", lambda x, y: (x + y, x - y, x * y), i32(2 ** 31 - 1, -(2 ** 31), 65536), i32(1, 1, 65536))
test("int64", lambda x, y: (x + y, x - y, x * y), i64(2 ** 63 - 1, -(2 ** 63), 2 ** 32), i64(1, 1, 2 ** 32))
test("negation_and_magnitude_of_the_smallest", lambda x: (-x, x.abs()), i8(-128, 127, -1))
test("negation_of_unsigned", lambda x: -x, u8(0, 1, 128, 255))
test("int32_extremes", lambda x: (-x, x.abs(), x.sign(), ~x), i32(-(2 ** 31), 2 ** 31 - 1, 0))
test("sums_are_int64", lambda x: (x.sum(), x.prod(), x.cumsum(0)), i8(127, 127, -3))
test("sums_in_their_own_width", lambda x: (x.sum(dtype=torch.int8), x.cumsum(0, dtype=torch.int8)), i8(127, 127, 5))
test("numbers_beyond_the_width", lambda x: (x + 300, x * 257), u8(1, 255))
test("chained_wraps", lambda x: ((x * 2) // 2, (x + 100) > x), i8(100, 27, -100))

subject("division", "Quotients and remainders: signs, zeros, infinities.")
test("floor_division_of_integers", lambda x, y: (x // y, torch.remainder(x, y)), i64(7, -7, 7, -7, 6, -6, 0), i64(2, 2, -2, -2, 3, 3, -5))
test("truncating_division_of_integers", lambda x, y: (torch.div(x, y, rounding_mode="trunc"), torch.fmod(x, y)), i64(7, -7, 7, -7, 6, -6, 0), i64(2, 2, -2, -2, 3, 3, -5))
test("integers_by_a_constant", lambda x: (x // 3, x % 3, x // -3, x % -3, torch.fmod(x, 3)), i32(7, -7, 0, -1, -9, 2 ** 31 - 1, -(2 ** 31)))
test("integers_by_a_power_of_two", lambda x: (x // 4, x % 4, torch.div(x, 4, rounding_mode="trunc"), torch.fmod(x, 4)), i64(7, -7, -1, -4, -5, 3))
test("unsigned", lambda x, y: (x // y, x % y, torch.fmod(x, y)), u8(255, 200, 7), u8(2, 255, 3))
test("true_division_is_float", lambda x, y: x / y, i64(7, -7, 1, 0), i64(2, 2, 0, 0))
test("floor_division_of_floats", lambda x, y: x // y, f32(7, -7, 7, -7, 0.5, -0.5, -0.0), f32(2, 2, -2, -2, 1, 1, 3))
test("remainder_has_the_divisors_sign", torch.remainder, f32(5, -5, 5, -5, 0.0, -0.0, -1e-20), f32(3, 3, -3, -3, 2, 2, 3))
test("fmod_has_the_dividends_sign", torch.fmod, f32(5, -5, 5, -5, 0.0, -0.0, -1e-20), f32(3, 3, -3, -3, 2, 2, 3))
test("by_zero", lambda x, y: (x / y, x // y, torch.remainder(x, y), torch.fmod(x, y)), f32(1, -1, 0, NAN, INF), f32(0, 0, 0, 0, 0))
test("by_minus_zero", lambda x, y: (x / y, x // y), f32(1, -1, 0), f32(-0.0, -0.0, -0.0))
test("by_infinity", lambda x, y: (x / y, x // y, torch.remainder(x, y), torch.fmod(x, y)), f32(5, -5, 5, -5, 0.0), f32(INF, INF, -INF, -INF, INF))
test("of_infinity", lambda x, y: (x // y, torch.remainder(x, y), torch.fmod(x, y)), f32(INF, -INF, INF), f32(2, 2, INF))
test("quotients_that_arent_whole_by_a_bit", lambda x, y: (x // y, torch.remainder(x, y)), f64(0.3, 1.0, 0.7), f64(0.1, 0.1, 0.1))
test("of_large_by_small", torch.fmod, f32(1e10, 1e30, 16777216), f32(3, 7, 0.1))

subject("bits", "Shifts and logic.")
test("left_shift", torch.bitwise_left_shift, i64(1, -1, 3, 1), i64(4, 3, 62, 63))
test("right_shift_keeps_the_sign", torch.bitwise_right_shift, i64(-8, -1, 7, -(2 ** 63)), i64(1, 5, 1, 63))
test("right_shift_of_unsigned", torch.bitwise_right_shift, u8(255, 128, 7), u8(1, 7, 2))
test("int8_shifts", lambda x, y: (x << y, x >> y), i8(1, 64, -128, 3), i8(7, 1, 7, 2))
test("logic", lambda x, y: (x & y, x | y, x ^ y, ~x), i32(12, -1, 0), i32(10, 5, -7))
test("logic_of_bools", lambda x, y: (x & y, x | y, x ^ y, ~x), boolean(0, 0, 1, 1), boolean(0, 1, 0, 1))
test("logical_ops_take_numbers", lambda x, y: (torch.logical_and(x, y), torch.logical_or(x, y), torch.logical_xor(x, y)), i64(0, 2, -1), f32(0.0, 0.5, -0.0))

subject("bools", "Arithmetic of bools: + is or, * is and, sums count.")
test("plus_and_times", lambda x, y: (x + y, x * y), boolean(0, 0, 1, 1), boolean(0, 1, 0, 1))
test("sums_count", lambda x: (x.sum(), x.sum(1), x.cumsum(1), x.prod()), boolean(1, 1, 0, 1, 1, 1).reshape(2, 3))
test("means_need_floats", lambda x: x.float().mean(1), boolean(1, 1, 0, 1, 1, 1).reshape(2, 3), ulp=1)
test("any_and_all", lambda x: (x.any(), x.all(), x.any(1), x.all(1)), boolean(1, 0, 0, 0, 1, 1).reshape(2, 3))
test("any_and_all_of_floats", lambda x: (x.any(1), x.all(1)), f32(0.0, -0.0, NAN, 0.0, 1, -1).reshape(3, 2))
test("extremes", lambda x, y: (torch.maximum(x, y), torch.minimum(x, y), x.amax(), x.amin()), boolean(0, 0, 1, 1), boolean(0, 1, 0, 1))
test("comparisons", lambda x, y: (x == y, x < y, x >= y), boolean(0, 0, 1, 1), boolean(0, 1, 0, 1))
test("division_is_float", lambda x, y: x / y, boolean(0, 1), boolean(1, 1))
test("masks_by_product", lambda x, m: x * m, f32(1, -2, INF), boolean(1, 0, 1))
test("sorted", lambda x: torch.sort(x, stable=True), boolean(1, 0, 1, 0))
