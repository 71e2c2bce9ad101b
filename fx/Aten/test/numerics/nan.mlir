// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Who passes NaN on, and who doesn't. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @maximum_gives_nan_from_either_side {
  %x = check.input dense<[1.0, 0x7FC00000, 2.0, 0x7FC00000]> : tensor<4xf32>
  %y = check.input dense<[0x7FC00000, 1.0, -3.0, 0x7FC00000]> : tensor<4xf32>
  %maximum = aten.maximum %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.close %maximum, dense<[0x7FC00000, 0x7FC00000, 2.0, 0x7FC00000]> : tensor<4xf32>
}

check.test @minimum_gives_nan_from_either_side {
  %x = check.input dense<[1.0, 0x7FC00000, 2.0, 0x7FC00000]> : tensor<4xf32>
  %y = check.input dense<[0x7FC00000, 1.0, -3.0, 0x7FC00000]> : tensor<4xf32>
  %minimum = aten.minimum %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.close %minimum, dense<[0x7FC00000, 0x7FC00000, -3.0, 0x7FC00000]> : tensor<4xf32>
}

check.test @fmax_and_fmin_take_the_other_one {
  %x = check.input dense<[1.0, 0x7FC00000, 2.0, 0x7FC00000]> : tensor<4xf32>
  %y = check.input dense<[0x7FC00000, 1.0, -3.0, 0x7FC00000]> : tensor<4xf32>
  %fmax = aten.fmax %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %fmin = aten.fmin %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.close %fmax, dense<[1.0, 1.0, 2.0, 0x7FC00000]> : tensor<4xf32>
  check.close %fmin, dense<[1.0, 1.0, -3.0, 0x7FC00000]> : tensor<4xf32>
}

