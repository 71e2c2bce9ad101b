// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --verify-numerics=backend=cpu %s
//
// Conditions of which a register's part is never true: eight int64 lanes are two registers of
// AVX2, and the upper one's mask is a constant zero.

check.test @pad_of_pad symbols [#fx.symbol<"n">] {
  %x = check.input dense<[[10, 11, 12, 13, 14], [20, 21, 22, 23, 24]]> : tensor<2x5xi64> as tensor<?x5xi64, #fx.dims<[s0, 5]>>
  %one = prims.constant dense<1> : tensor<i64>
  %a = prims.pad %x, %one low = <[0, 0]> : tensor<?x5xi64, #fx.dims<[s0, 5]>>, tensor<i64> -> tensor<?x6xi64, #fx.dims<[s0 + 2, 6]>>
  %b = prims.pad %a, %one low = <[-1, 0]> : tensor<?x6xi64, #fx.dims<[s0 + 2, 6]>>, tensor<i64> -> tensor<?x6xi64, #fx.dims<[s0 + 1, 6]>>
  %c = prims.pad %b, %one low = <[0, -1]> : tensor<?x6xi64, #fx.dims<[s0 + 1, 6]>>, tensor<i64> -> tensor<?x7xi64, #fx.dims<[s0, 7]>>
  check.close %c, dense<[[21, 22, 23, 24, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1]]> : tensor<2x7xi64> as tensor<?x7xi64, #fx.dims<[s0, 7]>>
}
