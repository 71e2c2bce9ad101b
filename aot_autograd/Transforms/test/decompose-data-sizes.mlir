// RUN: graphmill-opt --aten-decompose %s | FileCheck %s

// The size is told before anything has it: everything before is as large as it can be.
// CHECK-LABEL: fx.graph @nonzero
fx.graph @nonzero(%x: tensor<?x3xf32, #fx.dims<[s0, 3]>>) inputs ["x"] outputs [#fx.role<result "y">]
    symbols [#fx.symbol<"rows", min = 1, max = 64>, #fx.symbol<"u0", min = 0, max = 192>] {
  // CHECK: %[[TOTAL:.*]] = prims.reduce sum {{.*}} -> tensor<i64>
  // CHECK: fx.bind_size %[[TOTAL]] symbol = 1 below <s0 * 3> : tensor<i64>
  // CHECK: %[[PLACES:.*]] = prims.index_put set {{.*}} -> tensor<?xi64, #fx.dims<[s0 * 3 + 1]>>
  // CHECK: prims.slice %[[PLACES]] {{.*}} -> tensor<?xi64, #fx.dims<[s1]>>
  %y = aten.nonzero %x {count = #fx.dim<s1>} : (tensor<?x3xf32, #fx.dims<[s0, 3]>>) -> tensor<?x2xi64, #fx.dims<[s1, 2]>>
  fx.output %y : tensor<?x2xi64, #fx.dims<[s1, 2]>>
}
