// RUN: graphmill-opt --prims-to-loop --loop-inline-producers --canonicalize --split-input-file %s | FileCheck %s

// A chain of elementwise ops is one kernel.
// CHECK-LABEL: fx.graph @chain
// CHECK:       %[[Y:.*]] = loop.kernel axes = <[4, 8]>(%[[X:.*]]) {
// CHECK:         %[[LOADED:.*]] = loop.load
// CHECK-NEXT:    %[[EXP:.*]] = math.exp %[[LOADED]]
// CHECK-NEXT:    %[[NEG:.*]] = arith.negf %[[EXP]]
// CHECK-NEXT:    loop.store %[[NEG]]
// CHECK-NOT:   loop.kernel
fx.graph @chain(%x: tensor<4x8xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %a = prims.exp %x : tensor<4x8xf32>
  %y = prims.neg %a : tensor<4x8xf32>
  fx.output %y : tensor<4x8xf32>
}

// -----

// Views become index maps of whoever reads them.
// CHECK-DAG:   #[[SWAPPED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: fx.graph @view
// CHECK:         loop.load %{{.*}}[#[[SWAPPED]]]
// CHECK-NOT:   loop.kernel
fx.graph @view(%x: tensor<4x8xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %t = prims.transpose %x perm = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %y = prims.neg %t : tensor<8x4xf32>
  fx.output %y : tensor<8x4xf32>
}

// -----

// A function that two kernels want is computed once.
// CHECK-LABEL: fx.graph @shared
// CHECK-COUNT-1: math.exp
// CHECK-NOT:   math.exp
fx.graph @shared(%x: tensor<4x8xf32>) inputs ["x"] outputs [#fx.role<result "y">, #fx.role<result "z">] symbols [] {
  %a = prims.exp %x : tensor<4x8xf32>
  %y = prims.neg %a : tensor<4x8xf32>
  %z = prims.abs %a : tensor<4x8xf32>
  fx.output %y, %z : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Padding is a condition on the load, and no copy.
// CHECK-LABEL: fx.graph @pad
// CHECK:         %[[INSIDE:.*]] = loop.inside
// CHECK:         loop.load %{{.*}}mask %[[INSIDE]]
// CHECK-NOT:   loop.kernel
fx.graph @pad(%x: tensor<4xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %zero = prims.constant dense<0.0> : tensor<f32>
  %p = prims.pad %x, %zero low = <[1]> : tensor<4xf32>, tensor<f32> -> tensor<6xf32>
  %y = prims.neg %p : tensor<6xf32>
  fx.output %y : tensor<6xf32>
}

// -----

// A sort reads rows from memory: what it sorts is stored first.
// CHECK-LABEL: fx.graph @sort
// CHECK:       loop.kernel
// CHECK:         math.exp
// CHECK:       loop.kernel
// CHECK:         loop.sort
fx.graph @sort(%x: tensor<4x8xf32>) inputs ["x"] outputs [#fx.role<result "i">] symbols [] {
  %e = prims.exp %x : tensor<4x8xf32>
  %v, %i = prims.sort %e dim = 1 descending = true : tensor<4x8xf32> -> tensor<4x8xf32>, tensor<4x8xi64>
  fx.output %i : tensor<4x8xi64>
}

// -----

// A window's taps overlap: a function isn't computed again for each of them.
// CHECK-LABEL: fx.graph @window
// CHECK:       loop.kernel
// CHECK:         math.exp
// CHECK:       loop.kernel
// CHECK:         loop.reduce
// CHECK-NOT:       math.exp
fx.graph @window(%x: tensor<1x4x9xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %e = prims.exp %x : tensor<1x4x9xf32>
  %l = prims.log %e : tensor<1x4x9xf32>
  %s = prims.sqrt %l : tensor<1x4x9xf32>
  %y = prims.reduce_window max %s window = [3] strides = [1] padding = [0] dilation = [1] : tensor<1x4x9xf32> -> tensor<1x4x7xf32>
  fx.output %y : tensor<1x4x7xf32>
}
