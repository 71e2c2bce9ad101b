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

// -----

fx.graph @f(%x: tensor<2x8xf32>) inputs ["x"] outputs [] symbols [] {
  // dim.c1
  // expected-error@+1 {{works along dim 2, which its operand doesn't have}}
  %y = prims.scan sum %x dim = 2 : tensor<2x8xf32>
  fx.output
}

// -----

fx.graph @f() inputs [] outputs [] symbols [] {
  // iota.c1
  // expected-error@+1 {{result that isn't 1-d}}
  %y = prims.iota : tensor<2x2xi64>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x8xf32>) inputs ["x"] outputs [] symbols [] {
  // reverse.c1
  // expected-error@+1 {{turns dim -1 around}}
  %y = prims.reverse %x dims = [-1] : tensor<2x8xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x8xf32>, %v: tensor<f32>) inputs ["x", "v"] outputs [] symbols [] {
  // pad.c1
  // expected-error@+1 {{low and result must have the operand's rank, 2}}
  %y = prims.pad %x, %v low = <[1]> : tensor<2x8xf32>, tensor<f32> -> tensor<2x9xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x8xf32>) inputs ["x"] outputs [] symbols [] {
  // as_strided.c1
  // expected-error@+1 {{has 1 strides for a result of rank 2}}
  %y = prims.as_strided %x strides = <[1]> offset = <0> : tensor<2x8xf32> -> tensor<2x2xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x8xf32>, %i: tensor<3xi64>) inputs ["x", "i"] outputs [] symbols [] {
  // index.c1
  // expected-error@+1 {{has 1 indices, and dims that aren't as many distinct ones}}
  %y = prims.index %x[%i] dims = [2] : (tensor<2x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x8xf32>, %i: tensor<3xf32>) inputs ["x", "i"] outputs [] symbols [] {
  // index.c2
  // expected-error@+1 {{has indices that aren't integers of one rank}}
  %y = prims.index %x[%i] dims = [0] : (tensor<2x8xf32>, tensor<3xf32>) -> tensor<3x8xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x8xf32>, %i: tensor<3xi64>) inputs ["x", "i"] outputs [] symbols [] {
  // gather.c1
  // expected-error@+1 {{operand, index and result must have one rank}}
  %y = prims.gather %x, %i dim = 0 : (tensor<2x8xf32>, tensor<3xi64>) -> tensor<3xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x8xf32>, %i: tensor<3xi64>) inputs ["x", "i"] outputs [] symbols [] {
  // scatter.c1
  // expected-error@+1 {{operand, index and values must have one rank}}
  %y = prims.scatter add %x, %i, %x dim = 0 : (tensor<2x8xf32>, tensor<3xi64>, tensor<2x8xf32>) -> tensor<2x8xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x8xf32>) inputs ["x"] outputs [] symbols [] {
  // window.c1
  // expected-error@+1 {{must have as many window sizes}}
  %y = prims.reduce_window max %x window = [2] strides = [0] padding = [0] dilation = [1] : tensor<2x8xf32> -> tensor<2x7xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x8xf32>) inputs ["x"] outputs [] symbols [] {
  // window.c2
  // expected-error@+1 {{operand and result must have one rank}}
  %y = prims.arg_reduce_window max %x window = [2] strides = [1] padding = [0] dilation = [1] : tensor<2x8xf32> -> tensor<7xi64>
  fx.output
}

// -----

fx.graph @f(%x: tensor<1x2x5xf32>, %w: tensor<3x2xf32>) inputs ["x", "w"] outputs [] symbols [] {
  // convolution.c1
  // expected-error@+1 {{input, weight and result must have one rank of at least 2}}
  %y = prims.convolution %x, %w {dilation = array<i64: 1>, groups = 1 : i64, output_padding = array<i64: 0>, padding = array<i64: 0>, stride = array<i64: 1>, transposed = false} : (tensor<1x2x5xf32>, tensor<3x2xf32>) -> tensor<1x3x5xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<1x2x5xf32>, %w: tensor<3x2x1xf32>) inputs ["x", "w"] outputs [] symbols [] {
  // convolution.c2
  // expected-error-re@+1 {{must have a stride and a dilation {{.*}} for each of 1 spatial dims}}
  %y = prims.convolution %x, %w {dilation = array<i64: 1>, groups = 1 : i64, output_padding = array<i64: 0>, padding = array<i64: 0>, stride = array<i64: 0>, transposed = false} : (tensor<1x2x5xf32>, tensor<3x2x1xf32>) -> tensor<1x3x5xf32>
  fx.output
}

// -----

fx.graph @f(%q: tensor<2x3x4xf32>) inputs ["q"] outputs [] symbols [] {
  // attention.c1
  // expected-error@+1 {{query, key, value and result must have rank 4}}
  %y = prims.attention %q, %q, %q {causal = false, scale = 1.0 : f64} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  fx.output
}

// -----

fx.graph @f(%g: tensor<5x2x8xf32>, %w: tensor<8x2xf32>, %h: tensor<2x2xf32>) inputs ["g", "w", "h"] outputs [] symbols [] {
  // recurrent.c1
  // expected-error@+1 {{gates and output must have rank 3}}
  %y, %l = prims.recurrent rnn_tanh %g, %g hidden %h {reverse = false} : (tensor<5x2x8xf32>, tensor<5x2x8xf32>, tensor<2x2xf32>) -> (tensor<5x2x2xf32>, tensor<2x2xf32>)
  fx.output
}

// -----

fx.graph @f(%g: tensor<5x2x8xf32>, %w: tensor<8x2xf32>, %h: tensor<2x2xf32>) inputs ["g", "w", "h"] outputs [] symbols [] {
  // recurrent.c2
  // expected-error@+1 {{has a cell if and only if it is an lstm}}
  %y, %l = prims.recurrent lstm %g, %w hidden %h {reverse = false} : (tensor<5x2x8xf32>, tensor<8x2xf32>, tensor<2x2xf32>) -> (tensor<5x2x2xf32>, tensor<2x2xf32>)
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xi64>) inputs ["x"] outputs [] symbols [] {
  // Functions of floats take no integers.
  // expected-error@+1 {{must be tensor of floats}}
  %y = prims.exp %x : tensor<4xi64>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>) inputs ["x"] outputs [] symbols [] {
  // Bits are those of integers.
  // expected-error@+1 {{must be tensor of integers or bools}}
  %y = prims.shl %x, %x : tensor<4xf32>
  fx.output
}
