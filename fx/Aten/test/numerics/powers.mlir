// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Corner cases of pow. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @zeros_and_ones {
  %x = check.input dense<[0.0, 0.0, -0.0, -0.0, 0x7FC00000, 1.0, 0x7F800000, 0xFF800000, 0xFF800000]> : tensor<9xf32>
  %y = check.input dense<[0.0, -1.0, -1.0, -2.0, 0.0, 0x7FC00000, 0.0, 3.0, -3.0]> : tensor<9xf32>
  %pow = aten.pow %x, %y : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
  check.close %pow, dense<[1.0, 0x7F800000, 0xFF800000, 0x7F800000, 1.0, 1.0, 1.0, 0xFF800000, -0.0]> : tensor<9xf32>
}

check.test @negative_bases {
  %x = check.input dense<[-2.0, -2.0, -8.0, -1.0, -1.0]> : tensor<5xf32>
  %y = check.input dense<[3.0, 2.0, 0.33333334, 0x7F800000, 0.5]> : tensor<5xf32>
  %pow = aten.pow %x, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  check.close %pow, dense<[-8.0, 4.0, 0x7FC00000, 1.0, 0x7FC00000]> : tensor<5xf32>
}

check.test @infinite_exponents {
  %x = check.input dense<[0.5, 2.0, 0.5, 2.0, -0.5]> : tensor<5xf32>
  %y = check.input dense<[0x7F800000, 0x7F800000, 0xFF800000, 0xFF800000, 0x7F800000]> : tensor<5xf32>
  %pow = aten.pow %x, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  check.close %pow, dense<[0.0, 0x7F800000, 0x7F800000, 0.0, 0.0]> : tensor<5xf32>
}

