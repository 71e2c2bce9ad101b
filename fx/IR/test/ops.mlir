// RUN: graphmill-opt %s | graphmill-opt | FileCheck %s
// RUN: graphmill-opt %s --mlir-print-op-generic | graphmill-opt | FileCheck %s
// RUN: graphmill-opt %s --emit-bytecode | graphmill-opt | FileCheck %s

// CHECK: fx.tensor parameter @net.0.weight = dense<1.000000e+00> : tensor<3x2xf32>
fx.tensor parameter @net.0.weight = dense<1.0> : tensor<3x2xf32>
// CHECK: fx.tensor buffer @steps = dense<7> : tensor<i64>
fx.tensor buffer @steps = dense<7> : tensor<i64>
// CHECK: fx.tensor constant @mask = dense<[true, false]> : tensor<2xi1>
fx.tensor constant @mask = dense<[true, false]> : tensor<2xi1>
// CHECK: fx.tensor parameter @big = dense_resource<big> : tensor<2xf32>
fx.tensor parameter @big = dense_resource<big> : tensor<2xf32>

// CHECK: fx.graph @static(%arg0: tensor<2xf32>) inputs ["x"] outputs [#fx.role<result "y">, #fx.role<mutates_input "x">, #fx.role<mutates_tensor "steps">] symbols [] attributes {in_spec = "i", out_spec = "o"}
fx.graph @static(%x: tensor<2xf32>) inputs ["x"]
    outputs [#fx.role<result "y">, #fx.role<mutates_input "x">, #fx.role<mutates_tensor "steps">]
    symbols [] attributes {in_spec = "i", out_spec = "o"} {
  // CHECK-NEXT: %[[STEPS:.*]] = fx.get @steps : tensor<i64>
  %steps = fx.get @steps : tensor<i64>
  // CHECK-NEXT: fx.output %arg0, %arg0, %[[STEPS]] : tensor<2xf32>, tensor<2xf32>, tensor<i64>
  fx.output %x, %x, %steps : tensor<2xf32>, tensor<2xf32>, tensor<i64>
}

// Sizes are kept simplified.
// CHECK: fx.graph @symbolic(%arg0: tensor<?x4x?xf32, #fx.dims<[s0, 4, s1 * 2 + 1]>>)
// CHECK-SAME: symbols [#fx.symbol<"batch", min = 1, max = 64>, #fx.symbol<"length", {{.*}}divisor = 8>]
fx.graph @symbolic(%x: tensor<?x4x?xf32, #fx.dims<[s0, 4, s1 + s1 + 1]>>) inputs ["x"] outputs []
    symbols [#fx.symbol<"batch", min = 1, max = 64>, #fx.symbol<"length", divisor = 8>] {
  // CHECK-NEXT: fx.number 2.000000e+00 : f64 to tensor<f64, #fx.number>
  %two = fx.number 2.0 : f64 to tensor<f64, #fx.number>
  // CHECK-NEXT: fx.number #fx.dim<s0 floordiv 2> to tensor<i64, #fx.number>
  %half = fx.number #fx.dim<s0 floordiv 2> to tensor<i64, #fx.number>
  // CHECK-NEXT: fx.call "my.op.default"(%arg0) : (tensor<?x4x?xf32, #fx.dims<[s0, 4, s1 * 2 + 1]>>) -> tensor<f32>
  %y = fx.call "my.op.default"(%x) : (tensor<?x4x?xf32, #fx.dims<[s0, 4, s1 * 2 + 1]>>) -> tensor<f32>
  // CHECK-NEXT: fx.output
  fx.output
}

// CHECK: fx.graph @nothing() inputs [] outputs [] symbols []
fx.graph @nothing() inputs [] outputs [] symbols [] {
}

{-#
  dialect_resources: {
    builtin: {
      big: "0x040000000000803F00000040"
    }
  }
#-}
