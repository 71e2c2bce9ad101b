// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Concatenation, stacking, splitting. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @promotes {
  %x = check.input dense<[1, 2]> : tensor<2xi64>
  %y = check.input dense<[0.5]> : tensor<1xf32>
  %cat = aten.cat %x, %y : (tensor<2xi64>, tensor<1xf32>) -> tensor<3xf32>
  check.close %cat, dense<[1.0, 2.0, 0.5]> : tensor<3xf32>
}

check.test @skips_legacy_empties {
  %x = check.input dense<> : tensor<0xf32>
  %y = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %cat = aten.cat %x, %y {dim = 1 : i64} : (tensor<0xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  check.close %cat, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
}

check.test @one_tensor_twice {
  %x = check.input dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %cat = aten.cat %x, %x, %x {dim = -1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
  %stack = aten.stack %x, %x {dim = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2x2xf32>
  check.close %cat, dense<[[1.0, 2.0, 1.0, 2.0, 1.0, 2.0]]> : tensor<1x6xf32>
  check.close %stack, dense<[[[1.0, 2.0], [1.0, 2.0]]]> : tensor<1x2x2xf32>
}

check.test @uneven_parts {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %split:2 = aten.split %x {dim = 1 : i64, split_size = #fx.dim<3>} : (tensor<3x4xf32>) -> (tensor<3x3xf32>, tensor<3x1xf32>)
  %chunk:2 = aten.chunk %x {chunks = 3 : i64, dim = 1 : i64} : (tensor<3x4xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
  %tensor_split:3 = aten.tensor_split %x {dim = 1 : i64, sections = 3 : i64} : (tensor<3x4xf32>) -> (tensor<3x2xf32>, tensor<3x1xf32>, tensor<3x1xf32>)
  check.close %split#0, dense<[[0.0, 1.0, 2.0], [4.0, 5.0, 6.0], [8.0, 9.0, 1.0e+01]]> : tensor<3x3xf32>
  check.close %split#1, dense<[[3.0], [7.0], [11.0]]> : tensor<3x1xf32>
  check.close %chunk#0, dense<[[0.0, 1.0], [4.0, 5.0], [8.0, 9.0]]> : tensor<3x2xf32>
  check.close %chunk#1, dense<[[2.0, 3.0], [6.0, 7.0], [1.0e+01, 11.0]]> : tensor<3x2xf32>
  check.close %tensor_split#0, dense<[[0.0, 1.0], [4.0, 5.0], [8.0, 9.0]]> : tensor<3x2xf32>
  check.close %tensor_split#1, dense<[[2.0], [6.0], [1.0e+01]]> : tensor<3x1xf32>
  check.close %tensor_split#2, dense<[[3.0], [7.0], [11.0]]> : tensor<3x1xf32>
}

check.test @meshgrid_and_outer {
  %x = check.input dense<[1.0, 2.0]> : tensor<2xf32>
  %y = check.input dense<[3.0, 4.0, 5.0]> : tensor<3xf32>
  %meshgrid:2 = aten.meshgrid %x, %y {indexing = "xy"} : (tensor<2xf32>, tensor<3xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
  %outer = aten.outer %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.close %meshgrid#0, dense<[[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]> : tensor<3x2xf32>
  check.close %meshgrid#1, dense<[[3.0, 3.0], [4.0, 4.0], [5.0, 5.0]]> : tensor<3x2xf32>
  check.close %outer, dense<[[3.0, 4.0, 5.0], [6.0, 8.0, 1.0e+01]]> : tensor<2x3xf32>
}

check.test @pixel_shuffle {
  %x = check.input dense<[[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]], [[8.0, 9.0], [1.0e+01, 11.0]], [[12.0, 13.0], [14.0, 15.0]]]]> : tensor<1x4x2x2xf32>
  %pixel_shuffle = aten.pixel_shuffle %x {upscale_factor = 2 : i64} : (tensor<1x4x2x2xf32>) -> tensor<1x1x4x4xf32>
  %pixel_unshuffle = aten.pixel_unshuffle %x {downscale_factor = 2 : i64} : (tensor<1x4x2x2xf32>) -> tensor<1x16x1x1xf32>
  check.close %pixel_shuffle, dense<[[[[0.0, 4.0, 1.0, 5.0], [8.0, 12.0, 9.0, 13.0], [2.0, 6.0, 3.0, 7.0], [1.0e+01, 14.0, 11.0, 15.0]]]]> : tensor<1x1x4x4xf32>
  check.close %pixel_unshuffle, dense<[[[[0.0]], [[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]], [[9.0]], [[1.0e+01]], [[11.0]], [[12.0]], [[13.0]], [[14.0]], [[15.0]]]]> : tensor<1x16x1x1xf32>
}
