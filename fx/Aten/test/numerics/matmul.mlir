// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Ranks, dtypes, infinities. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @vectors {
  %x = check.input dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y = check.input dense<[-1.0, 0.5, 2.0]> : tensor<3xf32>
  %z = check.input dense<[[-3.0, 2.0, 0.0], [-2.0, 3.0, 1.0], [-1.0, -3.0, 2.0]]> : tensor<3x3xf32>
  %matmul = aten.matmul %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %matmul2 = aten.matmul %z, %x : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %matmul3 = aten.matmul %x, %z : (tensor<3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
  check.close %matmul, dense<6.0> : tensor<f32>
  check.close %matmul2, dense<[1.0, 7.0, -1.0]> : tensor<3xf32>
  check.close %matmul3, dense<[-1.0e+01, -1.0, 8.0]> : tensor<3xf32>
}

check.test @broadcast_batches {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0], [-2.0, 3.0, 1.0]]], [[[-1.0, -3.0, 2.0], [0.0, -2.0, 3.0]]]]> : tensor<2x1x2x3xf32>
  %y = check.input dense<[[[-3.0, 2.0], [0.0, -2.0], [3.0, 1.0]], [[-1.0, -3.0], [2.0, 0.0], [-2.0, 3.0]], [[1.0, -1.0], [-3.0, 2.0], [0.0, -2.0]], [[3.0, 1.0], [-1.0, -3.0], [2.0, 0.0]]]> : tensor<4x3x2xf32>
  %matmul = aten.matmul %x, %y : (tensor<2x1x2x3xf32>, tensor<4x3x2xf32>) -> tensor<2x4x2x2xf32>
  check.close %matmul, dense<[[[[9.0, -1.0e+01], [9.0, -9.0]], [[7.0, 9.0], [6.0, 9.0]], [[-9.0, 7.0], [-11.0, 6.0]], [[-11.0, -9.0], [-7.0, -11.0]]], [[[9.0, 6.0], [9.0, 7.0]], [[-9.0, 9.0], [-1.0e+01, 9.0]], [[8.0, -9.0], [6.0, -1.0e+01]], [[4.0, 8.0], [8.0, 6.0]]]]> : tensor<2x4x2x2xf32>
}

