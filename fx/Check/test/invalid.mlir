// RUN: graphmill-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{'check.input' op expects parent op 'check.test'}}
%x = check.input dense<1.0> : tensor<f32>

// -----

check.test @expected {
  %x = check.input dense<1.0> : tensor<f32>
  // expected-error@+1 {{custom op 'check.close' invalid kind of attribute specified}}
  check.close %x, 1.0 : f32
}
