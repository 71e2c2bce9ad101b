// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Upsampling and grid sampling: which pixel, which weight. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @nearest {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0]]]]> : tensor<1x1x3x4xf32>
  %upsample_nearest = aten.upsample_nearest %x {scale_factors = array<f64: 2.000000e+00, 2.000000e+00>} : (tensor<1x1x3x4xf32>) -> tensor<1x1x6x8xf32>
  %upsample_nearest2 = aten.upsample_nearest %x {output_size = #fx.dims<[5, 7]>} : (tensor<1x1x3x4xf32>) -> tensor<1x1x5x7xf32>
  check.close %upsample_nearest, dense<[[[[-3.0, -3.0, 2.0, 2.0, 0.0, 0.0, -2.0, -2.0], [-3.0, -3.0, 2.0, 2.0, 0.0, 0.0, -2.0, -2.0], [3.0, 3.0, 1.0, 1.0, -1.0, -1.0, -3.0, -3.0], [3.0, 3.0, 1.0, 1.0, -1.0, -1.0, -3.0, -3.0], [2.0, 2.0, 0.0, 0.0, -2.0, -2.0, 3.0, 3.0], [2.0, 2.0, 0.0, 0.0, -2.0, -2.0, 3.0, 3.0]]]]> : tensor<1x1x6x8xf32>
  check.close %upsample_nearest2, dense<[[[[-3.0, -3.0, 2.0, 2.0, 0.0, 0.0, -2.0], [-3.0, -3.0, 2.0, 2.0, 0.0, 0.0, -2.0], [3.0, 3.0, 1.0, 1.0, -1.0, -1.0, -3.0], [3.0, 3.0, 1.0, 1.0, -1.0, -1.0, -3.0], [2.0, 2.0, 0.0, 0.0, -2.0, -2.0, 3.0]]]]> : tensor<1x1x5x7xf32>
}

check.test @nearest_shrinks {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0], [-3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0], [-3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0], [-3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0], [-3.0, 2.0, 0.0, -2.0, 3.0, 1.0, -1.0]]]]> : tensor<1x1x5x7xf32>
  %upsample_nearest = aten.upsample_nearest %x {output_size = #fx.dims<[2, 3]>} : (tensor<1x1x5x7xf32>) -> tensor<1x1x2x3xf32>
  check.close %upsample_nearest, dense<[[[[-3.0, 0.0, 3.0], [-3.0, 0.0, 3.0]]]]> : tensor<1x1x2x3xf32>
}