check.test @a_zero_times_infinity_is_nan {
  %x = check.input dense<[[0.0, 1.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %y = check.input dense<[[0x7F800000, 1.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %matmul = aten.matmul %x, %y : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.close %matmul, dense<[[0x7FC00000, 1.0], [0x7FC00000, 2.0]]> : tensor<2x2xf32>
}

check.test @integers_wrap {
  %x = check.input dense<[[100, 50], [-3, 7]]> : tensor<2x2xi64>
  %y = check.input dense<[[2, 1], [1, 100]]> : tensor<2x2xi64>
  %matmul = aten.matmul %x, %y : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  %to = aten.to %x {dtype = i8} : (tensor<2x2xi64>) -> tensor<2x2xi8>
  %to2 = aten.to %y {dtype = i8} : (tensor<2x2xi64>) -> tensor<2x2xi8>
  %matmul2 = aten.matmul %to, %to2 : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi8>
  check.close %matmul, dense<[[250, 5100], [1, 697]]> : tensor<2x2xi64>
  check.close %matmul2, dense<[[-6, -20], [1, -71]]> : tensor<2x2xi8>
}

check.test @half_is_wide_inside {
  %x = check.input dense<[[2048.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]]> : tensor<1x9xf16>
  %y = check.input dense<[[1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0]]> : tensor<9x1xf16>
  %matmul = aten.matmul %x, %y : (tensor<1x9xf16>, tensor<9x1xf16>) -> tensor<1x1xf16>
  check.close %matmul, dense<[[2056.0]]> : tensor<1x1xf16>
}

check.test @bfloat16_is_wide_inside {
  %x = check.input dense<[[256.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]]> : tensor<1x9xbf16>
  %y = check.input dense<[[1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0]]> : tensor<9x1xbf16>
  %matmul = aten.matmul %x, %y : (tensor<1x9xbf16>, tensor<9x1xbf16>) -> tensor<1x1xbf16>
  check.close %matmul, dense<[[264.0]]> : tensor<1x1xbf16>
}

check.test @double {
  %x = check.input dense<[[-1.0, 0.6666666666666666, 0.0], [-0.6666666666666666, 1.0, 0.3333333333333333]]> : tensor<2x3xf64>
  %y = check.input dense<[[-3.0, 2.0], [0.0, -2.0], [3.0, 1.0]]> : tensor<3x2xf64>
  %matmul = aten.matmul %x, %y : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<2x2xf64>
  check.close %matmul, dense<[[3.0, -3.333333333333333], [3.0, -2.9999999999999996]]> : tensor<2x2xf64> ulp 2
}

check.test @odd_sizes {
  %x = check.input dense<[[-3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0], [-1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0], [-2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0], [0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0]]> : tensor<7x13xf32>
  %y = check.input dense<[[-3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0], [-2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0], [-1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0], [0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0], [-3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0], [-2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0], [-1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0], [0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0]]> : tensor<13x17xf32>
  %matmul = aten.matmul %x, %y : (tensor<7x13xf32>, tensor<13x17xf32>) -> tensor<7x17xf32>
  check.close %matmul, dense<[[17.0, 1.0, -29.0, 25.0, -26.0, 0.0, 12.0, 17.0, 1.0, -29.0, 25.0, -26.0, 0.0, 12.0, 17.0, 1.0, -29.0], [25.0, -29.0, 1.0, 17.0, 12.0, 0.0, -26.0, 25.0, -29.0, 1.0, 17.0, 12.0, 0.0, -26.0, 25.0, -29.0, 1.0], [5.0, 11.0, 3.0, -19.0, 22.0, -28.0, 6.0, 5.0, 11.0, 3.0, -19.0, 22.0, -28.0, 6.0, 5.0, 11.0, 3.0], [-22.0, 3.0e+01, -3.0e+01, -6.0, 18.0, 14.0, -4.0, -22.0, 3.0e+01, -3.0e+01, -6.0, 18.0, 14.0, -4.0, -22.0, 3.0e+01, -3.0e+01], [0.0, 14.0, 14.0, 0.0, -28.0, 28.0, -28.0, 0.0, 14.0, 14.0, 0.0, -28.0, 28.0, -28.0, 0.0, 14.0, 14.0], [-6.0, -3.0e+01, 3.0e+01, -22.0, -4.0, 14.0, 18.0, -6.0, -3.0e+01, 3.0e+01, -22.0, -4.0, 14.0, 18.0, -6.0, -3.0e+01, 3.0e+01], [-19.0, 3.0, 11.0, 5.0, 6.0, -28.0, 22.0, -19.0, 3.0, 11.0, 5.0, 6.0, -28.0, 22.0, -19.0, 3.0, 11.0]]> : tensor<7x17xf32>
}

check.test @one_column {
  %x = check.input dense<[[-3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0], [-2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0], [-1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0, -3.0, 2.0, 0.0, -2.0]]> : tensor<5x33xf32>
  %y = check.input dense<[[-3.0], [2.0], [0.0], [-2.0], [3.0], [1.0], [-1.0], [-3.0], [2.0], [0.0], [-2.0], [3.0], [1.0], [-1.0], [-3.0], [2.0], [0.0], [-2.0], [3.0], [1.0], [-1.0], [-3.0], [2.0], [0.0], [-2.0], [3.0], [1.0], [-1.0], [-3.0], [2.0], [0.0], [-2.0], [3.0]]> : tensor<33x1xf32>
  %matmul = aten.matmul %x, %y : (tensor<5x33xf32>, tensor<33x1xf32>) -> tensor<5x1xf32>
  check.close %matmul, dense<[[138.0], [-65.0], [33.0], [-37.0], [-37.0]]> : tensor<5x1xf32>
}

check.test @transposed_operands {
  %x = check.input dense<[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0]]> : tensor<4x4xf32>
  %y = check.input dense<[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0]]> : tensor<4x4xf32>
  %t = aten.t %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %matmul = aten.matmul %t, %y : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %t2 = aten.t %y : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %matmul2 = aten.matmul %x, %t2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  check.close %matmul, dense<[[23.0, -4.0, -1.0e+01, 5.0], [-4.0, 6.0, 2.0, -9.0], [-1.0e+01, 2.0, 14.0, -9.0], [5.0, -9.0, -9.0, 26.0]]> : tensor<4x4xf32>
  check.close %matmul2, dense<[[17.0, -1.0, -12.0, -9.0], [-1.0, 2.0e+01, -1.0, -1.0], [-12.0, -1.0, 17.0, 14.0], [-9.0, -1.0, 14.0, 15.0]]> : tensor<4x4xf32>
}

check.test @addmm_with_beta_zero_ignores_nan {
  %x = check.input dense<[[0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7FC00000]]> : tensor<2x2xf32>
  %y = check.input dense<[[-3.0, 2.0, 0.0], [-2.0, 3.0, 1.0]]> : tensor<2x3xf32>
  %z = check.input dense<[[-3.0, 2.0], [0.0, -2.0], [3.0, 1.0]]> : tensor<3x2xf32>
  %addmm = aten.addmm %x, %y, %z {beta = 0 : i64} : (tensor<2x2xf32>, tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  check.close %addmm, dense<[[9.0, -1.0e+01], [9.0, -9.0]]> : tensor<2x2xf32>
}

check.test @addmm_scales {
  %x = check.input dense<[-3.0, 2.0]> : tensor<2xf32>
  %y = check.input dense<[[-3.0, 2.0, 0.0], [-2.0, 3.0, 1.0]]> : tensor<2x3xf32>
  %z = check.input dense<[[-3.0, 2.0], [0.0, -2.0], [3.0, 1.0]]> : tensor<3x2xf32>
  %addmm = aten.addmm %x, %y, %z {alpha = 2 : i64, beta = 5.000000e-01 : f64} : (tensor<2xf32>, tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  check.close %addmm, dense<[[16.5, -19.0], [16.5, -17.0]]> : tensor<2x2xf32>
}

check.test @einsum {
  %x = check.input dense<[[[-3.0, 2.0, 0.0], [-2.0, 3.0, 1.0], [-1.0, -3.0, 2.0]], [[0.0, -2.0, 3.0], [1.0, -1.0, -3.0], [2.0, 0.0, -2.0]]]> : tensor<2x3x3xf32>
  %y = check.input dense<[[[-3.0, 2.0, 0.0], [-2.0, 3.0, 1.0], [-1.0, -3.0, 2.0]], [[0.0, -2.0, 3.0], [1.0, -1.0, -3.0], [2.0, 0.0, -2.0]]]> : tensor<2x3x3xf32>
  %einsum = aten.einsum %x, %y {equation = "bij,bkj->bik"} : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %einsum2 = aten.einsum %x {equation = "bii->bi"} : (tensor<2x3x3xf32>) -> tensor<2x3xf32>
  %einsum3 = aten.einsum %x, %y {equation = "bij,bij->"} : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<f32>
  check.close %einsum, dense<[[[13.0, 12.0, -3.0], [12.0, 14.0, -5.0], [-3.0, -5.0, 14.0]], [[13.0, -7.0, -6.0], [-7.0, 11.0, 8.0], [-6.0, 8.0, 8.0]]]> : tensor<2x3x3xf32>
  check.close %einsum2, dense<[[-3.0, 3.0, 2.0], [0.0, -1.0, -2.0]]> : tensor<2x3xf32>
  check.close %einsum3, dense<73.0> : tensor<f32>
}

check.test @linear_of_a_vector {
  %x = check.input dense<[1.0, -2.0]> : tensor<2xf32>
  %y = check.input dense<[[-3.0, 2.0], [0.0, -2.0], [3.0, 1.0]]> : tensor<3x2xf32>
  %z = check.input dense<[-3.0, 2.0, 0.0]> : tensor<3xf32>
  %linear = aten.linear %x, %y, %z : (tensor<2xf32>, tensor<3x2xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.close %linear, dense<[-1.0e+01, 6.0, 1.0]> : tensor<3xf32>
}
