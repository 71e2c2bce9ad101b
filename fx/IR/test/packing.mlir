// RUN: graphmill-opt %s | graphmill-opt | FileCheck %s
// RUN: graphmill-opt %s --emit-bytecode | graphmill-opt | FileCheck %s

// Kernels see the order in which the tensor is stored: two panels of four columns, K = 3.
// CHECK: fx.tensor parameter @w = dense<1.000000e+00> : tensor<3x6xf32> packed <sizes = [2, 3, 4], strides = [0, 6, 0], columns = [4, 0, 1], step = 1, limit = 6, offset = 0>
fx.tensor parameter @w = dense<1.0> : tensor<3x6xf32> packed <sizes = [2, 3, 4], strides = [0, 6, 0], columns = [4, 0, 1], step = 1, limit = 6, offset = 0>
fx.graph @main() inputs [] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: fx.get @w : tensor<2x3x4xf32>
  %w = fx.get @w : tensor<2x3x4xf32>
  fx.output %w : tensor<2x3x4xf32>
}
