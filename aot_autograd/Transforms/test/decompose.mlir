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

// -----

// Bags seen to be of one size are a dim; others are scattered into.
// CHECK-LABEL: fx.graph @bags
fx.graph @bags(%weight: tensor<9x4xf32>, %even: tensor<?xi64, #fx.dims<[s0 * 3]>>, %any: tensor<?xi64, #fx.dims<[s0]>>)
    inputs ["weight", "even", "any"] outputs [#fx.role<result "y">, #fx.role<result "z">]
    symbols [#fx.symbol<"n", min = 1, max = 64>] {
  // CHECK:     prims.reshape {{.*}} -> tensor<?x3x4xf32, #fx.dims<[s0, 3, 4]>>
  // CHECK:     prims.reduce sum {{.*}} dims = [1] {{.*}} -> tensor<?x4xf32, #fx.dims<[s0, 4]>>
  %starts = aten.arange {end = #fx.dim<s0 * 3>, step = 3 : i64, dtype = i64} : () -> tensor<?xi64, #fx.dims<[s0]>>
  %y, %0, %1, %2 = aten.embedding_bag %weight, %even, %starts
    : (tensor<9x4xf32>, tensor<?xi64, #fx.dims<[s0 * 3]>>, tensor<?xi64, #fx.dims<[s0]>>)
    -> (tensor<?x4xf32, #fx.dims<[s0, 4]>>, tensor<0xi64>, tensor<?xi64, #fx.dims<[s0]>>, tensor<?xi64, #fx.dims<[s0]>>)
  // CHECK:     prims.index_put add {{.*}} -> tensor<?x4xf32, #fx.dims<[s0, 4]>>
  %z, %3, %4, %5 = aten.embedding_bag %weight, %even, %any
    : (tensor<9x4xf32>, tensor<?xi64, #fx.dims<[s0 * 3]>>, tensor<?xi64, #fx.dims<[s0]>>)
    -> (tensor<?x4xf32, #fx.dims<[s0, 4]>>, tensor<0xi64>, tensor<?xi64, #fx.dims<[s0]>>, tensor<?xi64, #fx.dims<[s0]>>)
  fx.output %y, %z : tensor<?x4xf32, #fx.dims<[s0, 4]>>, tensor<?x4xf32, #fx.dims<[s0, 4]>>
}
