// RUN: graphmill-opt --aten-split-complex --split-input-file %s | FileCheck %s

// Complex numbers are bytes at the borders; inside, their parts are multiplied.
// CHECK-LABEL: fx.graph @product
fx.graph @product(%x: tensor<4xcomplex<f32>>, %y: tensor<4xf32>) inputs ["x", "y"]
    outputs [#fx.role<result "z">] symbols [] {
  // CHECK: %[[PAIRS:.*]] = prims.view_as_real %arg0 : tensor<4xcomplex<f32>> -> tensor<4x2xf32>
  // CHECK: %[[RE:.*]] = prims.mul %{{.*}}, %arg1
  // CHECK: %[[IM:.*]] = prims.mul %{{.*}}, %arg1
  %z = aten.mul %x, %y : (tensor<4xcomplex<f32>>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  // CHECK: %[[BOTH:.*]] = prims.concatenate {{.*}} dim = 1
  // CHECK: %[[Z:.*]] = prims.view_as_complex %[[BOTH]] : tensor<4x2xf32> -> tensor<4xcomplex<f32>>
  // CHECK: fx.output %[[Z]]
  fx.output %z : tensor<4xcomplex<f32>>
}

// -----

// A view is made of each part.
// CHECK-LABEL: fx.graph @view
fx.graph @view(%x: tensor<4xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: aten.unsqueeze {{.*}} : (tensor<4xf32>) -> tensor<1x4xf32>
  // CHECK: aten.unsqueeze {{.*}} : (tensor<4xf32>) -> tensor<1x4xf32>
  %z = aten.complex %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %v = aten.unsqueeze %z {dim = 0 : i64} : (tensor<4xcomplex<f32>>) -> tensor<1x4xcomplex<f32>>
  %y = aten.imag %v : (tensor<1x4xcomplex<f32>>) -> tensor<1x4xf32>
  fx.output %y : tensor<1x4xf32>
}

// -----

// A small transform is a product with a matrix.
// CHECK-LABEL: fx.graph @transform
fx.graph @transform(%x: tensor<3x8xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: prims.matmul {{.*}} : (tensor<3x8xf32>, tensor<8x5xf32>) -> tensor<3x5xf32>
  %z = aten._fft_r2c %x {dim = array<i64: 1>} : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  %y = aten.real %z : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
  fx.output %y : tensor<3x5xf32>
}

// -----

// A larger one is made of small ones.
// CHECK-LABEL: fx.graph @large_transform
fx.graph @large_transform(%x: tensor<3x400xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK-NOT: tensor<400x{{[0-9]+}}xf32>
  // CHECK: prims.matmul {{.*}} : (tensor<3x20x20xf32>, tensor<20x20xf32>) -> tensor<3x20x20xf32>
  %z = aten._fft_r2c %x {dim = array<i64: 1>} : (tensor<3x400xf32>) -> tensor<3x201xcomplex<f32>>
  %y = aten.real %z : (tensor<3x201xcomplex<f32>>) -> tensor<3x201xf32>
  fx.output %y : tensor<3x201xf32>
}
