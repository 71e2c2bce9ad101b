// RUN: graphmill-opt %s -o %t && FileCheck %s < %t
// RUN: graphmill-opt %t | diff %t -
// RUN: graphmill-opt %s --mlir-print-op-generic | graphmill-opt | diff %t -
// RUN: graphmill-opt %s --emit-bytecode | graphmill-opt | diff %t -

// CHECK-LABEL: fx.graph @pointwise
fx.graph @pointwise(%x: tensor<?x4xf32, #fx.dims<[s0, 4]>>) inputs ["x"] outputs [#fx.role<result "y">] symbols [#fx.symbol<"n">] {
  // CHECK: loop.kernel axes = <[s0, 4]>(%arg0) {
  %y = loop.kernel axes = <[s0, 4]>(%x) {
  ^bb0(%in: tensor<?x4xf32, #fx.dims<[s0, 4]>>, %out: tensor<?x4xf32, #fx.dims<[s0, 4]>>):
    // CHECK: loop.load %{{.*}}[#{{.*}}] : tensor<?x4xf32, #fx.dims<[s0, 4]>> -> f32
    %0 = loop.load %in[affine_map<(d0, d1)[s0] -> (d0, d1)>] : tensor<?x4xf32, #fx.dims<[s0, 4]>> -> f32
    %1 = math.tanh %0 : f32
    // CHECK: loop.store %{{.*}}, %{{.*}}[#{{.*}}] : f32, tensor<?x4xf32, #fx.dims<[s0, 4]>>
    loop.store %1, %out[affine_map<(d0, d1)[s0] -> (d0, d1)>] : f32, tensor<?x4xf32, #fx.dims<[s0, 4]>>
  } : (tensor<?x4xf32, #fx.dims<[s0, 4]>>) -> tensor<?x4xf32, #fx.dims<[s0, 4]>>
  fx.output %y : tensor<?x4xf32, #fx.dims<[s0, 4]>>
}

// Padding, and rows picked by an index tensor.
// CHECK-LABEL: fx.graph @masks_and_indices
fx.graph @masks_and_indices(%x: tensor<4x4xf32>, %i: tensor<6xi64>) inputs ["x", "i"] outputs [#fx.role<result "y">] symbols [] {
  %y = loop.kernel axes = <[6, 6]>(%x, %i) {
  ^bb0(%in: tensor<4x4xf32>, %at: tensor<6xi64>, %out: tensor<6x6xf32>):
    %zero = arith.constant 0.0 : f32
    %row = loop.load %at[affine_map<(d0, d1) -> (d0)>] : tensor<6xi64> -> i64
    %r = arith.index_cast %row : i64 to index
    // CHECK: loop.apply #{{.*}}(%{{.*}})
    %next = loop.apply affine_map<(d0, d1, d2) -> (d2 + 1)>(%r)
    // CHECK: %[[INSIDE:.*]] = loop.inside #{{.*}} below <[4]>
    %inside = loop.inside affine_map<(d0, d1) -> (d1 - 1)> below <[4]>
    // CHECK: loop.load %{{.*}}[#{{.*}}] (%{{.*}}) mask %[[INSIDE]] else %{{.*}} : f32 : tensor<4x4xf32> -> f32
    %0 = loop.load %in[affine_map<(d0, d1, d2) -> (d2, d1 - 1)>](%next) mask %inside else %zero : f32 : tensor<4x4xf32> -> f32
    loop.store %0, %out[affine_map<(d0, d1) -> (d0, d1)>] : f32, tensor<6x6xf32>
  } : (tensor<4x4xf32>, tensor<6xi64>) -> tensor<6x6xf32>
  fx.output %y : tensor<6x6xf32>
}

// CHECK-LABEL: fx.graph @scatter
fx.graph @scatter(%x: tensor<4xf32>, %i: tensor<6xi64>, %v: tensor<6xf32>) inputs ["x", "i", "v"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: loop.kernel axes = <[6]> inits = 1 sequential(%arg1, %arg2, %arg0) {
  %y = loop.kernel axes = <[6]> inits = 1 sequential (%i, %v, %x) {
  ^bb0(%at: tensor<6xi64>, %values: tensor<6xf32>, %init: tensor<4xf32>, %out: tensor<4xf32>):
    %0 = loop.load %at[affine_map<(d0) -> (d0)>] : tensor<6xi64> -> i64
    %1 = arith.index_cast %0 : i64 to index
    %2 = loop.load %values[affine_map<(d0) -> (d0)>] : tensor<6xf32> -> f32
    %true = arith.constant true
    // CHECK: loop.store %{{.*}}, %{{.*}}[#{{.*}}] (%{{.*}}) mask %{{.*}} combiner = add : f32, tensor<4xf32>
    loop.store %2, %out[affine_map<(d0, d1) -> (d1)>](%1) mask %true combiner = add : f32, tensor<4xf32>
  } : (tensor<6xi64>, tensor<6xf32>, tensor<4xf32>) -> tensor<4xf32>
  fx.output %y : tensor<4xf32>
}

// CHECK-LABEL: fx.graph @inner_loops
fx.graph @inner_loops(%x: tensor<4x8xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: loop.kernel axes = <[4]> form = contraction(%arg0) {
  %y = loop.kernel axes = <[4]> form = contraction (%x) {
  ^bb0(%in: tensor<4x8xf32>, %out: tensor<4x8xf32>):
    // CHECK: %[[BOTH:.*]]:2 = loop.reduce [#loop<reducer max>, #loop<reducer sum>] axes = <[8]> {
    %max, %sum = loop.reduce [#loop<reducer max>, #loop<reducer sum>] axes = <[8]> {
      %0 = loop.load %in[affine_map<(d0, d1) -> (d0, d1)>] : tensor<4x8xf32> -> f32
      // CHECK: loop.yield %{{.*}}, %{{.*}} : f32, f32
      loop.yield %0, %0 : f32, f32
      // CHECK-NEXT: } : f32, f32
    } : f32, f32
    // CHECK: loop.for axes = <[8]> {
    loop.for axes = <[8]> {
      %1 = arith.addf %max, %sum : f32
      loop.store %1, %out[affine_map<(d0, d1) -> (d0, d1)>] : f32, tensor<4x8xf32>
    }
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  fx.output %y : tensor<4x8xf32>
}

// CHECK-LABEL: fx.graph @sort
fx.graph @sort(%x: tensor<4x8xf32>) inputs ["x"] outputs [#fx.role<result "v">, #fx.role<result "i">] symbols [] {
  %v, %i = loop.kernel axes = <[4]>(%x) {
  ^bb0(%in: tensor<4x8xf32>, %values: tensor<4x8xf32>, %places: tensor<4x8xi64>):
    // CHECK: loop.sort %{{.*}} to %{{.*}}, %{{.*}}[#{{.*}}] length = <8> descending = true : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi64>
    loop.sort %in to %values, %places[affine_map<(d0, d1) -> (d0, d1)>] length = <8> descending = true : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi64>
  } : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi64>)
  fx.output %v, %i : tensor<4x8xf32>, tensor<4x8xi64>
}

// CHECK-LABEL: fx.graph @random
fx.graph @random() inputs [] outputs [] symbols [] {
  // CHECK: loop.random_state : tensor<2xi64>
  %s = loop.random_state : tensor<2xi64>
  fx.output
}

// CHECK-LABEL: fx.graph @checked
fx.graph @checked(%i: tensor<6xi64>) inputs ["i"] outputs [] symbols [] {
  // CHECK: loop.faults : tensor<3xi64>
  %f = loop.faults : tensor<3xi64>
  %y = loop.kernel axes = <[6]>(%i, %f) {
  ^bb0(%in: tensor<6xi64>, %faults: tensor<3xi64>, %out: tensor<6xindex>):
    %0 = loop.load %in[affine_map<(d0) -> (d0)>] : tensor<6xi64> -> i64
    %1 = arith.index_cast %0 : i64 to index
    // CHECK: loop.check_index %{{.*}} below <4> report %{{.*}} : tensor<3xi64>
    %2 = loop.check_index %1 below <4> report %faults : tensor<3xi64>
    loop.store %2, %out[affine_map<(d0) -> (d0)>] : index, tensor<6xindex>
  } : (tensor<6xi64>, tensor<3xi64>) -> tensor<6xindex>
  fx.output
}
