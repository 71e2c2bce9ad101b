// RUN: graphmill-opt %s --verify-diagnostics --split-input-file

fx.graph @f(%x: tensor<4xf32>) inputs ["x"] outputs [] symbols [] {
  // kernel.c1
  // expected-error@+1 {{has 1 block arguments, expected 2}}
  %y = loop.kernel axes = <[4]>(%x) {
  ^bb0(%in: tensor<4xf32>):
  } : (tensor<4xf32>) -> tensor<4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>) inputs ["x"] outputs [] symbols [] {
  // kernel.c1
  // expected-error@+1 {{block argument 1 is 'tensor<5xf32>', expected 'tensor<4xf32>'}}
  %y = loop.kernel axes = <[4]>(%x) {
  ^bb0(%in: tensor<4xf32>, %out: tensor<5xf32>):
  } : (tensor<4xf32>) -> tensor<4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>) inputs ["x"] outputs [] symbols [] {
  // kernel.c2
  // expected-error@+1 {{inits is 2, more than operands or results}}
  %y = loop.kernel axes = <[4]> inits = 2 (%x) {
  ^bb0(%in: tensor<4xf32>, %out: tensor<4xf32>):
  } : (tensor<4xf32>) -> tensor<4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>) inputs ["x"] outputs [] symbols [] {
  %y = loop.kernel axes = <[4]>(%x) {
  ^bb0(%in: tensor<4xf32>, %out: tensor<4xf32>):
    // load.c1
    // expected-error@+1 {{map has 2 dims, expected 1 axes and 0 indices}}
    %0 = loop.load %in[affine_map<(d0, d1) -> (d0)>] : tensor<4xf32> -> f32
    loop.store %0, %out[affine_map<(d0) -> (d0)>] : f32, tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>) inputs ["x"] outputs [] symbols [] {
  %y = loop.kernel axes = <[4]>(%x) {
  ^bb0(%in: tensor<4xf32>, %out: tensor<4xf32>):
    %0 = loop.load %in[affine_map<(d0) -> (d0)>] : tensor<4xf32> -> f32
    // load.c2
    // expected-error@+1 {{map has 2 results, expected 1}}
    loop.store %0, %out[affine_map<(d0) -> (d0, d0)>] : f32, tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>) inputs ["x"] outputs [] symbols [] {
  %y = loop.kernel axes = <[4]>(%x) {
  ^bb0(%in: tensor<4xf32>, %out: tensor<4xf32>):
    %true = arith.constant true
    // load.c3
    // expected-error@+1 {{needs mask and other together}}
    %0 = "loop.load"(%in, %true) {map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (tensor<4xf32>, i1) -> f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  fx.output
}

// -----

fx.graph @f(%x: tensor<4xf32>) inputs ["x"] outputs [] symbols [] {
  %y = loop.kernel axes = <[]>(%x) {
  ^bb0(%in: tensor<4xf32>, %out: tensor<f32>):
    // reduce.c1
    // expected-error@+1 {{has 2 reducers, 1 yielded values and 1 results}}
    %sum = loop.reduce [#loop<reducer sum>, #loop<reducer max>] axes = <[4]> {
      %0 = loop.load %in[affine_map<(d0) -> (d0)>] : tensor<4xf32> -> f32
      loop.yield %0 : f32
    } : f32
  } : (tensor<4xf32>) -> tensor<f32>
  fx.output
}