check.test @nearest_exact {
  %x = check.input dense<[[[-3.0, 2.0, 0.0]]]> : tensor<1x1x3xf32>
  %upsample_nearest_exact = aten.upsample_nearest_exact %x {output_size = #fx.dims<[5]>, spatial = 1 : i64} : (tensor<1x1x3xf32>) -> tensor<1x1x5xf32>
  %upsample_nearest_exact2 = aten.upsample_nearest_exact %x {output_size = #fx.dims<[2]>, spatial = 1 : i64} : (tensor<1x1x3xf32>) -> tensor<1x1x2xf32>
  check.close %upsample_nearest_exact, dense<[[[-3.0, -3.0, 2.0, 0.0, 0.0]]]> : tensor<1x1x5xf32>
  check.close %upsample_nearest_exact2, dense<[[[-3.0, 0.0]]]> : tensor<1x1x2xf32>
}

check.test @linear {
  %x = check.input dense<[[[-3.0, 2.0, 0.0]]]> : tensor<1x1x3xf32>
  %upsample_linear = aten.upsample_linear %x {output_size = #fx.dims<[7]>, spatial = 1 : i64} : (tensor<1x1x3xf32>) -> tensor<1x1x7xf32>
  %upsample_linear2 = aten.upsample_linear %x {align_corners = true, output_size = #fx.dims<[7]>, spatial = 1 : i64} : (tensor<1x1x3xf32>) -> tensor<1x1x7xf32>
  check.close %upsample_linear, dense<[[[-3.0, -2.2857144, -0.14285702, 2.0, 1.1428571, 0.28571415, 0.0]]]> : tensor<1x1x7xf32> ulp 4 abs 1.0e-06
  check.close %upsample_linear2, dense<[[[-3.0, -1.3333333, 0.33333343, 2.0, 1.3333333, 0.6666665, 0.0]]]> : tensor<1x1x7xf32> ulp 4 abs 1.0e-06
}

check.test @bilinear {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0]]]]> : tensor<1x1x3x4xf32>
  %upsample_linear = aten.upsample_linear %x {output_size = #fx.dims<[5, 6]>} : (tensor<1x1x3x4xf32>) -> tensor<1x1x5x6xf32>
  %upsample_linear2 = aten.upsample_linear %x {align_corners = true, output_size = #fx.dims<[5, 6]>} : (tensor<1x1x3x4xf32>) -> tensor<1x1x5x6xf32>
  check.close %upsample_linear, dense<[[[[-3.0, -0.5, 1.6666665, 0.33333325, -1.0, -2.0], [-0.59999985, 0.5000001, 1.2666664, -0.06666678, -1.4, -2.4], [3.0, 2.0, 0.6666665, -0.66666675, -2.0, -3.0], [2.3999999, 1.3999999, 0.066666394, -1.2666669, -0.49999964, 0.6000008], [2.0, 1.0, -0.3333335, -1.6666667, 0.5, 3.0]]]]> : tensor<1x1x5x6xf32> ulp 4 abs 1.0e-06
  check.close %upsample_linear2, dense<[[[[-3.0, 1.1920929e-07, 1.5999999, 0.39999986, -0.8000002, -2.0], [0.0, 0.90000004, 1.0999999, -0.10000014, -1.3000002, -2.5], [3.0, 1.8, 0.5999999, -0.60000014, -1.8000002, -3.0], [2.5, 1.3, 0.099999905, -1.1000001, -0.89999986, 0.0], [2.0, 0.79999995, -0.4000001, -1.6000001, 4.7683716e-07, 3.0]]]]> : tensor<1x1x5x6xf32> ulp 4 abs 1.0e-06
}

check.test @bilinear_by_a_factor {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0]]]]> : tensor<1x1x3x4xf32>
  %upsample_linear = aten.upsample_linear %x {scale_factors = array<f64: 1.700000e+00, 1.700000e+00>} : (tensor<1x1x3x4xf32>) -> tensor<1x1x5x6xf32>
  check.close %upsample_linear, dense<[[[[-3.0, -1.0882351, 1.8529416, 0.8823528, -0.29411793, -1.4705887], [-0.7058822, 0.18252613, 1.5493083, 0.49999988, -0.67647094, -1.8529416], [2.82353, 2.1375437, 1.0821797, -0.0882355, -1.2647063, -2.441177], [2.4411764, 1.6764705, 0.49999976, -0.67647076, -1.2776814, -0.15311354], [2.0, 1.2352941, 0.058823347, -1.1176472, -1.2647051, 1.6764716]]]]> : tensor<1x1x5x6xf32> ulp 4 abs 1.0e-06
}

check.test @bilinear_of_one_pixel {
  %x = check.input dense<[[[[-3.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %upsample_linear = aten.upsample_linear %x {align_corners = true, output_size = #fx.dims<[2, 3]>} : (tensor<1x2x1x1xf32>) -> tensor<1x2x2x3xf32>
  check.close %upsample_linear, dense<[[[[-3.0, -3.0, -3.0], [-3.0, -3.0, -3.0]], [[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]]]> : tensor<1x2x2x3xf32>
}

check.test @bicubic {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0], [1.0, -1.0, -3.0, 2.0]]]]> : tensor<1x1x4x4xf32>
  %upsample_bicubic = aten.upsample_bicubic %x {output_size = #fx.dims<[5, 6]>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x5x6xf32>
  %upsample_bicubic2 = aten.upsample_bicubic %x {align_corners = true, output_size = #fx.dims<[5, 6]>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x5x6xf32>
  check.close %upsample_bicubic, dense<[[[[-3.8354433, -0.46437508, 2.2793767, 0.61558604, -1.1267502, -2.1128612], [1.4403313, 1.6002505, 1.1462538, -0.08392599, -2.184125, -3.6231022], [3.386828, 2.015625, -0.043655295, -1.3892862, -0.9375, 0.13020805], [1.7843623, 0.79825056, -0.9501016, -2.637955, 0.3091246, 3.8835182], [1.1128613, 0.12674998, -1.6082034, -3.2424626, -0.74825, 2.3732767]]]]> : tensor<1x1x5x6xf32> abs 2.0e-05
  check.close %upsample_bicubic2, dense<[[[[-3.0, 0.27600026, 2.1759996, 0.6639998, -0.9920013, -2.0], [1.7460938, 1.7086874, 1.0059997, -0.06303263, -1.9464234, -3.40625], [3.15625, 1.7466248, -0.14300005, -1.3557507, -1.1340001, 0.0], [1.6679688, 0.6599688, -1.0137498, -2.5789058, -0.3215766, 3.40625], [1.0, -0.007999957, -1.664, -3.1759996, -1.2759988, 2.0]]]]> : tensor<1x1x5x6xf32> abs 2.0e-05
}

check.test @grid_bilinear_zeros {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0]]]]> : tensor<1x1x3x4xf32>
  %y = check.input dense<[[[[-1.2, -1.0], [-0.5, 0.25], [0.0, 0.0]], [[1.0, 1.0], [1.3, -0.7], [0.1, 5.0]]]]> : tensor<1x2x3x2xf32>
  %grid_sampler = aten.grid_sampler %x, %y : (tensor<1x1x3x4xf32>, tensor<1x2x3x2xf32>) -> tensor<1x1x2x3xf32>
  check.close %grid_sampler, dense<[[[[-0.14999986, 1.625, 0.0], [0.75, 0.0, 0.0]]]]> : tensor<1x1x2x3xf32> abs 1.0e-05
}

