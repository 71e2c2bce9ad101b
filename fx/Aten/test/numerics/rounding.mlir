// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Halves go to the even neighbour; float16 and bfloat16 round once an op. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @round_halves_to_even {
  %x = check.input dense<[0.5, 1.5, 2.5, 3.5, -0.5, -1.5, -2.5, 8388609.0, 4194303.5, 0.49999997]> : tensor<10xf32>
  %round = aten.round %x : (tensor<10xf32>) -> tensor<10xf32>
  check.close %round, dense<[0.0, 2.0, 2.0, 4.0, -0.0, -2.0, -2.0, 8388609.0, 4194304.0, 0.0]> : tensor<10xf32>
}

check.test @round_to_decimals {
  %x = check.input dense<[0.25, 0.35, -0.25, 15.0, 25.0, -25.0]> : tensor<6xf32>
  %round = aten.round %x {decimals = 1 : i64} : (tensor<6xf32>) -> tensor<6xf32>
  %round2 = aten.round %x {decimals = -1 : i64} : (tensor<6xf32>) -> tensor<6xf32>
  check.close %round, dense<[0.2, 0.4, -0.2, 15.0, 25.0, -25.0]> : tensor<6xf32> ulp 1
  check.close %round2, dense<[0.0, 0.0, -0.0, 2.0e+01, 2.0e+01, -2.0e+01]> : tensor<6xf32> ulp 1
}

check.test @floor_ceil_trunc_frac {
  %x = check.input dense<[1.5, -1.5, 2.0, -2.0, 0.99999994, -1.0e-20]> : tensor<6xf32>
  %floor = aten.floor %x : (tensor<6xf32>) -> tensor<6xf32>
  %ceil = aten.ceil %x : (tensor<6xf32>) -> tensor<6xf32>
  %trunc = aten.trunc %x : (tensor<6xf32>) -> tensor<6xf32>
  %frac = aten.frac %x : (tensor<6xf32>) -> tensor<6xf32>
  check.close %floor, dense<[1.0, -2.0, 2.0, -2.0, 0.0, -1.0]> : tensor<6xf32>
  check.close %ceil, dense<[2.0, -1.0, 2.0, -2.0, 1.0, -0.0]> : tensor<6xf32>
  check.close %trunc, dense<[1.0, -1.0, 2.0, -2.0, 0.0, -0.0]> : tensor<6xf32>
  check.close %frac, dense<[0.5, -0.5, 0.0, 0.0, 0.99999994, -1.0e-20]> : tensor<6xf32>
}

check.test @float16_arithmetic {
  %x = check.input dense<[2048.0, 1.0, 6.55e+04, 6.0e-08]> : tensor<4xf16>
  %y = check.input dense<[1.0, 3.0, 6.55e+04, 0.5]> : tensor<4xf16>
  %add = aten.add %x, %y : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %mul = aten.mul %x, %y : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %div = aten.div %x, %y : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  check.close %add, dense<[2048.0, 4.0, 0x7C00, 0.5]> : tensor<4xf16>
  check.close %mul, dense<[2048.0, 3.0, 0x7C00, 0.0]> : tensor<4xf16>
  check.close %div, dense<[2048.0, 0.3333, 1.0, 1.0e-07]> : tensor<4xf16>
}

check.test @bfloat16_arithmetic {
  %x = check.input dense<[256.0, 1.0, 3.0e+38, 1.01]> : tensor<4xbf16>
  %y = check.input dense<[1.0, 3.0, 3.0e+38, 1.01]> : tensor<4xbf16>
  %add = aten.add %x, %y : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %mul = aten.mul %x, %y : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %div = aten.div %x, %y : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  check.close %add, dense<[256.0, 4.0, 0x7F80, 2.02]> : tensor<4xbf16>
  check.close %mul, dense<[256.0, 3.0, 0x7F80, 1.016]> : tensor<4xbf16>
  check.close %div, dense<[256.0, 0.334, 1.0, 1.0]> : tensor<4xbf16>
}

check.test @a_chain_rounds_at_each_op {
  %x = check.input dense<[0.0001, 0.00049, 0.3]> : tensor<3xf16>
  %number = fx.number 1 : i64 to tensor<i64, #fx.number>
  %add = aten.add %x, %number : (tensor<3xf16>, tensor<i64, #fx.number>) -> tensor<3xf16>
  %number2 = fx.number 1 : i64 to tensor<i64, #fx.number>
  %sub = aten.sub %add, %number2 : (tensor<3xf16>, tensor<i64, #fx.number>) -> tensor<3xf16>
  check.close %sub, dense<[0.0, 0.000977, 0.2998]> : tensor<3xf16>
}

check.test @products_arent_contracted {
  %x = check.input dense<[1.0000001, 3.0]> : tensor<2xf32>
  %y = check.input dense<[1.0000001, 0.33333334]> : tensor<2xf32>
  %z = check.input dense<[-1.0000002, -1.0]> : tensor<2xf32>
  %mul = aten.mul %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %add = aten.add %mul, %z : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  check.close %add, dense<[0.0, 0.0]> : tensor<2xf32>
}
