// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Constant rows, tiny variances, dtypes. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @layer_norm_of_a_constant_row {
  %x = check.input dense<[[5.0, 5.0, 5.0, 5.0], [1.0, 2.0, 3.0, 4.0]]> : tensor<2x4xf32>
  %y = check.input dense<[1.0, 2.0, 1.0, 1.0]> : tensor<4xf32>
  %z = check.input dense<[0.0, 0.0, 0.0, 1.0]> : tensor<4xf32>
  %layer_norm = aten.layer_norm %x, %y, %z {cudnn_enable = false, normalized_shape = #fx.dims<[4]>, operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  check.close %layer_norm, dense<[[0.0, 0.0, 0.0, 1.0], [-1.3416355, -0.89442366, 0.44721183, 2.3416355]]> : tensor<2x4xf32> abs 1.0e-06
}

check.test @layer_norm_far_from_zero {
  %x = check.input dense<[[1.0e+04, 10001.0, 10002.0, 10003.0]]> : tensor<1x4xf32>
  %layer_norm = aten.layer_norm %x {cudnn_enable = false, normalized_shape = #fx.dims<[4]>, operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  check.close %layer_norm, dense<[[-1.3416355, -0.44721183, 0.44721183, 1.3416355]]> : tensor<1x4xf32> abs 1.0e-05
}

check.test @rms_norm {
  %x = check.input dense<[[0.0, 0.0, 0.0], [3.0, -4.0, 0.0]]> : tensor<2x3xf32>
  %y = check.input dense<[1.0, 1.0, 2.0]> : tensor<3xf32>
  %rms_norm = aten.rms_norm %x, %y {eps = 9.9999999999999995E-7 : f64, normalized_shape = #fx.dims<[3]>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.close %rms_norm, dense<[[0.0, 0.0, 0.0], [1.0392305, -1.3856406, 0.0]]> : tensor<2x3xf32> abs 1.0e-06
}

check.test @group_norm {
  %x = check.input dense<[[[-3.0, 2.0, 0.0], [-2.0, 3.0, 1.0], [-1.0, -3.0, 2.0], [0.0, -2.0, 3.0]]]> : tensor<1x4x3xf32>
  %group_norm = aten.group_norm %x {cudnn_enabled = false, num_groups = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  check.close %group_norm, dense<[[[-1.497408, 0.8669205, -0.07881095], [-1.0245423, 1.3397862, 0.39405474], [-0.3940548, -1.3397863, 1.0245423], [0.07881094, -0.86692053, 1.497408]]]> : tensor<1x4x3xf32> abs 2.0e-06
}

check.test @batch_norm {
  %x = check.input dense<[[[-3.0, 2.0], [0.0, -2.0], [3.0, 1.0]], [[-1.0, -3.0], [2.0, 0.0], [-2.0, 3.0]]]> : tensor<2x3x2xf32>
  %y = check.input dense<[1.0, 0.0, -1.0]> : tensor<3xf32>
  %z = check.input dense<[1.0, 4.0, 0.0]> : tensor<3xf32>
  %w = check.input dense<[1.0, 2.0, 1.0]> : tensor<3xf32>
  %v = check.input dense<[0.0, 1.0, 0.0]> : tensor<3xf32>
  %batch_norm = aten.batch_norm %x, %w, %v, %y, %z {cudnn_enabled = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<2x3x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x2xf32>
  check.close %batch_norm, dense<[[[-3.99998, 0.999995], [1.0, -0.9999976], [1264.9111, 632.45557]], [[-1.99999, -3.99998], [2.9999976, 1.0], [-316.22778, 1264.9111]]]> : tensor<2x3x2xf32> abs 2.0e-04
}

check.test @instance_norm {
  %x = check.input dense<[[[-3.0, 2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0, 0.0]]]> : tensor<1x2x5xf32>
  %instance_norm = aten.instance_norm %x {cudnn_enabled = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>} : (tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  check.close %instance_norm, dense<[[[-1.3155859, 0.8770572, 0.0, -0.8770572, 1.3155859], [0.6974846, -0.46498975, -1.6274642, 1.2787218, 0.11624744]]]> : tensor<1x2x5xf32> abs 2.0e-06
}

check.test @half_layer_norm {
  %x = check.input dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf16>
  %layer_norm = aten.layer_norm %x {cudnn_enable = false, normalized_shape = #fx.dims<[4]>, operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1x4xf16>) -> tensor<1x4xf16>
  check.close %layer_norm, dense<[[-1.342, -0.4473, 0.4473, 1.342]]> : tensor<1x4xf16> ulp 1
}

check.test @normalize_of_zeros {
  %x = check.input dense<[[0.0, 0.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %norm = aten.norm %x {dim = array<i64: 1>, keepdim = true, ord = 2.000000e+00 : f64} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %number = fx.number 9.9999999999999998E-13 : f64 to tensor<f64, #fx.number>
  %clamp = aten.clamp %norm, %number {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<2x1xf32>, tensor<f64, #fx.number>) -> tensor<2x1xf32>
  %expand = aten.expand %clamp {size = #fx.dims<[2, 2]>} : (tensor<2x1xf32>) -> tensor<2x2xf32>
  %div = aten.div %x, %expand : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %number2 = fx.number 1 : i64 to tensor<i64, #fx.number>
  %add = aten.add %x, %number2 : (tensor<2x2xf32>, tensor<i64, #fx.number>) -> tensor<2x2xf32>
  %cosine_similarity = aten.cosine_similarity %x, %add : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  check.close %div, dense<[[0.0, 0.0], [0.6, 0.8]]> : tensor<2x2xf32> ulp 2
  check.close %cosine_similarity, dense<[0.0, 0.9995121]> : tensor<2xf32> ulp 2
}

check.test @local_response {
  %x = check.input dense<[[[-3.0, 2.0], [0.0, -2.0], [3.0, 1.0]]]> : tensor<1x3x2xf32>
  %mul = aten.mul %x, %x : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
  %unsqueeze = aten.unsqueeze %mul {dim = 1 : i64} : (tensor<1x3x2xf32>) -> tensor<1x1x3x2xf32>
  %pad = aten.pad %unsqueeze {pad = #fx.dims<[0, 0, 1, 0]>} : (tensor<1x1x3x2xf32>) -> tensor<1x1x4x2xf32>
  %avg_pool = aten.avg_pool %pad {kernel_size = array<i64: 2, 1>, stride = array<i64: 1, 1>} : (tensor<1x1x4x2xf32>) -> tensor<1x1x3x2xf32>
  %squeeze = aten.squeeze %avg_pool {dim = array<i64: 1>} : (tensor<1x1x3x2xf32>) -> tensor<1x3x2xf32>
  %number = fx.number 1.000000e-04 : f64 to tensor<f64, #fx.number>
  %mul2 = aten.mul %squeeze, %number : (tensor<1x3x2xf32>, tensor<f64, #fx.number>) -> tensor<1x3x2xf32>
  %number2 = fx.number 1.000000e+00 : f64 to tensor<f64, #fx.number>
  %add = aten.add %mul2, %number2 : (tensor<1x3x2xf32>, tensor<f64, #fx.number>) -> tensor<1x3x2xf32>
  %number3 = fx.number 7.500000e-01 : f64 to tensor<f64, #fx.number>
  %pow = aten.pow %add, %number3 : (tensor<1x3x2xf32>, tensor<f64, #fx.number>) -> tensor<1x3x2xf32>
  %div = aten.div %x, %pow : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
  check.close %div, dense<[[[-2.998988, 1.9997001], [0.0, -1.9994004], [2.998988, 0.99981254]]]> : tensor<1x3x2xf32> ulp 4
}
