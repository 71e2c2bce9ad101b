// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --verify-numerics=backend=cpu %s
//
// Three columns leave most lanes of a register off. What those hold is looked at too: sines of
// large numbers are rare, and one branch decides for all lanes.

check.test @sine_of_a_product {
  %x = check.input dense<[[1.0, 2.0], [0.5, -1.0], [0.0, 3.0]]> : tensor<3x2xf32>
  %w = check.input dense<[[0.5, 1.0, -1.0], [0.25, 0.0, 2.0]]> : tensor<2x3xf32>
  %bias = check.input dense<[1.0, -1.0, 0.5]> : tensor<3xf32>
  %product = prims.matmul %x, %w : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  %row = prims.broadcast %bias dims = [1] : tensor<3xf32> -> tensor<3x3xf32>
  %sum = prims.add %product, %row : tensor<3x3xf32>
  %sin = prims.sin %sum : tensor<3x3xf32>
  check.close %sin, dense<[[0.909297407, 0.0, -0.350783229], [0.841470957, -0.479425550, -0.909297407], [0.983985960, -0.841470957, 0.215119988]]> : tensor<3x3xf32> ulp 2
}
