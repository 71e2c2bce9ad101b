// RUN: graphmill-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: fx.graph @units
fx.graph @units(%x: tensor<4xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK-NEXT: fx.output %arg0
  %1 = prims.constant dense<1.0> : tensor<f32>
  %one = prims.broadcast %1 dims = [] : tensor<f32> -> tensor<4xf32>
  %zero = prims.constant dense<0.0> : tensor<4xf32>
  %minus = prims.constant dense<-0.0> : tensor<4xf32>
  %a = prims.mul %x, %one : tensor<4xf32>
  %b = prims.div %a, %one : tensor<4xf32>
  %c = prims.sub %b, %zero : tensor<4xf32>
  %d = prims.add %c, %minus : tensor<4xf32>
  %e = prims.pow %d, %one : tensor<4xf32>
  %f = prims.maximum %e, %e : tensor<4xf32>
  fx.output %f : tensor<4xf32>
}

// -0 + 0 is 0: not the operand.
// CHECK-LABEL: fx.graph @signed_zero
fx.graph @signed_zero(%x: tensor<4xf32>) inputs ["x"] outputs [#fx.role<result "y">, #fx.role<result "z">] symbols [] {
  // CHECK: prims.add
  // CHECK: prims.sub
  %zero = prims.constant dense<0.0> : tensor<4xf32>
  %minus = prims.constant dense<-0.0> : tensor<4xf32>
  %a = prims.add %x, %zero : tensor<4xf32>
  %b = prims.sub %x, %minus : tensor<4xf32>
  fx.output %a, %b : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: fx.graph @involutions
fx.graph @involutions(%x: tensor<2x3xf32>, %p: tensor<2xi1>) inputs ["x", "p"] outputs [#fx.role<result "y">, #fx.role<result "q">] symbols [] {
  // CHECK-NEXT: fx.output %arg0, %arg1
  %a = prims.neg %x : tensor<2x3xf32>
  %b = prims.neg %a : tensor<2x3xf32>
  %c = prims.transpose %b perm = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %d = prims.transpose %c perm = [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
  %e = prims.reverse %d dims = [1] : tensor<2x3xf32>
  %f = prims.reverse %e dims = [1] : tensor<2x3xf32>
  %g = prims.reshape %f : tensor<2x3xf32> -> tensor<6xf32>
  %h = prims.reshape %g : tensor<6xf32> -> tensor<2x3xf32>
  %q = prims.not %p : tensor<2xi1>
  %r = prims.not %q : tensor<2xi1>
  fx.output %h, %r : tensor<2x3xf32>, tensor<2xi1>
}

// CHECK-LABEL: fx.graph @integers
fx.graph @integers(%x: tensor<4xi64>) inputs ["x"] outputs [#fx.role<result "y">, #fx.role<result "z">] symbols [] {
  // CHECK: %[[ZERO:.*]] = prims.constant dense<0>
  // CHECK-NEXT: fx.output %arg0, %[[ZERO]]
  %zero = prims.constant dense<0> : tensor<4xi64>
  %ones = prims.constant dense<-1> : tensor<4xi64>
  %a = prims.add %zero, %x : tensor<4xi64>
  %b = prims.and %a, %ones : tensor<4xi64>
  %c = prims.or %b, %zero : tensor<4xi64>
  %d = prims.mul %c, %zero : tensor<4xi64>
  fx.output %c, %d : tensor<4xi64>, tensor<4xi64>
}

// CHECK-LABEL: fx.graph @selects
fx.graph @selects(%x: tensor<4xf32>, %y: tensor<4xf32>, %p: tensor<4xi1>) inputs ["x", "y", "p"] outputs [#fx.role<result "a">, #fx.role<result "b">, #fx.role<result "c">] symbols [] {
  // CHECK-NEXT: fx.output %arg0, %arg1, %arg1
  %true = prims.constant dense<true> : tensor<4xi1>
  %false = prims.constant dense<false> : tensor<4xi1>
  %a = prims.select %true, %x, %y : tensor<4xi1>, tensor<4xf32>
  %b = prims.select %false, %x, %y : tensor<4xi1>, tensor<4xf32>
  %c = prims.select %p, %y, %y : tensor<4xi1>, tensor<4xf32>
  fx.output %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A conversion that loses nothing is undone or skipped; one that does stays.
// CHECK-LABEL: fx.graph @converts
fx.graph @converts(%x: tensor<4xf16>, %n: tensor<4xi64>) inputs ["x", "n"] outputs [#fx.role<result "a">, #fx.role<result "b">, #fx.role<result "c">] symbols [] {
  // CHECK-NEXT: %[[B:.*]] = prims.convert %arg0 : tensor<4xf16> -> tensor<4xi32>
  // CHECK-NEXT: %[[F:.*]] = prims.convert %arg1 : tensor<4xi64> -> tensor<4xf32>
  // CHECK-NEXT: %[[C:.*]] = prims.convert %[[F]] : tensor<4xf32> -> tensor<4xi64>
  // CHECK-NEXT: fx.output %arg0, %[[B]], %[[C]]
  %0 = prims.convert %x : tensor<4xf16> -> tensor<4xf32>
  %1 = prims.convert %0 : tensor<4xf32> -> tensor<4xf16>
  %2 = prims.convert %0 : tensor<4xf32> -> tensor<4xi32>
  %3 = prims.convert %n : tensor<4xi64> -> tensor<4xf32>
  %4 = prims.convert %3 : tensor<4xf32> -> tensor<4xi64>
  fx.output %1, %2, %4 : tensor<4xf16>, tensor<4xi32>, tensor<4xi64>
}

// CHECK-LABEL: fx.graph @powers
fx.graph @powers(%x: tensor<4xf32>) inputs ["x"] outputs [#fx.role<result "a">, #fx.role<result "b">, #fx.role<result "c">] symbols [] {
  // CHECK-DAG: %[[A:.*]] = prims.mul %arg0, %arg0
  // CHECK-DAG: %[[B:.*]] = prims.div %{{.*}}, %arg0
  // CHECK-DAG: %[[C:.*]] = prims.pow %arg0
  // CHECK: fx.output %[[A]], %[[B]], %[[C]]
  %two = prims.constant dense<2.0> : tensor<4xf32>
  %minus = prims.constant dense<-1.0> : tensor<4xf32>
  %half = prims.constant dense<0.5> : tensor<4xf32>
  %a = prims.pow %x, %two : tensor<4xf32>
  %b = prims.pow %x, %minus : tensor<4xf32>
  %c = prims.pow %x, %half : tensor<4xf32>
  fx.output %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: fx.graph @broadcasts
fx.graph @broadcasts(%x: tensor<1x3xf32>) inputs ["x"] outputs [#fx.role<result "a">] symbols [] {
  // CHECK-NEXT: %[[A:.*]] = prims.broadcast %arg0 dims = [1, 3] : tensor<1x3xf32> -> tensor<5x4x6x3xf32>
  // CHECK-NEXT: fx.output %[[A]]
  %0 = prims.reshape %x : tensor<1x3xf32> -> tensor<1x1x3xf32>
  %1 = prims.broadcast %0 dims = [0, 1, 2] : tensor<1x1x3xf32> -> tensor<4x6x3xf32>
  %2 = prims.broadcast %1 dims = [1, 2, 3] : tensor<4x6x3xf32> -> tensor<5x4x6x3xf32>
  fx.output %2 : tensor<5x4x6x3xf32>
}

// CHECK-LABEL: fx.graph @slices
fx.graph @slices(%x: tensor<?xf32, #fx.dims<[s0 + 10]>>) inputs ["x"] outputs [#fx.role<result "a">, #fx.role<result "b">] symbols [#fx.symbol<"n">] {
  // CHECK-NEXT: %[[B:.*]] = prims.slice %arg0 starts = <[s0 + 7]> steps = [2]
  // CHECK-NEXT: fx.output %arg0, %[[B]]
  %0 = prims.slice %x starts = <[0]> steps = [1] : tensor<?xf32, #fx.dims<[s0 + 10]>> -> tensor<?xf32, #fx.dims<[s0 + 10]>>
  %1 = prims.slice %0 starts = <[s0 + 1]> steps = [2] : tensor<?xf32, #fx.dims<[s0 + 10]>> -> tensor<5xf32>
  %2 = prims.slice %1 starts = <[3]> steps = [1] : tensor<5xf32> -> tensor<1xf32>
  fx.output %0, %2 : tensor<?xf32, #fx.dims<[s0 + 10]>>, tensor<1xf32>
}

// CHECK-LABEL: fx.graph @nothing_to_do
fx.graph @nothing_to_do(%x: tensor<4xf32>, %v: tensor<f32>) inputs ["x", "v"] outputs [#fx.role<result "a">] symbols [] {
  // CHECK-NEXT: fx.output %arg0
  %0 = prims.pad %x, %v low = <[0]> : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %1 = prims.concatenate %0 dim = 0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = prims.reduce sum %1 dims = [] : tensor<4xf32> -> tensor<4xf32>
  fx.output %2 : tensor<4xf32>
}

// |-x| is |x|, but for unsigned elements, which wrap around.
// CHECK-LABEL: fx.graph @magnitudes
fx.graph @magnitudes(%x: tensor<4xi8>, %n: tensor<4xui8>) inputs ["x", "n"] outputs [#fx.role<result "a">, #fx.role<result "b">] symbols [] {
  // CHECK-DAG: %[[A:.*]] = prims.abs %arg0
  // CHECK-DAG: %[[NEG:.*]] = prims.neg %arg1
  // CHECK-DAG: %[[B:.*]] = prims.abs %[[NEG]]
  // CHECK: fx.output %[[A]], %[[B]]
  %0 = prims.neg %x : tensor<4xi8>
  %1 = prims.abs %0 : tensor<4xi8>
  %2 = prims.neg %n : tensor<4xui8>
  %3 = prims.abs %2 : tensor<4xui8>
  fx.output %1, %3 : tensor<4xi8>, tensor<4xui8>
}
