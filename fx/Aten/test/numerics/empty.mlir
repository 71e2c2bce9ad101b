// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Over nothing. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @sums_and_products {
  %x = check.input dense<> : tensor<2x0xf32>
  %sum = aten.sum %x {dim = array<i64: 1>} : (tensor<2x0xf32>) -> tensor<2xf32>
  %prod = aten.prod %x {dim = array<i64: 1>} : (tensor<2x0xf32>) -> tensor<2xf32>
  %sum2 = aten.sum %x : (tensor<2x0xf32>) -> tensor<f32>
  check.close %sum, dense<[0.0, 0.0]> : tensor<2xf32>
  check.close %prod, dense<[1.0, 1.0]> : tensor<2xf32>
  check.close %sum2, dense<0.0> : tensor<f32>
}

check.test @means_are_nan {
  %x = check.input dense<> : tensor<2x0xf32>
  %mean = aten.mean %x {dim = array<i64: 1>} : (tensor<2x0xf32>) -> tensor<2xf32>
  %var = aten.var %x {dim = array<i64: 1>} : (tensor<2x0xf32>) -> tensor<2xf32>
  check.close %mean, dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>
  check.close %var, dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>
}

check.test @any_and_all {
  %x = check.input dense<> : tensor<3x0xi1>
  %any = aten.any %x {dim = array<i64: 1>} : (tensor<3x0xi1>) -> tensor<3xi1>
  %all = aten.all %x {dim = array<i64: 1>} : (tensor<3x0xi1>) -> tensor<3xi1>
  check.close %any, dense<[false, false, false]> : tensor<3xi1>
  check.close %all, dense<[true, true, true]> : tensor<3xi1>
}

check.test @of_integers {
  %x = check.input dense<> : tensor<0xi64>
  %sum = aten.sum %x : (tensor<0xi64>) -> tensor<i64>
  %prod = aten.prod %x : (tensor<0xi64>) -> tensor<i64>
  check.close %sum, dense<0> : tensor<i64>
  check.close %prod, dense<1> : tensor<i64>
}

check.test @the_other_dim {
  %x = check.input dense<> : tensor<2x0xf32>
  %sum = aten.sum %x {dim = array<i64: 0>} : (tensor<2x0xf32>) -> tensor<0xf32>
  %amax = aten.amax %x {dim = array<i64: 0>} : (tensor<2x0xf32>) -> tensor<0xf32>
  %cumsum = aten.cumsum %x : (tensor<2x0xf32>) -> tensor<2x0xf32>
  %softmax = aten.softmax %x {dim = 0 : i64} : (tensor<2x0xf32>) -> tensor<2x0xf32>
  check.close %sum, dense<> : tensor<0xf32>
  check.close %amax, dense<> : tensor<0xf32>
  check.close %cumsum, dense<> : tensor<2x0xf32>
  check.close %softmax, dense<> : tensor<2x0xf32>
}

check.test @matrix_product_over_nothing_is_zero {
  %x = check.input dense<> : tensor<2x0xf32>
  %y = check.input dense<> : tensor<0x3xf32>
  %matmul = aten.matmul %x, %y : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  check.close %matmul, dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
}

check.test @matrix_product_of_no_rows {
  %x = check.input dense<> : tensor<0x2xf32>
  %y = check.input dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %matmul = aten.matmul %x, %y : (tensor<0x2xf32>, tensor<2x3xf32>) -> tensor<0x3xf32>
  check.close %matmul, dense<> : tensor<0x3xf32>
}

