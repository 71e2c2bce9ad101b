// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Several values for one place. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @sums_duplicates {
  %x = check.input dense<[[1.0e+01, 1.0e+01, 1.0e+01, 1.0e+01], [1.0e+01, 1.0e+01, 1.0e+01, 1.0e+01]]> : tensor<2x4xf32>
  %y = check.input dense<[[0, 0, 3], [1, 1, 1]]> : tensor<2x3xi64>
  %z = check.input dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %scatter_add = aten.scatter_add %x, %y, %z {dim = 1 : i64} : (tensor<2x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x4xf32>
  check.close %scatter_add, dense<[[13.0, 1.0e+01, 1.0e+01, 13.0], [1.0e+01, 25.0, 1.0e+01, 1.0e+01]]> : tensor<2x4xf32>
}

check.test @sum_with_self {
  %x = check.input dense<[[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<2x4xf32>
  %y = check.input dense<[[0, 0, 3], [1, 1, 1]]> : tensor<2x3xi64>
  %z = check.input dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %scatter_reduce = aten.scatter_reduce %x, %y, %z {dim = 1 : i64} : (tensor<2x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x4xf32>
  check.close %scatter_reduce, dense<[[5.0, 2.0, 2.0, 5.0], [2.0, 17.0, 2.0, 2.0]]> : tensor<2x4xf32> ulp 1
}

check.test @sum_without_self {
  %x = check.input dense<[[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<2x4xf32>
  %y = check.input dense<[[0, 0, 3], [1, 1, 1]]> : tensor<2x3xi64>
  %z = check.input dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %scatter_reduce = aten.scatter_reduce %x, %y, %z {dim = 1 : i64, include_self = false} : (tensor<2x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x4xf32>
  check.close %scatter_reduce, dense<[[3.0, 2.0, 2.0, 3.0], [2.0, 15.0, 2.0, 2.0]]> : tensor<2x4xf32> ulp 1
}

check.test @prod_with_self {
  %x = check.input dense<[[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<2x4xf32>
  %y = check.input dense<[[0, 0, 3], [1, 1, 1]]> : tensor<2x3xi64>
  %z = check.input dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %scatter_reduce = aten.scatter_reduce %x, %y, %z {dim = 1 : i64, reduce = "prod"} : (tensor<2x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x4xf32>
  check.close %scatter_reduce, dense<[[4.0, 2.0, 2.0, 6.0], [2.0, 2.4e+02, 2.0, 2.0]]> : tensor<2x4xf32> ulp 1
}

check.test @prod_without_self {
  %x = check.input dense<[[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<2x4xf32>
  %y = check.input dense<[[0, 0, 3], [1, 1, 1]]> : tensor<2x3xi64>
  %z = check.input dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %scatter_reduce = aten.scatter_reduce %x, %y, %z {dim = 1 : i64, include_self = false, reduce = "prod"} : (tensor<2x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x4xf32>
  check.close %scatter_reduce, dense<[[2.0, 2.0, 2.0, 3.0], [2.0, 1.2e+02, 2.0, 2.0]]> : tensor<2x4xf32> ulp 1
}

check.test @mean_with_self {
  %x = check.input dense<[[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<2x4xf32>
  %y = check.input dense<[[0, 0, 3], [1, 1, 1]]> : tensor<2x3xi64>
  %z = check.input dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %scatter_reduce = aten.scatter_reduce %x, %y, %z {dim = 1 : i64, reduce = "mean"} : (tensor<2x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x4xf32>
  check.close %scatter_reduce, dense<[[1.6666666, 2.0, 2.0, 2.5], [2.0, 4.25, 2.0, 2.0]]> : tensor<2x4xf32> ulp 1
}

check.test @mean_without_self {
  %x = check.input dense<[[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<2x4xf32>
  %y = check.input dense<[[0, 0, 3], [1, 1, 1]]> : tensor<2x3xi64>
  %z = check.input dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %scatter_reduce = aten.scatter_reduce %x, %y, %z {dim = 1 : i64, include_self = false, reduce = "mean"} : (tensor<2x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x4xf32>
  check.close %scatter_reduce, dense<[[1.5, 2.0, 2.0, 3.0], [2.0, 5.0, 2.0, 2.0]]> : tensor<2x4xf32> ulp 1
}

check.test @amax_with_self {
  %x = check.input dense<[[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<2x4xf32>
  %y = check.input dense<[[0, 0, 3], [1, 1, 1]]> : tensor<2x3xi64>
  %z = check.input dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %scatter_reduce = aten.scatter_reduce %x, %y, %z {dim = 1 : i64, reduce = "amax"} : (tensor<2x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x4xf32>
  check.close %scatter_reduce, dense<[[2.0, 2.0, 2.0, 3.0], [2.0, 6.0, 2.0, 2.0]]> : tensor<2x4xf32> ulp 1
}

check.test @amax_without_self {
  %x = check.input dense<[[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<2x4xf32>
  %y = check.input dense<[[0, 0, 3], [1, 1, 1]]> : tensor<2x3xi64>
  %z = check.input dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %scatter_reduce = aten.scatter_reduce %x, %y, %z {dim = 1 : i64, include_self = false, reduce = "amax"} : (tensor<2x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x4xf32>
  check.close %scatter_reduce, dense<[[2.0, 2.0, 2.0, 3.0], [2.0, 6.0, 2.0, 2.0]]> : tensor<2x4xf32> ulp 1
}

check.test @amin_with_self {
  %x = check.input dense<[[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<2x4xf32>
  %y = check.input dense<[[0, 0, 3], [1, 1, 1]]> : tensor<2x3xi64>
  %z = check.input dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %scatter_reduce = aten.scatter_reduce %x, %y, %z {dim = 1 : i64, reduce = "amin"} : (tensor<2x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x4xf32>
  check.close %scatter_reduce, dense<[[1.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<2x4xf32> ulp 1
}

check.test @amin_without_self {
  %x = check.input dense<[[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<2x4xf32>
  %y = check.input dense<[[0, 0, 3], [1, 1, 1]]> : tensor<2x3xi64>
  %z = check.input dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %scatter_reduce = aten.scatter_reduce %x, %y, %z {dim = 1 : i64, include_self = false, reduce = "amin"} : (tensor<2x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x4xf32>
  check.close %scatter_reduce, dense<[[1.0, 2.0, 2.0, 3.0], [2.0, 4.0, 2.0, 2.0]]> : tensor<2x4xf32> ulp 1
}

check.test @amax_of_nan {
  %x = check.input dense<[0.0, 0.0, 0.0]> : tensor<3xf32>
  %y = check.input dense<[0, 0, 1]> : tensor<3xi64>
  %z = check.input dense<[0x7FC00000, 5.0, 0xFF800000]> : tensor<3xf32>
  %scatter_reduce = aten.scatter_reduce %x, %y, %z {reduce = "amax"} : (tensor<3xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<3xf32>
  check.close %scatter_reduce, dense<[0x7FC00000, 0.0, 0.0]> : tensor<3xf32>
}

check.test @integers_wrap {
  %x = check.input dense<[100, 0]> : tensor<2xi8>
  %y = check.input dense<[0, 0, 1]> : tensor<3xi64>
  %z = check.input dense<[100, 100, 5]> : tensor<3xi8>
  %scatter_add = aten.scatter_add %x, %y, %z : (tensor<2xi8>, tensor<3xi64>, tensor<3xi8>) -> tensor<2xi8>
  check.close %scatter_add, dense<[44, 5]> : tensor<2xi8>
}

check.test @put_with_accumulation {
  %x = check.input dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y = check.input dense<[0, 0, -1]> : tensor<3xi64>
  %z = check.input dense<[1.0e+01, 2.0e+01, 3.0e+01]> : tensor<3xf32>
  %index_put = aten.index_put %x, %y, %z {accumulate = true, indices_dims = array<i64: 0>} : (tensor<3xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<3xf32>
  check.close %index_put, dense<[31.0, 2.0, 33.0]> : tensor<3xf32>
}

check.test @put_by_a_mask {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %y = check.input dense<[[false, false, false, false], [false, false, true, true], [true, true, true, true]]> : tensor<3x4xi1>
  %z = check.input dense<-1.0> : tensor<f32>
  %index_put = aten.index_put %x, %y, %z {indices_dims = array<i64: 0>} : (tensor<3x4xf32>, tensor<3x4xi1>, tensor<f32>) -> tensor<3x4xf32>
  check.close %index_put, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, -1.0, -1.0], [-1.0, -1.0, -1.0, -1.0]]> : tensor<3x4xf32>
}

check.test @index_add_and_copy {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %y = check.input dense<[0, 0]> : tensor<2xi64>
  %z = check.input dense<[[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<2x4xf32>
  %index_add = aten.index_add %x, %y, %z {alpha = 2 : i64} : (tensor<3x4xf32>, tensor<2xi64>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %number = fx.number 7.000000e+00 : f64 to tensor<f64, #fx.number>
  %index_fill = aten.index_fill %x, %y, %number : (tensor<3x4xf32>, tensor<2xi64>, tensor<f64, #fx.number>) -> tensor<3x4xf32>
  check.close %index_add, dense<[[4.0, 5.0, 6.0, 7.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  check.close %index_fill, dense<[[7.0, 7.0, 7.0, 7.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
}

check.test @a_slice_written {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %y = check.input dense<[[-1.0, -1.0], [-1.0, -1.0], [-1.0, -1.0]]> : tensor<3x2xf32>
  %slice_scatter = aten.slice_scatter %x, %y {dim = 1 : i64, end = #fx.dim<4>, start = #fx.dim<1>, step = 2 : i64} : (tensor<3x4xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
  %select = aten.select %y {dim = 1 : i64, index = #fx.dim<0>} : (tensor<3x2xf32>) -> tensor<3xf32>
  %select_scatter = aten.select_scatter %x, %select {dim = 1 : i64, index = #fx.dim<-1>} : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  %select2 = aten.select %y {dim = 1 : i64, index = #fx.dim<0>} : (tensor<3x2xf32>) -> tensor<3xf32>
  %diagonal_scatter = aten.diagonal_scatter %x, %select2 : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  check.close %slice_scatter, dense<[[0.0, -1.0, 2.0, -1.0], [4.0, -1.0, 6.0, -1.0], [8.0, -1.0, 1.0e+01, -1.0]]> : tensor<3x4xf32>
  check.close %select_scatter, dense<[[0.0, 1.0, 2.0, -1.0], [4.0, 5.0, 6.0, -1.0], [8.0, 9.0, 1.0e+01, -1.0]]> : tensor<3x4xf32>
  check.close %diagonal_scatter, dense<[[-1.0, 1.0, 2.0, 3.0], [4.0, -1.0, 6.0, 7.0], [8.0, 9.0, -1.0, 11.0]]> : tensor<3x4xf32>
}

check.test @masked_scatter {
  %x = check.input dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %y = check.input dense<[false, true, false, true]> : tensor<4xi1>
  %z = check.input dense<[1.0e+01, 2.0e+01, 3.0e+01, 4.0e+01]> : tensor<4xf32>
  %masked_scatter = aten.masked_scatter %x, %y, %z : (tensor<4xf32>, tensor<4xi1>, tensor<4xf32>) -> tensor<4xf32>
  check.close %masked_scatter, dense<[1.0, 1.0e+01, 3.0, 2.0e+01]> : tensor<4xf32>
}
