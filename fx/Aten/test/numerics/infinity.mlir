// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Functions at infinity and at the ends of the format. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @exponentials {
  %x = check.input dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.0, 2.0e+02, -2.0e+02]> : tensor<6xf32>
  %exp = aten.exp %x : (tensor<6xf32>) -> tensor<6xf32>
  %exp2 = aten.exp2 %x : (tensor<6xf32>) -> tensor<6xf32>
  %expm1 = aten.expm1 %x : (tensor<6xf32>) -> tensor<6xf32>
  check.close %exp, dense<[0x7F800000, 0.0, 0x7FC00000, 1.0, 0x7F800000, 0.0]> : tensor<6xf32>
  check.close %exp2, dense<[0x7F800000, 0.0, 0x7FC00000, 1.0, 0x7F800000, 0.0]> : tensor<6xf32>
  check.close %expm1, dense<[0x7F800000, -1.0, 0x7FC00000, 0.0, 0x7F800000, -1.0]> : tensor<6xf32>
}

check.test @logarithms {
  %x = check.input dense<[0x7F800000, 0.0, -0.0, 1.0, -2.0, 0x7FC00000]> : tensor<6xf32>
  %log = aten.log %x : (tensor<6xf32>) -> tensor<6xf32>
  %log2 = aten.log2 %x : (tensor<6xf32>) -> tensor<6xf32>
  %log10 = aten.log10 %x : (tensor<6xf32>) -> tensor<6xf32>
  %log1p = aten.log1p %x : (tensor<6xf32>) -> tensor<6xf32>
  check.close %log, dense<[0x7F800000, 0xFF800000, 0xFF800000, 0.0, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>
  check.close %log2, dense<[0x7F800000, 0xFF800000, 0xFF800000, 0.0, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>
  check.close %log10, dense<[0x7F800000, 0xFF800000, 0xFF800000, 0.0, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>
  check.close %log1p, dense<[0x7F800000, 0.0, -0.0, 0.6931472, 0x7FFFFFFF, 0x7FC00000]> : tensor<6xf32>
}

check.test @saturating {
  %x = check.input dense<[0x7F800000, 0xFF800000, 1.0e+02, -1.0e+02, 0x7FC00000]> : tensor<5xf32>
  %tanh = aten.tanh %x : (tensor<5xf32>) -> tensor<5xf32>
  %sigmoid = aten.sigmoid %x : (tensor<5xf32>) -> tensor<5xf32>
  %erf = aten.erf %x : (tensor<5xf32>) -> tensor<5xf32>
  %erfc = aten.erfc %x : (tensor<5xf32>) -> tensor<5xf32>
  check.close %tanh, dense<[1.0, -1.0, 1.0, -1.0, 0x7FC00000]> : tensor<5xf32> ulp 1
  check.close %sigmoid, dense<[1.0, 0.0, 1.0, 0.0, 0x7FC00000]> : tensor<5xf32> ulp 1
  check.close %erf, dense<[1.0, -1.0, 1.0, -1.0, 0x7FC00000]> : tensor<5xf32> ulp 1
  check.close %erfc, dense<[0.0, 2.0, 0.0, 2.0, 0x7FC00000]> : tensor<5xf32> ulp 1
}

check.test @activations {
  %x = check.input dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %relu = aten.relu %x : (tensor<3xf32>) -> tensor<3xf32>
  %silu = aten.silu %x : (tensor<3xf32>) -> tensor<3xf32>
  %gelu = aten.gelu %x : (tensor<3xf32>) -> tensor<3xf32>
  %softplus = aten.softplus %x : (tensor<3xf32>) -> tensor<3xf32>
  %elu = aten.elu %x {alpha = 1.000000e+00 : f64} : (tensor<3xf32>) -> tensor<3xf32>
  %hardswish = aten.hardswish %x : (tensor<3xf32>) -> tensor<3xf32>
  check.close %relu, dense<[0x7F800000, 0.0, 0x7FC00000]> : tensor<3xf32>
  check.close %silu, dense<[0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  check.close %gelu, dense<[0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  check.close %softplus, dense<[0x7F800000, 0.0, 0x7FC00000]> : tensor<3xf32>
  check.close %elu, dense<[0x7F800000, -1.0, 0x7FC00000]> : tensor<3xf32>
  check.close %hardswish, dense<[0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
}

check.test @trigonometry {
  %x = check.input dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %sin = aten.sin %x : (tensor<3xf32>) -> tensor<3xf32>
  %cos = aten.cos %x : (tensor<3xf32>) -> tensor<3xf32>
  %tan = aten.tan %x : (tensor<3xf32>) -> tensor<3xf32>
  %atan = aten.atan %x : (tensor<3xf32>) -> tensor<3xf32>
  check.close %sin, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32> ulp 1
  check.close %cos, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32> ulp 1
  check.close %tan, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32> ulp 1
  check.close %atan, dense<[1.5707964, -1.5707964, 0x7FC00000]> : tensor<3xf32> ulp 1
}

check.test @atan2_in_each_quadrant {
  %x = check.input dense<[1.0, 1.0, -1.0, -1.0, 0.0, -0.0, 0.0, -0.0, 0x7F800000, 0xFF800000, 1.0]> : tensor<11xf32>
  %y = check.input dense<[1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 0x7F800000, 0xFF800000, 0x7F800000]> : tensor<11xf32>
  %atan2 = aten.atan2 %x, %y : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xf32>
  check.close %atan2, dense<[0.7853982, 2.3561945, -0.7853982, -2.3561945, 0.0, -0.0, 3.1415927, -3.1415927, 0.7853982, -2.3561945, 0.0]> : tensor<11xf32> ulp 1
}

check.test @hyperbolic {
  %x = check.input dense<[0x7F800000, 0xFF800000, 9.0e+01, 0x7FC00000]> : tensor<4xf32>
  %sinh = aten.sinh %x : (tensor<4xf32>) -> tensor<4xf32>
  %cosh = aten.cosh %x : (tensor<4xf32>) -> tensor<4xf32>
  %asinh = aten.asinh %x : (tensor<4xf32>) -> tensor<4xf32>
  %acosh = aten.acosh %x : (tensor<4xf32>) -> tensor<4xf32>
  check.close %sinh, dense<[0x7F800000, 0xFF800000, 0x7F800000, 0x7FC00000]> : tensor<4xf32>
  check.close %cosh, dense<[0x7F800000, 0x7F800000, 0x7F800000, 0x7FC00000]> : tensor<4xf32>
  check.close %asinh, dense<[0x7F800000, 0xFF800000, 5.192988, 0x7FC00000]> : tensor<4xf32>
  check.close %acosh, dense<[0x7F800000, 0x7FC00000, 5.192926, 0x7FC00000]> : tensor<4xf32>
}

check.test @out_of_domain {
  %x = check.input dense<[-2.0, 2.0]> : tensor<2xf32>
  %sqrt = aten.sqrt %x : (tensor<2xf32>) -> tensor<2xf32>
  %asin = aten.asin %x : (tensor<2xf32>) -> tensor<2xf32>
  %acos = aten.acos %x : (tensor<2xf32>) -> tensor<2xf32>
  %atanh = aten.atanh %x : (tensor<2xf32>) -> tensor<2xf32>
  %rsqrt = aten.rsqrt %x : (tensor<2xf32>) -> tensor<2xf32>
  check.close %sqrt, dense<[0x7FC00000, 1.4142135]> : tensor<2xf32> ulp 1
  check.close %asin, dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32> ulp 1
  check.close %acos, dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32> ulp 1
  check.close %atanh, dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32> ulp 1
  check.close %rsqrt, dense<[0x7FC00000, 0.70710677]> : tensor<2xf32> ulp 1
}

check.test @overflow_and_underflow {
  %x = check.input dense<[3.0e+38, 1.0e-38, 1.0e-45]> : tensor<3xf32>
  %y = check.input dense<[1.0e+01, 1.0e-05, 2.0]> : tensor<3xf32>
  %mul = aten.mul %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %div = aten.div %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.close %mul, dense<[0x7F800000, 1.0e-43, 3.0e-45]> : tensor<3xf32>
  check.close %div, dense<[3.0e+37, 9.999999e-34, 0.0]> : tensor<3xf32>
}

check.test @subnormals_arent_flushed {
  %x = check.input dense<[1.0e-40, -1.0e-45, 1.5e-38]> : tensor<3xf32>
  %number = fx.number 5.000000e-01 : f64 to tensor<f64, #fx.number>
  %mul = aten.mul %x, %number : (tensor<3xf32>, tensor<f64, #fx.number>) -> tensor<3xf32>
  %add = aten.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %abs = aten.abs %x : (tensor<3xf32>) -> tensor<3xf32>
  %sqrt = aten.sqrt %x : (tensor<3xf32>) -> tensor<3xf32>
  check.close %mul, dense<[5.0e-41, -0.0, 7.5e-39]> : tensor<3xf32> ulp 1
  check.close %add, dense<[1.99999e-40, -3.0e-45, 3.0e-38]> : tensor<3xf32> ulp 1
  check.close %abs, dense<[1.0e-40, 1.0e-45, 1.5e-38]> : tensor<3xf32> ulp 1
  check.close %sqrt, dense<[9.999973e-21, 0x7FC00000, 1.224745e-19]> : tensor<3xf32> ulp 1
}

check.test @log_sum_of_infinities {
  %x = check.input dense<[0x7F800000, 0xFF800000, 0xFF800000, 1.0]> : tensor<4xf32>
  %y = check.input dense<[0x7F800000, 0xFF800000, 2.0, 0x7F800000]> : tensor<4xf32>
  %logaddexp = aten.logaddexp %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.close %logaddexp, dense<[0x7F800000, 0xFF800000, 2.0, 0x7F800000]> : tensor<4xf32> ulp 1
}
