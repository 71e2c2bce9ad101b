// RUN: graphmill-opt %s -o %t && FileCheck %s < %t
// RUN: graphmill-opt %t | diff %t -
// RUN: graphmill-opt %s --mlir-print-op-generic | graphmill-opt | diff %t -
// RUN: graphmill-opt %s --emit-bytecode | graphmill-opt | diff %t -
//
// One op of each form: kinds of operands, results and arguments. What single ops mean is in numerics/.

// CHECK-LABEL: fx.graph @elementwise
fx.graph @elementwise(%x: tensor<2x3xf32>, %y: tensor<3xf32>) inputs ["x", "y"] outputs [] symbols [] {
  // CHECK: aten.exp %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = aten.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: aten.mul %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = aten.mul %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %two = fx.number 2 : i64 to tensor<i64, #fx.number>
  // CHECK: aten.add %arg0, %{{.*}} {alpha = 3 : i64} : (tensor<2x3xf32>, tensor<i64, #fx.number>) -> tensor<2x3xf32>
  %2 = aten.add %x, %two {alpha = 3 : i64} : (tensor<2x3xf32>, tensor<i64, #fx.number>) -> tensor<2x3xf32>
  // CHECK: aten.isnan %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi1>
  %3 = aten.isnan %x : (tensor<2x3xf32>) -> tensor<2x3xi1>
  fx.output
}

// Optional tensors, several results, several operands.
// CHECK-LABEL: fx.graph @operands
fx.graph @operands(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>, %i: tensor<2xi64>) inputs ["x", "w", "b", "i"] outputs [] symbols [] {
  // CHECK: aten.linear %arg0, %arg1 : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %0 = aten.linear %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  // CHECK: aten.linear %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = aten.linear %x, %w, %b : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  // CHECK: aten.cat %arg0, %arg1 : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
  %2 = aten.cat %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
  // CHECK: aten.index %arg0, %arg3 {indices_dims = array<i64: 1>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  %3 = aten.index %x, %i {indices_dims = array<i64: 1>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  // CHECK: = aten.topk %arg1 {k = #fx.dim<2>} : (tensor<4x3xf32>) -> (tensor<4x2xf32>, tensor<4x2xi64>)
  %v, %at = aten.topk %w {k = #fx.dim<2>} : (tensor<4x3xf32>) -> (tensor<4x2xf32>, tensor<4x2xi64>)
  // CHECK: = aten.split %arg1 {split_size = #fx.dim<3>} : (tensor<4x3xf32>) -> (tensor<3x3xf32>, tensor<1x3xf32>)
  %s:2 = aten.split %w {split_size = #fx.dim<3>} : (tensor<4x3xf32>) -> (tensor<3x3xf32>, tensor<1x3xf32>)
  fx.output
}

// Sizes are symbolic: in types, and where an argument is one.
// CHECK-LABEL: fx.graph @symbols
fx.graph @symbols(%x: tensor<?x4xf32, #fx.dims<[s0, 4]>>) inputs ["x"] outputs [] symbols [#fx.symbol<"n">] {
  // CHECK: aten.view %arg0 {size = #fx.dims<[s0 * 4]>} : (tensor<?x4xf32, #fx.dims<[s0, 4]>>) -> tensor<?xf32, #fx.dims<[s0 * 4]>>
  %0 = aten.view %x {size = #fx.dims<[s0 * 4]>} : (tensor<?x4xf32, #fx.dims<[s0, 4]>>) -> tensor<?xf32, #fx.dims<[s0 * 4]>>
  // CHECK: aten.slice %arg0 {end = #fx.dim<s0 - 1>}
  %1 = aten.slice %x {end = #fx.dim<s0 - 1>} : (tensor<?x4xf32, #fx.dims<[s0, 4]>>) -> tensor<?x4xf32, #fx.dims<[s0 - 1, 4]>>
  // CHECK: aten.sum %arg0 {dim = array<i64: 0>, dtype = f64, keepdim = true}
  %2 = aten.sum %x {dim = array<i64: 0>, keepdim = true, dtype = f64} : (tensor<?x4xf32, #fx.dims<[s0, 4]>>) -> tensor<1x4xf64>
  fx.output
}

// Writes in place survive until functionalization.
// CHECK-LABEL: fx.graph @copies
fx.graph @copies(%x: tensor<2xf32>, %y: tensor<2xf32>) inputs ["x", "y"] outputs [] symbols [] {
  // CHECK: aten.copy_ %arg0, %arg1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %0 = aten.copy_ %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  fx.output
}
