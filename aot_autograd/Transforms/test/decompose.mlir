// RUN: graphmill-opt %s --aten-decompose --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: fx.graph @silu
fx.graph @silu(%x: tensor<4xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK:      %[[NEG:.*]] = prims.neg %arg0
  // CHECK:      %[[EXP:.*]] = prims.exp %[[NEG]]
  // CHECK:      %[[SUM:.*]] = prims.add
  // CHECK:      prims.div
  // CHECK-NOT:  aten.
  %y = aten.silu %x : (tensor<4xf32>) -> tensor<4xf32>
  fx.output %y : tensor<4xf32>
}

// -----

// Promotion and broadcasting become ops.
// CHECK-LABEL: fx.graph @promotion
fx.graph @promotion(%x: tensor<2x3xi64>, %y: tensor<3xf32>) inputs ["x", "y"] outputs [#fx.role<result "z">] symbols [] {
  // CHECK-DAG: %[[X:.*]] = prims.convert %arg0 : tensor<2x3xi64> -> tensor<2x3xf32>
  // CHECK-DAG: %[[Y:.*]] = prims.broadcast %arg1 dims = [1] : tensor<3xf32> -> tensor<2x3xf32>
  // CHECK:     prims.add %[[X]], %[[Y]]
  %z = aten.add %x, %y : (tensor<2x3xi64>, tensor<3xf32>) -> tensor<2x3xf32>
  fx.output %z : tensor<2x3xf32>
}

// -----

// A number is rounded to float16 in a sum and not in a product.
// CHECK-LABEL: fx.graph @narrow
fx.graph @narrow(%x: tensor<4xf16>) inputs ["x"] outputs [#fx.role<result "y">, #fx.role<result "z">] symbols [] {
  %n = fx.number 0.1 : f64 to tensor<f64, #fx.number>
  // CHECK: prims.add {{.*}} : tensor<4xf16>
  %y = aten.add %x, %n : (tensor<4xf16>, tensor<f64, #fx.number>) -> tensor<4xf16>
  // CHECK: prims.mul {{.*}} : tensor<4xf32>
  %z = aten.mul %x, %n : (tensor<4xf16>, tensor<f64, #fx.number>) -> tensor<4xf16>
  fx.output %y, %z : tensor<4xf16>, tensor<4xf16>
}
