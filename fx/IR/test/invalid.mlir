// RUN: graphmill-opt %s --verify-diagnostics --split-input-file

// graph.c1
// expected-error@+1 {{has 1 arguments and 2 input names}}
fx.graph @names(%x: tensor<f32>) inputs ["x", "y"] outputs [] symbols [] {
  fx.output
}

// -----

// graph.c2
// expected-error@+1 {{returns 1 values and has 0 roles for them}}
fx.graph @roles(%x: tensor<f32>) inputs ["x"] outputs [] symbols [] {
  fx.output %x : tensor<f32>
}

// -----

// graph.c3
// expected-error@+1 {{input "x" uses symbol s1, but the graph has 1}}
fx.graph @symbols(%x: tensor<?xf32, #fx.dims<[s1]>>) inputs ["x"] outputs [] symbols [#fx.symbol<"n">] {
  fx.output
}

// -----

// graph.c4
// expected-error@+1 {{has two inputs named "x"}}
fx.graph @twice(%x: tensor<f32>, %y: tensor<f32>) inputs ["x", "x"] outputs [] symbols [] {
  fx.output
}

// -----

fx.graph @missing() inputs [] outputs [] symbols [] {
  // get.c1
  // expected-error@+1 {{there is no fx.tensor @w}}
  %w = fx.get @w : tensor<2xf32>
  fx.output
}

// -----

fx.tensor parameter @w = dense<1.0> : tensor<3xf32>
fx.graph @type() inputs [] outputs [] symbols [] {
  // get.c2
  // expected-error@+1 {{result is 'tensor<2xf32>', but @w is 'tensor<3xf32>'}}
  %w = fx.get @w : tensor<2xf32>
  fx.output
}

// -----

// expected-error@+1 {{#fx.dims has 1 sizes, the tensor has rank 2}}
fx.graph @rank(%x: tensor<?x2xf32, #fx.dims<[s0]>>) inputs ["x"] outputs [] symbols [#fx.symbol<"n">] {
  fx.output
}

// -----

// expected-error@+1 {{#fx.dims and the shape differ at dim 1}}
fx.graph @shape(%x: tensor<?x2xf32, #fx.dims<[s0, 3]>>) inputs ["x"] outputs [] symbols [#fx.symbol<"n">] {
  fx.output
}

// -----

// graph.c3
fx.graph @f() inputs [] outputs [] symbols [] {
  // expected-error@+1 {{uses symbol s1, but the graph has 0}}
  %n = prims.size <s1 * 2> : tensor<i64>
  fx.output
}

// -----

// graph.c5
// expected-error@+1 {{input "x" has elements of 'i7', which is no dtype of PyTorch}}
fx.graph @f(%x: tensor<2xi7>) inputs ["x"] outputs [] symbols [] {
  fx.output
}

// -----

// tensor.c1
// expected-error@+1 {{is 'vector<2xf32>', expected a tensor of a dtype of PyTorch}}
fx.tensor parameter @w = dense<0.0> : vector<2xf32>

// -----

// tensor.c2
// expected-error@+1 {{has a type of no fixed size, or of more bytes than fit in 63 bits}}
fx.tensor parameter @w = dense<0.0> : tensor<4294967296x4294967296xf32>

// -----

// tensor.c3
// expected-error@+1 {{has a value that is neither dense nor a resource}}
fx.tensor parameter @w = sparse<[[0]], [1.0]> : tensor<2xf32>

// -----

// tensor.c4
// expected-error@+1 {{has a resource of 4 bytes, expected 8}}
fx.tensor parameter @w = dense_resource<w> : tensor<2xf32>
{-#
  dialect_resources: { builtin: { w: "0x040000000000803F" } }
#-}

// -----

fx.graph @f(%n: tensor<i32>) inputs ["n"] outputs [] symbols [#fx.symbol<"u0">] {
  // bind_size.c1
  // expected-error@+1 {{takes the size from 'tensor<i32>', expected tensor<i64>}}
  fx.bind_size %n symbol = 0 below <9> : tensor<i32>
  fx.output
}

// -----

fx.graph @f(%n: tensor<i64>) inputs ["n"] outputs [] symbols [#fx.symbol<"u0">] {
  // bind_size.c2
  // expected-error@+1 {{binds symbol s1, but the graph has 1}}
  fx.bind_size %n symbol = 1 below <9> : tensor<i64>
  fx.output
}
