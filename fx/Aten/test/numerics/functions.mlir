// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu
//
// Within two units in the last place, far from 1 too. Answers are PyTorch's; made by tests/numerics/make.py.

check.test @exponentials {
  %x = check.input dense<[-87.5, -2.0e+01, -0.0001, 1.0e-07, 0.7, 10.3, 88.5]> : tensor<7xf32>
  %exp = aten.exp %x : (tensor<7xf32>) -> tensor<7xf32>
  %exp2 = aten.exp2 %x : (tensor<7xf32>) -> tensor<7xf32>
  %expm1 = aten.expm1 %x : (tensor<7xf32>) -> tensor<7xf32>
  check.close %exp, dense<[9.982351e-39, 2.0611537e-09, 0.9999, 1.0000001, 2.0137527, 29732.625, 2.723088e+38]> : tensor<7xf32> ulp 2
  check.close %exp2, dense<[4.5695704e-27, 9.536743e-07, 0.9999307, 1.0000001, 1.6245048, 1260.692, 4.376779e+26]> : tensor<7xf32> ulp 2
  check.close %expm1, dense<[-1.0, -1.0, -9.9995e-05, 1.0000001e-07, 1.0137527, 29731.625, 2.723088e+38]> : tensor<7xf32> ulp 2
}

check.test @logarithms {
  %x = check.input dense<[1.0e-40, 1.0e-07, 0.5, 0.9999999, 1.0000001, 3.0, 1.0e+30]> : tensor<7xf32>
  %log = aten.log %x : (tensor<7xf32>) -> tensor<7xf32>
  %log2 = aten.log2 %x : (tensor<7xf32>) -> tensor<7xf32>
  %log10 = aten.log10 %x : (tensor<7xf32>) -> tensor<7xf32>
  %log1p = aten.log1p %x : (tensor<7xf32>) -> tensor<7xf32>
  check.close %log, dense<[-92.10341, -16.118095, -0.6931472, -1.192093e-07, 1.1920928e-07, 1.0986123, 69.07755]> : tensor<7xf32> ulp 2
  check.close %log2, dense<[-132.87714, -23.253496, -1.0, -1.7198266e-07, 1.7198263e-07, 1.5849625, 99.657845]> : tensor<7xf32> ulp 2
  check.close %log10, dense<[-40.000004, -7.0, -0.30103, -5.177194e-08, 5.1771934e-08, 0.47712126, 3.0e+01]> : tensor<7xf32> ulp 2
  check.close %log1p, dense<[1.0e-40, 9.9999994e-08, 0.4054651, 0.6931471, 0.69314724, 1.3862944, 69.07755]> : tensor<7xf32> ulp 2
}

check.test @trigonometry {
  %x = check.input dense<[1.0e-10, 0.5, 1.5707964, 3.1415927, 1.0e+02, 1.0e+05]> : tensor<6xf32>
  %sin = aten.sin %x : (tensor<6xf32>) -> tensor<6xf32>
  %cos = aten.cos %x : (tensor<6xf32>) -> tensor<6xf32>
  check.close %sin, dense<[1.0e-10, 0.47942555, 1.0, -8.742278e-08, -0.50636566, 0.0357488]> : tensor<6xf32> ulp 2 abs 1.0e-07
  check.close %cos, dense<[1.0, 0.87758255, -4.371139e-08, -1.0, 0.8623189, -0.9993608]> : tensor<6xf32> ulp 2 abs 1.0e-07
}

check.test @tangent {
  %x = check.input dense<[1.0e-10, 0.5, 1.5, -0.7853982, 3.0]> : tensor<5xf32>
  %tan = aten.tan %x : (tensor<5xf32>) -> tensor<5xf32>
  check.close %tan, dense<[1.0e-10, 0.5463025, 14.101419, -1.0, -0.14254655]> : tensor<5xf32> ulp 3
}

check.test @inverse_trigonometry {
  %x = check.input dense<[-1.0, -0.5, 1.0e-06, 0.3, 0.99999, 1.0]> : tensor<6xf32>
  %asin = aten.asin %x : (tensor<6xf32>) -> tensor<6xf32>
  %acos = aten.acos %x : (tensor<6xf32>) -> tensor<6xf32>
  %atan = aten.atan %x : (tensor<6xf32>) -> tensor<6xf32>
  check.close %asin, dense<[-1.5707964, -0.5235988, 1.0e-06, 0.30469266, 1.5663211, 1.5707964]> : tensor<6xf32> ulp 2
  check.close %acos, dense<[3.1415927, 2.0943952, 1.5707953, 1.2661036, 0.0044751754, 0.0]> : tensor<6xf32> ulp 2
  check.close %atan, dense<[-0.7853982, -0.4636476, 1.0e-06, 0.29145682, 0.7853932, 0.7853982]> : tensor<6xf32> ulp 2
}