check.test @linear_over_nothing_is_its_bias {
  %x = check.input dense<> : tensor<2x0xf32>
  %y = check.input dense<> : tensor<3x0xf32>
  %z = check.input dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %linear = aten.linear %x, %y, %z : (tensor<2x0xf32>, tensor<3x0xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.close %linear, dense<[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]> : tensor<2x3xf32>
}

check.test @batches_of_none {
  %x = check.input dense<> : tensor<0x2x3xf32>
  %y = check.input dense<> : tensor<0x3x2xf32>
  %matmul = aten.matmul %x, %y : (tensor<0x2x3xf32>, tensor<0x3x2xf32>) -> tensor<0x2x2xf32>
  check.close %matmul, dense<> : tensor<0x2x2xf32>
}

check.test @concatenated {
  %x = check.input dense<> : tensor<2x0xf32>
  %y = check.input dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %cat = aten.cat %x, %y {dim = 1 : i64} : (tensor<2x0xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.close %cat, dense<[[1.0], [2.0]]> : tensor<2x1xf32>
}

check.test @views {
  %x = check.input dense<> : tensor<2x0xf32>
  %view = aten.view %x {size = #fx.dims<[0, 5]>} : (tensor<2x0xf32>) -> tensor<0x5xf32>
  %clone = aten.clone %view : (tensor<0x5xf32>) -> tensor<0x5xf32>
  %t = aten.t %x : (tensor<2x0xf32>) -> tensor<0x2xf32>
  %unsqueeze = aten.unsqueeze %x {dim = 1 : i64} : (tensor<2x0xf32>) -> tensor<2x1x0xf32>
  check.close %clone, dense<> : tensor<0x5xf32>
  check.close %t, dense<> : tensor<0x2xf32>
  check.close %unsqueeze, dense<> : tensor<2x1x0xf32>
}

check.test @elementwise {
  %x = check.input dense<> : tensor<2x0xf32>
  %number = fx.number 1 : i64 to tensor<i64, #fx.number>
  %add = aten.add %x, %number : (tensor<2x0xf32>, tensor<i64, #fx.number>) -> tensor<2x0xf32>
  %exp = aten.exp %x : (tensor<2x0xf32>) -> tensor<2x0xf32>
  %number2 = fx.number 0 : i64 to tensor<i64, #fx.number>
  %gt = aten.gt %x, %number2 : (tensor<2x0xf32>, tensor<i64, #fx.number>) -> tensor<2x0xi1>
  check.close %add, dense<> : tensor<2x0xf32>
  check.close %exp, dense<> : tensor<2x0xf32>
  check.close %gt, dense<> : tensor<2x0xi1>
}

check.test @padded {
  %x = check.input dense<> : tensor<2x0xf32>
  %pad = aten.pad %x {pad = #fx.dims<[1, 2]>, value = 7.000000e+00 : f64} : (tensor<2x0xf32>) -> tensor<2x3xf32>
  check.close %pad, dense<[[7.0, 7.0, 7.0], [7.0, 7.0, 7.0]]> : tensor<2x3xf32>
}

check.test @stacked_sorted_and_looked_up {
  %x = check.input dense<> : tensor<2x0xf32>
  %y = check.input dense<> : tensor<0xi64>
  %values, %indices = aten.sort %x {dim = 1 : i64} : (tensor<2x0xf32>) -> (tensor<2x0xf32>, tensor<2x0xi64>)
  %index_select = aten.index_select %x, %y {dim = 1 : i64} : (tensor<2x0xf32>, tensor<0xi64>) -> tensor<2x0xf32>
  check.close %values, dense<> : tensor<2x0xf32>
  check.close %index_select, dense<> : tensor<2x0xf32>
}

check.test @a_slice_with_nothing_in_it {
  %x = check.input dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %slice = aten.slice %x {dim = 1 : i64, end = #fx.dim<2>, start = #fx.dim<2>} : (tensor<2x3xf32>) -> tensor<2x0xf32>
  %sum = aten.sum %slice {dim = array<i64: 1>} : (tensor<2x0xf32>) -> tensor<2xf32>
  %slice2 = aten.slice %x {dim = 1 : i64, end = #fx.dim<9223372036854775807>, start = #fx.dim<5>} : (tensor<2x3xf32>) -> tensor<2x0xf32>
  check.close %sum, dense<[0.0, 0.0]> : tensor<2xf32>
  check.close %slice2, dense<> : tensor<2x0xf32>
}
