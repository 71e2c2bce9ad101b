// RUN: graphmill-opt --prims-to-loop --loop-inline-producers --loop-pack-weights="panel=4" --mlir-elide-resource-strings-if-larger=10 %s | FileCheck %s

// B [3, 6] becomes panels [2, 3, 4], the second half empty; the load's map follows.
// CHECK-DAG: #[[PACKED:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 4, d2, d1 mod 4)>
// CHECK:     fx.tensor parameter @packed.w = dense_resource<packed.w> : tensor<2x3x4xf32>
// CHECK:       %[[W:.*]] = fx.get @packed.w : tensor<2x3x4xf32>
// CHECK:       loop.kernel {{.*}}(%{{.*}}, %[[W]])
// CHECK:         loop.load %{{.*}}[#[[PACKED]]] : tensor<2x3x4xf32> -> f32
fx.tensor parameter @w = dense<1.0> : tensor<3x6xf32>
fx.graph @main(%a: tensor<5x3xf32>) inputs ["a"] outputs [#fx.role<result "y">] symbols [] {
  %w = fx.get @w : tensor<3x6xf32>
  %y = prims.matmul %a, %w : (tensor<5x3xf32>, tensor<3x6xf32>) -> tensor<5x6xf32>
  fx.output %y : tensor<5x6xf32>
}