check.test @hyperbolic {
  %x = check.input dense<[-9.0, -1.0, -1.0e-05, 1.0e-05, 0.5, 2.0e+01]> : tensor<6xf32>
  %tanh = aten.tanh %x : (tensor<6xf32>) -> tensor<6xf32>
  %sinh = aten.sinh %x : (tensor<6xf32>) -> tensor<6xf32>
  %cosh = aten.cosh %x : (tensor<6xf32>) -> tensor<6xf32>
  check.close %tanh, dense<[-0.99999994, -0.7615942, -1.0e-05, 1.0e-05, 0.46211717, 1.0]> : tensor<6xf32> ulp 3
  check.close %sinh, dense<[-4051.542, -1.1752012, -1.0e-05, 1.0e-05, 0.5210953, 2.425826e+08]> : tensor<6xf32> ulp 3
  check.close %cosh, dense<[4051.542, 1.5430806, 1.0, 1.0, 1.127626, 2.425826e+08]> : tensor<6xf32> ulp 3
}

check.test @inverse_hyperbolic {
  %x = check.input dense<[1.0e-06, 0.5, 3.0, 99.0]> : tensor<4xf32>
  %asinh = aten.asinh %x : (tensor<4xf32>) -> tensor<4xf32>
  %number = fx.number 1 : i64 to tensor<i64, #fx.number>
  %add = aten.add %x, %number : (tensor<4xf32>, tensor<i64, #fx.number>) -> tensor<4xf32>
  %acosh = aten.acosh %add : (tensor<4xf32>) -> tensor<4xf32>
  %number2 = fx.number 100 : i64 to tensor<i64, #fx.number>
  %div = aten.div %x, %number2 : (tensor<4xf32>, tensor<i64, #fx.number>) -> tensor<4xf32>
  %atanh = aten.atanh %div : (tensor<4xf32>) -> tensor<4xf32>
  check.close %asinh, dense<[1.0e-06, 0.48121184, 1.8184465, 5.2882924]> : tensor<4xf32> ulp 4
  check.close %acosh, dense<[0.0013810678, 0.9624237, 2.063437, 5.298292]> : tensor<4xf32> ulp 4
  check.close %atanh, dense<[1.0e-08, 0.005000042, 0.030009005, 2.646653]> : tensor<4xf32> ulp 4
}

check.test @error_functions {
  %x = check.input dense<[-3.0, -0.5, 1.0e-06, 0.4, 1.0, 2.5, 4.0]> : tensor<7xf32>
  %erf = aten.erf %x : (tensor<7xf32>) -> tensor<7xf32>
  %erfc = aten.erfc %x : (tensor<7xf32>) -> tensor<7xf32>
  check.close %erf, dense<[-0.9999779, -0.5204999, 1.1283792e-06, 0.42839235, 0.8427008, 0.999593, 1.0]> : tensor<7xf32> ulp 3
  check.close %erfc, dense<[1.999978, 1.5205, 0.99999887, 0.57160765, 0.1572992, 0.00040695202, 1.5417259e-08]> : tensor<7xf32> ulp 3
}

check.test @sigmoid_and_friends {
  %x = check.input dense<[-3.0e+01, -3.0, -0.001, 0.5, 17.0]> : tensor<5xf32>
  %sigmoid = aten.sigmoid %x : (tensor<5xf32>) -> tensor<5xf32>
  %silu = aten.silu %x : (tensor<5xf32>) -> tensor<5xf32>
  %log_sigmoid = aten.log_sigmoid %x : (tensor<5xf32>) -> tensor<5xf32>
  %softplus = aten.softplus %x : (tensor<5xf32>) -> tensor<5xf32>
  check.close %sigmoid, dense<[9.3576236e-14, 0.047425874, 0.49975002, 0.62245935, 1.0]> : tensor<5xf32> ulp 4
  check.close %silu, dense<[-2.807287e-12, -0.14227761, -0.00049975, 0.31122968, 17.0]> : tensor<5xf32> ulp 4
  check.close %log_sigmoid, dense<[-3.0e+01, -3.0485873, -0.69364727, -0.474077, -4.1399375e-08]> : tensor<5xf32> ulp 4
  check.close %softplus, dense<[9.357623e-14, 0.048587352, 0.6926473, 0.974077, 17.0]> : tensor<5xf32> ulp 4
}

check.test @gelu {
  %x = check.input dense<[-3.0, -0.5, 0.001, 0.4, 3.0]> : tensor<5xf32>
  %gelu = aten.gelu %x : (tensor<5xf32>) -> tensor<5xf32>
  %gelu2 = aten.gelu %x {approximate = "tanh"} : (tensor<5xf32>) -> tensor<5xf32>
  check.close %gelu, dense<[-0.0040498674, -0.15426879, 0.0005003989, 0.26216868, 2.9959502]> : tensor<5xf32> ulp 8 abs 5.0e-07
  check.close %gelu2, dense<[-0.003637433, -0.154286, 0.000500399, 0.26216117, 2.9963627]> : tensor<5xf32> ulp 8 abs 5.0e-07
}

check.test @gamma_functions {
  %x = check.input dense<[0.5, 1.5, 3.7, 1.0e+01, -0.5, -2.3]> : tensor<6xf32>
  %lgamma = aten.lgamma %x : (tensor<6xf32>) -> tensor<6xf32>
  %digamma = aten.digamma %x : (tensor<6xf32>) -> tensor<6xf32>
  check.close %lgamma, dense<[0.5723649, -0.120782234, 1.4280723, 12.801827, 1.2655121, 0.36956683]> : tensor<6xf32> ulp 16
  check.close %digamma, dense<[-1.9635109, 0.036489915, 1.1671537, 2.2517526, 0.036489915, 3.3173242]> : tensor<6xf32> ulp 16
}

check.test @gamma_functions_at_poles {
  %x = check.input dense<[0.0, -0.0, -1.0, -2.0, 0x7F800000]> : tensor<5xf32>
  %lgamma = aten.lgamma %x : (tensor<5xf32>) -> tensor<5xf32>
  %digamma = aten.digamma %x : (tensor<5xf32>) -> tensor<5xf32>
  check.close %lgamma, dense<[0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000]> : tensor<5xf32>
  check.close %digamma, dense<[0xFF800000, 0x7F800000, 0x7FC00000, 0x7FC00000, 0x7F800000]> : tensor<5xf32>
}

check.test @erfinv {
  %x = check.input dense<[-0.99, -0.5, 1.0e-05, 0.3, 0.999]> : tensor<5xf32>
  %erfinv = aten.erfinv %x : (tensor<5xf32>) -> tensor<5xf32>
  check.close %erfinv, dense<[-1.8213866, -0.47693628, 8.862269e-06, 0.27246273, 2.3267562]> : tensor<5xf32> ulp 8
}

check.test @float64 {
  %x = check.input dense<[1.0e-08, 0.5, 1.0, 7.3, 3.0e+01]> : tensor<5xf64>
  %exp = aten.exp %x : (tensor<5xf64>) -> tensor<5xf64>
  %log = aten.log %x : (tensor<5xf64>) -> tensor<5xf64>
  %tanh = aten.tanh %x : (tensor<5xf64>) -> tensor<5xf64>
  %sin = aten.sin %x : (tensor<5xf64>) -> tensor<5xf64>
  %erf = aten.erf %x : (tensor<5xf64>) -> tensor<5xf64>
  check.close %exp, dense<[1.00000001, 1.6487212707001282, 2.718281828459045, 1480.299927584545, 10686474581524.463]> : tensor<5xf64> ulp 4
  check.close %log, dense<[-18.420680743952367, -0.6931471805599453, 0.0, 1.9878743481543455, 3.4011973816621555]> : tensor<5xf64> ulp 4
  check.close %tanh, dense<[1.0e-08, 0.46211715726000974, 0.7615941559557649, 0.999999087295143, 1.0]> : tensor<5xf64> ulp 4
  check.close %sin, dense<[1.0e-08, 0.479425538604203, 0.8414709848078965, 0.8504366206285644, -0.9880316240928618]> : tensor<5xf64> ulp 4
  check.close %erf, dense<[1.1283791670955126e-08, 0.5204998778130465, 0.8427007929497149, 1.0, 1.0]> : tensor<5xf64> ulp 4
}

check.test @half_functions_round_once {
  %x = check.input dense<[-5.0, -0.3, 0.1, 2.0, 1.0e+01]> : tensor<5xf16>
  %exp = aten.exp %x : (tensor<5xf16>) -> tensor<5xf16>
  %tanh = aten.tanh %x : (tensor<5xf16>) -> tensor<5xf16>
  %sigmoid = aten.sigmoid %x : (tensor<5xf16>) -> tensor<5xf16>
  check.close %exp, dense<[0.006737, 0.7407, 1.105, 7.39, 2.203e+04]> : tensor<5xf16> ulp 1
  check.close %tanh, dense<[-1.0, -0.2913, 0.0997, 0.964, 1.0]> : tensor<5xf16> ulp 1
  check.close %sigmoid, dense<[0.00669, 0.4255, 0.525, 0.881, 1.0]> : tensor<5xf16> ulp 1
}
