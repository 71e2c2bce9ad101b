// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// One graph for sizes known at run time. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @softmax_over_a_symbol symbols [#fx.symbol<"s63", min = 1, max = 64>] {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0]]> : tensor<2x5xf32> as tensor<2x?xf32, #fx.dims<[2, s0]>>
  %softmax = aten.softmax %x {dim = 1 : i64} : (tensor<2x?xf32, #fx.dims<[2, s0]>>) -> tensor<2x?xf32, #fx.dims<[2, s0]>>
  check.close %softmax, dense<[[0.011656231, 0.03168492, 0.08612854, 0.23412165, 0.6364086], [0.011656231, 0.03168492, 0.08612854, 0.23412165, 0.6364086]]> : tensor<2x5xf32> as tensor<2x?xf32, #fx.dims<[2, s0]>> ulp 2
}

check.test @mean_by_a_symbol symbols [#fx.symbol<"s53", min = 1, max = 64>] {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32> as tensor<?x4xf32, #fx.dims<[s0, 4]>>
  %mean = aten.mean %x {dim = array<i64: 0>} : (tensor<?x4xf32, #fx.dims<[s0, 4]>>) -> tensor<4xf32>
  %var = aten.var %x {dim = array<i64: 0>} : (tensor<?x4xf32, #fx.dims<[s0, 4]>>) -> tensor<4xf32>
  check.close %mean, dense<[4.0, 5.0, 6.0, 7.0]> : tensor<4xf32> ulp 1
  check.close %var, dense<[16.0, 16.0, 16.0, 16.0]> : tensor<4xf32> ulp 1
}

check.test @concatenation_of_symbols symbols [#fx.symbol<"s53", min = 1, max = 64>, #fx.symbol<"s23", min = 1, max = 64>] {
  %x = check.input dense<[1.0, 2.0, 3.0]> : tensor<3xf32> as tensor<?xf32, #fx.dims<[s0]>>
  %y = check.input dense<[4.0, 5.0]> : tensor<2xf32> as tensor<?xf32, #fx.dims<[s1]>>
  %cat = aten.cat %x, %y, %x : (tensor<?xf32, #fx.dims<[s0]>>, tensor<?xf32, #fx.dims<[s1]>>, tensor<?xf32, #fx.dims<[s0]>>) -> tensor<?xf32, #fx.dims<[s0 * 2 + s1]>>
  %number = fx.number 2 : i64 to tensor<i64, #fx.number>
  %mul = aten.mul %cat, %number : (tensor<?xf32, #fx.dims<[s0 * 2 + s1]>>, tensor<i64, #fx.number>) -> tensor<?xf32, #fx.dims<[s0 * 2 + s1]>>
  check.close %mul, dense<[2.0, 4.0, 6.0, 8.0, 1.0e+01, 2.0, 4.0, 6.0]> : tensor<8xf32> as tensor<?xf32, #fx.dims<[s0 * 2 + s1]>>
}

check.test @matrix_product symbols [#fx.symbol<"s53", min = 1, max = 64>, #fx.symbol<"s23", min = 1, max = 64>] {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [1.0e+01, 11.0, 12.0, 13.0, 14.0]]> : tensor<3x5xf32> as tensor<?x?xf32, #fx.dims<[s0, s1]>>
  %y = check.input dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0], [8.0, 9.0]]> : tensor<5x2xf32> as tensor<?x2xf32, #fx.dims<[s1, 2]>>
  %matmul = aten.matmul %x, %y : (tensor<?x?xf32, #fx.dims<[s0, s1]>>, tensor<?x2xf32, #fx.dims<[s1, 2]>>) -> tensor<?x2xf32, #fx.dims<[s0, 2]>>
  check.close %matmul, dense<[[6.0e+01, 7.0e+01], [1.6e+02, 195.0], [2.6e+02, 3.2e+02]]> : tensor<3x2xf32> as tensor<?x2xf32, #fx.dims<[s0, 2]>>
}

check.test @flattened symbols [#fx.symbol<"s53", min = 1, max = 64>] {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32> as tensor<?x4xf32, #fx.dims<[s0, 4]>>
  %flatten = aten.flatten %x : (tensor<?x4xf32, #fx.dims<[s0, 4]>>) -> tensor<?xf32, #fx.dims<[s0 * 4]>>
  %number = fx.number #fx.dim<s0> to tensor<i64, #fx.number>
  %sub = aten.sub %flatten, %number : (tensor<?xf32, #fx.dims<[s0 * 4]>>, tensor<i64, #fx.number>) -> tensor<?xf32, #fx.dims<[s0 * 4]>>
  check.close %sub, dense<[-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<12xf32> as tensor<?xf32, #fx.dims<[s0 * 4]>>
}

check.test @last_of_a_symbol symbols [#fx.symbol<"s53", min = 3, max = 64>] {
  %x = check.input dense<[3.0, 1.0, 4.0, 1.0, 5.0]> : tensor<5xf32> as tensor<?xf32, #fx.dims<[s0]>>
  %select = aten.select %x {index = #fx.dim<-1>} : (tensor<?xf32, #fx.dims<[s0]>>) -> tensor<f32>
  %slice = aten.slice %x {end = #fx.dim<9223372036854775807>, start = #fx.dim<1>} : (tensor<?xf32, #fx.dims<[s0]>>) -> tensor<?xf32, #fx.dims<[s0 - 1]>>
  %flip = aten.flip %x {dims = array<i64: 0>} : (tensor<?xf32, #fx.dims<[s0]>>) -> tensor<?xf32, #fx.dims<[s0]>>
  check.close %select, dense<5.0> : tensor<f32>
  check.close %slice, dense<[1.0, 4.0, 1.0, 5.0]> : tensor<4xf32> as tensor<?xf32, #fx.dims<[s0 - 1]>>
  check.close %flip, dense<[5.0, 1.0, 4.0, 1.0, 3.0]> : tensor<5xf32> as tensor<?xf32, #fx.dims<[s0]>>
}

check.test @argmax_and_scan symbols [#fx.symbol<"s53", min = 1, max = 64>] {
  %x = check.input dense<[3.0, 1.0, 4.0, 1.0, 4.0]> : tensor<5xf32> as tensor<?xf32, #fx.dims<[s0]>>
  %argmax = aten.argmax %x {dim = 0 : i64} : (tensor<?xf32, #fx.dims<[s0]>>) -> tensor<i64>
  %cumsum = aten.cumsum %x : (tensor<?xf32, #fx.dims<[s0]>>) -> tensor<?xf32, #fx.dims<[s0]>>
  check.close %argmax, dense<2> : tensor<i64>
  check.close %cumsum, dense<[3.0, 4.0, 8.0, 9.0, 13.0]> : tensor<5xf32> as tensor<?xf32, #fx.dims<[s0]>>
}

check.test @causal_mask symbols [#fx.symbol<"s53", min = 1, max = 64>] {
  %x = check.input dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<3x3xf32> as tensor<?x?xf32, #fx.dims<[s0, s0]>>
  %arange = aten.arange  {end = #fx.dim<s0>} : () -> tensor<?xi64, #fx.dims<[s0]>>
  %unsqueeze = aten.unsqueeze %arange {dim = 1 : i64} : (tensor<?xi64, #fx.dims<[s0]>>) -> tensor<?x1xi64, #fx.dims<[s0, 1]>>
  %arange2 = aten.arange  {end = #fx.dim<s0>} : () -> tensor<?xi64, #fx.dims<[s0]>>
  %lt = aten.lt %unsqueeze, %arange2 : (tensor<?x1xi64, #fx.dims<[s0, 1]>>, tensor<?xi64, #fx.dims<[s0]>>) -> tensor<?x?xi1, #fx.dims<[s0, s0]>>
  %number = fx.number 0xFFF0000000000000 : f64 to tensor<f64, #fx.number>
  %masked_fill = aten.masked_fill %x, %lt, %number : (tensor<?x?xf32, #fx.dims<[s0, s0]>>, tensor<?x?xi1, #fx.dims<[s0, s0]>>, tensor<f64, #fx.number>) -> tensor<?x?xf32, #fx.dims<[s0, s0]>>
  check.close %masked_fill, dense<[[1.0, 0xFF800000, 0xFF800000], [1.0, 1.0, 0xFF800000], [1.0, 1.0, 1.0]]> : tensor<3x3xf32> as tensor<?x?xf32, #fx.dims<[s0, s0]>>
}
