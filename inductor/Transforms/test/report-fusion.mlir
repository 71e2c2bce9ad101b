// RUN: graphmill-opt --prims-to-loop --loop-inline-producers --loop-fuse-consumers --loop-report-fusion --remarks-filter=fusion %s 2>&1 | FileCheck %s
// RUN: graphmill-opt --prims-to-loop --loop-inline-producers --loop-fuse-consumers --loop-report-fusion %s 2>&1 | FileCheck %s --check-prefix=QUIET

// A kernel of several ops names them, in the order in which they run; one of a single op says nothing.
// CHECK-NOT: remark:
// CHECK:     model.py:7:0: remark: [Passed] kernel | Category:fusion {{.*}} Remark="fused: product, activation are contraction_tanh 4x8"
// CHECK-NOT: remark:
// CHECK:     model.py:9:0: remark: {{.*}} Remark="fused: line 8, line 9 are exp 4x8"
// QUIET-NOT: fused
fx.graph @epilogue(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>) inputs ["a", "b"]
    outputs [#fx.role<result "y">, #fx.role<result "z">] symbols [] {
  %m = prims.matmul %a, %b : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32> loc("product"("model.py":6:0))
  %y = prims.tanh %m : tensor<4x8xf32> loc("activation"("model.py":7:0))
  %z = prims.exp %b : tensor<16x8xf32> loc("alone"("model.py":8:0))
  fx.output %y, %z : tensor<4x8xf32>, tensor<16x8xf32>
}

fx.graph @without_names(%x: tensor<4x8xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %n = prims.neg %x : tensor<4x8xf32> loc("model.py":8:0)
  %y = prims.exp %n : tensor<4x8xf32> loc("model.py":9:0)
  fx.output %y : tensor<4x8xf32>
}
