// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Sums, means, products, variances. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @of_infinities {
  %x = check.input dense<[[0x7F800000, 1.0], [0xFF800000, 0x7F800000], [0x7FC00000, 0.0]]> : tensor<3x2xf32>
  %sum = aten.sum %x {dim = array<i64: 1>} : (tensor<3x2xf32>) -> tensor<3xf32>
  %mean = aten.mean %x {dim = array<i64: 1>} : (tensor<3x2xf32>) -> tensor<3xf32>
  check.close %sum, dense<[0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  check.close %mean, dense<[0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
}

check.test @products {
  %x = check.input dense<[[1.0, -2.0, 0.0], [-0.0, 0xFF800000, 2.0]]> : tensor<2x3xf32>
  %prod = aten.prod %x : (tensor<2x3xf32>) -> tensor<f32>
  %prod2 = aten.prod %x {dim = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  check.close %prod, dense<0x7FC00000> : tensor<f32>
  check.close %prod2, dense<[-0.0, 0x7FC00000]> : tensor<2xf32>
}

check.test @half_sums_are_wide_inside {
  %x = check.input dense<[2048.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<17xf16>
  %sum = aten.sum %x : (tensor<17xf16>) -> tensor<f16>
  %mean = aten.mean %x : (tensor<17xf16>) -> tensor<f16>
  check.close %sum, dense<2064.0> : tensor<f16>
  check.close %mean, dense<121.44> : tensor<f16>
}

check.test @bfloat16_sums_are_wide_inside {
  %x = check.input dense<[256.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<17xbf16>
  %sum = aten.sum %x : (tensor<17xbf16>) -> tensor<bf16>
  check.close %sum, dense<272.0> : tensor<bf16>
}

check.test @variance_of_one_is_nan {
  %x = check.input dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %var = aten.var %x {dim = array<i64: 1>} : (tensor<2x1xf32>) -> tensor<2xf32>
  %std = aten.std %x {dim = array<i64: 1>} : (tensor<2x1xf32>) -> tensor<2xf32>
  check.close %var, dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>
  check.close %std, dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>
}

check.test @variance_with_corrections {
  %x = check.input dense<[[1.0, 2.0, 4.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf32>
  %var = aten.var %x {dim = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  %var2 = aten.var %x {correction = 0 : i64, dim = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  %std = aten.std %x {correction = 2 : i64, dim = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  check.close %var, dense<[2.3333333, 1.0]> : tensor<2xf32> ulp 2
  check.close %var2, dense<[1.5555556, 0.6666667]> : tensor<2xf32> ulp 2
  check.close %std, dense<[2.1602468, 1.4142135]> : tensor<2xf32> ulp 2
}

check.test @variance_far_from_zero {
  %x = check.input dense<[1.0e+04, 10001.0, 10002.0, 10003.0]> : tensor<4xf32>
  %var = aten.var %x : (tensor<4xf32>) -> tensor<f32>
  check.close %var, dense<1.6666666> : tensor<f32> ulp 4
}

check.test @norms {
  %x = check.input dense<[3.0, -4.0, 0.0]> : tensor<3xf32>
  %norm = aten.norm %x : (tensor<3xf32>) -> tensor<f32>
  %norm2 = aten.norm %x {ord = 1 : i64} : (tensor<3xf32>) -> tensor<f32>
  %norm3 = aten.norm %x {ord = 0x7FF0000000000000 : f64} : (tensor<3xf32>) -> tensor<f32>
  %norm4 = aten.norm %x {ord = 0xFFF0000000000000 : f64} : (tensor<3xf32>) -> tensor<f32>
  %norm5 = aten.norm %x {ord = 0 : i64} : (tensor<3xf32>) -> tensor<f32>
  check.close %norm, dense<5.0> : tensor<f32> ulp 1
  check.close %norm2, dense<7.0> : tensor<f32> ulp 1
  check.close %norm3, dense<4.0> : tensor<f32> ulp 1
  check.close %norm4, dense<0.0> : tensor<f32> ulp 1
  check.close %norm5, dense<2.0> : tensor<f32> ulp 1
}

check.test @norm_of_nan {
  %x = check.input dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %norm = aten.norm %x {ord = 0x7FF0000000000000 : f64} : (tensor<2xf32>) -> tensor<f32>
  %norm2 = aten.norm %x : (tensor<2xf32>) -> tensor<f32>
  check.close %norm, dense<0x7FC00000> : tensor<f32>
  check.close %norm2, dense<0x7FC00000> : tensor<f32>
}

check.test @over_several_dims {
  %x = check.input dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [2.0e+01, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %sum = aten.sum %x {dim = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %amax = aten.amax %x {dim = array<i64: 1, 2>} : (tensor<2x3x4xf32>) -> tensor<2xf32>
  %mean = aten.mean %x {dim = array<i64: 0, 1>, keepdim = true} : (tensor<2x3x4xf32>) -> tensor<1x1x4xf32>
  check.close %sum, dense<[6.0e+01, 92.0, 124.0]> : tensor<3xf32> ulp 1
  check.close %amax, dense<[11.0, 23.0]> : tensor<2xf32> ulp 1
  check.close %mean, dense<[[[1.0e+01, 11.0, 12.0, 13.0]]]> : tensor<1x1x4xf32> ulp 1
}

check.test @nansum {
  %x = check.input dense<[1.0, 0x7FC00000, 2.0]> : tensor<3xf32>
  %nansum = aten.nansum %x : (tensor<3xf32>) -> tensor<f32>
  check.close %nansum, dense<3.0> : tensor<f32>
}
