// RUN: graphmill-opt --prims-to-loop --loop-inline-producers --loop-assign-layouts --loop-transform-convolutions="panel=16" --mlir-elide-resource-strings-if-larger=10 %s | FileCheck %s

// RUN: graphmill-opt --prims-to-loop --loop-inline-producers --loop-assign-layouts --loop-transform-convolutions="panel=16" --remarks-filter=convolution %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: transformed: contraction 1x48x56x56 has 4x4 outputs from fewer products (Winograd)
// REMARK: not transformed: contraction 1x8x6x6: a direct sum takes about as little time

// A 3x3 convolution of many channels: 6 x 6 places for 4 x 4 outputs, the weight's taps transformed.
// CHECK:       fx.tensor parameter @winograd.w = {{.*}} : tensor<48x32x3x3xf32> packed <sizes = [3, 6, 6, 32, 16], strides = [0, 6, 1, 36, 0], columns = [16, 0, 0, 0, 1], step = 1152, limit = 48, offset = 0, winograd = 4>
// CHECK-LABEL: fx.graph @large
// CHECK-DAG:     %[[W:.*]] = fx.get @winograd.w
// CHECK-DAG:     %[[INPUT:.*]] = fx.get @winograd.input.4 : tensor<6x6xf32>
// CHECK-DAG:     %[[OUTPUT:.*]] = fx.get @winograd.output.4 : tensor<4x6xf32>
// CHECK:         loop.kernel axes = <[1, 48, 56, 56]> form = winograd(%{{.*}}, %[[W]], %[[INPUT]], %[[OUTPUT]])
// CHECK:           loop.reduce {{.*}} axes = <[6, 6]>
// CHECK:             loop.reduce {{.*}} axes = <[32]>
// CHECK:               loop.reduce {{.*}} axes = <[6, 6]>
fx.tensor parameter @w = dense<1.0> : tensor<48x32x3x3xf32>
fx.graph @large(%x: tensor<1x32x56x56xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %w = fx.get @w : tensor<48x32x3x3xf32>
  %y = prims.convolution %x, %w {stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x32x56x56xf32>, tensor<48x32x3x3xf32>) -> tensor<1x48x56x56xf32>
  fx.output %y : tensor<1x48x56x56xf32>
}

// Few channels leave most lanes idle.
// CHECK-LABEL: fx.graph @small
// CHECK:         form = contraction
fx.tensor parameter @v = dense<1.0> : tensor<8x4x3x3xf32>
fx.graph @small(%x: tensor<1x4x6x6xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %w = fx.get @v : tensor<8x4x3x3xf32>
  %y = prims.convolution %x, %w {stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf32>
  fx.output %y : tensor<1x8x6x6xf32>
}
