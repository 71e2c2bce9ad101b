// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Ranges and constants. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @ranges {
  %x = check.input dense<[0.0]> : tensor<1xf32>
  %arange = aten.arange  {end = 5 : i64} : () -> tensor<5xi64>
  %add = aten.add %x, %arange : (tensor<1xf32>, tensor<5xi64>) -> tensor<5xf32>
  %arange2 = aten.arange  {start = 5 : i64, step = -1 : i64} : () -> tensor<5xi64>
  %add2 = aten.add %x, %arange2 : (tensor<1xf32>, tensor<5xi64>) -> tensor<5xf32>
  %arange3 = aten.arange  {end = 1 : i64, step = 2.000000e-01 : f64} : () -> tensor<5xf32>
  %add3 = aten.add %x, %arange3 : (tensor<1xf32>, tensor<5xf32>) -> tensor<5xf32>
  check.close %add, dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  check.close %add2, dense<[5.0, 4.0, 3.0, 2.0, 1.0]> : tensor<5xf32>
  check.close %add3, dense<[0.0, 0.2, 0.4, 0.6, 0.8]> : tensor<5xf32>
}

check.test @linspace {
  %x = check.input dense<[0.0]> : tensor<1xf32>
  %linspace = aten.linspace  {end = 1 : i64, steps = 5 : i64} : () -> tensor<5xf32>
  %add = aten.add %x, %linspace : (tensor<1xf32>, tensor<5xf32>) -> tensor<5xf32>
  check.close %add, dense<[0.0, 0.25, 0.5, 0.75, 1.0]> : tensor<5xf32> ulp 1
}

check.test @eye_and_full {
  %x = check.input dense<[1.0]> : tensor<1xf32>
  %eye = aten.eye  {m = #fx.dim<3>, n = #fx.dim<2>} : () -> tensor<2x3xf32>
  %add = aten.add %x, %eye : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %full = aten.full  {fill_value = 0x7FF0000000000000 : f64, size = #fx.dims<[2]>} : () -> tensor<2xf32>
  %mul = aten.mul %x, %full : (tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32>
  %full_like = aten.full_like %x {fill_value = 1 : i64} : (tensor<1xf32>) -> tensor<1xf32>
  %add2 = aten.add %x, %full_like : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  check.close %add, dense<[[2.0, 1.0, 1.0], [1.0, 2.0, 1.0]]> : tensor<2x3xf32>
  check.close %mul, dense<[0x7F800000, 0x7F800000]> : tensor<2xf32>
  check.close %add2, dense<[2.0]> : tensor<1xf32>
}

check.test @like_keeps_the_dtype {
  %x = check.input dense<[1, 2]> : tensor<2xi64>
  %full_like = aten.full_like %x : (tensor<2xi64>) -> tensor<2xi64>
  %full_like2 = aten.full_like %x {fill_value = 2.700000e+00 : f64} : (tensor<2xi64>) -> tensor<2xi64>
  check.close %full_like, dense<[0, 0]> : tensor<2xi64>
  check.close %full_like2, dense<[2, 2]> : tensor<2xi64>
}
