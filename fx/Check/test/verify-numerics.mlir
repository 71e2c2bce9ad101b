// RUN: graphmill-opt %s --verify-numerics --verify-diagnostics
// RUN: graphmill-opt %s --verify-numerics=backend=cpu --verify-diagnostics
//
// A wrong answer is an error where it is expected, by either backend.

check.test @wrong {
  %x = check.input dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y = prims.neg %x : tensor<3xf32>
  // expected-error@+1 {{element 1 is -2, expected 2 (2147483648 ulp apart); 1 of 3 elements are wrong}}
  check.close %y, dense<[-1.0, 2.0, -3.0]> : tensor<3xf32>
}

check.test @zeros_have_signs {
  %x = check.input dense<0.0> : tensor<1xf32>
  // expected-error@+1 {{element 0 is 0, expected -0 (0 ulp apart); 1 of 1 elements are wrong}}
  check.close %x, dense<-0.0> : tensor<1xf32>
}

check.test @nan_is_only_close_to_nan {
  %x = check.input dense<[0x7FC00000, 0x7FC00001, 1.0]> : tensor<3xf32>
  // expected-error@+1 {{element 2 is 1, expected nan}}
  check.close %x, dense<0x7FC00000> : tensor<3xf32> ulp 1000 abs 1.0
}

check.test @tolerances {
  %x = check.input dense<[1.0, 100.0]> : tensor<2xf32>
  check.close %x, dense<[1.00000012, 100.0]> : tensor<2xf32> ulp 1
  check.close %x, dense<[1.25, 100.0]> : tensor<2xf32> abs 0.25
  // expected-error@+1 {{element 0 is 1, expected 1.00000024 (2 ulp apart)}}
  check.close %x, dense<[1.00000024, 100.0]> : tensor<2xf32> ulp 1
}

check.test @another_type {
  %x = check.input dense<[1, 2]> : tensor<2xi64>
  %y = prims.reduce sum %x dims = [0] : tensor<2xi64> -> tensor<i64>
  check.close %y, dense<3> : tensor<i64>
}
