// RUN: graphmill-opt --prims-fold-scales %s | FileCheck %s

fx.tensor parameter @w = dense<1.0> : tensor<3x2x1xf32>
fx.tensor parameter @m = dense<1.0> : tensor<2x3xf32>
fx.tensor parameter @s = dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
fx.tensor parameter @t = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>

// What batch norm decomposes to.
// CHECK-LABEL: fx.graph @convolution
fx.graph @convolution(%x: tensor<1x2x5xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: %[[S:.*]] = prims.broadcast %{{.*}} dims = [0] : tensor<3xf32> -> tensor<3x2x1xf32>
  // CHECK: %[[W:.*]] = prims.mul %{{.*}}, %[[S]] : tensor<3x2x1xf32>
  // CHECK: %[[Y:.*]] = prims.convolution %{{.*}}, %[[W]]
  // CHECK: prims.add %[[Y]]
  // CHECK-NEXT: fx.output
  %w = fx.get @w : tensor<3x2x1xf32>
  %0 = prims.convolution %x, %w {stride = array<i64: 1>, padding = array<i64: 0>, dilation = array<i64: 1>, transposed = false, output_padding = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x5xf32>, tensor<3x2x1xf32>) -> tensor<1x3x5xf32>
  %s = fx.get @s : tensor<3xf32>
  %1 = prims.broadcast %s dims = [1] : tensor<3xf32> -> tensor<1x3x5xf32>
  %2 = prims.mul %0, %1 : tensor<1x3x5xf32>
  %t = fx.get @t : tensor<3xf32>
  %3 = prims.broadcast %t dims = [1] : tensor<3xf32> -> tensor<1x3x5xf32>
  %4 = prims.add %2, %3 : tensor<1x3x5xf32>
  fx.output %4 : tensor<1x3x5xf32>
}

// A bias between is scaled and joins the shift: one addition is left.
// CHECK-LABEL: fx.graph @matmul_bias
fx.graph @matmul_bias(%x: tensor<4x2xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: %[[W:.*]] = prims.div %{{.*}}, %{{.*}} : tensor<2x3xf32>
  // CHECK: %[[B:.*]] = prims.div %{{.*}}, %{{.*}} : tensor<3xf32>
  // CHECK: %[[Y:.*]] = prims.matmul %{{.*}}, %[[W]]
  // CHECK: %[[C:.*]] = prims.add %[[B]], %{{.*}} : tensor<3xf32>
  // CHECK: %[[D:.*]] = prims.broadcast %[[C]] dims = [1] : tensor<3xf32> -> tensor<4x3xf32>
  // CHECK: prims.add %[[Y]], %[[D]]
  // CHECK-NEXT: fx.output
  %m = fx.get @m : tensor<2x3xf32>
  %s = fx.get @s : tensor<3xf32>
  %t = fx.get @t : tensor<3xf32>
  %0 = prims.matmul %x, %m : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %1 = prims.broadcast %t dims = [1] : tensor<3xf32> -> tensor<4x3xf32>
  %2 = prims.broadcast %s dims = [1] : tensor<3xf32> -> tensor<4x3xf32>
  %3 = prims.add %0, %1 : tensor<4x3xf32>
  %4 = prims.div %3, %2 : tensor<4x3xf32>
  %5 = prims.add %4, %1 : tensor<4x3xf32>
  fx.output %5 : tensor<4x3xf32>
}

// One factor a row isn't one a channel.
// CHECK-LABEL: fx.graph @rows
fx.graph @rows(%x: tensor<3x2xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  // CHECK: prims.matmul
  // CHECK-NEXT: prims.mul
  %m = fx.get @m : tensor<2x3xf32>
  %s = fx.get @s : tensor<3xf32>
  %1 = prims.broadcast %s dims = [0] : tensor<3xf32> -> tensor<3x3xf32>
  %0 = prims.matmul %x, %m : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  %2 = prims.mul %0, %1 : tensor<3x3xf32>
  fx.output %2 : tensor<3x3xf32>
}

// Somebody else reads the product.
// CHECK-LABEL: fx.graph @shared
fx.graph @shared(%x: tensor<4x2xf32>) inputs ["x"] outputs [#fx.role<result "y">, #fx.role<result "z">] symbols [] {
  // CHECK: prims.matmul
  // CHECK-NEXT: prims.mul
  %m = fx.get @m : tensor<2x3xf32>
  %s = fx.get @s : tensor<3xf32>
  %1 = prims.broadcast %s dims = [1] : tensor<3xf32> -> tensor<4x3xf32>
  %0 = prims.matmul %x, %m : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %2 = prims.mul %0, %1 : tensor<4x3xf32>
  fx.output %2, %0 : tensor<4x3xf32>, tensor<4x3xf32>
}
