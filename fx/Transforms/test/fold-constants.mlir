// RUN: graphmill-opt --prims-fold-constants %s | FileCheck %s

fx.tensor parameter @w = dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
fx.tensor buffer @count = dense<[3]> : tensor<1xi64>
fx.tensor parameter @unused = dense<1.0> : tensor<4xf32>

// CHECK-DAG: fx.tensor constant @folded_neg = dense<[-1.000000e+00, -2.000000e+00, -4.000000e+00, -8.000000e+00]>
// CHECK-DAG: fx.tensor constant @scaled = dense<[2.000000e+00, 4.000000e+00, 8.000000e+00, 1.600000e+01]>
// CHECK-DAG: fx.tensor parameter @w
// CHECK-DAG: fx.tensor buffer @count
// CHECK-NOT: @unused

// CHECK-LABEL: fx.graph @computes
fx.graph @computes(%x: tensor<4xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: %[[W:.*]] = fx.get @folded_neg
  // CHECK: prims.add %{{.*}}, %[[W]]
  %w = fx.get @w : tensor<4xf32>
  %0 = prims.neg %w : tensor<4xf32>
  %1 = prims.add %x, %0 : tensor<4xf32>
  fx.output %1 : tensor<4xf32>
}

// A chain makes one tensor, named after the node.
// CHECK-LABEL: fx.graph @names
fx.graph @names(%x: tensor<4xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK-NEXT: %[[W:.*]] = fx.get @scaled
  // CHECK-NEXT: prims.add %{{.*}}, %[[W]]
  %w = fx.get @w : tensor<4xf32>
  %two = prims.constant dense<2.0> : tensor<f32>
  %twos = prims.broadcast %two dims = [] : tensor<f32> -> tensor<4xf32>
  %0 = prims.mul %w, %twos : tensor<4xf32> loc("scaled")
  %1 = prims.add %x, %0 : tensor<4xf32>
  fx.output %1 : tensor<4xf32>
}

// A view of an owned tensor reads its memory.
// CHECK-LABEL: fx.graph @views
fx.graph @views(%x: tensor<2x2xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: fx.get @w
  // CHECK-NEXT: prims.reshape
  // CHECK-NEXT: prims.transpose
  %w = fx.get @w : tensor<4xf32>
  %0 = prims.reshape %w : tensor<4xf32> -> tensor<2x2xf32>
  %1 = prims.transpose %0 perm = [1, 0] : tensor<2x2xf32> -> tensor<2x2xf32>
  %2 = prims.add %x, %1 : tensor<2x2xf32>
  fx.output %2 : tensor<2x2xf32>
}

// What an output writes back isn't a constant.
// CHECK-LABEL: fx.graph @mutates
fx.graph @mutates() inputs [] outputs [#fx.role<mutates_tensor "count">] symbols [] {
  // CHECK: fx.get @count
  // CHECK: prims.add
  %n = fx.get @count : tensor<1xi64>
  %one = prims.constant dense<1> : tensor<1xi64>
  %0 = prims.add %n, %one : tensor<1xi64>
  fx.output %0 : tensor<1xi64>
}

// 1 MB from 16 bytes: a broadcast stays one, and what is computed from it is computed each time.
// CHECK-LABEL: fx.graph @grows
fx.graph @grows() inputs [] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: prims.broadcast
  // CHECK: prims.exp
  %w = fx.get @w : tensor<4xf32>
  %0 = prims.broadcast %w dims = [1] : tensor<4xf32> -> tensor<65536x4xf32>
  %1 = prims.exp %0 : tensor<65536x4xf32>
  fx.output %1 : tensor<65536x4xf32>
}

// Equal elements make a number, not a tensor.
// CHECK-LABEL: fx.graph @splats
fx.graph @splats() inputs [] outputs [#fx.role<result "y">] symbols [] {
  // CHECK-NEXT: prims.constant dense<true> : tensor<2xi1>
  // CHECK-NEXT: fx.output
  %0 = prims.iota : tensor<2xi64>
  %1 = prims.compare eq %0, %0 : tensor<2xi64> -> tensor<2xi1>
  fx.output %1 : tensor<2xi1>
}

// CHECK-LABEL: fx.graph @random
fx.graph @random() inputs [] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: prims.random
  // CHECK: prims.neg
  %0 = prims.random uniform stream = 0 : tensor<4xf32>
  %1 = prims.neg %0 : tensor<4xf32>
  fx.output %1 : tensor<4xf32>
}