check.test @square_root_of_minus_infinity {
  %x = check.input dense<[0xFF800000, -0.0, 0.0, 4.0, 0x7F800000]> : tensor<5xf32>
  %number = fx.number 5.000000e-01 : f64 to tensor<f64, #fx.number>
  %pow = aten.pow %x, %number : (tensor<5xf32>, tensor<f64, #fx.number>) -> tensor<5xf32>
  %number2 = fx.number -5.000000e-01 : f64 to tensor<f64, #fx.number>
  %pow2 = aten.pow %x, %number2 : (tensor<5xf32>, tensor<f64, #fx.number>) -> tensor<5xf32>
  check.close %pow, dense<[0x7FC00000, -0.0, 0.0, 2.0, 0x7F800000]> : tensor<5xf32> ulp 1
  check.close %pow2, dense<[0x7FC00000, 0xFF800000, 0x7F800000, 0.5, 0.0]> : tensor<5xf32> ulp 1
}

check.test @constant_exponents {
  %x = check.input dense<[-0.0, -3.0, 1.0e+20, 0x7FC00000, 0x7F800000]> : tensor<5xf32>
  %number = fx.number 2 : i64 to tensor<i64, #fx.number>
  %pow = aten.pow %x, %number : (tensor<5xf32>, tensor<i64, #fx.number>) -> tensor<5xf32>
  %number2 = fx.number 3 : i64 to tensor<i64, #fx.number>
  %pow2 = aten.pow %x, %number2 : (tensor<5xf32>, tensor<i64, #fx.number>) -> tensor<5xf32>
  %number3 = fx.number -1 : i64 to tensor<i64, #fx.number>
  %pow3 = aten.pow %x, %number3 : (tensor<5xf32>, tensor<i64, #fx.number>) -> tensor<5xf32>
  %number4 = fx.number 0 : i64 to tensor<i64, #fx.number>
  %pow4 = aten.pow %x, %number4 : (tensor<5xf32>, tensor<i64, #fx.number>) -> tensor<5xf32>
  %number5 = fx.number 1 : i64 to tensor<i64, #fx.number>
  %pow5 = aten.pow %x, %number5 : (tensor<5xf32>, tensor<i64, #fx.number>) -> tensor<5xf32>
  check.close %pow, dense<[0.0, 9.0, 0x7F800000, 0x7FC00000, 0x7F800000]> : tensor<5xf32>
  check.close %pow2, dense<[-0.0, -27.0, 0x7F800000, 0x7FC00000, 0x7F800000]> : tensor<5xf32>
  check.close %pow3, dense<[0xFF800000, -0.33333334, 1.0e-20, 0x7FC00000, 0.0]> : tensor<5xf32>
  check.close %pow4, dense<[1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<5xf32>
  check.close %pow5, dense<[-0.0, -3.0, 1.0e+20, 0x7FC00000, 0x7F800000]> : tensor<5xf32>
}

check.test @ordinary_values {
  %x = check.input dense<[1.5, 2.7, 0.3, 1.0e+01, 1.0000001]> : tensor<5xf32>
  %y = check.input dense<[2.5, -3.1, 7.7, 3.0e+01, 1.0e+07]> : tensor<5xf32>
  %pow = aten.pow %x, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  check.close %pow, dense<[2.755676, 0.04600154, 9.415294e-05, 1.0e+30, 3.2939677]> : tensor<5xf32> ulp 2
}

check.test @a_number_to_a_tensor {
  %x = check.input dense<[0.0, -1.0, 3.0, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  %number = fx.number 2.000000e+00 : f64 to tensor<f64, #fx.number>
  %pow = aten.pow %number, %x : (tensor<f64, #fx.number>, tensor<5xf32>) -> tensor<5xf32>
  %number2 = fx.number 1.000000e+00 : f64 to tensor<f64, #fx.number>
  %pow2 = aten.pow %number2, %x : (tensor<f64, #fx.number>, tensor<5xf32>) -> tensor<5xf32>
  %number3 = fx.number 0.000000e+00 : f64 to tensor<f64, #fx.number>
  %pow3 = aten.pow %number3, %x : (tensor<f64, #fx.number>, tensor<5xf32>) -> tensor<5xf32>
  check.close %pow, dense<[1.0, 0.5, 8.0, 0x7F800000, 0x7FC00000]> : tensor<5xf32> ulp 1
  check.close %pow2, dense<[1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<5xf32> ulp 1
  check.close %pow3, dense<[1.0, 0x7F800000, 0.0, 0.0, 0x7FC00000]> : tensor<5xf32> ulp 1
}

check.test @integers_wrap {
  %x = check.input dense<[-3, 0, 7, 3037000500, 4611686018427387904]> : tensor<5xi64>
  %number = fx.number 2 : i64 to tensor<i64, #fx.number>
  %pow = aten.pow %x, %number : (tensor<5xi64>, tensor<i64, #fx.number>) -> tensor<5xi64>
  %number2 = fx.number 3 : i64 to tensor<i64, #fx.number>
  %pow2 = aten.pow %x, %number2 : (tensor<5xi64>, tensor<i64, #fx.number>) -> tensor<5xi64>
  %number3 = fx.number 0 : i64 to tensor<i64, #fx.number>
  %pow3 = aten.pow %x, %number3 : (tensor<5xi64>, tensor<i64, #fx.number>) -> tensor<5xi64>
  check.close %pow, dense<[9, 0, 49, -9223372036709301616, 0]> : tensor<5xi64>
  check.close %pow2, dense<[-27, 0, 343, 441805193841096000, 0]> : tensor<5xi64>
  check.close %pow3, dense<[1, 1, 1, 1, 1]> : tensor<5xi64>
}

check.test @integer_tensors {
  %x = check.input dense<[2, -2, 0, 5, 2]> : tensor<5xi64>
  %y = check.input dense<[10, 3, 0, 1, 63]> : tensor<5xi64>
  %pow = aten.pow %x, %y : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
  check.close %pow, dense<[1024, -8, 1, 5, -9223372036854775808]> : tensor<5xi64>
}

check.test @integer_to_a_float {
  %x = check.input dense<[4, 0, 2]> : tensor<3xi64>
  %number = fx.number 5.000000e-01 : f64 to tensor<f64, #fx.number>
  %pow = aten.pow %x, %number : (tensor<3xi64>, tensor<f64, #fx.number>) -> tensor<3xf32>
  check.close %pow, dense<[2.0, 0.0, 1.4142135]> : tensor<3xf32> ulp 1
}
