// RUN: graphmill-opt --prims-to-loop --loop-inline-producers --loop-assign-layouts %s | FileCheck %s

// The user's image is reordered once, the convolution writes channels last, and the user
// gets rows again.
// CHECK: loop.kernel axes = <[1, 3, 8, 8]>(%{{.*}}) attributes {orders = [array<i64>, array<i64: 0, 2, 3, 1>]}
// CHECK: loop.kernel axes = <[1, 16, 8, 8]> form = contraction(%{{.*}}, %{{.*}}) attributes {orders = [array<i64: 0, 2, 3, 1>, array<i64>, array<i64: 0, 2, 3, 1>]}
// CHECK: loop.kernel axes = <[1, 16, 8, 8]>(%{{.*}}) attributes {orders = [array<i64: 0, 2, 3, 1>, array<i64>]}
fx.tensor parameter @w = dense<1.0> : tensor<16x3x3x3xf32>
fx.graph @main(%x: tensor<1x3x8x8xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %w = fx.get @w : tensor<16x3x3x3xf32>
  %y = prims.convolution %x, %w {stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x8x8xf32>
  fx.output %y : tensor<1x16x8x8xf32>
}
