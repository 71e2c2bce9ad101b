// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Shifts and logic. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @left_shift {
  %x = check.input dense<[1, -1, 3, 1]> : tensor<4xi64>
  %y = check.input dense<[4, 3, 62, 63]> : tensor<4xi64>
  %bitwise_left_shift = aten.bitwise_left_shift %x, %y : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  check.close %bitwise_left_shift, dense<[16, -8, -4611686018427387904, -9223372036854775808]> : tensor<4xi64>
}

check.test @right_shift_keeps_the_sign {
  %x = check.input dense<[-8, -1, 7, -9223372036854775808]> : tensor<4xi64>
  %y = check.input dense<[1, 5, 1, 63]> : tensor<4xi64>
  %bitwise_right_shift = aten.bitwise_right_shift %x, %y : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  check.close %bitwise_right_shift, dense<[-4, -1, 3, -1]> : tensor<4xi64>
}

check.test @right_shift_of_unsigned {
  %x = check.input dense<[255, 128, 7]> : tensor<3xui8>
  %y = check.input dense<[1, 7, 2]> : tensor<3xui8>
  %bitwise_right_shift = aten.bitwise_right_shift %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  check.close %bitwise_right_shift, dense<[127, 1, 1]> : tensor<3xui8>
}

check.test @int8_shifts {
  %x = check.input dense<[1, 64, -128, 3]> : tensor<4xi8>
  %y = check.input dense<[7, 1, 7, 2]> : tensor<4xi8>
  %bitwise_left_shift = aten.bitwise_left_shift %x, %y : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  %bitwise_right_shift = aten.bitwise_right_shift %x, %y : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  check.close %bitwise_left_shift, dense<[-128, -128, 0, 12]> : tensor<4xi8>
  check.close %bitwise_right_shift, dense<[0, 32, -1, 0]> : tensor<4xi8>
}

check.test @logic {
  %x = check.input dense<[12, -1, 0]> : tensor<3xi32>
  %y = check.input dense<[10, 5, -7]> : tensor<3xi32>
  %bitwise_and = aten.bitwise_and %x, %y : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %bitwise_or = aten.bitwise_or %x, %y : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %bitwise_xor = aten.bitwise_xor %x, %y : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %bitwise_not = aten.bitwise_not %x : (tensor<3xi32>) -> tensor<3xi32>
  check.close %bitwise_and, dense<[8, 5, 0]> : tensor<3xi32>
  check.close %bitwise_or, dense<[14, -1, -7]> : tensor<3xi32>
  check.close %bitwise_xor, dense<[6, -6, -7]> : tensor<3xi32>
  check.close %bitwise_not, dense<[-13, 0, -1]> : tensor<3xi32>
}

check.test @logic_of_bools {
  %x = check.input dense<[false, false, true, true]> : tensor<4xi1>
  %y = check.input dense<[false, true, false, true]> : tensor<4xi1>
  %bitwise_and = aten.bitwise_and %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %bitwise_or = aten.bitwise_or %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %bitwise_xor = aten.bitwise_xor %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %bitwise_not = aten.bitwise_not %x : (tensor<4xi1>) -> tensor<4xi1>
  check.close %bitwise_and, dense<[false, false, false, true]> : tensor<4xi1>
  check.close %bitwise_or, dense<[false, true, true, true]> : tensor<4xi1>
  check.close %bitwise_xor, dense<[false, true, true, false]> : tensor<4xi1>
  check.close %bitwise_not, dense<[true, true, false, false]> : tensor<4xi1>
}

check.test @logical_ops_take_numbers {
  %x = check.input dense<[0, 2, -1]> : tensor<3xi64>
  %y = check.input dense<[0.0, 0.5, -0.0]> : tensor<3xf32>
  %logical_and = aten.logical_and %x, %y : (tensor<3xi64>, tensor<3xf32>) -> tensor<3xi1>
  %logical_or = aten.logical_or %x, %y : (tensor<3xi64>, tensor<3xf32>) -> tensor<3xi1>
  %logical_xor = aten.logical_xor %x, %y : (tensor<3xi64>, tensor<3xf32>) -> tensor<3xi1>
  check.close %logical_and, dense<[false, true, false]> : tensor<3xi1>
  check.close %logical_or, dense<[false, true, true]> : tensor<3xi1>
  check.close %logical_xor, dense<[false, false, true]> : tensor<3xi1>
}
