// RUN: graphmill-opt %s | graphmill-opt | FileCheck %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt | FileCheck %s

// A size from the data, and a complex number, in text and bytecode.
// CHECK-LABEL: fx.graph @main
fx.graph @main(%n: tensor<i64>) inputs ["n"] outputs [#fx.role<result "y">] symbols [#fx.symbol<"u0", min = 0, max = 9>] {
  // CHECK: fx.bind_size %arg0 symbol = 0 below <9> : tensor<i64>
  fx.bind_size %n symbol = 0 below <9> : tensor<i64>
  // CHECK: fx.number array<f64: 0.000000e+00, 1.000000e+00> to tensor<complex<f64>, #fx.number>
  %i = fx.number array<f64: 0.0, 1.0> to tensor<complex<f64>, #fx.number>
  // CHECK: prims.iota : tensor<?xi64, #fx.dims<[s0]>>
  %y = prims.iota : tensor<?xi64, #fx.dims<[s0]>>
  fx.output %y : tensor<?xi64, #fx.dims<[s0]>>
}
