// RUN: graphmill-opt --aten-functionalize %s | FileCheck %s

// A write through a view makes a new base; a view made before it is made again.
// CHECK-LABEL: fx.graph @write_through_view
fx.graph @write_through_view(%x: tensor<4x3xf32>, %v: tensor<3xf32>) inputs ["x", "v"]
    outputs [#fx.role<result "y">, #fx.role<result "z">] symbols [] {
  %base = aten.relu %x : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %flat = aten.view %base {size = #fx.dims<[12]>} : (tensor<4x3xf32>) -> tensor<12xf32>
  %row = aten.select %base {dim = 0 : i64, index = #fx.dim<2>} : (tensor<4x3xf32>) -> tensor<3xf32>
  %w = aten.copy_ %row, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  // CHECK: %[[BASE:.*]] = aten.relu
  // CHECK: %[[NEW:.*]] = aten.select_scatter %[[BASE]], %arg1 {index = #fx.dim<2>}
  // CHECK: %[[FLAT:.*]] = aten.view %[[NEW]]
  // CHECK: aten.exp %[[FLAT]]
  %y = aten.exp %flat : (tensor<12xf32>) -> tensor<12xf32>
  // CHECK: aten.exp %[[NEW]]
  %z = aten.exp %base : (tensor<4x3xf32>) -> tensor<4x3xf32>
  fx.output %y, %z : tensor<12xf32>, tensor<4x3xf32>
}

// Inputs and owned tensors that are written become outputs.
fx.tensor buffer @steps = dense<0> : tensor<i64>
// CHECK-LABEL: fx.graph @mutations
// CHECK-SAME: #fx.role<mutates_input "x">, #fx.role<mutates_tensor "steps">
fx.graph @mutations(%x: tensor<2xf32>, %n: tensor<i64>) inputs ["x", "n"] outputs [] symbols [] {
  %steps = fx.get @steps : tensor<i64>
  %y = aten.exp %x : (tensor<2xf32>) -> tensor<2xf32>
  %a = aten.copy_ %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = aten.copy_ %steps, %n : (tensor<i64>, tensor<i64>) -> tensor<i64>
  // CHECK: %[[Y:.*]] = aten.exp
  // CHECK: fx.output %[[Y]], %arg1
  fx.output
}
