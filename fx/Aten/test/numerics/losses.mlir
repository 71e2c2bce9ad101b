// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Ignored targets, smoothing, the ends of the logarithm. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @cross_entropy_ignores {
  %x = check.input dense<[[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [-1.0, 5.0, 0.0]]> : tensor<3x3xf32>
  %y = check.input dense<[2, 1, 0]> : tensor<3xi64>
  %cross_entropy_loss = aten.cross_entropy_loss %x, %y {ignore_index = 1 : i64} : (tensor<3x3xf32>, tensor<3xi64>) -> tensor<f32>
  check.close %cross_entropy_loss, dense<3.2083902> : tensor<f32> ulp 2
}

check.test @cross_entropy_smoothed {
  %x = check.input dense<[[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [-1.0, 5.0, 0.0]]> : tensor<3x3xf32>
  %y = check.input dense<[2, 1, 0]> : tensor<3xi64>
  %cross_entropy_loss = aten.cross_entropy_loss %x, %y {label_smoothing = 1.000000e-01 : f64, reduction = 0 : i64} : (tensor<3x3xf32>, tensor<3xi64>) -> tensor<3xf32>
  check.close %cross_entropy_loss, dense<[0.5076059, 1.0986123, 5.7758408]> : tensor<3xf32> ulp 4
}

check.test @nll_of_all_ignored_is_nan {
  %x = check.input dense<[[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [-1.0, 5.0, 0.0]]> : tensor<3x3xf32>
  %y = check.input dense<[0, 0, 0]> : tensor<3xi64>
  %nll_loss = aten.nll_loss %x, %y {ignore_index = 0 : i64} : (tensor<3x3xf32>, tensor<3xi64>) -> tensor<f32>
  check.close %nll_loss, dense<0x7FC00000> : tensor<f32>
}

check.test @binary_cross_entropy_is_cut {
  %x = check.input dense<[0.0, 1.0, 0.0, 0.5]> : tensor<4xf32>
  %y = check.input dense<[1.0, 0.0, 0.0, 1.0]> : tensor<4xf32>
  %binary_cross_entropy = aten.binary_cross_entropy %x, %y {reduction = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.close %binary_cross_entropy, dense<[1.0e+02, 1.0e+02, 0.0, 0.6931472]> : tensor<4xf32> ulp 1
}

check.test @with_logits {
  %x = check.input dense<[-2.0e+02, 2.0e+02, 0.0, 3.0]> : tensor<4xf32>
  %y = check.input dense<[1.0, 0.0, 0.5, 1.0]> : tensor<4xf32>
  %binary_cross_entropy_with_logits = aten.binary_cross_entropy_with_logits %x, %y {operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduction = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.close %binary_cross_entropy_with_logits, dense<[2.0e+02, 2.0e+02, 0.6931472, 0.048587352]> : tensor<4xf32> ulp 2
}

check.test @smooth_l1_and_huber {
  %x = check.input dense<[0.0, 1.0, -3.0]> : tensor<3xf32>
  %y = check.input dense<[0.5, 0.0, 0.0]> : tensor<3xf32>
  %broadcast_tensors:2 = aten.broadcast_tensors %x, %y : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  %smooth_l1_loss = aten.smooth_l1_loss %broadcast_tensors#0, %broadcast_tensors#1 {reduction = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %broadcast_tensors2:2 = aten.broadcast_tensors %broadcast_tensors#0, %broadcast_tensors#1 : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  %huber_loss = aten.huber_loss %broadcast_tensors2#0, %broadcast_tensors2#1 {delta = 2.000000e+00 : f64, reduction = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %broadcast_tensors3:2 = aten.broadcast_tensors %broadcast_tensors2#0, %broadcast_tensors2#1 : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  %mse_loss = aten.mse_loss %broadcast_tensors3#0, %broadcast_tensors3#1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %broadcast_tensors4:2 = aten.broadcast_tensors %broadcast_tensors3#0, %broadcast_tensors3#1 : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  %l1_loss = aten.l1_loss %broadcast_tensors4#0, %broadcast_tensors4#1 {reduction = 2 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  check.close %smooth_l1_loss, dense<[0.125, 0.5, 2.5]> : tensor<3xf32> ulp 1
  check.close %huber_loss, dense<[0.125, 0.5, 4.0]> : tensor<3xf32> ulp 1
  check.close %mse_loss, dense<3.4166667> : tensor<f32> ulp 1
  check.close %l1_loss, dense<4.5> : tensor<f32> ulp 1
}

check.test @kl_of_zero {
  %x = check.input dense<[-1.0, -2.0, -3.0]> : tensor<3xf32>
  %y = check.input dense<[0.0, 0.5, 1.0]> : tensor<3xf32>
  %kl_div = aten.kl_div %x, %y {reduction = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.close %kl_div, dense<[0.0, 0.6534264, 3.0]> : tensor<3xf32> ulp 2
}
