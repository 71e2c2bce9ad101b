// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --verify-numerics=backend=cpu %s
//
// Sorted rows and places of extremes, read by other ops and by several.

check.test @argreduce_read_twice {
  %x = check.input dense<[[3.0, -1.0, 2.0], [1.0, 5.0, 0.0]]> : tensor<2x3xf32>
  %0 = prims.arg_reduce max %x dim = 1 : tensor<2x3xf32> -> tensor<2xi64>
  %1 = prims.mul %0, %0 : tensor<2xi64>
  check.close %1, dense<[0, 1]> : tensor<2xi64>
}

check.test @sort_of_computed {
  %x = check.input dense<[3.0, -1.0, 2.0]> : tensor<3xf32>
  %0 = prims.neg %x : tensor<3xf32>
  %v, %i = prims.sort %0 dim = 0 descending = false : tensor<3xf32> -> tensor<3xf32>, tensor<3xi64>
  check.close %v, dense<[-3.0, -2.0, 1.0]> : tensor<3xf32>
}

check.test @sort_indices_only {
  %x = check.input dense<[3.0, -1.0, 2.0]> : tensor<3xf32>
  %v, %i = prims.sort %x dim = 0 descending = false : tensor<3xf32> -> tensor<3xf32>, tensor<3xi64>
  check.close %i, dense<[1, 2, 0]> : tensor<3xi64>
}

check.test @sort_then_argreduce {
  %x = check.input dense<[[3.0, -1.0, 2.0], [1.0, 5.0, 0.0]]> : tensor<2x3xf32>
  %v, %i = prims.sort %x dim = 1 descending = false : tensor<2x3xf32> -> tensor<2x3xf32>, tensor<2x3xi64>
  %0 = prims.arg_reduce min %v dim = 0 : tensor<2x3xf32> -> tensor<3xi64>
  check.close %0, dense<[0, 1, 0]> : tensor<3xi64>
}

check.test @sort_then_reduce {
  %x = check.input dense<[[3.0, -1.0, 2.0], [1.0, 5.0, 0.0]]> : tensor<2x3xf32>
  %v, %i = prims.sort %x dim = 1 descending = false : tensor<2x3xf32> -> tensor<2x3xf32>, tensor<2x3xi64>
  %0 = prims.reduce max %v dims = [0] : tensor<2x3xf32> -> tensor<3xf32>
  check.close %0, dense<[0.0, 2.0, 5.0]> : tensor<3xf32>
}
check.test @sort_then_slice {
  %x = check.input dense<[[3.0, -1.0, 2.0], [1.0, 5.0, 0.0]]> : tensor<2x3xf32>
  %v, %i = prims.sort %x dim = 1 descending = false : tensor<2x3xf32> -> tensor<2x3xf32>, tensor<2x3xi64>
  %0 = prims.slice %i starts = <[0, 1]> steps = [1, 1] : tensor<2x3xi64> -> tensor<2x2xi64>
  check.close %0, dense<[[2, 0], [0, 1]]> : tensor<2x2xi64>
}
