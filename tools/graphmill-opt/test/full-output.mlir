// RUN: not graphmill-opt %s > /dev/full 2> %t
// RUN: FileCheck %s < %t
// RUN: not graphmill-opt %S/../../../frontend/pt2/unittests/data/mutation.pt2 > /dev/full 2> %t
// RUN: FileCheck %s < %t

// CHECK: can't write to standard output: No space left on device
fx.graph @f(%x: tensor<3xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  fx.output %x : tensor<3xf32>
}
