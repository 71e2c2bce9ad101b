// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Quotients and remainders: signs, zeros, infinities. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @floor_division_of_integers {
  %x = check.input dense<[7, -7, 7, -7, 6, -6, 0]> : tensor<7xi64>
  %y = check.input dense<[2, 2, -2, -2, 3, 3, -5]> : tensor<7xi64>
  %div = aten.div %x, %y {rounding_mode = "floor"} : (tensor<7xi64>, tensor<7xi64>) -> tensor<7xi64>
  %remainder = aten.remainder %x, %y : (tensor<7xi64>, tensor<7xi64>) -> tensor<7xi64>
  check.close %div, dense<[3, -4, -4, 3, 2, -2, 0]> : tensor<7xi64>
  check.close %remainder, dense<[1, 1, -1, -1, 0, 0, 0]> : tensor<7xi64>
}

check.test @truncating_division_of_integers {
  %x = check.input dense<[7, -7, 7, -7, 6, -6, 0]> : tensor<7xi64>
  %y = check.input dense<[2, 2, -2, -2, 3, 3, -5]> : tensor<7xi64>
  %div = aten.div %x, %y {rounding_mode = "trunc"} : (tensor<7xi64>, tensor<7xi64>) -> tensor<7xi64>
  %fmod = aten.fmod %x, %y : (tensor<7xi64>, tensor<7xi64>) -> tensor<7xi64>
  check.close %div, dense<[3, -3, -3, 3, 2, -2, 0]> : tensor<7xi64>
  check.close %fmod, dense<[1, -1, 1, -1, 0, 0, 0]> : tensor<7xi64>
}

