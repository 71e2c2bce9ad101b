// REQUIRES: x86_64
// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --verify-numerics=backend=cpu %s
// RUN: graphmill-opt --verify-numerics="backend=cpu target=x86-64-v3" %s
//
// The window's second place is padding: its lane loads 0 for both, and 0 / 0 must stay outside of the sum.

check.test @quotient_in_a_padded_window {
  %x = check.input dense<[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0]]]> : tensor<3x1x3xf32>
  %0 = prims.exp %x : tensor<3x1x3xf32>
  %1 = prims.reduce sum %0 dims = [1] : tensor<3x1x3xf32> -> tensor<3x3xf32>
  %2 = prims.broadcast %1 dims = [0, 2] : tensor<3x3xf32> -> tensor<3x1x3xf32>
  %3 = prims.div %0, %2 : tensor<3x1x3xf32>
  %4 = prims.slice %3 starts = <[2, 0, 2]> steps = [1, 1, 3] : tensor<3x1x3xf32> -> tensor<1x1x1xf32>
  %5 = prims.reduce_window sum %4 window = [1, 2] strides = [2, 2] padding = [0, 1] dilation = [1, 1] : tensor<1x1x1xf32> -> tensor<1x1x1xf32>
  check.close %5, dense<1.0> : tensor<1x1x1xf32>
}
