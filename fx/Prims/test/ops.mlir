// RUN: graphmill-opt %s -o %t && FileCheck %s < %t
// RUN: graphmill-opt %t | diff %t -
// RUN: graphmill-opt %s --mlir-print-op-generic | graphmill-opt | diff %t -
// RUN: graphmill-opt %s --emit-bytecode | graphmill-opt | diff %t -

// CHECK-LABEL: fx.graph @unary
fx.graph @unary(%x: tensor<4xf32>, %n: tensor<4xi64>) inputs ["x", "n"] outputs [] symbols [] {
  // CHECK: prims.exp %arg0 : tensor<4xf32>
  %0 = prims.exp %x : tensor<4xf32>
  %1 = prims.exp2 %x : tensor<4xf32>
  %2 = prims.expm1 %x : tensor<4xf32>
  %3 = prims.log %x : tensor<4xf32>
  %4 = prims.log1p %x : tensor<4xf32>
  %5 = prims.log2 %x : tensor<4xf32>
  %6 = prims.log10 %x : tensor<4xf32>
  %7 = prims.sqrt %x : tensor<4xf32>
  %8 = prims.sin %x : tensor<4xf32>
  %9 = prims.cos %x : tensor<4xf32>
  %10 = prims.tan %x : tensor<4xf32>
  %11 = prims.asin %x : tensor<4xf32>
  %12 = prims.acos %x : tensor<4xf32>
  %13 = prims.atan %x : tensor<4xf32>
  %14 = prims.sinh %x : tensor<4xf32>
  %15 = prims.cosh %x : tensor<4xf32>
  %16 = prims.tanh %x : tensor<4xf32>
  %17 = prims.asinh %x : tensor<4xf32>
  %18 = prims.acosh %x : tensor<4xf32>
  %19 = prims.atanh %x : tensor<4xf32>
  %20 = prims.erf %x : tensor<4xf32>
  %21 = prims.erfc %x : tensor<4xf32>
  %22 = prims.lgamma %x : tensor<4xf32>
  %23 = prims.ceil %x : tensor<4xf32>
  %24 = prims.floor %x : tensor<4xf32>
  %25 = prims.trunc %x : tensor<4xf32>
  %26 = prims.rsqrt %x : tensor<4xf32>
  %27 = prims.round %x : tensor<4xf32>
  %28 = prims.erfinv %x : tensor<4xf32>
  %29 = prims.digamma %x : tensor<4xf32>
  %30 = prims.i0 %x : tensor<4xf32>
  %31 = prims.abs %n : tensor<4xi64>
  %32 = prims.neg %n : tensor<4xi64>
  %33 = prims.sign %n : tensor<4xi64>
  // CHECK: prims.not %arg1 : tensor<4xi64>
  %34 = prims.not %n : tensor<4xi64>
  fx.output
}

// CHECK-LABEL: fx.graph @binary
fx.graph @binary(%x: tensor<4xf32>, %n: tensor<4xi64>, %p: tensor<4xi1>) inputs ["x", "n", "p"] outputs [] symbols [] {
  // CHECK: prims.add %arg0, %arg0 : tensor<4xf32>
  %0 = prims.add %x, %x : tensor<4xf32>
  %1 = prims.sub %x, %x : tensor<4xf32>
  %2 = prims.mul %x, %x : tensor<4xf32>
  %3 = prims.div %x, %x : tensor<4xf32>
  %4 = prims.fmod %x, %x : tensor<4xf32>
  %5 = prims.pow %x, %x : tensor<4xf32>
  %6 = prims.atan2 %x, %x : tensor<4xf32>
  %7 = prims.copysign %x, %x : tensor<4xf32>
  %8 = prims.nextafter %x, %x : tensor<4xf32>
  %9 = prims.maximum %x, %x : tensor<4xf32>
  %10 = prims.minimum %x, %x : tensor<4xf32>
  %11 = prims.and %n, %n : tensor<4xi64>
  %12 = prims.or %n, %n : tensor<4xi64>
  %13 = prims.xor %n, %n : tensor<4xi64>
  %14 = prims.shl %n, %n : tensor<4xi64>
  %15 = prims.shr %n, %n : tensor<4xi64>
  // CHECK: prims.compare lt %arg0, %arg0 : tensor<4xf32> -> tensor<4xi1>
  %16 = prims.compare lt %x, %x : tensor<4xf32> -> tensor<4xi1>
  // CHECK: prims.select %arg2, %arg0, %arg0 : tensor<4xi1>, tensor<4xf32>
  %17 = prims.select %p, %x, %x : tensor<4xi1>, tensor<4xf32>
  %18 = prims.convert %x : tensor<4xf32> -> tensor<4xi64>
  // CHECK: prims.bitcast %arg0 : tensor<4xf32> -> tensor<4xi32>
  %19 = prims.bitcast %x : tensor<4xf32> -> tensor<4xi32>
  fx.output
}

