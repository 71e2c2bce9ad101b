// RUN: graphmill-opt --aten-functionalize --verify-diagnostics %s

fx.graph @overlapping(%x: tensor<1xf32>, %v: tensor<3xf32>) inputs ["x", "v"] outputs [] symbols [] {
  %wide = aten.expand %x {size = #fx.dims<[3]>} : (tensor<1xf32>) -> tensor<3xf32>
  // expected-error@+1 {{writes in place through aten.expand, whose elements may share memory}}
  %w = aten.copy_ %wide, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  fx.output
}
