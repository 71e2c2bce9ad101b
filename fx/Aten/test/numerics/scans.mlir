// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Running sums, products and extremes. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @sums {
  %x = check.input dense<[[1.0, 0x7F800000, 0xFF800000], [2.0, 0x7FC00000, 3.0]]> : tensor<2x3xf32>
  %cumsum = aten.cumsum %x {dim = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %cumsum2 = aten.cumsum %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.close %cumsum, dense<[[1.0, 0x7F800000, 0x7FC00000], [2.0, 0x7FC00000, 0x7FC00000]]> : tensor<2x3xf32>
  check.close %cumsum2, dense<[[1.0, 0x7F800000, 0xFF800000], [3.0, 0x7FC00000, 0xFF800000]]> : tensor<2x3xf32>
}

check.test @products {
  %x = check.input dense<[2.0, 0.0, -1.0, 0x7F800000]> : tensor<4xf32>
  %cumprod = aten.cumprod %x : (tensor<4xf32>) -> tensor<4xf32>
  check.close %cumprod, dense<[2.0, 0.0, -0.0, 0x7FC00000]> : tensor<4xf32>
}

check.test @integers {
  %x = check.input dense<[4611686018427387904, 4611686018427387904, 5]> : tensor<3xi64>
  %cumsum = aten.cumsum %x : (tensor<3xi64>) -> tensor<3xi64>
  %cumprod = aten.cumprod %x : (tensor<3xi64>) -> tensor<3xi64>
  check.close %cumsum, dense<[4611686018427387904, -9223372036854775808, -9223372036854775803]> : tensor<3xi64>
  check.close %cumprod, dense<[4611686018427387904, 0, 0]> : tensor<3xi64>
}

check.test @half {
  %x = check.input dense<[2048.0, 1.0, 1.0, 1.0, 1.0]> : tensor<5xf16>
  %cumsum = aten.cumsum %x : (tensor<5xf16>) -> tensor<5xf16>
  check.close %cumsum, dense<[2048.0, 2048.0, 2.05e+03, 2052.0, 2052.0]> : tensor<5xf16>
}

check.test @extremes_take_the_last_of_equals {
  %x = check.input dense<[1.0, 1.0, 3.0, 2.0, 3.0, 1.0]> : tensor<6xf32>
  %values, %indices = aten.cummax %x : (tensor<6xf32>) -> (tensor<6xf32>, tensor<6xi64>)
  %values_0, %indices_1 = aten.cummin %x : (tensor<6xf32>) -> (tensor<6xf32>, tensor<6xi64>)
  check.close %values, dense<[1.0, 1.0, 3.0, 3.0, 3.0, 3.0]> : tensor<6xf32>
  check.close %indices, dense<[0, 1, 2, 2, 4, 4]> : tensor<6xi64>
  check.close %values_0, dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<6xf32>
  check.close %indices_1, dense<[0, 1, 1, 1, 1, 5]> : tensor<6xi64>
}

check.test @extremes_keep_nan {
  %x = check.input dense<[1.0, 0x7FC00000, 3.0, 0x7FC00000, 5.0]> : tensor<5xf32>
  %values, %indices = aten.cummax %x : (tensor<5xf32>) -> (tensor<5xf32>, tensor<5xi64>)
  %values_0, %indices_1 = aten.cummin %x : (tensor<5xf32>) -> (tensor<5xf32>, tensor<5xi64>)
  check.close %values, dense<[1.0, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
  check.close %indices, dense<[0, 1, 1, 3, 3]> : tensor<5xi64>
  check.close %values_0, dense<[1.0, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
  check.close %indices_1, dense<[0, 1, 1, 3, 3]> : tensor<5xi64>
}

check.test @zero_dim {
  %x = check.input dense<3.0> : tensor<f32>
  %cumsum = aten.cumsum %x : (tensor<f32>) -> tensor<f32>
  check.close %cumsum, dense<3.0> : tensor<f32>
}
