// RUN: graphmill-opt --prims-to-loop --loop-inline-producers --loop-pack-weights="panel=4" --mlir-elide-resource-strings-if-larger=10 --split-input-file %s | FileCheck %s

// B [3, 6] becomes panels [2, 3, 4], the second half empty; the load's map follows.
// CHECK-DAG: #[[PACKED:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 4, d2, d1 mod 4)>
// CHECK:     fx.tensor parameter @packed.w = dense<1.000000e+00> : tensor<3x6xf32> packed <sizes = [2, 3, 4], strides = [0, 6, 0], columns = [4, 0, 1], step = 1, limit = 6, offset = 0>
// CHECK:       %[[W:.*]] = fx.get @packed.w : tensor<2x3x4xf32>
// CHECK:       loop.kernel {{.*}}(%{{.*}}, %[[W]])
// CHECK:         loop.load %{{.*}}[#[[PACKED]]] : tensor<2x3x4xf32> -> f32
fx.tensor parameter @w = dense<1.0> : tensor<3x6xf32>
fx.graph @main(%a: tensor<5x3xf32>) inputs ["a"] outputs [#fx.role<result "y">] symbols [] {
  %w = fx.get @w : tensor<3x6xf32>
  %y = prims.matmul %a, %w : (tensor<5x3xf32>, tensor<3x6xf32>) -> tensor<5x6xf32>
  fx.output %y : tensor<5x6xf32>
}

// -----

// A recurrent layer's weights [4 * 3, 3]: blocks of two units, two passes of two gates.
// CHECK-DAG: #[[FORGET:.*]] = affine_map<(d0, d1, d2, d3) -> (d1 floordiv 2, 0, d3, 1, d1 mod 2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d1 floordiv 2, 1, d3, 1, d1 mod 2)>
// CHECK:     fx.tensor parameter @packed.r = dense<1.000000e+00> : tensor<12x3xf32> packed <sizes = [2, 2, 3, 2, 2], strides = [0, 18, 1, 9, 0], columns = [2, 0, 0, 0, 1], step = 3, limit = 3, offset = 0>
// CHECK:       loop.kernel axes = <[7, 3, 5]> sequential form = recurrent
// CHECK-DAG:     loop.load %{{.*}}[#[[FORGET]]]
// CHECK-DAG:     loop.load %{{.*}}[#[[OUT]]]
fx.tensor parameter @r = dense<1.0> : tensor<12x3xf32>
fx.graph @recurrent(%g: tensor<7x5x12xf32>, %h: tensor<5x3xf32>) inputs ["g", "h"] outputs [#fx.role<result "y">] symbols [] {
  %r = fx.get @r : tensor<12x3xf32>
  %y:3 = prims.recurrent lstm %g, %r hidden %h cell %h {reverse = false} : (tensor<7x5x12xf32>, tensor<12x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<7x5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>)
  fx.output %y#0 : tensor<7x5x3xf32>
}
