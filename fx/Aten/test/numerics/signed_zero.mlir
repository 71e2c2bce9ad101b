// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Zeros keep the sign that IEEE 754 gives them. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @negation_and_magnitude {
  %x = check.input dense<[0.0, -0.0]> : tensor<2xf32>
  %neg = aten.neg %x : (tensor<2xf32>) -> tensor<2xf32>
  %abs = aten.abs %x : (tensor<2xf32>) -> tensor<2xf32>
  %sign = aten.sign %x : (tensor<2xf32>) -> tensor<2xf32>
  %signbit = aten.signbit %x : (tensor<2xf32>) -> tensor<2xi1>
  check.close %neg, dense<[-0.0, 0.0]> : tensor<2xf32>
  check.close %abs, dense<[0.0, 0.0]> : tensor<2xf32>
  check.close %sign, dense<[0.0, 0.0]> : tensor<2xf32>
  check.close %signbit, dense<[false, true]> : tensor<2xi1>
}

check.test @sums {
  %x = check.input dense<[0.0, 0.0, -0.0, -0.0]> : tensor<4xf32>
  %y = check.input dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf32>
  %add = aten.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %sub = aten.sub %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.close %add, dense<[0.0, 0.0, 0.0, -0.0]> : tensor<4xf32>
  check.close %sub, dense<[0.0, 0.0, -0.0, 0.0]> : tensor<4xf32>
}

check.test @adding_a_constant_zero {
  %x = check.input dense<[-0.0, 0.0, -3.0]> : tensor<3xf32>
  %number = fx.number 0.000000e+00 : f64 to tensor<f64, #fx.number>
  %add = aten.add %x, %number : (tensor<3xf32>, tensor<f64, #fx.number>) -> tensor<3xf32>
  %number2 = fx.number 0.000000e+00 : f64 to tensor<f64, #fx.number>
  %sub = aten.sub %x, %number2 : (tensor<3xf32>, tensor<f64, #fx.number>) -> tensor<3xf32>
  %number3 = fx.number 1.000000e+00 : f64 to tensor<f64, #fx.number>
  %mul = aten.mul %x, %number3 : (tensor<3xf32>, tensor<f64, #fx.number>) -> tensor<3xf32>
  %number4 = fx.number 0.000000e+00 : f64 to tensor<f64, #fx.number>
  %mul2 = aten.mul %x, %number4 : (tensor<3xf32>, tensor<f64, #fx.number>) -> tensor<3xf32>
  check.close %add, dense<[0.0, 0.0, -3.0]> : tensor<3xf32>
  check.close %sub, dense<[-0.0, 0.0, -3.0]> : tensor<3xf32>
  check.close %mul, dense<[-0.0, 0.0, -3.0]> : tensor<3xf32>
  check.close %mul2, dense<[-0.0, 0.0, -0.0]> : tensor<3xf32>
}

check.test @products_and_quotients {
  %x = check.input dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf32>
  %y = check.input dense<[2.0, 2.0, -2.0, -2.0]> : tensor<4xf32>
  %mul = aten.mul %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %div = aten.div %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.close %mul, dense<[0.0, -0.0, -0.0, 0.0]> : tensor<4xf32>
  check.close %div, dense<[0.0, -0.0, -0.0, 0.0]> : tensor<4xf32>
}

check.test @reciprocals {
  %x = check.input dense<[0.0, -0.0]> : tensor<2xf32>
  %reciprocal = aten.reciprocal %x : (tensor<2xf32>) -> tensor<2xf32>
  %number = fx.number 1 : i64 to tensor<i64, #fx.number>
  %mul = aten.mul %reciprocal, %number : (tensor<2xf32>, tensor<i64, #fx.number>) -> tensor<2xf32>
  %reciprocal2 = aten.reciprocal %x : (tensor<2xf32>) -> tensor<2xf32>
  %abs = aten.abs %x : (tensor<2xf32>) -> tensor<2xf32>
  %rsqrt = aten.rsqrt %abs : (tensor<2xf32>) -> tensor<2xf32>
  check.close %mul, dense<[0x7F800000, 0xFF800000]> : tensor<2xf32>
  check.close %reciprocal2, dense<[0x7F800000, 0xFF800000]> : tensor<2xf32>
  check.close %rsqrt, dense<[0x7F800000, 0x7F800000]> : tensor<2xf32>
}

check.test @roundings {
  %x = check.input dense<[-0.0, -0.3, -0.5, 0.3, 0.5]> : tensor<5xf32>
  %round = aten.round %x : (tensor<5xf32>) -> tensor<5xf32>
  %floor = aten.floor %x : (tensor<5xf32>) -> tensor<5xf32>
  %ceil = aten.ceil %x : (tensor<5xf32>) -> tensor<5xf32>
  %trunc = aten.trunc %x : (tensor<5xf32>) -> tensor<5xf32>
  check.close %round, dense<[-0.0, -0.0, -0.0, 0.0, 0.0]> : tensor<5xf32>
  check.close %floor, dense<[-0.0, -1.0, -1.0, 0.0, 0.0]> : tensor<5xf32>
  check.close %ceil, dense<[-0.0, -0.0, -0.0, 1.0, 1.0]> : tensor<5xf32>
  check.close %trunc, dense<[-0.0, -0.0, -0.0, 0.0, 0.0]> : tensor<5xf32>
}

check.test @functions {
  %x = check.input dense<[0.0, -0.0]> : tensor<2xf32>
  %sqrt = aten.sqrt %x : (tensor<2xf32>) -> tensor<2xf32>
  %sin = aten.sin %x : (tensor<2xf32>) -> tensor<2xf32>
  %tan = aten.tan %x : (tensor<2xf32>) -> tensor<2xf32>
  %tanh = aten.tanh %x : (tensor<2xf32>) -> tensor<2xf32>
  %atan = aten.atan %x : (tensor<2xf32>) -> tensor<2xf32>
  %asinh = aten.asinh %x : (tensor<2xf32>) -> tensor<2xf32>
  %expm1 = aten.expm1 %x : (tensor<2xf32>) -> tensor<2xf32>
  %log1p = aten.log1p %x : (tensor<2xf32>) -> tensor<2xf32>
  check.close %sqrt, dense<[0.0, -0.0]> : tensor<2xf32>
  check.close %sin, dense<[0.0, -0.0]> : tensor<2xf32>
  check.close %tan, dense<[0.0, -0.0]> : tensor<2xf32>
  check.close %tanh, dense<[0.0, -0.0]> : tensor<2xf32>
  check.close %atan, dense<[0.0, -0.0]> : tensor<2xf32>
  check.close %asinh, dense<[0.0, -0.0]> : tensor<2xf32>
  check.close %expm1, dense<[0.0, -0.0]> : tensor<2xf32>
  check.close %log1p, dense<[0.0, -0.0]> : tensor<2xf32>
}

check.test @copysign {
  %x = check.input dense<[1.0, -1.0, 0.0, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  %y = check.input dense<[-0.0, 0.0, -5.0, -1.0, -0.0]> : tensor<5xf32>
  %copysign = aten.copysign %x, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  check.close %copysign, dense<[-1.0, 1.0, -0.0, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
}

check.test @equal_but_not_the_same {
  %x = check.input dense<[0.0, -0.0]> : tensor<2xf32>
  %y = check.input dense<[-0.0, 0.0]> : tensor<2xf32>
  %eq = aten.eq %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %lt = aten.lt %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.close %eq, dense<[true, true]> : tensor<2xi1>
  check.close %lt, dense<[false, false]> : tensor<2xi1>
}
