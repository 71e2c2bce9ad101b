// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Integers wrap around in their own width. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @int8 {
  %x = check.input dense<[127, -128, 100, -128]> : tensor<4xi8>
  %y = check.input dense<[1, 1, 100, -1]> : tensor<4xi8>
  %add = aten.add %x, %y : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  %sub = aten.sub %x, %y : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  %mul = aten.mul %x, %y : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  check.close %add, dense<[-128, -127, -56, 127]> : tensor<4xi8>
  check.close %sub, dense<[126, 127, 0, -127]> : tensor<4xi8>
  check.close %mul, dense<[127, -128, 16, -128]> : tensor<4xi8>
}

check.test @uint8 {
  %x = check.input dense<[255, 0, 200, 16]> : tensor<4xui8>
  %y = check.input dense<[1, 1, 200, 16]> : tensor<4xui8>
  %add = aten.add %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %sub = aten.sub %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %mul = aten.mul %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  check.close %add, dense<[0, 1, 144, 32]> : tensor<4xui8>
  check.close %sub, dense<[254, 255, 0, 0]> : tensor<4xui8>
  check.close %mul, dense<[255, 0, 64, 0]> : tensor<4xui8>
}

check.test @int32 {
  %x = check.input dense<[2147483647, -2147483648, 65536]> : tensor<3xi32>
  %y = check.input dense<[1, 1, 65536]> : tensor<3xi32>
  %add = aten.add %x, %y : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %sub = aten.sub %x, %y : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %mul = aten.mul %x, %y : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.close %add, dense<[-2147483648, -2147483647, 131072]> : tensor<3xi32>
  check.close %sub, dense<[2147483646, 2147483647, 0]> : tensor<3xi32>
  check.close %mul, dense<[2147483647, -2147483648, 0]> : tensor<3xi32>
}

check.test @int64 {
  %x = check.input dense<[9223372036854775807, -9223372036854775808, 4294967296]> : tensor<3xi64>
  %y = check.input dense<[1, 1, 4294967296]> : tensor<3xi64>
  %add = aten.add %x, %y : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  %sub = aten.sub %x, %y : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  %mul = aten.mul %x, %y : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  check.close %add, dense<[-9223372036854775808, -9223372036854775807, 8589934592]> : tensor<3xi64>
  check.close %sub, dense<[9223372036854775806, 9223372036854775807, 0]> : tensor<3xi64>
  check.close %mul, dense<[9223372036854775807, -9223372036854775808, 0]> : tensor<3xi64>
}

check.test @negation_and_magnitude_of_the_smallest {
  %x = check.input dense<[-128, 127, -1]> : tensor<3xi8>
  %neg = aten.neg %x : (tensor<3xi8>) -> tensor<3xi8>
  %abs = aten.abs %x : (tensor<3xi8>) -> tensor<3xi8>
  check.close %neg, dense<[-128, -127, 1]> : tensor<3xi8>
  check.close %abs, dense<[-128, 127, 1]> : tensor<3xi8>
}

check.test @negation_of_unsigned {
  %x = check.input dense<[0, 1, 128, 255]> : tensor<4xui8>
  %neg = aten.neg %x : (tensor<4xui8>) -> tensor<4xui8>
  check.close %neg, dense<[0, 255, 128, 1]> : tensor<4xui8>
}

check.test @int32_extremes {
  %x = check.input dense<[-2147483648, 2147483647, 0]> : tensor<3xi32>
  %neg = aten.neg %x : (tensor<3xi32>) -> tensor<3xi32>
  %abs = aten.abs %x : (tensor<3xi32>) -> tensor<3xi32>
  %sign = aten.sign %x : (tensor<3xi32>) -> tensor<3xi32>
  %bitwise_not = aten.bitwise_not %x : (tensor<3xi32>) -> tensor<3xi32>
  check.close %neg, dense<[-2147483648, -2147483647, 0]> : tensor<3xi32>
  check.close %abs, dense<[-2147483648, 2147483647, 0]> : tensor<3xi32>
  check.close %sign, dense<[-1, 1, 0]> : tensor<3xi32>
  check.close %bitwise_not, dense<[2147483647, -2147483648, -1]> : tensor<3xi32>
}

check.test @sums_are_int64 {
  %x = check.input dense<[127, 127, -3]> : tensor<3xi8>
  %sum = aten.sum %x : (tensor<3xi8>) -> tensor<i64>
  %prod = aten.prod %x : (tensor<3xi8>) -> tensor<i64>
  %cumsum = aten.cumsum %x : (tensor<3xi8>) -> tensor<3xi64>
  check.close %sum, dense<251> : tensor<i64>
  check.close %prod, dense<-48387> : tensor<i64>
  check.close %cumsum, dense<[127, 254, 251]> : tensor<3xi64>
}

check.test @sums_in_their_own_width {
  %x = check.input dense<[127, 127, 5]> : tensor<3xi8>
  %sum = aten.sum %x {dtype = i8} : (tensor<3xi8>) -> tensor<i8>
  %cumsum = aten.cumsum %x {dtype = i8} : (tensor<3xi8>) -> tensor<3xi8>
  check.close %sum, dense<3> : tensor<i8>
  check.close %cumsum, dense<[127, -2, 3]> : tensor<3xi8>
}

check.test @numbers_beyond_the_width {
  %x = check.input dense<[1, 255]> : tensor<2xui8>
  %number = fx.number 300 : i64 to tensor<i64, #fx.number>
  %add = aten.add %x, %number : (tensor<2xui8>, tensor<i64, #fx.number>) -> tensor<2xui8>
  %number2 = fx.number 257 : i64 to tensor<i64, #fx.number>
  %mul = aten.mul %x, %number2 : (tensor<2xui8>, tensor<i64, #fx.number>) -> tensor<2xui8>
  check.close %add, dense<[45, 43]> : tensor<2xui8>
  check.close %mul, dense<[1, 255]> : tensor<2xui8>
}

check.test @chained_wraps {
  %x = check.input dense<[100, 27, -100]> : tensor<3xi8>
  %number = fx.number 2 : i64 to tensor<i64, #fx.number>
  %mul = aten.mul %x, %number : (tensor<3xi8>, tensor<i64, #fx.number>) -> tensor<3xi8>
  %number2 = fx.number 2 : i64 to tensor<i64, #fx.number>
  %div = aten.div %mul, %number2 {rounding_mode = "floor"} : (tensor<3xi8>, tensor<i64, #fx.number>) -> tensor<3xi8>
  %number3 = fx.number 100 : i64 to tensor<i64, #fx.number>
  %add = aten.add %x, %number3 : (tensor<3xi8>, tensor<i64, #fx.number>) -> tensor<3xi8>
  %gt = aten.gt %add, %x : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  check.close %div, dense<[-28, 27, 28]> : tensor<3xi8>
  check.close %gt, dense<[false, true, true]> : tensor<3xi1>
}
