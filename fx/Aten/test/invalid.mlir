// RUN: graphmill-opt %s --verify-diagnostics --split-input-file

fx.graph @f(%x: tensor<2x3xf32>, %w: tensor<4x5x3xf32>) inputs ["x", "w"] outputs [] symbols [] {
  // linear.c1
  // expected-error@+2 {{aten.linear: weight is [4, 5, 3], expected [out, in]}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.linear %x, %w : (tensor<2x3xf32>, tensor<4x5x3xf32>) -> tensor<2x4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>, %w: tensor<4x5xf32>) inputs ["x", "w"] outputs [] symbols [] {
  // linear.c2
  // expected-error@+2 {{aten.linear: input is [2, 3], weight is [4, 5]; input's last dim must equal weight's last}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.linear %x, %w : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<5xf32>) inputs ["x", "w", "b"] outputs [] symbols [] {
  // linear.c3
  // expected-error@+2 {{aten.linear: bias is [5], expected [4]}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.linear %x, %w, %b : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<5xf32>) -> tensor<2x4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) inputs ["x", "y"] outputs [] symbols [] {
  // matmul.c1
  // expected-error@+2 {{aten.matmul: operands are [2, 3] and [4, 5]; the first's last dim must equal the second's last but one}}
  // expected-error@+1 {{failed to infer returned types}}
  %z = aten.matmul %x, %y : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<2x3xf32>, %y: tensor<f32>) inputs ["x", "y"] outputs [] symbols [] {
  // matmul.c2
  // expected-error@+2 {{aten.matmul: operands are [2, 3] and [], expected at least vectors}}
  // expected-error@+1 {{failed to infer returned types}}
  %z = aten.matmul %x, %y : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  fx.output
}

// -----

fx.graph @f(%q: tensor<2x4xf32>, %k: tensor<1x2x4xf32>) inputs ["q", "k"] outputs [] symbols [] {
  // attention.c1
  // expected-error@+2 {{aten.scaled_dot_product_attention: query, key and value are [2, 4], [1, 2, 4] and [1, 2, 4]; expected one rank, at least 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.scaled_dot_product_attention %q, %k, %k : (tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<5x8xf32>, %w: tensor<24x8xf32>, %b: tensor<8xf32>) inputs ["x", "w", "b"] outputs [] symbols [] {
  // multi_head_attention.c1
  // expected-error@+2 {{aten.transformer_encoder_layer_fwd: query, key and value are [5, 8], [5, 8] and [5, 8]; expected [batch, length, width]}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.transformer_encoder_layer_fwd %x, %w, %b, %w, %b, %b, %b, %b, %b, %w, %b, %w, %b {num_heads = 2} : (tensor<5x8xf32>, tensor<24x8xf32>, tensor<8xf32>, tensor<24x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<24x8xf32>, tensor<8xf32>, tensor<24x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<1x5x8xf32>, %w: tensor<24x8xf32>, %b: tensor<8xf32>) inputs ["x", "w", "b"] outputs [] symbols [] {
  // multi_head_attention.c2
  // expected-error@+2 {{aten.transformer_encoder_layer_fwd: has 3 heads, which must divide the last dim, 8}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.transformer_encoder_layer_fwd %x, %w, %b, %w, %b, %b, %b, %b, %b, %w, %b, %w, %b {num_heads = 3} : (tensor<1x5x8xf32>, tensor<24x8xf32>, tensor<8xf32>, tensor<24x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<24x8xf32>, tensor<8xf32>, tensor<24x8xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>
  fx.output
}

// -----

fx.graph @f(%q: tensor<2x4xf32>, %k: tensor<2x5xf32>) inputs ["q", "k"] outputs [] symbols [] {
  // attention.c2
  // expected-error@+2 {{aten.scaled_dot_product_attention: query's last size is 4, key's is 5}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.scaled_dot_product_attention %q, %k, %k : (tensor<2x4xf32>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<1x1x2x2xf32>, %g: tensor<1x2x2x3xf32>) inputs ["x", "g"] outputs [] symbols [] {
  // grid_sampler.c1
  // expected-error@+2 {{input is [1, 1, 2, 2], grid is [1, 2, 2, 3]; expected [N, C, H, W] and [N, h, w, 2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.grid_sampler %x, %g {interpolation_mode = 0 : i64, padding_mode = 0 : i64, align_corners = false} : (tensor<1x1x2x2xf32>, tensor<1x2x2x3xf32>) -> tensor<1x1x2x2xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>, %m: tensor<4xi1>) inputs ["x", "m"] outputs [] symbols [] {
  // index.c1
  // expected-error@+2 {{aten.index: an index is bool, expected integers, or bools and their count}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.index %x, %m {indices_dims = array<i64: 0>} : (tensor<4xf32>, tensor<4xi1>) -> tensor<4xf32>
  fx.output
}

