// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --verify-numerics=backend=cpu %s
//
// What is fused into a reduction mustn't hide that elements are unsigned.

check.test @of_sums {
  %x = check.input dense<[1, 16, 127, 100]> : tensor<4xui8>
  %sum = prims.add %x, %x : tensor<4xui8>
  %max = prims.reduce max %sum dims = [0] : tensor<4xui8> -> tensor<ui8>
  check.close %max, dense<254> : tensor<ui8>
  %min = prims.reduce min %sum dims = [0] : tensor<4xui8> -> tensor<ui8>
  check.close %min, dense<2> : tensor<ui8>
  %place = prims.arg_reduce max %sum dim = 0 : tensor<4xui8> -> tensor<i64>
  check.close %place, dense<2> : tensor<i64>
  %windows = prims.reduce_window max %sum window = [2] strides = [2] padding = [0] dilation = [1] : tensor<4xui8> -> tensor<2xui8>
  check.close %windows, dense<[32, 254]> : tensor<2xui8>
}
