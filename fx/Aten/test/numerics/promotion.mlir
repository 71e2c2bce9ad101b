// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Which dtype a result has. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @integer_and_a_float_number {
  %x = check.input dense<[1, -3]> : tensor<2xi64>
  %number = fx.number 1.500000e+00 : f64 to tensor<f64, #fx.number>
  %add = aten.add %x, %number : (tensor<2xi64>, tensor<f64, #fx.number>) -> tensor<2xf32>
  %number2 = fx.number 2 : i64 to tensor<i64, #fx.number>
  %mul = aten.mul %x, %number2 : (tensor<2xi64>, tensor<i64, #fx.number>) -> tensor<2xi64>
  %number3 = fx.number 2 : i64 to tensor<i64, #fx.number>
  %div = aten.div %x, %number3 : (tensor<2xi64>, tensor<i64, #fx.number>) -> tensor<2xf32>
  check.close %add, dense<[2.5, -1.5]> : tensor<2xf32>
  check.close %mul, dense<[2, -6]> : tensor<2xi64>
  check.close %div, dense<[0.5, -1.5]> : tensor<2xf32>
}

check.test @bool_and_integers {
  %x = check.input dense<[false, true]> : tensor<2xi1>
  %y = check.input dense<[5, -5]> : tensor<2xi8>
  %add = aten.add %x, %y : (tensor<2xi1>, tensor<2xi8>) -> tensor<2xi8>
  %number = fx.number 2 : i64 to tensor<i64, #fx.number>
  %mul = aten.mul %x, %number : (tensor<2xi1>, tensor<i64, #fx.number>) -> tensor<2xi64>
  %number2 = fx.number 1.500000e+00 : f64 to tensor<f64, #fx.number>
  %add2 = aten.add %x, %number2 : (tensor<2xi1>, tensor<f64, #fx.number>) -> tensor<2xf32>
  check.close %add, dense<[5, -4]> : tensor<2xi8>
  check.close %mul, dense<[0, 2]> : tensor<2xi64>
  check.close %add2, dense<[1.5, 2.5]> : tensor<2xf32>
}

check.test @unsigned_with_signed_is_wider {
  %x = check.input dense<[200, 255]> : tensor<2xui8>
  %y = check.input dense<[-1, 127]> : tensor<2xi8>
  %add = aten.add %x, %y : (tensor<2xui8>, tensor<2xi8>) -> tensor<2xi16>
  check.close %add, dense<[199, 382]> : tensor<2xi16>
}

check.test @half_with_bfloat16_is_float {
  %x = check.input dense<[1.001]> : tensor<1xf16>
  %y = check.input dense<[256.0]> : tensor<1xbf16>
  %add = aten.add %x, %y : (tensor<1xf16>, tensor<1xbf16>) -> tensor<1xf32>
  check.close %add, dense<[257.00098]> : tensor<1xf32>
}

check.test @zero_dim_tensors_count_less {
  %x = check.input dense<[1.0, 2.0]> : tensor<2xf16>
  %y = check.input dense<0.1> : tensor<f32>
  %add = aten.add %x, %y : (tensor<2xf16>, tensor<f32>) -> tensor<2xf16>
  %mul = aten.mul %x, %y : (tensor<2xf16>, tensor<f32>) -> tensor<2xf16>
  check.close %add, dense<[1.1, 2.1]> : tensor<2xf16>
  check.close %mul, dense<[0.1, 0.2]> : tensor<2xf16>
}

check.test @integers_with_float_tensors {
  %x = check.input dense<[16777217, 2]> : tensor<2xi64>
  %y = check.input dense<[0.0, 1.5]> : tensor<2xf32>
  %add = aten.add %x, %y : (tensor<2xi64>, tensor<2xf32>) -> tensor<2xf32>
  %gt = aten.gt %x, %y : (tensor<2xi64>, tensor<2xf32>) -> tensor<2xi1>
  check.close %add, dense<[16777216.0, 3.5]> : tensor<2xf32>
  check.close %gt, dense<[true, true]> : tensor<2xi1>
}

check.test @comparison_promotes {
  %x = check.input dense<[1, 2, 3]> : tensor<3xi64>
  %number = fx.number 1.500000e+00 : f64 to tensor<f64, #fx.number>
  %eq = aten.eq %x, %number : (tensor<3xi64>, tensor<f64, #fx.number>) -> tensor<3xi1>
  %number2 = fx.number 2.500000e+00 : f64 to tensor<f64, #fx.number>
  %lt = aten.lt %x, %number2 : (tensor<3xi64>, tensor<f64, #fx.number>) -> tensor<3xi1>
  %number3 = fx.number 2 : i64 to tensor<i64, #fx.number>
  %ge = aten.ge %x, %number3 : (tensor<3xi64>, tensor<i64, #fx.number>) -> tensor<3xi1>
  check.close %eq, dense<[false, false, false]> : tensor<3xi1>
  check.close %lt, dense<[true, true, false]> : tensor<3xi1>
  check.close %ge, dense<[false, true, true]> : tensor<3xi1>
}

check.test @where_promotes {
  %x = check.input dense<[false, true]> : tensor<2xi1>
  %y = check.input dense<[1, 2]> : tensor<2xi64>
  %z = check.input dense<[0.5, 0.25]> : tensor<2xf32>
  %where = aten.where %x, %y, %z : (tensor<2xi1>, tensor<2xi64>, tensor<2xf32>) -> tensor<2xf32>
  check.close %where, dense<[0.5, 2.0]> : tensor<2xf32>
}

check.test @half_by_a_number_that_isnt_rounded {
  %x = check.input dense<[0.5, 1.0, -3.0]> : tensor<3xf16>
  %y = check.input dense<0.1003> : tensor<f32>
  %number = fx.number 7.000000e+04 : f64 to tensor<f64, #fx.number>
  %mul = aten.mul %x, %number : (tensor<3xf16>, tensor<f64, #fx.number>) -> tensor<3xf16>
  %number2 = fx.number 1.003000e-01 : f64 to tensor<f64, #fx.number>
  %mul2 = aten.mul %x, %number2 : (tensor<3xf16>, tensor<f64, #fx.number>) -> tensor<3xf16>
  %number3 = fx.number 7.000000e+04 : f64 to tensor<f64, #fx.number>
  %div = aten.div %x, %number3 : (tensor<3xf16>, tensor<f64, #fx.number>) -> tensor<3xf16>
  %mul3 = aten.mul %x, %y : (tensor<3xf16>, tensor<f32>) -> tensor<3xf16>
  check.close %mul, dense<[3.5e+04, 0x7C00, 0xFC00]> : tensor<3xf16>
  check.close %mul2, dense<[0.05014, 0.1003, -0.3008]> : tensor<3xf16>
  check.close %div, dense<[7.15e-06, 1.43e-05, -4.286e-05]> : tensor<3xf16>
  check.close %mul3, dense<[0.05014, 0.1003, -0.3008]> : tensor<3xf16>
}

check.test @half_plus_a_number_that_is_rounded {
  %x = check.input dense<[0.5, 1.0, -3.0]> : tensor<3xbf16>
  %number = fx.number 1.003000e-01 : f64 to tensor<f64, #fx.number>
  %add = aten.add %x, %number : (tensor<3xbf16>, tensor<f64, #fx.number>) -> tensor<3xbf16>
  %number2 = fx.number 1.003000e-01 : f64 to tensor<f64, #fx.number>
  %sub = aten.sub %x, %number2 : (tensor<3xbf16>, tensor<f64, #fx.number>) -> tensor<3xbf16>
  check.close %add, dense<[0.6, 1.1, -2.9]> : tensor<3xbf16>
  check.close %sub, dense<[0.4, 0.9, -3.1]> : tensor<3xbf16>
}