// -----

// A result that isn't the rule's.
fx.graph @f(%x: tensor<4xi64>) inputs ["x"] outputs [] symbols [] {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xi64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.exp %x : (tensor<4xi64>) -> tensor<4xi64>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>, %o: tensor<2xi32>) inputs ["x", "y", "o"] outputs [] symbols [] {
  // grouped_mm.c1
  // expected-error@+2 {{operands are [4, 3] and [3, 5], expected [S, K] and [G, K, N] with [G] offsets}}
  // expected-error@+1 {{failed to infer returned types}}
  %z = "aten.grouped_mm"(%x, %y, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<4x3xf32>, tensor<3x5xf32>, tensor<2xi32>) -> tensor<4x5xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4x3xf32>, %y: tensor<2x3x5xf32>, %o: tensor<3xi32>) inputs ["x", "y", "o"] outputs [] symbols [] {
  // grouped_mm.c2
  // expected-error@+2 {{3 offsets for 2 groups}}
  // expected-error@+1 {{failed to infer returned types}}
  %z = "aten.grouped_mm"(%x, %y, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<4x3xf32>, tensor<2x3x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4x3xf32>, %y: tensor<2x6x5xf32>, %o: tensor<2xi32>) inputs ["x", "y", "o"] outputs [] symbols [] {
  // grouped_mm.c3
  // expected-error@+2 {{operands are [4, 3] and [2, 6, 5]; the first's last dim must equal the second's last but one}}
  // expected-error@+1 {{failed to infer returned types}}
  %z = "aten.grouped_mm"(%x, %y, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<4x3xf32>, tensor<2x6x5xf32>, tensor<2xi32>) -> tensor<4x5xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4x3xf32>) inputs ["x"] outputs [] symbols [] {
  // view_as_complex.c1
  // expected-error@+2 {{self is float32 [4, 3], expected floats with a last dim of size 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %z = aten.view_as_complex %x : (tensor<4x3xf32>) -> tensor<4xcomplex<f32>>
  fx.output
}

// -----

fx.graph @f(%x: tensor<1x1x2x4xi8>) inputs ["x"] outputs [] symbols [] {
  // attention.c3
  // expected-error@+2 {{aten.scaled_dot_product_attention: an operand is int8, expected floats}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.scaled_dot_product_attention %x, %x, %x : (tensor<1x1x2x4xi8>, tensor<1x1x2x4xi8>, tensor<1x1x2x4xi8>) -> tensor<1x1x2x4xi8>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>) inputs ["x"] outputs [] symbols [] {
  // Bits are those of integers.
  // expected-error@+2 {{aten.bitwise_and: an operand is float32, expected integers or bools}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.bitwise_and %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>, %i: tensor<4xi64>) inputs ["x", "i"] outputs [] symbols [] {
  // Where to write.
  // expected-error@+2 {{aten.scatter_add: dim 1 is out of range for a tensor of rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.scatter_add %x, %i, %x {dim = 1 : i64} : (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>, %i: tensor<2x2xi64>) inputs ["x", "i"] outputs [] symbols [] {
  // Where to read.
  // expected-error@+2 {{self is [4], index is [2, 2], expected one rank}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.gather %x, %i {dim = 0 : i64} : (tensor<4xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>, %i: tensor<4xf32>) inputs ["x", "i"] outputs [] symbols [] {
  // Indices are integers.
  // expected-error@+2 {{the index is float32, expected integers}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.gather %x, %i {dim = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>, %i: tensor<2xi64>) inputs ["x", "i"] outputs [] symbols [] {
  // Places are dims of self.
  // expected-error@+2 {{has indices for more dims than a tensor of rank 1 has}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.index_put %x, %i, %x {indices_dims = array<i64: 5>} : (tensor<4xf32>, tensor<2xi64>, tensor<4xf32>) -> tensor<4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>) inputs ["x"] outputs [] symbols [] {
  // A shift a dim.
  // expected-error@+2 {{aten.roll: has 1 shifts for 2 dims}}
  // expected-error@+1 {{failed to infer returned types}}
  %y = aten.roll %x {dims = array<i64: 0, 0>, shifts = #fx.dims<[1]>} : (tensor<4xf32>) -> tensor<4xf32>
  fx.output
}
