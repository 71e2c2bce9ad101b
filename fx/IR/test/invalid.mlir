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
