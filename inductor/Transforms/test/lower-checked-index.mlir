// RUN: graphmill-opt --prims-to-loop %s | FileCheck %s

// A user's index is checked and reported, a compiler's own is only kept inside.
// CHECK-LABEL: fx.graph @rows
fx.graph @rows(%x: tensor<7x4xf32>, %i: tensor<5xi64>) inputs ["x", "i"]
    outputs [#fx.role<result "y">, #fx.role<result "z">] symbols [] {
  // CHECK: %[[FAULTS:.*]] = loop.faults : tensor<3xi64>
  // CHECK: loop.kernel axes = <[5, 4]>(%arg0, %arg1, %[[FAULTS]])
  // CHECK: loop.check_index %{{.*}} below <7> report %{{.*}} : tensor<3xi64>
  // CHECK-NOT: arith.minsi
  %y = prims.index %x[%i] dims = [0] checked : (tensor<7x4xf32>, tensor<5xi64>) -> tensor<5x4xf32>
  // CHECK: loop.kernel axes = <[5, 4]>(%arg0, %arg1)
  // CHECK: arith.minsi
  %z = prims.index %x[%i] dims = [0] : (tensor<7x4xf32>, tensor<5xi64>) -> tensor<5x4xf32>
  fx.output %y, %z : tensor<5x4xf32>, tensor<5x4xf32>
}
