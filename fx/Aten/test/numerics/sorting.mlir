// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Stable, with NaN as the largest. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @ties_keep_their_order {
  %x = check.input dense<[2.0, 1.0, 2.0, 1.0, 3.0, 1.0]> : tensor<6xf32>
  %values, %indices = aten.sort %x {dim = 0 : i64} : (tensor<6xf32>) -> (tensor<6xf32>, tensor<6xi64>)
  %values_0, %indices_1 = aten.sort %x {descending = true, dim = 0 : i64} : (tensor<6xf32>) -> (tensor<6xf32>, tensor<6xi64>)
  check.close %values, dense<[1.0, 1.0, 1.0, 2.0, 2.0, 3.0]> : tensor<6xf32>
  check.close %indices, dense<[1, 3, 5, 0, 2, 4]> : tensor<6xi64>
  check.close %values_0, dense<[3.0, 2.0, 2.0, 1.0, 1.0, 1.0]> : tensor<6xf32>
  check.close %indices_1, dense<[4, 0, 2, 1, 3, 5]> : tensor<6xi64>
}

check.test @nan_is_largest {
  %x = check.input dense<[0x7FC00000, 1.0, 0xFF800000, 0x7FC00000, 0x7F800000, 0.0, -0.0]> : tensor<7xf32>
  %values, %indices = aten.sort %x : (tensor<7xf32>) -> (tensor<7xf32>, tensor<7xi64>)
  %values_0, %indices_1 = aten.sort %x {descending = true} : (tensor<7xf32>) -> (tensor<7xf32>, tensor<7xi64>)
  check.close %values, dense<[0xFF800000, 0.0, -0.0, 1.0, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<7xf32>
  check.close %indices, dense<[2, 5, 6, 1, 4, 0, 3]> : tensor<7xi64>
  check.close %values_0, dense<[0x7FC00000, 0x7FC00000, 0x7F800000, 1.0, 0.0, -0.0, 0xFF800000]> : tensor<7xf32>
  check.close %indices_1, dense<[0, 3, 4, 1, 5, 6, 2]> : tensor<7xi64>
}

check.test @integers {
  %x = check.input dense<[[3, -9223372036854775808, 9223372036854775807], [0, 0, -1]]> : tensor<2x3xi64>
  %values, %indices = aten.sort %x {dim = 1 : i64} : (tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>)
  check.close %values, dense<[[-9223372036854775808, 3, 9223372036854775807], [-1, 0, 0]]> : tensor<2x3xi64>
  check.close %indices, dense<[[1, 0, 2], [2, 0, 1]]> : tensor<2x3xi64>
}

check.test @another_dim {
  %x = check.input dense<[[3.0, 1.0], [2.0, 0.0], [5.0, 2.0]]> : tensor<3x2xf32>
  %values, %indices = aten.sort %x {dim = 0 : i64} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>)
  check.close %values, dense<[[2.0, 0.0], [3.0, 1.0], [5.0, 2.0]]> : tensor<3x2xf32>
  check.close %indices, dense<[[1, 1], [0, 0], [2, 2]]> : tensor<3x2xi64>
}

check.test @largest_and_smallest {
  %x = check.input dense<[1.0, 0x7FC00000, 5.0, -3.0, 4.0]> : tensor<5xf32>
  %values, %indices = aten.topk %x {k = #fx.dim<2>} : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  %values_0, %indices_1 = aten.topk %x {k = #fx.dim<2>, largest = false} : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  check.close %values, dense<[0x7FC00000, 5.0]> : tensor<2xf32>
  check.close %indices, dense<[1, 2]> : tensor<2xi64>
  check.close %values_0, dense<[-3.0, 1.0]> : tensor<2xf32>
  check.close %indices_1, dense<[3, 0]> : tensor<2xi64>
}

check.test @kth_smallest {
  %x = check.input dense<[[3.0, 1.0, 2.0], [9.0, 8.0, 7.0]]> : tensor<2x3xf32>
  %values, %indices = aten.kthvalue %x {dim = 1 : i64, k = 2 : i64} : (tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  check.close %values, dense<[2.0, 8.0]> : tensor<2xf32>
  check.close %indices, dense<[2, 1]> : tensor<2xi64>
}

check.test @search_left_and_right {
  %x = check.input dense<[1.0, 2.0, 2.0, 3.0]> : tensor<4xf32>
  %y = check.input dense<[0.0, 2.0, 2.5, 3.0, 4.0]> : tensor<5xf32>
  %searchsorted = aten.searchsorted %x, %y : (tensor<4xf32>, tensor<5xf32>) -> tensor<5xi64>
  %searchsorted2 = aten.searchsorted %x, %y {right = true} : (tensor<4xf32>, tensor<5xf32>) -> tensor<5xi64>
  check.close %searchsorted, dense<[0, 1, 3, 3, 4]> : tensor<5xi64>
  check.close %searchsorted2, dense<[0, 3, 3, 4, 4]> : tensor<5xi64>
}

check.test @buckets {
  %x = check.input dense<[0.0, 1.0, 5.0, 6.0]> : tensor<4xf32>
  %y = check.input dense<[1.0, 5.0]> : tensor<2xf32>
  %searchsorted = aten.searchsorted %y, %x : (tensor<2xf32>, tensor<4xf32>) -> tensor<4xi64>
  %searchsorted2 = aten.searchsorted %y, %x {right = true} : (tensor<2xf32>, tensor<4xf32>) -> tensor<4xi64>
  check.close %searchsorted, dense<[0, 0, 1, 2]> : tensor<4xi64>
  check.close %searchsorted2, dense<[0, 1, 2, 2]> : tensor<4xi64>
}
