// RUN: graphmill-opt %s --verify-diagnostics --split-input-file

fx.graph @f(%x: tensor<2x3xf32>) inputs ["x"] outputs [] symbols [] {
  // broadcast.c1
  // expected-error@+1 {{operand's dim 1 is 3, result's dim 1 is 4}}
  %y = prims.broadcast %x dims = [0, 1] : tensor<2x3xf32> -> tensor<2x4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>) inputs ["x"] outputs [] symbols [] {
  // broadcast.c2
  // expected-error@+1 {{dims must increase and be below 2}}
  %y = prims.broadcast %x dims = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>) inputs ["x"] outputs [] symbols [] {
  // broadcast.c2
  // expected-error@+1 {{has 1 dims for an operand of rank 2}}
  %y = prims.broadcast %x dims = [0] : tensor<2x3xf32> -> tensor<2x3xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>) inputs ["x"] outputs [] symbols [] {
  // reshape.c1
  // expected-error@+1 {{has 6 elements and a result of 8}}
  %y = prims.reshape %x : tensor<2x3xf32> -> tensor<8xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>) inputs ["x"] outputs [] symbols [] {
  // transpose.c1
  // expected-error@+1 {{perm is not a permutation of 2 dims}}
  %y = prims.transpose %x perm = [0, 0] : tensor<2x3xf32> -> tensor<2x2xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>) inputs ["x"] outputs [] symbols [] {
  // transpose.c2
  // expected-error@+1 {{result's dim 0 is 2, expected 3}}
  %y = prims.transpose %x perm = [1, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>) inputs ["x"] outputs [] symbols [] {
  // slice.c1
  // expected-error@+1 {{starts, steps and result must have the operand's rank, 2}}
  %y = prims.slice %x starts = <[0]> steps = [1, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>) inputs ["x"] outputs [] symbols [] {
  // slice.c2
  // expected-error@+1 {{steps must be positive}}
  %y = prims.slice %x starts = <[0, 0]> steps = [1, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>) inputs ["x"] outputs [] symbols [] {
  // reduce.c1
  // expected-error@+1 {{dims must increase and be below 2}}
  %y = prims.reduce sum %x dims = [2] : tensor<2x3xf32> -> tensor<2xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>) inputs ["x"] outputs [] symbols [] {
  // reduce.c2
  // expected-error@+1 {{result must have rank 1}}
  %y = prims.reduce sum %x dims = [1] : tensor<2x3xf32> -> tensor<f32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>, %y: tensor<3xf32>) inputs ["x", "y"] outputs [] symbols [] {
  // matmul.c1
  // expected-error@+1 {{lhs has rank 2, rhs has 1; expected equal ranks of at least 2, or rhs of rank 2}}
  %z = prims.matmul %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x1x3xf32>, %y: tensor<4x3x1xf32>) inputs ["x", "y"] outputs [] symbols [] {
  // matmul.c1
  // expected-error@+1 {{batch dim 0 is 2 and 4}}
  %z = prims.matmul %x, %y : (tensor<2x1x3xf32>, tensor<4x3x1xf32>) -> tensor<2x1x1xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) inputs ["x", "y"] outputs [] symbols [] {
  // matmul.c2
  // expected-error@+1 {{inner sizes are 3 and 4}}
  %z = prims.matmul %x, %y : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2xf32>, %y: tensor<2xf64>) inputs ["x", "y"] outputs [] symbols [] {
  // expected-error@+1 {{op requires the same type for all operands and results}}
  %z = "prims.add"(%x, %y) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  fx.output
}
