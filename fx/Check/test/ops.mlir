// RUN: graphmill-opt %s -o %t && FileCheck %s < %t
// RUN: graphmill-opt %t | diff %t -
// RUN: graphmill-opt %s --mlir-print-op-generic | graphmill-opt | diff %t -
// RUN: graphmill-opt %s --emit-bytecode | graphmill-opt | diff %t -

// CHECK-LABEL: check.test @exact {
check.test @exact {
  // CHECK: %[[X:.*]] = check.input dense<[-1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %x = check.input dense<[-1.0, 0x7FC00000]> : tensor<2xf32>
  // CHECK: check.close %[[X]], dense<[-1.000000e+00, 0x7FC00000]> : tensor<2xf32>{{$}}
  check.close %x, dense<[-1.0, 0x7FC00000]> : tensor<2xf32>
}

// CHECK-LABEL: check.test @symbolic symbols [#fx.symbol<"n">]
check.test @symbolic symbols [#fx.symbol<"n">] {
  // CHECK: %[[X:.*]] = check.input dense<1.000000e+00> : tensor<2xf32> as tensor<?xf32, #fx.dims<[s0]>>
  %x = check.input dense<1.0> : tensor<2xf32> as tensor<?xf32, #fx.dims<[s0]>>
  // CHECK: check.close %[[X]], dense<1.000000e+00> : tensor<2xf32> as tensor<?xf32, #fx.dims<[s0]>> ulp 2 abs 2.500000e-01
  check.close %x, dense<1.0> : tensor<2xf32> as tensor<?xf32, #fx.dims<[s0]>> ulp 2 abs 0.25
}
