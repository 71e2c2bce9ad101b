// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --verify-numerics=backend=cpu %s

// What is scattered into is also what is scattered: the result lies in memory like its copy.
check.test @into_itself {
  %x = check.input dense<[[[[-8.0, -3.0]], [[2.0, 7.0]]], [[[-5.0, 0.0]], [[5.0, -7.0]]], [[[-2.0, 3.0]], [[8.0, -4.0]]]]> : tensor<3x2x1x2xf32>
  %i = check.input dense<[[[[0, 1]], [[1, 0]]], [[[0, 0]], [[1, 1]]], [[[0, 0]], [[0, 1]]]]> : tensor<3x2x1x2xi64>
  %scan = prims.scan min %x dim = 1 : tensor<3x2x1x2xf32>
  %y = prims.scatter max %scan, %i, %scan dim = 3 : (tensor<3x2x1x2xf32>, tensor<3x2x1x2xi64>, tensor<3x2x1x2xf32>) -> tensor<3x2x1x2xf32>
  check.close %y, dense<[[[[-8.0, -3.0]], [[-3.0, -3.0]]], [[[0.0, 0.0]], [[-5.0, -5.0]]], [[[3.0, 3.0]], [[-2.0, -4.0]]]]> : tensor<3x2x1x2xf32>
}
