// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// What padding counts for, and uneven windows. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @max_ignores_padding {
  %x = check.input dense<[[[[-4.0, -3.0, -1.0, -3.0, -4.0], [-2.0, -2.0, -4.0, -3.0, -1.0], [-3.0, -4.0, -2.0, -2.0, -4.0], [-3.0, -1.0, -3.0, -4.0, -2.0], [-2.0, -4.0, -3.0, -1.0, -3.0]], [[-4.0, -2.0, -2.0, -4.0, -3.0], [-1.0, -3.0, -4.0, -2.0, -2.0], [-4.0, -3.0, -1.0, -3.0, -4.0], [-2.0, -2.0, -4.0, -3.0, -1.0], [-3.0, -4.0, -2.0, -2.0, -4.0]]]]> : tensor<1x2x5x5xf32>
  %max_pool = aten.max_pool %x {kernel_size = array<i64: 3, 3>, padding = array<i64: 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x3x3xf32>
  check.close %max_pool, dense<[[[[-2.0, -1.0, -1.0], [-1.0, -1.0, -1.0], [-1.0, -1.0, -1.0]], [[-1.0, -2.0, -2.0], [-1.0, -1.0, -1.0], [-2.0, -2.0, -1.0]]]]> : tensor<1x2x3x3xf32>
}

check.test @max_keeps_nan {
  %x = check.input dense<[[[1.0, 0x7FC00000, 0.0, 5.0, 0x7F800000, 0xFF800000]]]> : tensor<1x1x6xf32>
  %max_pool = aten.max_pool %x {kernel_size = array<i64: 2>, spatial = 1 : i64, stride = array<i64: 1>} : (tensor<1x1x6xf32>) -> tensor<1x1x5xf32>
  check.close %max_pool, dense<[[[0x7FC00000, 0x7FC00000, 5.0, 0x7F800000, 0x7F800000]]]> : tensor<1x1x5xf32>
}

check.test @max_with_places {
  %x = check.input dense<[[[[1.0, 1.0, 0.0], [2.0, 2.0, 1.0], [2.0, 0.0, 3.0]]]]> : tensor<1x1x3x3xf32>
  %result, %indices = aten.max_pool_with_indices %x {kernel_size = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<1x1x3x3xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>)
  check.close %result, dense<[[[[2.0, 2.0], [2.0, 3.0]]]]> : tensor<1x1x2x2xf32>
  check.close %indices, dense<[[[[3, 4], [3, 8]]]]> : tensor<1x1x2x2xi64>
}

check.test @max_with_dilation_and_ceil {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0, 3.0, 1.0], [-1.0, -3.0, 2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0, 2.0, 0.0], [-2.0, 3.0, 1.0, -1.0, -3.0, 2.0], [0.0, -2.0, 3.0, 1.0, -1.0, -3.0]]]]> : tensor<1x1x6x6xf32>
  %max_pool = aten.max_pool %x {ceil_mode = true, dilation = array<i64: 2, 2>, kernel_size = array<i64: 2, 2>, padding = array<i64: 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x1x6x6xf32>) -> tensor<1x1x3x3xf32>
  check.close %max_pool, dense<[[[[1.0, 3.0, 3.0], [1.0, 1.0, 0.0], [1.0, 1.0, -3.0]]]]> : tensor<1x1x3x3xf32>
}

check.test @average_counts_padding {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0, 0.0], [-2.0, 3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0, 1.0], [-1.0, -3.0, 2.0, 0.0, -2.0]]]]> : tensor<1x1x5x5xf32>
  %avg_pool = aten.avg_pool %x {kernel_size = array<i64: 3, 3>, padding = array<i64: 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x1x5x5xf32>) -> tensor<1x1x3x3xf32>
  check.close %avg_pool, dense<[[[[-0.11111111, -0.22222222, 0.33333334], [0.33333334, 0.22222222, 0.22222222], [-0.22222222, 0.0, 0.22222222]]]]> : tensor<1x1x3x3xf32> ulp 1
}