check.test @integers_by_a_constant {
  %x = check.input dense<[7, -7, 0, -1, -9, 2147483647, -2147483648]> : tensor<7xi32>
  %number = fx.number 3 : i64 to tensor<i64, #fx.number>
  %div = aten.div %x, %number {rounding_mode = "floor"} : (tensor<7xi32>, tensor<i64, #fx.number>) -> tensor<7xi32>
  %number2 = fx.number 3 : i64 to tensor<i64, #fx.number>
  %remainder = aten.remainder %x, %number2 : (tensor<7xi32>, tensor<i64, #fx.number>) -> tensor<7xi32>
  %number3 = fx.number -3 : i64 to tensor<i64, #fx.number>
  %div2 = aten.div %x, %number3 {rounding_mode = "floor"} : (tensor<7xi32>, tensor<i64, #fx.number>) -> tensor<7xi32>
  %number4 = fx.number -3 : i64 to tensor<i64, #fx.number>
  %remainder2 = aten.remainder %x, %number4 : (tensor<7xi32>, tensor<i64, #fx.number>) -> tensor<7xi32>
  %number5 = fx.number 3 : i64 to tensor<i64, #fx.number>
  %fmod = aten.fmod %x, %number5 : (tensor<7xi32>, tensor<i64, #fx.number>) -> tensor<7xi32>
  check.close %div, dense<[2, -3, 0, -1, -3, 715827882, -715827883]> : tensor<7xi32>
  check.close %remainder, dense<[1, 2, 0, 2, 0, 1, 1]> : tensor<7xi32>
  check.close %div2, dense<[-3, 2, 0, 0, 3, -715827883, 715827882]> : tensor<7xi32>
  check.close %remainder2, dense<[-2, -1, 0, -1, 0, -2, -2]> : tensor<7xi32>
  check.close %fmod, dense<[1, -1, 0, -1, 0, 1, -2]> : tensor<7xi32>
}

check.test @integers_by_a_power_of_two {
  %x = check.input dense<[7, -7, -1, -4, -5, 3]> : tensor<6xi64>
  %number = fx.number 4 : i64 to tensor<i64, #fx.number>
  %div = aten.div %x, %number {rounding_mode = "floor"} : (tensor<6xi64>, tensor<i64, #fx.number>) -> tensor<6xi64>
  %number2 = fx.number 4 : i64 to tensor<i64, #fx.number>
  %remainder = aten.remainder %x, %number2 : (tensor<6xi64>, tensor<i64, #fx.number>) -> tensor<6xi64>
  %number3 = fx.number 4 : i64 to tensor<i64, #fx.number>
  %div2 = aten.div %x, %number3 {rounding_mode = "trunc"} : (tensor<6xi64>, tensor<i64, #fx.number>) -> tensor<6xi64>
  %number4 = fx.number 4 : i64 to tensor<i64, #fx.number>
  %fmod = aten.fmod %x, %number4 : (tensor<6xi64>, tensor<i64, #fx.number>) -> tensor<6xi64>
  check.close %div, dense<[1, -2, -1, -1, -2, 0]> : tensor<6xi64>
  check.close %remainder, dense<[3, 1, 3, 0, 3, 3]> : tensor<6xi64>
  check.close %div2, dense<[1, -1, 0, -1, -1, 0]> : tensor<6xi64>
  check.close %fmod, dense<[3, -3, -1, 0, -1, 3]> : tensor<6xi64>
}

check.test @unsigned {
  %x = check.input dense<[255, 200, 7]> : tensor<3xui8>
  %y = check.input dense<[2, 255, 3]> : tensor<3xui8>
  %div = aten.div %x, %y {rounding_mode = "floor"} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %remainder = aten.remainder %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %fmod = aten.fmod %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  check.close %div, dense<[127, 0, 2]> : tensor<3xui8>
  check.close %remainder, dense<[1, 200, 1]> : tensor<3xui8>
  check.close %fmod, dense<[1, 200, 1]> : tensor<3xui8>
}

check.test @true_division_is_float {
  %x = check.input dense<[7, -7, 1, 0]> : tensor<4xi64>
  %y = check.input dense<[2, 2, 0, 0]> : tensor<4xi64>
  %div = aten.div %x, %y : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xf32>
  check.close %div, dense<[3.5, -3.5, 0x7F800000, 0x7FC00000]> : tensor<4xf32>
}

check.test @floor_division_of_floats {
  %x = check.input dense<[7.0, -7.0, 7.0, -7.0, 0.5, -0.5, -0.0]> : tensor<7xf32>
  %y = check.input dense<[2.0, 2.0, -2.0, -2.0, 1.0, 1.0, 3.0]> : tensor<7xf32>
  %div = aten.div %x, %y {rounding_mode = "floor"} : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
  check.close %div, dense<[3.0, -4.0, -4.0, 3.0, 0.0, -1.0, -0.0]> : tensor<7xf32>
}

check.test @remainder_has_the_divisors_sign {
  %x = check.input dense<[5.0, -5.0, 5.0, -5.0, 0.0, -0.0, -1.0e-20]> : tensor<7xf32>
  %y = check.input dense<[3.0, 3.0, -3.0, -3.0, 2.0, 2.0, 3.0]> : tensor<7xf32>
  %remainder = aten.remainder %x, %y : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
  check.close %remainder, dense<[2.0, 1.0, -1.0, -2.0, 0.0, -0.0, 3.0]> : tensor<7xf32>
}

check.test @fmod_has_the_dividends_sign {
  %x = check.input dense<[5.0, -5.0, 5.0, -5.0, 0.0, -0.0, -1.0e-20]> : tensor<7xf32>
  %y = check.input dense<[3.0, 3.0, -3.0, -3.0, 2.0, 2.0, 3.0]> : tensor<7xf32>
  %fmod = aten.fmod %x, %y : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
  check.close %fmod, dense<[2.0, -2.0, 2.0, -2.0, 0.0, -0.0, -1.0e-20]> : tensor<7xf32>
}

check.test @by_zero {
  %x = check.input dense<[1.0, -1.0, 0.0, 0x7FC00000, 0x7F800000]> : tensor<5xf32>
  %y = check.input dense<[0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<5xf32>
  %div = aten.div %x, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %div2 = aten.div %x, %y {rounding_mode = "floor"} : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %remainder = aten.remainder %x, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %fmod = aten.fmod %x, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  check.close %div, dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7F800000]> : tensor<5xf32>
  check.close %div2, dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7F800000]> : tensor<5xf32>
  check.close %remainder, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
  check.close %fmod, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
}

check.test @by_minus_zero {
  %x = check.input dense<[1.0, -1.0, 0.0]> : tensor<3xf32>
  %y = check.input dense<[-0.0, -0.0, -0.0]> : tensor<3xf32>
  %div = aten.div %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %div2 = aten.div %x, %y {rounding_mode = "floor"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.close %div, dense<[0xFF800000, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  check.close %div2, dense<[0xFF800000, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
}

check.test @by_infinity {
  %x = check.input dense<[5.0, -5.0, 5.0, -5.0, 0.0]> : tensor<5xf32>
  %y = check.input dense<[0x7F800000, 0x7F800000, 0xFF800000, 0xFF800000, 0x7F800000]> : tensor<5xf32>
  %div = aten.div %x, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %div2 = aten.div %x, %y {rounding_mode = "floor"} : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %remainder = aten.remainder %x, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %fmod = aten.fmod %x, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  check.close %div, dense<[0.0, -0.0, -0.0, 0.0, 0.0]> : tensor<5xf32>
  check.close %div2, dense<[0.0, -1.0, -1.0, 0.0, 0.0]> : tensor<5xf32>
  check.close %remainder, dense<[5.0, 0x7F800000, 0xFF800000, -5.0, 0.0]> : tensor<5xf32>
  check.close %fmod, dense<[5.0, -5.0, 5.0, -5.0, 0.0]> : tensor<5xf32>
}

check.test @of_infinity {
  %x = check.input dense<[0x7F800000, 0xFF800000, 0x7F800000]> : tensor<3xf32>
  %y = check.input dense<[2.0, 2.0, 0x7F800000]> : tensor<3xf32>
  %div = aten.div %x, %y {rounding_mode = "floor"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %remainder = aten.remainder %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %fmod = aten.fmod %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.close %div, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  check.close %remainder, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  check.close %fmod, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
}

check.test @quotients_that_arent_whole_by_a_bit {
  %x = check.input dense<[0.3, 1.0, 0.7]> : tensor<3xf64>
  %y = check.input dense<[0.1, 0.1, 0.1]> : tensor<3xf64>
  %div = aten.div %x, %y {rounding_mode = "floor"} : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %remainder = aten.remainder %x, %y : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  check.close %div, dense<[2.0, 9.0, 6.0]> : tensor<3xf64>
  check.close %remainder, dense<[0.09999999999999998, 0.09999999999999995, 0.09999999999999992]> : tensor<3xf64>
}

check.test @of_large_by_small {
  %x = check.input dense<[1.0e+10, 1.0e+30, 16777216.0]> : tensor<3xf32>
  %y = check.input dense<[3.0, 7.0, 0.1]> : tensor<3xf32>
  %fmod = aten.fmod %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.close %fmod, dense<[1.0, 1.0, 0.050000004]> : tensor<3xf32>
}
