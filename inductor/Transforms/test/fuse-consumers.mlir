// RUN: graphmill-opt --prims-to-loop --loop-inline-producers --loop-fuse-consumers --canonicalize --split-input-file %s | FileCheck %s

// What follows a matrix product works on its result in registers.
// CHECK-LABEL: fx.graph @epilogue
// CHECK:       loop.kernel axes = <[4, 8]> form = contraction
// CHECK:         loop.reduce
// CHECK:         math.tanh
// CHECK:         loop.store
// CHECK-NOT:   loop.kernel
fx.graph @epilogue(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>) inputs ["a", "b"] outputs [#fx.role<result "y">] symbols [] {
  %m = prims.matmul %a, %b : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %y = prims.tanh %m : tensor<4x8xf32>
  fx.output %y : tensor<4x8xf32>
}

// -----

// Softmax: one kernel over rows, the maximum, exponentials, their sum, and the quotient.
// CHECK-LABEL: fx.graph @softmax
// CHECK:       loop.kernel axes = <[32]>
// CHECK:         loop.reduce [#loop<reducer max>] axes = <[64]>
// CHECK:         loop.for axes = <[64]>
// CHECK:           math.exp
// CHECK:         loop.reduce [#loop<reducer sum>] axes = <[64]>
// CHECK:         loop.for axes = <[64]>
// CHECK:           arith.divf
// CHECK-NOT:   loop.kernel
fx.graph @softmax(%x: tensor<32x64xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %max = prims.reduce max %x dims = [1] : tensor<32x64xf32> -> tensor<32xf32>
  %rows = prims.broadcast %max dims = [0] : tensor<32xf32> -> tensor<32x64xf32>
  %shifted = prims.sub %x, %rows : tensor<32x64xf32>
  %e = prims.exp %shifted : tensor<32x64xf32>
  %sum = prims.reduce sum %e dims = [1] : tensor<32x64xf32> -> tensor<32xf32>
  %sums = prims.broadcast %sum dims = [0] : tensor<32xf32> -> tensor<32x64xf32>
  %y = prims.div %e, %sums : tensor<32x64xf32>
  fx.output %y : tensor<32x64xf32>
}

// -----

// One row can't be shared among threads: what reads its result stays apart.
// CHECK-LABEL: fx.graph @few_rows
// CHECK:       loop.kernel axes = <[]>
// CHECK:       loop.kernel axes = <[1000000]>
fx.graph @few_rows(%x: tensor<1000000xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %max = prims.reduce max %x dims = [0] : tensor<1000000xf32> -> tensor<f32>
  %all = prims.broadcast %max dims = [] : tensor<f32> -> tensor<1000000xf32>
  %y = prims.sub %x, %all : tensor<1000000xf32>
  fx.output %y : tensor<1000000xf32>
}

// -----

// A slice has fewer elements than the product: no iteration may write past its end.
// CHECK-LABEL: fx.graph @slice
// CHECK:       loop.kernel axes = <[4, 8]> form = contraction
// CHECK:       loop.kernel axes = <[4, 7]>
fx.graph @slice(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>) inputs ["a", "b"] outputs [#fx.role<result "y">] symbols [] {
  %m = prims.matmul %a, %b : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %s = prims.slice %m starts = <[0, 0]> steps = [1, 1] : tensor<4x8xf32> -> tensor<4x7xf32>
  %y = prims.tanh %s : tensor<4x7xf32>
  fx.output %y : tensor<4x7xf32>
}

// -----

// One value given twice is one value.
// CHECK-LABEL: fx.graph @twice
// CHECK:         %[[SUM:.*]] = loop.reduce
// CHECK:         arith.mulf %[[SUM]], %[[SUM]]
// CHECK-NOT:   loop.kernel
fx.graph @twice(%x: tensor<32x64xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %s = prims.reduce sum %x dims = [1] : tensor<32x64xf32> -> tensor<32xf32>
  %y = prims.mul %s, %s : tensor<32xf32>
  fx.output %y : tensor<32xf32>
}

// -----

// Sorted rows are in memory: neither what makes them nor what reads them joins the sort.
// CHECK-LABEL: fx.graph @sort
// CHECK-COUNT-3: = loop.kernel
fx.graph @sort(%x: tensor<32x64xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %m = prims.reduce max %x dims = [1] : tensor<32x64xf32> -> tensor<32xf32>
  %b = prims.broadcast %m dims = [0] : tensor<32xf32> -> tensor<32x64xf32>
  %d = prims.sub %x, %b : tensor<32x64xf32>
  %v, %i = prims.sort %d dim = 1 descending = true : tensor<32x64xf32> -> tensor<32x64xf32>, tensor<32x64xi64>
  %y = prims.reduce sum %v dims = [1] : tensor<32x64xf32> -> tensor<32xf32>
  fx.output %y : tensor<32xf32>
}
