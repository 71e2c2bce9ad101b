// RUN: graphmill-opt --prims-to-loop --loop-inline-producers --loop-assign-layouts %s | FileCheck %s

// Channels are last in memory already: a tensor whose type has them last needs no order.
// CHECK: loop.kernel axes = <[1, 16, 8, 8]> form = contraction
// CHECK: loop.kernel axes = <[1, 8, 8, 16]>(%{{.*}}) attributes {orders = [array<i64: 0, 2, 3, 1>, array<i64>]}
fx.tensor parameter @w = dense<1.0> : tensor<16x3x3x3xf32>
fx.graph @main(%x: tensor<1x3x8x8xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %w = fx.get @w : tensor<16x3x3x3xf32>
  %c = prims.convolution %x, %w {stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x8x8xf32>
  %t = prims.transpose %c perm = [0, 2, 3, 1] : tensor<1x16x8x8xf32> -> tensor<1x8x8x16xf32>
  %y = prims.tanh %t : tensor<1x8x8x16xf32>
  fx.output %y : tensor<1x8x8x16xf32>
}