// CHECK-LABEL: fx.graph @shapes
fx.graph @shapes(%x: tensor<?x3xf32, #fx.dims<[s0, 3]>>, %v: tensor<f32>) inputs ["x", "v"] outputs [] symbols [#fx.symbol<"n">] {
  // CHECK: prims.constant dense<[1, 2]> : tensor<2xi64>
  %0 = prims.constant dense<[1, 2]> : tensor<2xi64>
  // CHECK: prims.size <s0 * 2> : tensor<i64>
  %1 = prims.size <s0 * 2> : tensor<i64>
  %2 = prims.iota : tensor<?xi64, #fx.dims<[s0]>>
  %3 = prims.broadcast %v dims = [] : tensor<f32> -> tensor<?x3xf32, #fx.dims<[s0, 3]>>
  %4 = prims.reshape %x : tensor<?x3xf32, #fx.dims<[s0, 3]>> -> tensor<?xf32, #fx.dims<[s0 * 3]>>
  %5 = prims.transpose %x perm = [1, 0] : tensor<?x3xf32, #fx.dims<[s0, 3]>> -> tensor<3x?xf32, #fx.dims<[3, s0]>>
  // CHECK: prims.slice %arg0 starts = <[s0 - 1, 0]> steps = [1, 2]
  %6 = prims.slice %x starts = <[s0 - 1, 0]> steps = [1, 2] : tensor<?x3xf32, #fx.dims<[s0, 3]>> -> tensor<1x2xf32>
  // CHECK: prims.pad %arg0, %arg1 low = <[0, -1]>
  %7 = prims.pad %x, %v low = <[0, -1]> : tensor<?x3xf32, #fx.dims<[s0, 3]>>, tensor<f32> -> tensor<?x2xf32, #fx.dims<[s0, 2]>>
  %8 = prims.concatenate %x, %x dim = 0 : (tensor<?x3xf32, #fx.dims<[s0, 3]>>, tensor<?x3xf32, #fx.dims<[s0, 3]>>) -> tensor<?x3xf32, #fx.dims<[s0 * 2, 3]>>
  %9 = prims.reverse %x dims = [0, 1] : tensor<?x3xf32, #fx.dims<[s0, 3]>>
  // CHECK: prims.as_strided %arg0 strides = <[3]> offset = <1>
  %10 = prims.as_strided %x strides = <[3]> offset = <1> : tensor<?x3xf32, #fx.dims<[s0, 3]>> -> tensor<?xf32, #fx.dims<[s0]>>
  fx.output
}

// CHECK-LABEL: fx.graph @random
fx.graph @random() inputs [] outputs [] symbols [] {
  // CHECK: prims.random normal stream = 3 : tensor<4xf32>
  %0 = prims.random normal stream = 3 : tensor<4xf32>
  fx.output
}

// CHECK-LABEL: fx.graph @reductions
fx.graph @reductions(%x: tensor<2x8xf32>) inputs ["x"] outputs [] symbols [] {
  // CHECK: prims.reduce sum %arg0 dims = [0, 1] : tensor<2x8xf32> -> tensor<f32>
  %0 = prims.reduce sum %x dims = [0, 1] : tensor<2x8xf32> -> tensor<f32>
  %1 = prims.arg_reduce max %x dim = 1 : tensor<2x8xf32> -> tensor<2xi64>
  // CHECK: prims.reduce_window max %arg0 window = [3] strides = [2] padding = [1] dilation = [1] : tensor<2x8xf32> -> tensor<2x4xf32>
  %2 = prims.reduce_window max %x window = [3] strides = [2] padding = [1] dilation = [1] : tensor<2x8xf32> -> tensor<2x4xf32>
  %3 = prims.arg_reduce_window max %x window = [3] strides = [2] padding = [1] dilation = [1] : tensor<2x8xf32> -> tensor<2x4xi64>
  %4 = prims.scan sum %x dim = 0 : tensor<2x8xf32>
  %5 = prims.arg_scan min %x dim = 0 : tensor<2x8xf32> -> tensor<2x8xi64>
  // CHECK: prims.sort %arg0 dim = 1 descending = true : tensor<2x8xf32> -> tensor<2x8xf32>, tensor<2x8xi64>
  %v, %i = prims.sort %x dim = 1 descending = true : tensor<2x8xf32> -> tensor<2x8xf32>, tensor<2x8xi64>
  fx.output
}

// CHECK-LABEL: fx.graph @indexing
fx.graph @indexing(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %v: tensor<3xf32>, %j: tensor<4x2xi64>, %s: tensor<4x2xf32>)
    inputs ["x", "i", "v", "j", "s"] outputs [] symbols [] {
  // CHECK: prims.index %arg0[%arg1, %arg1] dims = [0, 1] : (tensor<4x8xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<3xf32>
  %0 = prims.index %x[%i, %i] dims = [0, 1] : (tensor<4x8xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<3xf32>
  // CHECK: prims.index_put add %arg0, %arg2[%arg1, %arg1] dims = [0, 1]
  %1 = prims.index_put add %x, %v[%i, %i] dims = [0, 1] : (tensor<4x8xf32>, tensor<3xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<4x8xf32>
  %2 = prims.gather %x, %j dim = 1 : (tensor<4x8xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  // CHECK: prims.scatter max %arg0, %arg3, %arg4 dim = 1
  %3 = prims.scatter max %x, %j, %s dim = 1 : (tensor<4x8xf32>, tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
  fx.output
}

// CHECK-LABEL: fx.graph @structured
fx.graph @structured(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %x: tensor<1x2x5xf32>, %w: tensor<4x2x3xf32>,
                     %q: tensor<1x2x3x4xf32>, %m: tensor<3x3xf32>, %g: tensor<5x2x8xf32>, %h: tensor<2x2xf32>, %u: tensor<8x2xf32>)
    inputs ["a", "b", "x", "w", "q", "m", "g", "h", "u"] outputs [] symbols [] {
  // CHECK: prims.matmul %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %0 = prims.matmul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK: prims.convolution %arg2, %arg3 {
  %1 = prims.convolution %x, %w {stride = array<i64: 1>, padding = array<i64: 1>, dilation = array<i64: 1>, transposed = false, output_padding = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x5xf32>, tensor<4x2x3xf32>) -> tensor<1x4x5xf32>
  // CHECK: prims.attention %arg4, %arg4, %arg4 mask %arg5 {causal = false, scale = 5.000000e-01 : f64}
  %2 = prims.attention %q, %q, %q mask %m {scale = 0.5 : f64, causal = false} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<3x3xf32>) -> tensor<1x2x3x4xf32>
  // CHECK: prims.recurrent lstm %arg6, %arg8 hidden %arg7 cell %arg7 {reverse = true}
  %y, %hn, %cn = prims.recurrent lstm %g, %u hidden %h cell %h {reverse = true} : (tensor<5x2x8xf32>, tensor<8x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<5x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  fx.output
}

// CHECK-LABEL: fx.graph @complex
fx.graph @complex(%x: tensor<4xcomplex<f32>>) inputs ["x"] outputs [] symbols [] {
  // CHECK: %[[PAIRS:.*]] = prims.view_as_real %arg0 : tensor<4xcomplex<f32>> -> tensor<4x2xf32>
  %0 = prims.view_as_real %x : tensor<4xcomplex<f32>> -> tensor<4x2xf32>
  // CHECK: prims.view_as_complex %[[PAIRS]] : tensor<4x2xf32> -> tensor<4xcomplex<f32>>
  %1 = prims.view_as_complex %0 : tensor<4x2xf32> -> tensor<4xcomplex<f32>>
  fx.output
}
