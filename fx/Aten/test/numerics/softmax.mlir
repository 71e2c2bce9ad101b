// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Softmax and logarithms of sums of exponentials at the edges. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @minus_infinity_is_no_weight {
  %x = check.input dense<[[0.0, 0xFF800000, 0.0], [1.0, 2.0, 0xFF800000]]> : tensor<2x3xf32>
  %softmax = aten.softmax %x {dim = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %log_softmax = aten.log_softmax %x {dim = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.close %softmax, dense<[[0.5, 0.0, 0.5], [0.26894143, 0.7310586, 0.0]]> : tensor<2x3xf32> ulp 2
  check.close %log_softmax, dense<[[-0.6931472, 0xFF800000, -0.6931472], [-1.3132616, -0.31326166, 0xFF800000]]> : tensor<2x3xf32> ulp 2
}

check.test @a_row_of_minus_infinity_is_nan {
  %x = check.input dense<[[0xFF800000, 0xFF800000], [0.0, 1.0]]> : tensor<2x2xf32>
  %softmax = aten.softmax %x {dim = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.close %softmax, dense<[[0x7FC00000, 0x7FC00000], [0.26894143, 0.7310586]]> : tensor<2x2xf32> ulp 2
}

check.test @infinity_is_nan {
  %x = check.input dense<[[0x7F800000, 0.0], [0x7FC00000, 1.0]]> : tensor<2x2xf32>
  %softmax = aten.softmax %x {dim = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %log_softmax = aten.log_softmax %x {dim = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.close %softmax, dense<[[0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7FFFFFFF]]> : tensor<2x2xf32> ulp 2
  check.close %log_softmax, dense<[[0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7FFFFFFF]]> : tensor<2x2xf32> ulp 2
}

check.test @large_values_dont_overflow {
  %x = check.input dense<[1.0e+03, 999.0, -1.0e+03]> : tensor<3xf32>
  %softmax = aten.softmax %x {dim = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %log_softmax = aten.log_softmax %x {dim = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  check.close %softmax, dense<[0.7310586, 0.26894143, 0.0]> : tensor<3xf32> ulp 4
  check.close %log_softmax, dense<[-0.31326166, -1.3132616, -2000.3132]> : tensor<3xf32> ulp 4
}

check.test @over_the_first_dim {
  %x = check.input dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %softmax = aten.softmax %x {dim = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.close %softmax, dense<[[0.047425874, 0.047425874, 0.047425874], [0.95257413, 0.95257413, 0.95257413]]> : tensor<2x3xf32> ulp 2
}

check.test @logsumexp {
  %x = check.input dense<[[0xFF800000, 0xFF800000], [0x7F800000, 0.0], [1.0e+03, 1.0e+03], [0x7FC00000, 0.0]]> : tensor<4x2xf32>
  %logsumexp = aten.logsumexp %x {dim = array<i64: 1>} : (tensor<4x2xf32>) -> tensor<4xf32>
  check.close %logsumexp, dense<[0xFF800000, 0x7F800000, 1000.6932, 0x7FC00000]> : tensor<4xf32> ulp 2
}

check.test @logsumexp_of_both_infinities {
  %x = check.input dense<[0x7F800000, 0xFF800000]> : tensor<2xf32>
  %logsumexp = aten.logsumexp %x {dim = array<i64: 0>} : (tensor<2xf32>) -> tensor<f32>
  check.close %logsumexp, dense<0x7F800000> : tensor<f32>
}

check.test @logcumsumexp {
  %x = check.input dense<[[0xFF800000, 0.0, 1.0], [1.0e+03, 0xFF800000, 0.0]]> : tensor<2x3xf32>
  %logcumsumexp = aten.logcumsumexp %x {dim = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.close %logcumsumexp, dense<[[0xFF800000, 0.0, 1.3132616], [1.0e+03, 1.0e+03, 1.0e+03]]> : tensor<2x3xf32> ulp 4
}

check.test @half {
  %x = check.input dense<[0.0, 1.0, 2.0, 11.0]> : tensor<4xf16>
  %softmax = aten.softmax %x {dim = 0 : i64} : (tensor<4xf16>) -> tensor<4xf16>
  check.close %softmax, dense<[1.67e-05, 4.54e-05, 0.0001234, 1.0]> : tensor<4xf16> ulp 1
}
