// RUN: graphmill-opt --prims-to-loop --loop-inline-producers=max-ops=9 --canonicalize %s | FileCheck %s --check-prefix=INLINE
// RUN: graphmill-opt --prims-to-loop --loop-inline-producers --loop-fuse-consumers=max-ops=12 --canonicalize %s | FileCheck %s --check-prefix=FUSE

// Kernels stop growing at the limit: a long chain costs time in proportion to its length.
// INLINE-LABEL: fx.graph @chain
// INLINE:         math.exp
// INLINE-NEXT:    arith.negf
// INLINE-NEXT:    math.tanh
// INLINE:       loop.kernel
// INLINE:         math.absf
fx.graph @chain(%x: tensor<4x8xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %a = prims.exp %x : tensor<4x8xf32>
  %b = prims.neg %a : tensor<4x8xf32>
  %c = prims.tanh %b : tensor<4x8xf32>
  %y = prims.abs %c : tensor<4x8xf32>
  fx.output %y : tensor<4x8xf32>
}

// Without the limit, both sums are one kernel over rows.
// FUSE-LABEL: fx.graph @rows
// FUSE:         loop.reduce [#loop<reducer max>]
// FUSE:       loop.kernel
// FUSE:         loop.reduce [#loop<reducer sum>]
fx.graph @rows(%x: tensor<32x64xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %m = prims.reduce max %x dims = [1] : tensor<32x64xf32> -> tensor<32xf32>
  %b = prims.broadcast %m dims = [0] : tensor<32xf32> -> tensor<32x64xf32>
  %d = prims.sub %x, %b : tensor<32x64xf32>
  %e = prims.exp %d : tensor<32x64xf32>
  %y = prims.reduce sum %e dims = [1] : tensor<32x64xf32> -> tensor<32xf32>
  fx.output %y : tensor<32xf32>
}
