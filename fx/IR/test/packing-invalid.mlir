// RUN: graphmill-opt --split-input-file --verify-diagnostics %s

// packing.c1
// expected-error@+1 {{is packed with sizes, strides and columns of different numbers, or negative ones}}
fx.tensor parameter @w = dense<1.0> : tensor<3x6xf32> packed <sizes = [2, 3, 4], strides = [0, 6], columns = [4, 0, 1], step = 1, limit = 6, offset = 0>

// -----

// packing.c1
// expected-error@+1 {{is packed with sizes, strides and columns of different numbers, or negative ones}}
fx.tensor parameter @w = dense<1.0> : tensor<3x6xf32> packed <sizes = [2, -3, 4], strides = [0, 6, 0], columns = [4, 0, 1], step = 1, limit = 6, offset = 0>

// -----

// packing.c2
// expected-error@+1 {{is packed from elements beyond its value}}
fx.tensor parameter @w = dense<1.0> : tensor<3x6xf32> packed <sizes = [2, 4, 4], strides = [0, 6, 0], columns = [4, 0, 1], step = 1, limit = 6, offset = 0>

// -----

// packing.c2
// expected-error@+1 {{is packed from elements beyond its value}}
fx.tensor parameter @w = dense<1.0> : tensor<3x6xf32> packed <sizes = [2, 3], strides = [-1, 6], columns = [0, 0], step = 0, limit = 1, offset = 0>

// -----

// packing.c2
// expected-error@+1 {{is packed from elements beyond its value}}
fx.tensor parameter @w = dense<1.0> : tensor<3x6xf32> packed <sizes = [2, 9223372036854775807], strides = [1, 9223372036854775807], columns = [0, 0], step = 0, limit = 1, offset = 0>

// -----

// packing.c3
// expected-error @below {{is transformed for Winograd's convolutions with outputs of 3, expected 2 or 4, and a float32 value whose last two dims are 3}}
fx.tensor parameter @w = dense<0.0> : tensor<4x2x3x3xf32> packed <sizes = [25], strides = [1], columns = [0], step = 0, limit = 1, offset = 0, winograd = 3>

// -----

// packing.c3
// expected-error @below {{is transformed for Winograd's convolutions with outputs of 2}}
fx.tensor parameter @w = dense<0.0> : tensor<4x2x3x1xf32> packed <sizes = [16], strides = [1], columns = [0], step = 0, limit = 1, offset = 0, winograd = 2>

// -----

// packing.c2: the last transformed element is 4 * 2 * 16 - 1.
// expected-error @below {{is packed from elements beyond its value}}
fx.tensor parameter @w = dense<0.0> : tensor<4x2x3x3xf32> packed <sizes = [129], strides = [1], columns = [0], step = 0, limit = 1, offset = 0, winograd = 2>
