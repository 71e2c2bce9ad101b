// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// From one dtype to another. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @float_to_integer_truncates {
  %x = check.input dense<[1.9, -1.9, 0.5, -0.5, 1.0e+02]> : tensor<5xf32>
  %to = aten.to %x {dtype = i64} : (tensor<5xf32>) -> tensor<5xi64>
  %to2 = aten.to %x {dtype = i32} : (tensor<5xf32>) -> tensor<5xi32>
  %to3 = aten.to %x {dtype = i8} : (tensor<5xf32>) -> tensor<5xi8>
  check.close %to, dense<[1, -1, 0, 0, 100]> : tensor<5xi64>
  check.close %to2, dense<[1, -1, 0, 0, 100]> : tensor<5xi32>
  check.close %to3, dense<[1, -1, 0, 0, 100]> : tensor<5xi8>
}

check.test @float_to_bool_is_not_zero {
  %x = check.input dense<[0.0, -0.0, 0.1, 0x7FC00000, 1.0e-45]> : tensor<5xf32>
  %to = aten.to %x {dtype = i1} : (tensor<5xf32>) -> tensor<5xi1>
  check.close %to, dense<[false, false, true, true, true]> : tensor<5xi1>
}

check.test @integers_are_cut {
  %x = check.input dense<[300, -1, 2147483648, 1099511627781, -129]> : tensor<5xi64>
  %to = aten.to %x {dtype = i32} : (tensor<5xi64>) -> tensor<5xi32>
  %to2 = aten.to %x {dtype = i16} : (tensor<5xi64>) -> tensor<5xi16>
  %to3 = aten.to %x {dtype = i8} : (tensor<5xi64>) -> tensor<5xi8>
  %to4 = aten.to %x {dtype = ui8} : (tensor<5xi64>) -> tensor<5xui8>
  check.close %to, dense<[300, -1, -2147483648, 5, -129]> : tensor<5xi32>
  check.close %to2, dense<[300, -1, 0, 5, -129]> : tensor<5xi16>
  check.close %to3, dense<[44, -1, 0, 5, 127]> : tensor<5xi8>
  check.close %to4, dense<[44, 255, 0, 5, 127]> : tensor<5xui8>
}

check.test @integer_to_float_rounds_to_even {
  %x = check.input dense<[16777217, 16777219, 9007199254740993, -2049, 2051]> : tensor<5xi64>
  %to = aten.to %x {dtype = f32} : (tensor<5xi64>) -> tensor<5xf32>
  %to2 = aten.to %x {dtype = f64} : (tensor<5xi64>) -> tensor<5xf64>
  %to3 = aten.to %x {dtype = f16} : (tensor<5xi64>) -> tensor<5xf16>
  check.close %to, dense<[16777216.0, 1.677722e+07, 9.007199e+15, -2049.0, 2051.0]> : tensor<5xf32>
  check.close %to2, dense<[16777217.0, 16777219.0, 9007199254740992.0, -2049.0, 2051.0]> : tensor<5xf64>
  check.close %to3, dense<[0x7C00, 0x7C00, 0x7C00, -2048.0, 2052.0]> : tensor<5xf16>
}

check.test @float64_to_float32 {
  %x = check.input dense<[0.1, 1.0e+300, -1.0e+300, 1.0e-50, 1.0000000596046448]> : tensor<5xf64>
  %to = aten.to %x {dtype = f32} : (tensor<5xf64>) -> tensor<5xf32>
  check.close %to, dense<[0.1, 0x7F800000, 0xFF800000, 0.0, 1.0]> : tensor<5xf32>
}

check.test @float32_to_float16 {
  %x = check.input dense<[65504.0, 65519.0, 6.552e+04, 1.0e-08, 2.9802322e-08, 2.9802326e-08, 1.0004883, 1.0014648, 0x7FC00000]> : tensor<9xf32>
  %to = aten.to %x {dtype = f16} : (tensor<9xf32>) -> tensor<9xf16>
  check.close %to, dense<[6.55e+04, 6.55e+04, 0x7C00, 0.0, 0.0, 6.0e-08, 1.0, 1.002, 0x7E00]> : tensor<9xf16>
}

check.test @float32_to_bfloat16 {
  %x = check.input dense<[1.0039062, 1.0117188, 3.4e+38, 1.0e-40, -0.0, 0x7FC00000, 1.0039062]> : tensor<7xf32>
  %to = aten.to %x {dtype = bf16} : (tensor<7xf32>) -> tensor<7xbf16>
  check.close %to, dense<[1.0, 1.016, 0x7F80, 9.0e-41, -0.0, 0x7FC0, 1.0]> : tensor<7xbf16>
}

check.test @bool_to_anything {
  %x = check.input dense<[false, true]> : tensor<2xi1>
  %to = aten.to %x {dtype = f32} : (tensor<2xi1>) -> tensor<2xf32>
  %to2 = aten.to %x {dtype = i64} : (tensor<2xi1>) -> tensor<2xi64>
  %to3 = aten.to %x {dtype = ui8} : (tensor<2xi1>) -> tensor<2xui8>
  %to4 = aten.to %x {dtype = f16} : (tensor<2xi1>) -> tensor<2xf16>
  check.close %to, dense<[0.0, 1.0]> : tensor<2xf32>
  check.close %to2, dense<[0, 1]> : tensor<2xi64>
  check.close %to3, dense<[0, 1]> : tensor<2xui8>
  check.close %to4, dense<[0.0, 1.0]> : tensor<2xf16>
}

check.test @unsigned_to_signed {
  %x = check.input dense<[0, 127, 128, 255]> : tensor<4xui8>
  %to = aten.to %x {dtype = i8} : (tensor<4xui8>) -> tensor<4xi8>
  %to2 = aten.to %x {dtype = i64} : (tensor<4xui8>) -> tensor<4xi64>
  %to3 = aten.to %x {dtype = f32} : (tensor<4xui8>) -> tensor<4xf32>
  check.close %to, dense<[0, 127, -128, -1]> : tensor<4xi8>
  check.close %to2, dense<[0, 127, 128, 255]> : tensor<4xi64>
  check.close %to3, dense<[0.0, 127.0, 128.0, 255.0]> : tensor<4xf32>
}

check.test @same_bits {
  %x = check.input dense<[1.0, -0.0, 0x7F800000]> : tensor<3xf32>
  %view_dtype = aten.view_dtype %x {dtype = i32} : (tensor<3xf32>) -> tensor<3xi32>
  check.close %view_dtype, dense<[1065353216, -2147483648, 2139095040]> : tensor<3xi32>
}
