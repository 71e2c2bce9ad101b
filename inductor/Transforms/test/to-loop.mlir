// RUN: graphmill-opt --prims-to-loop --split-input-file %s | FileCheck %s

// CHECK-LABEL: fx.graph @pointwise
fx.graph @pointwise(%x: tensor<?x8xf32, #fx.dims<[s0, 8]>>) inputs ["x"] outputs [#fx.role<result "y">] symbols [#fx.symbol<"n">] {
  // CHECK:      loop.kernel axes = <[s0, 8]>(%arg0) {
  // CHECK:        %[[X:.*]] = loop.load
  // CHECK-NEXT:   %[[Y:.*]] = math.exp %[[X]]
  // CHECK-NEXT:   loop.store %[[Y]]
  %y = prims.exp %x : tensor<?x8xf32, #fx.dims<[s0, 8]>>
  fx.output %y : tensor<?x8xf32, #fx.dims<[s0, 8]>>
}

// -----

// A view reads through an index map.
// CHECK: #[[SWAPPED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: fx.graph @view
fx.graph @view(%x: tensor<4x8xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: loop.kernel axes = <[8, 4]>
  // CHECK: loop.load %{{.*}}[#[[SWAPPED]]]
  %y = prims.transpose %x perm = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  fx.output %y : tensor<8x4xf32>
}

// -----

// A splat is a kernel that reads nothing.
// CHECK-LABEL: fx.graph @constant
fx.graph @constant() inputs [] outputs [#fx.role<result "y">] symbols [] {
  // CHECK:     loop.kernel axes = <[4]>()
  // CHECK-NOT: loop.load
  %y = prims.constant dense<2.0> : tensor<4xf32>
  fx.output %y : tensor<4xf32>
}

// -----

// Dims that are reduced are inner axes.
// CHECK-LABEL: fx.graph @reduction
fx.graph @reduction(%x: tensor<4x8xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: loop.kernel axes = <[4]>
  // CHECK:   loop.reduce [#loop<reducer sum>] axes = <[8]>
  %y = prims.reduce sum %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  fx.output %y : tensor<4xf32>
}

// -----

// A product is a sum of products that says so.
// CHECK-LABEL: fx.graph @product
fx.graph @product(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>) inputs ["a", "b"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: loop.kernel axes = <[4, 8]> form = contraction
  // CHECK:   loop.reduce [#loop<reducer sum>] axes = <[16]>
  // CHECK:     arith.mulf
  %y = prims.matmul %a, %b : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  fx.output %y : tensor<4x8xf32>
}

// -----

// A scatter starts as a copy and runs in order.
// CHECK-LABEL: fx.graph @scatter
fx.graph @scatter(%x: tensor<4xf32>, %i: tensor<6xi64>, %v: tensor<6xf32>) inputs ["x", "i", "v"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: loop.kernel axes = {{.*}} inits = 1
  // CHECK: loop.store {{.*}} combiner = add
  %y = prims.scatter add %x, %i, %v dim = 0 : (tensor<4xf32>, tensor<6xi64>, tensor<6xf32>) -> tensor<4xf32>
  fx.output %y : tensor<4xf32>
}
