// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Counting from the end, diagonals, triangles, windows. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @from_the_end {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %select = aten.select %x {index = #fx.dim<-1>} : (tensor<3x4xf32>) -> tensor<4xf32>
  %select2 = aten.select %x {dim = 1 : i64, index = #fx.dim<-2>} : (tensor<3x4xf32>) -> tensor<3xf32>
  %slice = aten.slice %x {end = #fx.dim<-1>, start = #fx.dim<-3>} : (tensor<3x4xf32>) -> tensor<2x4xf32>
  %slice2 = aten.slice %slice {dim = 1 : i64, end = #fx.dim<-1>, start = #fx.dim<1>} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %slice3 = aten.slice %x {end = #fx.dim<9223372036854775807>, start = #fx.dim<0>, step = 2 : i64} : (tensor<3x4xf32>) -> tensor<2x4xf32>
  %slice4 = aten.slice %slice3 {dim = 1 : i64, end = #fx.dim<9223372036854775807>, start = #fx.dim<0>, step = 3 : i64} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  check.close %select, dense<[8.0, 9.0, 1.0e+01, 11.0]> : tensor<4xf32>
  check.close %select2, dense<[2.0, 6.0, 1.0e+01]> : tensor<3xf32>
  check.close %slice2, dense<[[1.0, 2.0], [5.0, 6.0]]> : tensor<2x2xf32>
  check.close %slice4, dense<[[0.0, 3.0], [8.0, 11.0]]> : tensor<2x2xf32>
}

check.test @beyond_the_end {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %slice = aten.slice %x {end = #fx.dim<100>, start = #fx.dim<1>} : (tensor<3x4xf32>) -> tensor<2x4xf32>
  %slice2 = aten.slice %x {dim = 1 : i64, end = #fx.dim<2>, start = #fx.dim<-100>} : (tensor<3x4xf32>) -> tensor<3x2xf32>
  %narrow = aten.narrow %x {dim = 1 : i64, length = #fx.dim<2>, start = #fx.dim<1>} : (tensor<3x4xf32>) -> tensor<3x2xf32>
  check.close %slice, dense<[[4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<2x4xf32>
  check.close %slice2, dense<[[0.0, 1.0], [4.0, 5.0], [8.0, 9.0]]> : tensor<3x2xf32>
  check.close %narrow, dense<[[1.0, 2.0], [5.0, 6.0], [9.0, 1.0e+01]]> : tensor<3x2xf32>
}

check.test @by_tensors {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %y = check.input dense<[2, 0, -1]> : tensor<3xi64>
  %z = check.input dense<[3, -4, 1]> : tensor<3xi64>
  %index = aten.index %x, %y {indices_dims = array<i64: 0>} : (tensor<3x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  %index2 = aten.index %x, %y, %z {indices_dims = array<i64: 0, 1>} : (tensor<3x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<3xf32>
  %index3 = aten.index %x, %z {indices_dims = array<i64: 1>} : (tensor<3x4xf32>, tensor<3xi64>) -> tensor<3x3xf32>
  check.close %index, dense<[[8.0, 9.0, 1.0e+01, 11.0], [0.0, 1.0, 2.0, 3.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  check.close %index2, dense<[11.0, 0.0, 9.0]> : tensor<3xf32>
  check.close %index3, dense<[[3.0, 0.0, 1.0], [7.0, 4.0, 5.0], [11.0, 8.0, 9.0]]> : tensor<3x3xf32>
}

check.test @by_broadcast_tensors {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %y = check.input dense<[0, 2]> : tensor<2xi64>
  %z = check.input dense<[3, 0, 0]> : tensor<3xi64>
  %unsqueeze = aten.unsqueeze %y {dim = 1 : i64} : (tensor<2xi64>) -> tensor<2x1xi64>
  %index = aten.index %x, %unsqueeze, %z {indices_dims = array<i64: 0, 1>} : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<3xi64>) -> tensor<2x3xf32>
  check.close %index, dense<[[3.0, 0.0, 0.0], [11.0, 8.0, 8.0]]> : tensor<2x3xf32>
}

check.test @with_a_gap {
  %x = check.input dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [2.0e+01, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %y = check.input dense<[0, 1, 1]> : tensor<3xi64>
  %z = check.input dense<[0, 3, -1]> : tensor<3xi64>
  %index = aten.index %x, %y, %z {indices_dims = array<i64: 0, 2>} : (tensor<2x3x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<3x3xf32>
  check.close %index, dense<[[0.0, 4.0, 8.0], [15.0, 19.0, 23.0], [15.0, 19.0, 23.0]]> : tensor<3x3xf32>
}

check.test @gathers {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %y = check.input dense<[[0, 0], [3, 1], [2, 2]]> : tensor<3x2xi64>
  %gather = aten.gather %x, %y {dim = 1 : i64} : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  %take_along_dim = aten.take_along_dim %x, %y {dim = 1 : i64} : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  check.close %gather, dense<[[0.0, 0.0], [7.0, 5.0], [1.0e+01, 1.0e+01]]> : tensor<3x2xf32>
  check.close %take_along_dim, dense<[[0.0, 0.0], [7.0, 5.0], [1.0e+01, 1.0e+01]]> : tensor<3x2xf32>
}

check.test @diagonals {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %diagonal = aten.diagonal %x : (tensor<3x4xf32>) -> tensor<3xf32>
  %diagonal2 = aten.diagonal %x {offset = 1 : i64} : (tensor<3x4xf32>) -> tensor<3xf32>
  %diagonal3 = aten.diagonal %x {offset = -2 : i64} : (tensor<3x4xf32>) -> tensor<1xf32>
  check.close %diagonal, dense<[0.0, 5.0, 1.0e+01]> : tensor<3xf32>
  check.close %diagonal2, dense<[1.0, 6.0, 11.0]> : tensor<3xf32>
  check.close %diagonal3, dense<[8.0]> : tensor<1xf32>
}

check.test @triangles {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %tril = aten.tril %x : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %triu = aten.triu %x {diagonal = 1 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %tril2 = aten.tril %x {diagonal = -1 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %triu2 = aten.triu %x {diagonal = -1 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  check.close %tril, dense<[[0.0, 0.0, 0.0, 0.0], [4.0, 5.0, 0.0, 0.0], [8.0, 9.0, 1.0e+01, 0.0]]> : tensor<3x4xf32>
  check.close %triu, dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 0.0, 6.0, 7.0], [0.0, 0.0, 0.0, 11.0]]> : tensor<3x4xf32>
  check.close %tril2, dense<[[0.0, 0.0, 0.0, 0.0], [4.0, 0.0, 0.0, 0.0], [8.0, 9.0, 0.0, 0.0]]> : tensor<3x4xf32>
  check.close %triu2, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [0.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
}

check.test @triangles_of_infinity {
  %x = check.input dense<[[0x7F800000, 0x7F800000], [0x7F800000, 0x7F800000]]> : tensor<2x2xf32>
  %tril = aten.tril %x : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %triu = aten.triu %x : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.close %tril, dense<[[0x7F800000, 0.0], [0x7F800000, 0x7F800000]]> : tensor<2x2xf32>
  check.close %triu, dense<[[0x7F800000, 0x7F800000], [0.0, 0x7F800000]]> : tensor<2x2xf32>
}

check.test @rolls_and_flips {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %roll = aten.roll %x {dims = array<i64: 0>, shifts = #fx.dims<[1]>} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %roll2 = aten.roll %x {dims = array<i64: 0, 1>, shifts = #fx.dims<[1, -1]>} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %flip = aten.flip %x {dims = array<i64: 0, 1>} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %roll3 = aten.roll %x {shifts = #fx.dims<[5]>} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  check.close %roll, dense<[[8.0, 9.0, 1.0e+01, 11.0], [0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<3x4xf32>
  check.close %roll2, dense<[[9.0, 1.0e+01, 11.0, 8.0], [1.0, 2.0, 3.0, 0.0], [5.0, 6.0, 7.0, 4.0]]> : tensor<3x4xf32>
  check.close %flip, dense<[[11.0, 1.0e+01, 9.0, 8.0], [7.0, 6.0, 5.0, 4.0], [3.0, 2.0, 1.0, 0.0]]> : tensor<3x4xf32>
  check.close %roll3, dense<[[7.0, 8.0, 9.0, 1.0e+01], [11.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0]]> : tensor<3x4xf32>
}

check.test @windows_overlap {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %unfold = aten.unfold %x {dimension = 1 : i64, size = 3 : i64} : (tensor<3x4xf32>) -> tensor<3x2x3xf32>
  check.close %unfold, dense<[[[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0], [5.0, 6.0, 7.0]], [[8.0, 9.0, 1.0e+01], [9.0, 1.0e+01, 11.0]]]> : tensor<3x2x3xf32>
}

check.test @repeats {
  %x = check.input dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %repeat = aten.repeat %x {repeats = #fx.dims<[2, 1]>} : (tensor<1x3xf32>) -> tensor<2x3xf32>
  %repeat_interleave = aten.repeat_interleave %x {dim = 1 : i64, repeats = #fx.dim<2>} : (tensor<1x3xf32>) -> tensor<1x6xf32>
  %expand = aten.expand %x {size = #fx.dims<[2, 1, 3]>} : (tensor<1x3xf32>) -> tensor<2x1x3xf32>
  check.close %repeat, dense<[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]> : tensor<2x3xf32>
  check.close %repeat_interleave, dense<[[1.0, 1.0, 2.0, 2.0, 3.0, 3.0]]> : tensor<1x6xf32>
  check.close %expand, dense<[[[1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0]]]> : tensor<2x1x3xf32>
}

check.test @one_hot {
  %x = check.input dense<[0, 3, 1]> : tensor<3xi64>
  %one_hot = aten.one_hot %x {num_classes = 4 : i64} : (tensor<3xi64>) -> tensor<3x4xi64>
  check.close %one_hot, dense<[[1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0]]> : tensor<3x4xi64>
}

check.test @embedding_with_padding {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %y = check.input dense<[0, 2, 0]> : tensor<3xi64>
  %embedding = aten.embedding %x, %y {padding_idx = 0 : i64} : (tensor<3x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  check.close %embedding, dense<[[0.0, 1.0, 2.0, 3.0], [8.0, 9.0, 1.0e+01, 11.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf32>
}

check.test @a_bag_with_nothing_in_it {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %y = check.input dense<[2, 1]> : tensor<2xi64>
  %z = check.input dense<[0, 0, 2]> : tensor<3xi64>
  %output, %offset2bag, %bag_size, %max_indices = aten.embedding_bag %x, %y, %z : (tensor<3x4xf32>, tensor<2xi64>, tensor<3xi64>) -> (tensor<3x4xf32>, tensor<0xi64>, tensor<3xi64>, tensor<3xi64>)
  %output_0, %offset2bag_1, %bag_size_2, %max_indices_3 = aten.embedding_bag %x, %y, %z {mode = 1 : i64} : (tensor<3x4xf32>, tensor<2xi64>, tensor<3xi64>) -> (tensor<3x4xf32>, tensor<2xi64>, tensor<3xi64>, tensor<3xi64>)
  %output_4, %offset2bag_5, %bag_size_6, %max_indices_7 = aten.embedding_bag %x, %y, %z {mode = 2 : i64} : (tensor<3x4xf32>, tensor<2xi64>, tensor<3xi64>) -> (tensor<3x4xf32>, tensor<2xi64>, tensor<3xi64>, tensor<3x4xi64>)
  check.close %output, dense<[[0.0, 0.0, 0.0, 0.0], [12.0, 14.0, 16.0, 18.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<3x4xf32>
  check.close %output_0, dense<[[0.0, 0.0, 0.0, 0.0], [6.0, 7.0, 8.0, 9.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<3x4xf32>
  check.close %output_4, dense<[[0.0, 0.0, 0.0, 0.0], [8.0, 9.0, 1.0e+01, 11.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<3x4xf32>
}

check.test @bags_of_one_size {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %y = check.input dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>
  %arange = aten.arange  {dtype = i64, end = 4 : i64, step = 2 : i64} : () -> tensor<2xi64>
  %view = aten.view %y {size = #fx.dims<[-1]>} : (tensor<2x2xi64>) -> tensor<4xi64>
  %output, %offset2bag, %bag_size, %max_indices = aten.embedding_bag %x, %view, %arange : (tensor<3x4xf32>, tensor<4xi64>, tensor<2xi64>) -> (tensor<2x4xf32>, tensor<0xi64>, tensor<2xi64>, tensor<2xi64>)
  %arange2 = aten.arange  {dtype = i64, end = 4 : i64, step = 2 : i64} : () -> tensor<2xi64>
  %view2 = aten.view %y {size = #fx.dims<[-1]>} : (tensor<2x2xi64>) -> tensor<4xi64>
  %output_0, %offset2bag_1, %bag_size_2, %max_indices_3 = aten.embedding_bag %x, %view2, %arange2 {mode = 1 : i64} : (tensor<3x4xf32>, tensor<4xi64>, tensor<2xi64>) -> (tensor<2x4xf32>, tensor<4xi64>, tensor<2xi64>, tensor<2xi64>)
  %arange3 = aten.arange  {dtype = i64, end = 4 : i64, step = 2 : i64} : () -> tensor<2xi64>
  %view3 = aten.view %y {size = #fx.dims<[-1]>} : (tensor<2x2xi64>) -> tensor<4xi64>
  %output_4, %offset2bag_5, %bag_size_6, %max_indices_7 = aten.embedding_bag %x, %view3, %arange3 {mode = 2 : i64} : (tensor<3x4xf32>, tensor<4xi64>, tensor<2xi64>) -> (tensor<2x4xf32>, tensor<4xi64>, tensor<2xi64>, tensor<2x4xi64>)
  check.close %output, dense<[[12.0, 14.0, 16.0, 18.0], [0.0, 2.0, 4.0, 6.0]]> : tensor<2x4xf32>
  check.close %output_0, dense<[[6.0, 7.0, 8.0, 9.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<2x4xf32>
  check.close %output_4, dense<[[8.0, 9.0, 1.0e+01, 11.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<2x4xf32>
}

check.test @bags_of_one_size_weighted_and_padded {
  %x = check.input dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 11.0]]> : tensor<3x4xf32>
  %y = check.input dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>
  %z = check.input dense<[[0.5, 2.0], [-1.0, 3.0]]> : tensor<2x2xf32>
  %arange = aten.arange  {dtype = i64, end = 4 : i64, step = 2 : i64} : () -> tensor<2xi64>
  %view = aten.view %y {size = #fx.dims<[-1]>} : (tensor<2x2xi64>) -> tensor<4xi64>
  %view2 = aten.view %z {size = #fx.dims<[-1]>} : (tensor<2x2xf32>) -> tensor<4xf32>
  %output, %offset2bag, %bag_size, %max_indices = aten.embedding_bag %x, %view, %arange, %view2 : (tensor<3x4xf32>, tensor<4xi64>, tensor<2xi64>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<0xi64>, tensor<2xi64>, tensor<2xi64>)
  %arange2 = aten.arange  {dtype = i64, end = 4 : i64, step = 2 : i64} : () -> tensor<2xi64>
  %view3 = aten.view %y {size = #fx.dims<[-1]>} : (tensor<2x2xi64>) -> tensor<4xi64>
  %output_0, %offset2bag_1, %bag_size_2, %max_indices_3 = aten.embedding_bag %x, %view3, %arange2 {mode = 1 : i64, padding_idx = 1 : i64} : (tensor<3x4xf32>, tensor<4xi64>, tensor<2xi64>) -> (tensor<2x4xf32>, tensor<4xi64>, tensor<2xi64>, tensor<2xi64>)
  %arange3 = aten.arange  {dtype = i64, end = 4 : i64, step = 2 : i64} : () -> tensor<2xi64>
  %view4 = aten.view %y {size = #fx.dims<[-1]>} : (tensor<2x2xi64>) -> tensor<4xi64>
  %output_4, %offset2bag_5, %bag_size_6, %max_indices_7 = aten.embedding_bag %x, %view4, %arange3 {mode = 2 : i64, padding_idx = 0 : i64} : (tensor<3x4xf32>, tensor<4xi64>, tensor<2xi64>) -> (tensor<2x4xf32>, tensor<4xi64>, tensor<2xi64>, tensor<2x4xi64>)
  check.close %output, dense<[[12.0, 14.5, 17.0, 19.5], [0.0, 2.0, 4.0, 6.0]]> : tensor<2x4xf32>
  check.close %output_0, dense<[[8.0, 9.0, 1.0e+01, 11.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<2x4xf32>
  check.close %output_4, dense<[[8.0, 9.0, 1.0e+01, 11.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<2x4xf32>
}