check.test @clamp_keeps_nan {
  %x = check.input dense<[0x7FC00000, 5.0, -5.0, 0.5, 0x7F800000, 0xFF800000]> : tensor<6xf32>
  %number = fx.number -1 : i64 to tensor<i64, #fx.number>
  %number2 = fx.number 1 : i64 to tensor<i64, #fx.number>
  %clamp = aten.clamp %x, %number, %number2 {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<6xf32>, tensor<i64, #fx.number>, tensor<i64, #fx.number>) -> tensor<6xf32>
  %number3 = fx.number 0 : i64 to tensor<i64, #fx.number>
  %clamp2 = aten.clamp %x, %number3 {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<6xf32>, tensor<i64, #fx.number>) -> tensor<6xf32>
  %number4 = fx.number 0 : i64 to tensor<i64, #fx.number>
  %clamp3 = aten.clamp %x, %number4 {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<6xf32>, tensor<i64, #fx.number>) -> tensor<6xf32>
  check.close %clamp, dense<[0x7FC00000, 1.0, -1.0, 0.5, 1.0, -1.0]> : tensor<6xf32>
  check.close %clamp2, dense<[0x7FC00000, 5.0, 0.0, 0.5, 0x7F800000, 0.0]> : tensor<6xf32>
  check.close %clamp3, dense<[0x7FC00000, 0.0, -5.0, 0.0, 0.0, 0xFF800000]> : tensor<6xf32>
}

check.test @clamp_by_nan_is_nan {
  %x = check.input dense<[0.0, 0.0, 5.0]> : tensor<3xf32>
  %y = check.input dense<[0x7FC00000, -1.0, -1.0]> : tensor<3xf32>
  %z = check.input dense<[1.0, 0x7FC00000, 1.0]> : tensor<3xf32>
  %clamp = aten.clamp %x, %y, %z {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.close %clamp, dense<[0x7FC00000, 0x7FC00000, 1.0]> : tensor<3xf32>
}

check.test @clamp_with_crossed_bounds_gives_the_upper {
  %x = check.input dense<[0.0, 1.5, 3.0]> : tensor<3xf32>
  %number = fx.number 2.000000e+00 : f64 to tensor<f64, #fx.number>
  %number2 = fx.number 1.000000e+00 : f64 to tensor<f64, #fx.number>
  %clamp = aten.clamp %x, %number, %number2 {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<3xf32>, tensor<f64, #fx.number>, tensor<f64, #fx.number>) -> tensor<3xf32>
  check.close %clamp, dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
}

check.test @relu_keeps_nan {
  %x = check.input dense<[0x7FC00000, -2.0, 8.0]> : tensor<3xf32>
  %relu = aten.relu %x : (tensor<3xf32>) -> tensor<3xf32>
  %relu6 = aten.relu6 %x : (tensor<3xf32>) -> tensor<3xf32>
  %leaky_relu = aten.leaky_relu %x {negative_slope = 5.000000e-01 : f64} : (tensor<3xf32>) -> tensor<3xf32>
  %hardtanh = aten.hardtanh %x {max_val = 1.000000e+00 : f64, min_val = -1.000000e+00 : f64} : (tensor<3xf32>) -> tensor<3xf32>
  check.close %relu, dense<[0x7FC00000, 0.0, 8.0]> : tensor<3xf32>
  check.close %relu6, dense<[0x7FC00000, 0.0, 6.0]> : tensor<3xf32>
  check.close %leaky_relu, dense<[0x7FC00000, -1.0, 8.0]> : tensor<3xf32>
  check.close %hardtanh, dense<[0x7FC00000, -1.0, 1.0]> : tensor<3xf32>
}

check.test @comparisons_with_nan {
  %x = check.input dense<[0x7FC00000, 0x7FC00000, 1.0, 0.0]> : tensor<4xf32>
  %y = check.input dense<[0x7FC00000, 1.0, 0x7FC00000, -0.0]> : tensor<4xf32>
  %eq = aten.eq %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %ne = aten.ne %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %lt = aten.lt %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %le = aten.le %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %gt = aten.gt %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %ge = aten.ge %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.close %eq, dense<[false, false, false, true]> : tensor<4xi1>
  check.close %ne, dense<[true, true, true, false]> : tensor<4xi1>
  check.close %lt, dense<[false, false, false, false]> : tensor<4xi1>
  check.close %le, dense<[false, false, false, true]> : tensor<4xi1>
  check.close %gt, dense<[false, false, false, false]> : tensor<4xi1>
  check.close %ge, dense<[false, false, false, true]> : tensor<4xi1>
}

check.test @sign_of_nan_is_nan {
  %x = check.input dense<[0x7FC00000, -2.0, 3.0]> : tensor<3xf32>
  %sign = aten.sign %x : (tensor<3xf32>) -> tensor<3xf32>
  check.close %sign, dense<[0.0, -1.0, 1.0]> : tensor<3xf32>
}

check.test @classification {
  %x = check.input dense<[0.0, -0.0, 1.0, -1.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %isnan = aten.isnan %x : (tensor<7xf32>) -> tensor<7xi1>
  %isinf = aten.isinf %x : (tensor<7xf32>) -> tensor<7xi1>
  %isfinite = aten.isfinite %x : (tensor<7xf32>) -> tensor<7xi1>
  %isposinf = aten.isposinf %x : (tensor<7xf32>) -> tensor<7xi1>
  %isneginf = aten.isneginf %x : (tensor<7xf32>) -> tensor<7xi1>
  %signbit = aten.signbit %x : (tensor<7xf32>) -> tensor<7xi1>
  check.close %isnan, dense<[false, false, false, false, false, false, true]> : tensor<7xi1>
  check.close %isinf, dense<[false, false, false, false, true, true, false]> : tensor<7xi1>
  check.close %isfinite, dense<[true, true, true, true, false, false, false]> : tensor<7xi1>
  check.close %isposinf, dense<[false, false, false, false, true, false, false]> : tensor<7xi1>
  check.close %isneginf, dense<[false, false, false, false, false, true, false]> : tensor<7xi1>
  check.close %signbit, dense<[false, true, false, true, false, true, false]> : tensor<7xi1>
}

check.test @where_picks_and_doesnt_multiply {
  %x = check.input dense<[true, false, true, false]> : tensor<4xi1>
  %y = check.input dense<[0x7FC00000, 0x7FC00000, 1.0, 2.0]> : tensor<4xf32>
  %z = check.input dense<[5.0, 6.0, 0x7FC00000, 0x7FC00000]> : tensor<4xf32>
  %where = aten.where %x, %y, %z : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.close %where, dense<[0x7FC00000, 6.0, 1.0, 0x7FC00000]> : tensor<4xf32>
}

check.test @masked_fill_hides_nan {
  %x = check.input dense<[0x7FC00000, 1.0, 0x7F800000]> : tensor<3xf32>
  %y = check.input dense<[true, false, true]> : tensor<3xi1>
  %number = fx.number 0.000000e+00 : f64 to tensor<f64, #fx.number>
  %masked_fill = aten.masked_fill %x, %y, %number : (tensor<3xf32>, tensor<3xi1>, tensor<f64, #fx.number>) -> tensor<3xf32>
  check.close %masked_fill, dense<[0.0, 1.0, 0.0]> : tensor<3xf32>
}

check.test @nan_to_num {
  %x = check.input dense<[0.0, -0.0, 1.0, -1.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %nan_to_num = aten.nan_to_num %x : (tensor<7xf32>) -> tensor<7xf32>
  %nan_to_num2 = aten.nan_to_num %x {nan = 1.000000e+00 : f64, neginf = -2.000000e+00 : f64, posinf = 2.000000e+00 : f64} : (tensor<7xf32>) -> tensor<7xf32>
  check.close %nan_to_num, dense<[0.0, -0.0, 1.0, -1.0, 3.4028235e+38, -3.4028235e+38, 0.0]> : tensor<7xf32>
  check.close %nan_to_num2, dense<[0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 1.0]> : tensor<7xf32>
}

check.test @nan_is_true {
  %x = check.input dense<[0x7FC00000, 0.0, -0.0, 2.0]> : tensor<4xf32>
  %to = aten.to %x {dtype = i1} : (tensor<4xf32>) -> tensor<4xi1>
  %logical_not = aten.logical_not %x : (tensor<4xf32>) -> tensor<4xi1>
  %logical_and = aten.logical_and %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.close %to, dense<[true, false, false, true]> : tensor<4xi1>
  check.close %logical_not, dense<[false, true, true, false]> : tensor<4xi1>
  check.close %logical_and, dense<[true, false, false, true]> : tensor<4xi1>
}

check.test @xlogy_of_zero {
  %x = check.input dense<[0.0, 0.0, 0.0, 1.0, 0x7FC00000]> : tensor<5xf32>
  %y = check.input dense<[0.0, 0x7F800000, 0x7FC00000, 0.0, 0.0]> : tensor<5xf32>
  %xlogy = aten.xlogy %x, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  check.close %xlogy, dense<[0.0, 0.0, 0x7FC00000, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
}
