// RUN: graphmill-opt --prims-to-loop --loop-inline-producers --loop-fuse-consumers --loop-assign-layouts --split-input-file %s | FileCheck %s

// Channels are last in memory whichever dim the permutation behind makes of them: here the
// type's last, so that the order is the type's.
// CHECK-LABEL: fx.graph @convolution
// CHECK: loop.kernel axes = <[1, 16, 8, 8]> form = contraction(%{{.*}}, %{{.*}}) attributes {orders = [array<i64: 0, 2, 3, 1>, array<i64>, array<i64>]}
fx.graph @convolution(%x: tensor<1x3x8x8xf32>, %w: tensor<16x3x3x3xf32>) inputs ["x", "w"] outputs [#fx.role<result "y">] symbols [] {
  %c = prims.convolution %x, %w {stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x8x8xf32>
  %y = prims.transpose %c perm = [0, 2, 3, 1] : tensor<1x16x8x8xf32> -> tensor<1x8x8x16xf32>
  fx.output %y : tensor<1x8x8x16xf32>
}

// -----

// A matrix product's columns are last, though its result is a permuted view.
// CHECK-LABEL: fx.graph @matmul
// CHECK: loop.kernel axes = <[4, 5, 6]> form = contraction(%{{.*}}, %{{.*}}) attributes {orders = [array<i64>, array<i64>, array<i64: 0, 2, 1>]}
fx.graph @matmul(%x: tensor<4x5x7xf32>, %w: tensor<4x7x6xf32>) inputs ["x", "w"] outputs [#fx.role<result "y">] symbols [] {
  %m = prims.matmul %x, %w : (tensor<4x5x7xf32>, tensor<4x7x6xf32>) -> tensor<4x5x6xf32>
  %t = prims.transpose %m perm = [0, 2, 1] : tensor<4x5x6xf32> -> tensor<4x6x5xf32>
  %y = prims.exp %t : tensor<4x6x5xf32>
  fx.output %y : tensor<4x6x5xf32>
}
