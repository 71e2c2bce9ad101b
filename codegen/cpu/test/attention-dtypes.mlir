// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --verify-numerics=backend=cpu %s
//
// Attention for what its kernel isn't made for: halves add up in float32, doubles stay doubles.

check.test @double {
  %q = check.input dense<[[[[1.0, 0.5], [2.0, -1.0]]]]> : tensor<1x1x2x2xf64>
  %k = check.input dense<[[[[0.5, 1.0], [-1.0, 2.0]]]]> : tensor<1x1x2x2xf64>
  %v = check.input dense<[[[[1.0, 2.0], [3.0, -4.0]]]]> : tensor<1x1x2x2xf64>
  %y = prims.attention %q, %k, %v {scale = 0.5 : f64, causal = true} : (tensor<1x1x2x2xf64>, tensor<1x1x2x2xf64>, tensor<1x1x2x2xf64>) -> tensor<1x1x2x2xf64>
  check.close %y, dense<[[[[1.0, 2.0], [1.23840584404423493, 1.28478246786729433]]]]> : tensor<1x1x2x2xf64> abs 1.0e-14
}

check.test @half_with_mask {
  %q = check.input dense<[[[[1.0, 0.5], [2.0, -1.0]]]]> : tensor<1x1x2x2xf16>
  %k = check.input dense<[[[[0.5, 1.0], [-1.0, 2.0]]]]> : tensor<1x1x2x2xf16>
  %v = check.input dense<[[[[1.0, 2.0], [3.0, -4.0]]]]> : tensor<1x1x2x2xf16>
  %m = check.input dense<[[[[0.0, 1.0], [-0.5, 0.0]]]]> : tensor<1x1x2x2xf16>
  %y = prims.attention %q, %k, %v mask %m {scale = 0.5 : f64, causal = false} : (tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>) -> tensor<1x1x2x2xf16>
  check.close %y, dense<[[[[2.244140625, -1.734375], [1.365234375, 0.9052734375]]]]> : tensor<1x1x2x2xf16> ulp 2
}