check.test @average_without_padding {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0, 0.0], [-2.0, 3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0, 1.0], [-1.0, -3.0, 2.0, 0.0, -2.0]]]]> : tensor<1x1x5x5xf32>
  %avg_pool = aten.avg_pool %x {count_include_pad = false, kernel_size = array<i64: 3, 3>, padding = array<i64: 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x1x5x5xf32>) -> tensor<1x1x3x3xf32>
  check.close %avg_pool, dense<[[[[-0.25, -0.33333334, 0.75], [0.5, 0.22222222, 0.33333334], [-0.5, 0.0, 0.5]]]]> : tensor<1x1x3x3xf32> ulp 1
}

check.test @average_with_ceil {
  %x = check.input dense<[[[-3.0, 2.0, 0.0, -2.0, 3.0, 1.0]]]> : tensor<1x1x6xf32>
  %avg_pool = aten.avg_pool %x {ceil_mode = true, kernel_size = array<i64: 3>, padding = array<i64: 1>, spatial = 1 : i64, stride = array<i64: 2>} : (tensor<1x1x6xf32>) -> tensor<1x1x4xf32>
  check.close %avg_pool, dense<[[[-0.33333334, 0.0, 0.6666667, 0.5]]]> : tensor<1x1x4xf32> ulp 1
}

check.test @average_with_a_divisor {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0]]]]> : tensor<1x1x4x4xf32>
  %avg_pool = aten.avg_pool %x {divisor_override = 3 : i64, kernel_size = array<i64: 2, 2>, padding = array<i64: 0, 0>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  check.close %avg_pool, dense<[[[[1.0, -2.0], [0.6666667, 0.0]]]]> : tensor<1x1x2x2xf32> ulp 1
}

check.test @adaptive_windows_overlap {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0], [0.0, -2.0, 3.0, 1.0]]]]> : tensor<1x1x5x4xf32>
  %adaptive_avg_pool = aten.adaptive_avg_pool %x {output_size = #fx.dims<[3, 2]>} : (tensor<1x1x5x4xf32>) -> tensor<1x1x3x2xf32>
  %result, %indices = aten.adaptive_max_pool %x {output_size = #fx.dims<[2, 3]>} : (tensor<1x1x5x4xf32>) -> (tensor<1x1x2x3xf32>, tensor<1x1x2x3xi64>)
  check.close %adaptive_avg_pool, dense<[[[[0.75, -1.5], [1.0, -0.6666667], [-0.5, 0.75]]]]> : tensor<1x1x3x2xf32> ulp 1
  check.close %result, dense<[[[[3.0, 2.0, 3.0], [2.0, 3.0, 3.0]]]]> : tensor<1x1x2x3xf32> ulp 1
}

check.test @adaptive_larger_than_the_image {
  %x = check.input dense<[[[-3.0, 2.0, 0.0], [-2.0, 3.0, 1.0]]]> : tensor<1x2x3xf32>
  %adaptive_avg_pool = aten.adaptive_avg_pool %x {output_size = #fx.dims<[5]>, spatial = 1 : i64} : (tensor<1x2x3xf32>) -> tensor<1x2x5xf32>
  check.close %adaptive_avg_pool, dense<[[[-3.0, -0.5, 2.0, 1.0, 0.0], [-2.0, 0.5, 3.0, 2.0, 1.0]]]> : tensor<1x2x5xf32> ulp 1
}

check.test @bfloat16_average {
  %x = check.input dense<[[[256.0, 1.0, 1.0, 1.0, 0.5, 0.25, 3.0, 7.0]]]> : tensor<1x1x8xbf16>
  %avg_pool = aten.avg_pool %x {kernel_size = array<i64: 4>, spatial = 1 : i64} : (tensor<1x1x8xbf16>) -> tensor<1x1x2xbf16>
  check.close %avg_pool, dense<[[[65.0, 2.69]]]> : tensor<1x1x2xbf16>
}
