// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Ties and NaN in max, min, argmax and argmin. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @argmax_takes_the_first {
  %x = check.input dense<[[1.0, 3.0, 3.0, 1.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<2x4xf32>
  %argmax = aten.argmax %x {dim = 1 : i64} : (tensor<2x4xf32>) -> tensor<2xi64>
  %argmin = aten.argmin %x {dim = 1 : i64} : (tensor<2x4xf32>) -> tensor<2xi64>
  check.close %argmax, dense<[1, 0]> : tensor<2xi64>
  check.close %argmin, dense<[0, 0]> : tensor<2xi64>
}

check.test @argmax_takes_the_first_nan {
  %x = check.input dense<[[1.0, 0x7FC00000, 3.0, 0x7FC00000], [0x7FC00000, 0x7F800000, 0xFF800000, 0.0]]> : tensor<2x4xf32>
  %argmax = aten.argmax %x {dim = 1 : i64} : (tensor<2x4xf32>) -> tensor<2xi64>
  %argmin = aten.argmin %x {dim = 1 : i64} : (tensor<2x4xf32>) -> tensor<2xi64>
  check.close %argmax, dense<[1, 0]> : tensor<2xi64>
  check.close %argmin, dense<[1, 0]> : tensor<2xi64>
}

check.test @argmax_of_everything {
  %x = check.input dense<[[1.0, 5.0, -2.0], [5.0, -2.0, 0.0]]> : tensor<2x3xf32>
  %argmax = aten.argmax %x : (tensor<2x3xf32>) -> tensor<i64>
  %argmin = aten.argmin %x : (tensor<2x3xf32>) -> tensor<i64>
  check.close %argmax, dense<1> : tensor<i64>
  check.close %argmin, dense<2> : tensor<i64>
}

check.test @argmax_over_another_dim {
  %x = check.input dense<[[1.0, 5.0, -2.0], [1.0, 5.0, 0.0]]> : tensor<2x3xf32>
  %argmax = aten.argmax %x {dim = 0 : i64} : (tensor<2x3xf32>) -> tensor<3xi64>
  %argmin = aten.argmin %x {dim = 0 : i64, keepdim = true} : (tensor<2x3xf32>) -> tensor<1x3xi64>
  check.close %argmax, dense<[0, 0, 1]> : tensor<3xi64>
  check.close %argmin, dense<[[0, 0, 0]]> : tensor<1x3xi64>
}

check.test @argmax_of_infinities {
  %x = check.input dense<[0xFF800000, 0xFF800000, 0xFF800000]> : tensor<3xf32>
  %argmax = aten.argmax %x : (tensor<3xf32>) -> tensor<i64>
  %argmin = aten.argmin %x : (tensor<3xf32>) -> tensor<i64>
  check.close %argmax, dense<0> : tensor<i64>
  check.close %argmin, dense<0> : tensor<i64>
}

check.test @argmax_of_integers {
  %x = check.input dense<[-9223372036854775808, 9223372036854775807, 9223372036854775807, -9223372036854775808]> : tensor<4xi64>
  %argmax = aten.argmax %x : (tensor<4xi64>) -> tensor<i64>
  %argmin = aten.argmin %x : (tensor<4xi64>) -> tensor<i64>
  check.close %argmax, dense<1> : tensor<i64>
  check.close %argmin, dense<0> : tensor<i64>
}

check.test @argmax_over_many {
  %x = check.input dense<[[0.0, 7.0, 14.0, 21.0, 28.0, 4.0, 11.0, 18.0, 25.0, 1.0, 8.0, 15.0, 22.0, 29.0, 5.0, 12.0, 19.0, 26.0, 2.0, 9.0, 16.0, 23.0, 3.0e+01, 6.0, 13.0, 2.0e+01, 27.0, 3.0, 1.0e+01, 17.0, 24.0, 0.0, 7.0, 14.0, 21.0, 28.0, 4.0], [11.0, 18.0, 25.0, 1.0, 8.0, 15.0, 22.0, 29.0, 5.0, 12.0, 19.0, 26.0, 2.0, 9.0, 16.0, 23.0, 3.0e+01, 6.0, 13.0, 2.0e+01, 27.0, 3.0, 1.0e+01, 17.0, 24.0, 0.0, 7.0, 14.0, 21.0, 28.0, 4.0, 11.0, 18.0, 25.0, 1.0, 8.0, 15.0], [22.0, 29.0, 5.0, 12.0, 19.0, 26.0, 2.0, 9.0, 16.0, 23.0, 3.0e+01, 6.0, 13.0, 2.0e+01, 27.0, 3.0, 1.0e+01, 17.0, 24.0, 0.0, 7.0, 14.0, 21.0, 28.0, 4.0, 11.0, 18.0, 25.0, 1.0, 8.0, 15.0, 22.0, 29.0, 5.0, 12.0, 19.0, 26.0]]> : tensor<3x37xf32>
  %argmax = aten.argmax %x {dim = 1 : i64} : (tensor<3x37xf32>) -> tensor<3xi64>
  check.close %argmax, dense<[22, 16, 10]> : tensor<3xi64>
}

check.test @values_and_places {
  %x = check.input dense<[[1.0, 3.0, 3.0], [0x7FC00000, 0.0, 1.0], [-2.0, -2.0, -3.0]]> : tensor<3x3xf32>
  %values, %indices = aten.max_dim %x {dim = 1 : i64} : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xi64>)
  %values_0, %indices_1 = aten.min_dim %x {dim = 1 : i64} : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xi64>)
  check.close %values, dense<[3.0, 0x7FC00000, -2.0]> : tensor<3xf32>
  check.close %indices, dense<[1, 0, 0]> : tensor<3xi64>
  check.close %values_0, dense<[1.0, 0x7FC00000, -3.0]> : tensor<3xf32>
  check.close %indices_1, dense<[0, 0, 2]> : tensor<3xi64>
}

check.test @amax_gives_nan {
  %x = check.input dense<[[1.0, 0x7FC00000, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %amax = aten.amax %x {dim = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  %amin = aten.amin %x {dim = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  check.close %amax, dense<[0x7FC00000, 6.0]> : tensor<2xf32>
  check.close %amin, dense<[0x7FC00000, 4.0]> : tensor<2xf32>
}

check.test @aminmax {
  %x = check.input dense<[[1.0, -3.0], [2.0, 0x7FC00000]]> : tensor<2x2xf32>
  %min, %max = aten.aminmax %x {dim = 1 : i64} : (tensor<2x2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  check.close %min, dense<[-3.0, 0x7FC00000]> : tensor<2xf32>
  check.close %max, dense<[1.0, 0x7FC00000]> : tensor<2xf32>
}

check.test @a_row_of_minus_infinity {
  %x = check.input dense<[0xFF800000, 0xFF800000]> : tensor<2xf32>
  %amax = aten.amax %x : (tensor<2xf32>) -> tensor<f32>
  %amax2 = aten.amax %x {dim = array<i64: 0>} : (tensor<2xf32>) -> tensor<f32>
  check.close %amax, dense<0xFF800000> : tensor<f32>
  check.close %amax2, dense<0xFF800000> : tensor<f32>
}

check.test @median_is_the_lower_one {
  %x = check.input dense<[[3.0, 1.0, 2.0, 4.0], [0x7FC00000, 1.0, 2.0, 0.0]]> : tensor<2x4xf32>
  %values, %indices = aten.median_dim %x {dim = 1 : i64} : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  check.close %values, dense<[2.0, 0x7FC00000]> : tensor<2xf32>
  check.close %indices, dense<[2, 0]> : tensor<2xi64>
}
