// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --verify-numerics=backend=cpu %s
//
// A number that the integer can't hold becomes the smallest one, as on x86; narrow integers are cut from 32 bits.

check.test @out_of_range {
  %x = check.input dense<[3.0e9, -3.0e9, 1.0e30, 0x7FC00000, 0x7F800000, 0xFF800000, 300.5, -1.5]> : tensor<8xf32>
  %a = prims.convert %x : tensor<8xf32> -> tensor<8xi32>
  check.close %a, dense<[-2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, 300, -1]> : tensor<8xi32>
  %b = prims.convert %x : tensor<8xf32> -> tensor<8xi64>
  check.close %b, dense<[3000000000, -3000000000, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, 300, -1]> : tensor<8xi64>
  %c = prims.convert %x : tensor<8xf32> -> tensor<8xui8>
  check.close %c, dense<[0, 0, 0, 0, 0, 0, 44, 255]> : tensor<8xui8>
}
