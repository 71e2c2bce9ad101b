// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Constant, reflected, replicated, circular; negative amounts crop. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @constant {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %pad = aten.pad %x {pad = #fx.dims<[1, 2, 0, 1]>, value = 0xFFF0000000000000 : f64} : (tensor<3x4xf32>) -> tensor<4x7xf32>
  check.close %pad, dense<[[0xFF800000, 0.0, 1.0, 2.0, 3.0, 0xFF800000, 0xFF800000], [0xFF800000, 4.0, 5.0, 6.0, 7.0, 0xFF800000, 0xFF800000], [0xFF800000, 8.0, 9.0, 1.0e+01, 11.0, 0xFF800000, 0xFF800000], [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000]]> : tensor<4x7xf32>
}

check.test @negative_crops {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %pad = aten.pad %x {pad = #fx.dims<[-1, 1]>} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %pad2 = aten.pad %x {pad = #fx.dims<[-1, -2, 1, -1]>, value = 9.000000e+00 : f64} : (tensor<3x4xf32>) -> tensor<3x1xf32>
  check.close %pad, dense<[[1.0, 2.0, 3.0, 0.0], [5.0, 6.0, 7.0, 0.0], [9.0, 1.0e+01, 11.0, 0.0]]> : tensor<3x4xf32>
  check.close %pad2, dense<[[9.0], [1.0], [5.0]]> : tensor<3x1xf32>
}

check.test @reflect {
  %x = check.input dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]]> : tensor<1x3x4xf32>
  %pad = aten.pad %x {mode = "reflect", pad = #fx.dims<[2, 1]>} : (tensor<1x3x4xf32>) -> tensor<1x3x7xf32>
  check.close %pad, dense<[[[2.0, 1.0, 0.0, 1.0, 2.0, 3.0, 2.0], [6.0, 5.0, 4.0, 5.0, 6.0, 7.0, 6.0], [1.0e+01, 9.0, 8.0, 9.0, 1.0e+01, 11.0, 1.0e+01]]]> : tensor<1x3x7xf32>
}

check.test @replicate {
  %x = check.input dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]]> : tensor<1x3x4xf32>
  %pad = aten.pad %x {mode = "replicate", pad = #fx.dims<[2, 1, 1, 0]>} : (tensor<1x3x4xf32>) -> tensor<1x4x7xf32>
  check.close %pad, dense<[[[0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 3.0], [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 3.0], [4.0, 4.0, 4.0, 5.0, 6.0, 7.0, 7.0], [8.0, 8.0, 8.0, 9.0, 1.0e+01, 11.0, 11.0]]]> : tensor<1x4x7xf32>
}

check.test @circular {
  %x = check.input dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]]> : tensor<1x3x4xf32>
  %pad = aten.pad %x {mode = "circular", pad = #fx.dims<[2, 1]>} : (tensor<1x3x4xf32>) -> tensor<1x3x7xf32>
  check.close %pad, dense<[[[2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0], [6.0, 7.0, 4.0, 5.0, 6.0, 7.0, 4.0], [1.0e+01, 11.0, 8.0, 9.0, 1.0e+01, 11.0, 8.0]]]> : tensor<1x3x7xf32>
}

check.test @integers {
  %x = check.input dense<[1, 2]> : tensor<2xi64>
  %pad = aten.pad %x {pad = #fx.dims<[1, 0]>, value = -7.000000e+00 : f64} : (tensor<2xi64>) -> tensor<3xi64>
  check.close %pad, dense<[-7, 1, 2]> : tensor<3xi64>
}

check.test @bools {
  %x = check.input dense<[false, false]> : tensor<2xi1>
  %pad = aten.pad %x {pad = #fx.dims<[0, 1]>, value = 1.000000e+00 : f64} : (tensor<2xi1>) -> tensor<3xi1>
  check.close %pad, dense<[false, false, true]> : tensor<3xi1>
}

check.test @padding_isnt_computed_on {
  %x = check.input dense<[0.0, 1.0]> : tensor<2xf32>
  %pad = aten.pad %x {pad = #fx.dims<[1, 1]>} : (tensor<2xf32>) -> tensor<4xf32>
  %exp = aten.exp %pad : (tensor<4xf32>) -> tensor<4xf32>
  %number = fx.number 1 : i64 to tensor<i64, #fx.number>
  %add = aten.add %exp, %number : (tensor<4xf32>, tensor<i64, #fx.number>) -> tensor<4xf32>
  check.close %add, dense<[2.0, 2.0, 3.7182817, 2.0]> : tensor<4xf32> ulp 1
}
