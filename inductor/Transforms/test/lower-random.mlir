// RUN: graphmill-opt --prims-to-loop %s | FileCheck %s

// Numbers are arithmetic on the element's place and the context's state.
// CHECK: #[[PLACE:.*]] = affine_map<(d0, d1) -> (d0 * 5 + d1)>
// CHECK-LABEL: fx.graph @draw
// CHECK: %[[STATE:.*]] = loop.random_state : tensor<2xi64>
// CHECK: loop.kernel axes = <[3, 5]>(%[[STATE]])
// CHECK: loop.apply #[[PLACE]]
// CHECK-COUNT-20: arith.muli
// CHECK: arith.sitofp
// CHECK: loop.store
fx.graph @draw() inputs [] outputs [#fx.role<result "y">] symbols [] {
  %y = prims.random uniform stream = 0 : tensor<3x5xf32>
  fx.output %y : tensor<3x5xf32>
}