check.test @grid_bilinear_border {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0]]]]> : tensor<1x1x3x4xf32>
  %y = check.input dense<[[[[-1.2, -1.0], [-0.5, 0.25], [0.0, 0.0]], [[1.0, 1.0], [1.3, -0.7], [0.1, 5.0]]]]> : tensor<1x2x3x2xf32>
  %grid_sampler = aten.grid_sampler %x, %y {padding_mode = 1 : i64} : (tensor<1x1x3x4xf32>, tensor<1x2x3x2xf32>) -> tensor<1x1x2x3xf32>
  check.close %grid_sampler, dense<[[[[-3.0, 1.625, 0.0], [3.0, -2.0, -1.4000001]]]]> : tensor<1x1x2x3xf32> abs 1.0e-05
}

check.test @grid_bilinear_reflection {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0]]]]> : tensor<1x1x3x4xf32>
  %y = check.input dense<[[[[-1.2, -1.0], [-0.5, 0.25], [0.0, 0.0]], [[1.0, 1.0], [1.3, -0.7], [0.1, 5.0]]]]> : tensor<1x2x3x2xf32>
  %grid_sampler = aten.grid_sampler %x, %y {padding_mode = 2 : i64} : (tensor<1x1x3x4xf32>, tensor<1x2x3x2xf32>) -> tensor<1x1x2x3xf32>
  check.close %grid_sampler, dense<[[[[-3.0, 1.625, 0.0], [3.0, -1.8000002, -1.4000001]]]]> : tensor<1x1x2x3xf32> abs 1.0e-05
}

check.test @grid_nearest_zeros {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0]]]]> : tensor<1x1x3x4xf32>
  %y = check.input dense<[[[[-1.2, -1.0], [-0.5, 0.25], [0.0, 0.0]], [[1.0, 1.0], [1.3, -0.7], [0.1, 5.0]]]]> : tensor<1x2x3x2xf32>
  %grid_sampler = aten.grid_sampler %x, %y {interpolation_mode = 1 : i64} : (tensor<1x1x3x4xf32>, tensor<1x2x3x2xf32>) -> tensor<1x1x2x3xf32>
  check.close %grid_sampler, dense<[[[[0.0, 3.0, -1.0], [0.0, 0.0, 0.0]]]]> : tensor<1x1x2x3xf32> abs 1.0e-05
}

check.test @grid_nearest_border {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0]]]]> : tensor<1x1x3x4xf32>
  %y = check.input dense<[[[[-1.2, -1.0], [-0.5, 0.25], [0.0, 0.0]], [[1.0, 1.0], [1.3, -0.7], [0.1, 5.0]]]]> : tensor<1x2x3x2xf32>
  %grid_sampler = aten.grid_sampler %x, %y {interpolation_mode = 1 : i64, padding_mode = 1 : i64} : (tensor<1x1x3x4xf32>, tensor<1x2x3x2xf32>) -> tensor<1x1x2x3xf32>
  check.close %grid_sampler, dense<[[[[-3.0, 3.0, -1.0], [3.0, -2.0, -2.0]]]]> : tensor<1x1x2x3xf32> abs 1.0e-05
}

check.test @grid_nearest_reflection {
  %x = check.input dense<[[[[-3.0, 2.0, 0.0, -2.0], [3.0, 1.0, -1.0, -3.0], [2.0, 0.0, -2.0, 3.0]]]]> : tensor<1x1x3x4xf32>
  %y = check.input dense<[[[[-1.2, -1.0], [-0.5, 0.25], [0.0, 0.0]], [[1.0, 1.0], [1.3, -0.7], [0.1, 5.0]]]]> : tensor<1x2x3x2xf32>
  %grid_sampler = aten.grid_sampler %x, %y {interpolation_mode = 1 : i64, padding_mode = 2 : i64} : (tensor<1x1x3x4xf32>, tensor<1x2x3x2xf32>) -> tensor<1x1x2x3xf32>
  check.close %grid_sampler, dense<[[[[-3.0, 3.0, -1.0], [3.0, -2.0, -2.0]]]]> : tensor<1x1x2x3xf32> abs 1.0e-05
}
