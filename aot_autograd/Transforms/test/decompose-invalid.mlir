// RUN: graphmill-opt --aten-decompose --verify-diagnostics %s

fx.graph @no_steps(%x: tensor<0x2x4xf32>, %h: tensor<1x2x3xf32>, %w: tensor<9x4xf32>, %u: tensor<9x3xf32>) inputs ["x", "h", "w", "u"] outputs [] symbols [] {
  // expected-error@+1 {{has a sequence of length 0; eager refuses it too}}
  %output, %hidden = aten.gru %x, %h, %w, %u {has_biases = false} : (tensor<0x2x4xf32>, tensor<1x2x3xf32>, tensor<9x4xf32>, tensor<9x3xf32>) -> (tensor<0x2x3xf32>, tensor<1x2x3xf32>)
  fx.output
}
