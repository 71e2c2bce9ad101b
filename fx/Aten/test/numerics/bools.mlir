// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Arithmetic of bools: + is or, * is and, sums count. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @plus_and_times {
  %x = check.input dense<[false, false, true, true]> : tensor<4xi1>
  %y = check.input dense<[false, true, false, true]> : tensor<4xi1>
  %add = aten.add %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %mul = aten.mul %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.close %add, dense<[false, true, true, true]> : tensor<4xi1>
  check.close %mul, dense<[false, false, false, true]> : tensor<4xi1>
}

check.test @sums_count {
  %x = check.input dense<[[true, true, false], [true, true, true]]> : tensor<2x3xi1>
  %sum = aten.sum %x : (tensor<2x3xi1>) -> tensor<i64>
  %sum2 = aten.sum %x {dim = array<i64: 1>} : (tensor<2x3xi1>) -> tensor<2xi64>
  %cumsum = aten.cumsum %x {dim = 1 : i64} : (tensor<2x3xi1>) -> tensor<2x3xi64>
  %prod = aten.prod %x : (tensor<2x3xi1>) -> tensor<i64>
  check.close %sum, dense<5> : tensor<i64>
  check.close %sum2, dense<[2, 3]> : tensor<2xi64>
  check.close %cumsum, dense<[[1, 2, 2], [1, 2, 3]]> : tensor<2x3xi64>
  check.close %prod, dense<0> : tensor<i64>
}

check.test @means_need_floats {
  %x = check.input dense<[[true, true, false], [true, true, true]]> : tensor<2x3xi1>
  %to = aten.to %x {dtype = f32} : (tensor<2x3xi1>) -> tensor<2x3xf32>
  %mean = aten.mean %to {dim = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  check.close %mean, dense<[0.6666667, 1.0]> : tensor<2xf32> ulp 1
}

check.test @any_and_all {
  %x = check.input dense<[[true, false, false], [false, true, true]]> : tensor<2x3xi1>
  %any = aten.any %x : (tensor<2x3xi1>) -> tensor<i1>
  %all = aten.all %x : (tensor<2x3xi1>) -> tensor<i1>
  %any2 = aten.any %x {dim = array<i64: 1>} : (tensor<2x3xi1>) -> tensor<2xi1>
  %all2 = aten.all %x {dim = array<i64: 1>} : (tensor<2x3xi1>) -> tensor<2xi1>
  check.close %any, dense<true> : tensor<i1>
  check.close %all, dense<false> : tensor<i1>
  check.close %any2, dense<[true, true]> : tensor<2xi1>
  check.close %all2, dense<[false, false]> : tensor<2xi1>
}

check.test @any_and_all_of_floats {
  %x = check.input dense<[[0.0, -0.0], [0x7FC00000, 0.0], [1.0, -1.0]]> : tensor<3x2xf32>
  %any = aten.any %x {dim = array<i64: 1>} : (tensor<3x2xf32>) -> tensor<3xi1>
  %all = aten.all %x {dim = array<i64: 1>} : (tensor<3x2xf32>) -> tensor<3xi1>
  check.close %any, dense<[false, true, true]> : tensor<3xi1>
  check.close %all, dense<[false, false, true]> : tensor<3xi1>
}

check.test @extremes {
  %x = check.input dense<[false, false, true, true]> : tensor<4xi1>
  %y = check.input dense<[false, true, false, true]> : tensor<4xi1>
  %maximum = aten.maximum %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %minimum = aten.minimum %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %amax = aten.amax %x : (tensor<4xi1>) -> tensor<i1>
  %amin = aten.amin %x : (tensor<4xi1>) -> tensor<i1>
  check.close %maximum, dense<[false, true, true, true]> : tensor<4xi1>
  check.close %minimum, dense<[false, false, false, true]> : tensor<4xi1>
  check.close %amax, dense<true> : tensor<i1>
  check.close %amin, dense<false> : tensor<i1>
}

check.test @comparisons {
  %x = check.input dense<[false, false, true, true]> : tensor<4xi1>
  %y = check.input dense<[false, true, false, true]> : tensor<4xi1>
  %eq = aten.eq %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %lt = aten.lt %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %ge = aten.ge %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.close %eq, dense<[true, false, false, true]> : tensor<4xi1>
  check.close %lt, dense<[false, true, false, false]> : tensor<4xi1>
  check.close %ge, dense<[true, false, true, true]> : tensor<4xi1>
}

check.test @division_is_float {
  %x = check.input dense<[false, true]> : tensor<2xi1>
  %y = check.input dense<[true, true]> : tensor<2xi1>
  %div = aten.div %x, %y : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xf32>
  check.close %div, dense<[0.0, 1.0]> : tensor<2xf32>
}

check.test @masks_by_product {
  %x = check.input dense<[1.0, -2.0, 0x7F800000]> : tensor<3xf32>
  %y = check.input dense<[true, false, true]> : tensor<3xi1>
  %mul = aten.mul %x, %y : (tensor<3xf32>, tensor<3xi1>) -> tensor<3xf32>
  check.close %mul, dense<[1.0, -0.0, 0x7F800000]> : tensor<3xf32>
}

check.test @sorted {
  %x = check.input dense<[true, false, true, false]> : tensor<4xi1>
  %values, %indices = aten.sort %x : (tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi64>)
  check.close %values, dense<[false, false, true, true]> : tensor<4xi1>
  check.close %indices, dense<[1, 3, 0, 2]> : tensor<4xi64>
}
